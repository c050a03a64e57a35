#!/usr/bin/env python3
"""What is compiled for a user's own system, and when.

Against a staged installation. Run with POLHODE_BUILD set to the folder in which polhode was built."""

import os
import re
import shutil
import subprocess
import unittest

import h5py

from staged import ROOT, Stage


def setUpModule():
    global stage, environment
    installed = Stage()
    unittest.addModuleCleanup(installed.remove)
    stage, environment = installed.path, installed.environment


class Cache(unittest.TestCase):
    """What is compiled, and when."""

    def setUp(self):
        self.folder = stage / self.id()
        shutil.copytree(ROOT / "examples/own_system", self.folder)
        self.environment = environment | {"POLHODE_CACHE": str(self.folder / "cache")}
        self.environment.pop("POLHODE_NO_COMPILE", None)

    def polhode(self, *arguments, **changed):
        return subprocess.run(["polhode", *map(str, arguments)], cwd=self.folder, env=self.environment | changed, text=True, capture_output=True)

    def run_example(self, *arguments, **changed):
        return self.polhode("run", "neumann.toml", "-o", "out.h5", "--force", "--backend", "cpu", "--set", "run.steps=100", *arguments, **changed)

    def test_a_first_run_compiles_beside_each_other_and_a_second_nothing(self):
        first, second = self.run_example(), self.run_example()
        self.assertEqual((first.returncode, second.returncode), (0, 0), first.stderr + second.stderr)
        compiled = [line for line in first.stderr.splitlines() if line.startswith("polhode: compiled ")]
        self.assertEqual(len(compiled), 1, first.stderr)  # the description, the kernel and the system, in one go
        for word in ("neumann, description", "neumann, rattle, newton, double"):
            self.assertIn(word, compiled[0])
        self.assertEqual(second.stderr, "")

    def test_the_kernel_of_a_table_is_compiled_beside_the_description(self):
        """What is guessed of it is what is asked for: nothing else is compiled, then or later."""
        for number, table in enumerate(("", "dopri5", "[[0, 0], [0.25, 0], [-1, 2]]")):
            chosen = ("--set", "method.name=runge-kutta-projected", *(("--set", f"method.table={table}") if table else ()))
            cache = self.folder / f"cache{number}"
            first, second = (self.run_example(*chosen, POLHODE_CACHE=str(cache)) for _ in range(2))
            self.assertEqual((first.returncode, second.returncode), (0, 0), first.stderr + second.stderr)
            compiled = [line for line in first.stderr.splitlines() if line.startswith("polhode: compiled ")]
            self.assertEqual(len(compiled), 1, first.stderr)
            self.assertIn("neumann, runge-kutta-projected, " + ("rk4", "dopri5", "own table")[number], compiled[0])
            self.assertEqual(len(list(cache.rglob("*.so"))), 3)
            self.assertEqual(second.stderr, "")

    def test_an_edited_file_is_compiled_again(self):
        header = self.folder / "neumann.hpp"
        before, factor = "number(0.5) * dot(q, hadamard(a, q))", "number(factor()) * dot(q, hadamard(a, q))"
        text = header.read_text()
        self.assertEqual(text.count(before), 1)
        header.write_text(text.replace(before, factor).replace("#pragma once\n", '#pragma once\n#include "factor.hpp"\n'))
        found = []
        for value in (0.5, 0.25, 0.5):
            (self.folder / "factor.hpp").write_text(f"constexpr double factor() {{ return {value}; }}\n")
            done = self.run_example()
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(self.folder / "out.h5") as file:
                found.append((file["invariants/initial"][0, 0], bool(done.stderr)))
        self.assertEqual([compiled for _, compiled in found], [True, True, False])
        self.assertEqual(found[0][0], found[2][0])
        self.assertNotEqual(found[0][0], found[1][0])

    def test_nothing_is_compiled_where_it_may_not_be(self):
        """And what is said then helps, wherever compiling is forbidden by the environment."""
        done = self.run_example("--no-compile")
        self.assertEqual(done.returncode, 3)
        said = re.fullmatch(r"polhode: there is no kernel neumann, description.*\. Run polhode (compile .+ CONFIG) first\.\n", done.stderr)
        self.assertTrue(said, done.stderr)
        self.assertFalse((self.folder / "out.h5").exists())
        done = self.polhode(*said[1].replace("CONFIG", "neumann.toml").split(), POLHODE_NO_COMPILE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_example("--no-compile").returncode, 0)
        done = self.run_example("--no-compile", "--isa", "scalar")
        said = re.search(r"Run polhode (compile .+ --for scalar) first", done.stderr)
        self.assertEqual(self.polhode(*said[1].replace("CONFIG", "neumann.toml").split()).returncode, 0, done.stderr)
        self.assertEqual(self.run_example("--no-compile", "--isa", "scalar").returncode, 0)

    def test_a_header_that_changes_while_it_is_compiled_is_no_other(self):
        header, slow = self.folder / "neumann.hpp", self.folder / "slow"
        edited = header.read_text().replace("(Neumann's problem)", "(edited)")
        (self.folder / "edited").write_text(edited)
        slow.write_text(f'#!/bin/sh\ncase "$*" in *-shared*) cp "{self.folder}/edited" "{header}";; esac\nexec g++ "$@"\n')
        slow.chmod(0o755)
        text = header.read_text()
        done = self.run_example(POLHODE_COMPILER=str(slow))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("it has changed while it was compiled", done.stderr)
        header.write_text(text)
        slow.write_text('#!/bin/sh\nexec g++ "$@"\n')
        self.assertIn("(Neumann's problem)", self.polhode("list", "systems", "neumann", "--system", header, POLHODE_COMPILER=str(slow)).stdout)

    def test_kernels_beside_a_header_that_others_may_write_are_not_loaded(self):
        for target in ("neumann.hpp", "neumann.toml"):
            self.assertTrue((self.folder / target).exists())
        self.assertEqual(self.polhode("compile", "neumann.toml", "--into", "kernels").returncode, 0)
        alone = {"POLHODE_CACHE": str(self.folder / "empty"), "POLHODE_COMPILER": "/bin/false"}
        self.assertEqual(self.run_example("--no-compile", **alone).returncode, 0)
        for folder in (self.folder / "kernels", self.folder):
            folder.chmod(0o777)
            self.assertEqual(self.run_example("--no-compile", **alone).returncode, 3, folder)
            folder.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(self.folder / "kernels", 65534, 65534)
            self.assertEqual(self.run_example("--no-compile", **alone).returncode, 3)

    def test_a_form_that_the_text_does_not_tell_is_that_of_the_type(self):
        """The kernel that is compiled beside the description is a guess, and no failure where it was a wrong one."""
        header = self.folder / "neumann.hpp"
        text = header.read_text().replace("ConstrainedSystem<NeumannPhysics>", "ConstrainedSystem <NeumannPhysics>")
        header.write_text(text.replace("#pragma once", "// Not as HamiltonianSystem<...>.\n#pragma once"))
        done = self.run_example()
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
