#!/usr/bin/env python3
"""A user's own system: the example, its cross-check, and what is refused (own_system_cache_test.py has what is compiled when,
own_system_forms_test.py systems of other forms, tutorial_test.py the tutorial).

Against a staged installation. Run with POLHODE_BUILD set to the folder in which polhode was built."""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import h5py

from staged import ROOT, Stage

METHODS = ["rattle", "rattle-tn", "shake", "constraint-euler", "constraint-euler-adjoint"]
SOLVERS = ["newton", "newton-secant", "psi-form"]


def setUpModule():
    global installed, stage, environment
    installed = Stage()
    unittest.addModuleCleanup(installed.remove)
    stage, environment = installed.path, installed.environment
    write_systems()


def run(*command, cwd, **keywords):
    return installed.run(*command, cwd=cwd, **keywords)


def write_systems():
    """Into systems/, each in a folder of its own."""
    global systems
    systems = stage / "systems"
    shutil.copytree(ROOT / "examples/own_system", systems / "example")
    write_wrong(systems / "wrong")
    installed.must("polhode", "new-system", "--header", "neumann-2", systems / "two", cwd=stage)


def write_wrong(folder):
    """The example under another name, with a derivative that is wrong by a millionth."""
    shutil.copytree(ROOT / "examples/own_system", folder)
    for name, right, wrong in (("neumann.hpp", '"neumann"', '"neumann-wrong"'), ("neumann.hpp", "return hadamard(a, q);", "return number(1 + 1e-6) * hadamard(a, q);")):
        text = (folder / name).read_text()
        assert text.count(right) == 1, (name, right)
        (folder / name).write_text(text.replace(right, wrong))


def results(path):
    """What a run has computed, as bytes."""
    with h5py.File(path) as file:
        return {name: file[name][()].tobytes() for name in ("final/state", "section/state", "section/time", "invariants/max_drift")}


class Example(unittest.TestCase):
    """examples/own_system."""

    @classmethod
    def setUpClass(cls):
        cls.folder = systems / "example"
        cls.header = cls.folder / "neumann.hpp"

    def polhode(self, *arguments, **keywords):
        return run("polhode", *arguments, cwd=self.folder, **keywords)

    def example(self, name, *arguments, backend="cpu"):
        done = self.polhode("run", "neumann.toml", "-o", name, "--force", "--backend", backend, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("failed", done.stdout)
        return self.folder / name

    def expect_error(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stderr)
        said = [line for line in done.stderr.splitlines() if not line.startswith(("polhode: compiled ", "polhode: still compiling "))]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertRegex(said[0], r"^polhode: .+ \(.+\)\. .+\.$")
        for word in words:
            self.assertIn(word, done.stderr)

    def expect_refused(self, header, *words):
        files = sorted(self.folder.rglob("*"))
        self.expect_error(self.polhode("run", "--system", header, "neumann.toml", "-o", "none.h5"), 2, "cannot use the system", *words)
        self.expect_error(self.polhode("list", "systems", "--system", header), 2, "cannot use the system", *words)
        self.assertEqual(sorted(self.folder.rglob("*")), files, "something was left behind")

    def test_same_bits_for_any_instruction_set_threads_and_segments(self):
        more = [("--threads", "1"), ("--threads", "3"), ("--set", "run.segment=17")]
        isas = json.loads(self.polhode("list", "backends", "--json").stdout)[1]["isa"]
        steps = ("--set", "run.steps=3000")
        for method in METHODS:
            for solver in SOLVERS:
                chosen = ("--set", f"method.name={method}", "--set", f"method.solver={solver}", *steps)
                if method == "shake":  # its momenta have no section
                    chosen += ("--set", "section.name=x")
                expected = results(self.example("bits.h5", *chosen))
                self.assertGreater(len(expected["section/time"]), 100)
                for i in range(max(len(isas), len(more))):  # each of both at least once
                    variant = ("--isa", isas[i % len(isas)], *more[i % len(more)])
                    self.assertEqual(results(self.example("again.h5", *chosen, *variant)), expected, (method, solver, variant))

    def test_reference_agrees_and_integrals_are_kept_to_second_order(self):
        steps = ("--set", "run.steps=200")
        with h5py.File(self.example("cpu.h5", *steps)) as fast, h5py.File(self.example("ref.h5", *steps, backend="reference")) as slow:
            self.assertEqual(slow.attrs["backend"], "reference")
            difference = abs(fast["final/state"][:] - slow["final/state"][:]).max()
            # Round-off of 200 steps, some 1e-16 each; 1.1e-14 measured.
            self.assertLess(difference, 2e-13)
            self.assertGreater(difference, 0)  # another computation
        drifts = []
        for h, n in ((0.02, 5000), (0.01, 10000)):
            with h5py.File(self.example("drift.h5", "--set", f"method.step={h}", "--set", f"run.steps={n}")) as file:
                names = [name.decode() for name in file["invariants/names"]]
                self.assertEqual(names, ["energy", "uhlenbeck_1", "uhlenbeck_2", "constraint"])
                drifts.append(file["invariants/max_drift"][:].max(axis=0))
        ratio = drifts[0][:3] / drifts[1][:3]
        self.assertTrue(((3.8 < ratio) & (ratio < 4.2)).all(), ratio)  # h^2, and terms of h^4 that are small here
        self.assertLess(drifts[0][3], 1e-14)

    def test_lists_and_files_say_where_a_system_comes_from(self):
        named = ("--system", self.header)
        listed = json.loads(self.polhode("list", "systems", "--json", *named).stdout)
        self.assertEqual([(system["name"], system["header"]) for system in listed if "header" in system], [("neumann", "neumann.hpp")])
        methods = json.loads(self.polhode("list", "methods", "--json", *named).stdout)
        own = {method["name"]: len(method["solvers"]) for method in methods if method["system"] == "neumann"}
        pendulum = {method["name"]: len(method["solvers"]) for method in methods if method["system"] == "spherical-pendulum"}
        self.assertEqual(own, pendulum)  # which is of the same form, and has all step maps
        self.assertNotIn("neumann", self.polhode("list", "systems").stdout)
        path = self.example("info.h5", "--set", "run.steps=10")
        self.assertRegex(self.polhode("info", path).stdout, r"header +neumann\.hpp, content [0-9a-f]{16}")

    def test_a_header_is_named_by_option_or_key(self):
        """By the option relative to where one is, by the key relative to the configuration; a result runs again as it says."""
        steps = ("--set", "run.steps=100")
        expected = results(self.example("key.h5", *steps))
        config = stage / "elsewhere.toml"
        config.write_text((self.folder / "neumann.toml").read_text().replace('header = "neumann.hpp"\n', ""))
        named = ("--system", "systems/example/neumann.hpp")
        self.assertRegex(run("polhode", "run", config, *named, "--help", cwd=stage).stdout, r"\n\[system\] neumann\n  name .*\n  header .*\n  a  ")
        self.assertIn("\n  a  ", self.polhode("run", "neumann.toml", "--help").stdout)
        for name, arguments in (("option.h5", (config, *named)), ("both.h5", ("systems/example/neumann.toml", *named)), ("again.h5", ("option.h5",))):
            done = run("polhode", "run", *arguments, "-o", name, "--force", "--backend", "cpu", *steps, cwd=stage)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertEqual(results(stage / name), expected, name)
        for command in (("crosscheck", config, *named, "--steps", "20", "--trajectories", "2", "--isa", "scalar"), ("order", config, *named, "--trajectories", "2", "--steps", "64")):
            done = run("polhode", *command, cwd=stage)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.expect_error(run("polhode", "run", config, "-o", "none.h5", cwd=stage), 2, "name", "[system]")
        self.expect_error(self.polhode("run", "neumann.toml", "--set", 'system.header="missing.hpp"'), 2, "cannot use the system", "no such file")
        self.expect_error(self.polhode("run", "neumann.toml", "--set", 'system.name="kepler"'), 2, 'has the system "neumann"')

    def test_what_is_no_header_of_a_system_is_refused(self):
        self.expect_refused(self.folder / "missing.hpp", "no such file")
        self.expect_refused(self.folder, "no file")
        self.expect_refused("neumann.toml", "neumann.toml", "names no system", "POLHODE_SYSTEM(TYPE)")
        library = run("gcc", "-print-file-name=libgcc_s.so", cwd=self.folder).stdout.strip()
        self.expect_refused(library, "a library", "Name its header")
        for name, text in (("comment", "// POLHODE_SYSTEM(Nothing)\n"), ("long", " " * 400000 + '\n#include "' + "a" * 400000)):
            (stage / f"{name}.hpp").write_text(text)
            self.expect_refused(stage / f"{name}.hpp", "names no system")
        taken = stage / "taken.hpp"
        taken.write_text(self.header.read_text().replace('"neumann"', '"kepler"'))
        self.expect_refused(taken, 'there is a system "kepler" already')

    def test_mistakes_are_the_compilers_in_one_line(self):
        """With line and column in the user's file, also where a template of the program meets them."""
        folder = stage / "errors"  # a word of compilers
        folder.mkdir()
        text = self.header.read_text()
        (folder / "part.hpp").write_text("inline double half() { return 1 / 2.0 }\n")
        for wrong, place in ((text.replace("dot(q, q)", "dott(q, q)"), r"own\.hpp:\d+:\d+: error: .*dott"),
                             (text.replace("number(1))}; }", "number(1))} }"), r"own\.hpp:\d+:\d+: error: "),
                             ('#include "part.hpp"\n' + text, r"part\.hpp:1:\d+: error: "),
                             ('#include "gone.hpp"\n' + text, r"own\.hpp:1:\d+: .*error: gone\.hpp"),
                             ("#include <iostream>\n" + text.replace("const Vec<T, 3> l =", "std::cout << 1; const Vec<T, 3> l =", 1), "which is in no library that a module has"),
                             (text.replace("POLHODE_SYSTEM(NeumannSystem)", "POLHODE_SYSTEM(NeumannPhysics)"), "names no ConstrainedSystem")):
            self.assertNotEqual(wrong, text)
            (folder / "own.hpp").write_text(wrong)
            done = self.polhode("run", "--system", folder / "own.hpp", "neumann.toml", "-o", "none.h5")
            self.expect_error(done, 2, "cannot compile", "Correct it")
            self.assertRegex(done.stderr, place)
            self.assertIn("error", pathlib.Path(re.search(r"is in (\S+)\.$", done.stderr.strip())[1]).read_text())
        self.assertFalse((self.folder / "none.h5").exists())

    def test_an_error_of_the_compiler_itself_is_none_of_the_header(self):
        """It has no line; one in the program's own headers that the user's leads to has."""
        compiler = stage / "failing"
        for said, code, words in (("g++: error: unrecognized command-line option '-fno'", 3, ("cannot compile neumann", "unrecognized")),
                                  ("g++: fatal error: Killed signal terminated program cc1plus", 3, ("cannot compile neumann", "Killed")),
                                  ("clang: error: unable to execute command", 3, ("unable to execute",)),
                                  ("/tmp/program.hpp:12:3: error: no match", 2, ("neumann.hpp", "no match", "Correct it")),
                                  ("/tmp/program.cuh(12): error: no match", 2, ("neumann.hpp", "no match", "Correct it"))):
            with self.subTest(said):
                compiler.write_text(f'#!/bin/sh\ncase "$*" in *-shared*) echo "{said}" >&2; exit 1;; esac\nexec g++ "$@"\n')
                compiler.chmod(0o755)
                done = subprocess.run(["polhode", "run", "neumann.toml", "-o", "none.h5"], cwd=self.folder, text=True, capture_output=True,
                                      env=environment | {"POLHODE_CACHE": str(stage / "failing-cache"), "POLHODE_COMPILER": str(compiler)})
                self.expect_error(done, code, *words)
        self.assertFalse((self.folder / "none.h5").exists())

    def test_two_systems(self):
        both = [word for name in ("example/neumann", "two/neumann_2") for word in ("--system", systems / f"{name}.hpp")]
        listed = json.loads(self.polhode("list", "systems", "--json", *both).stdout)
        self.assertEqual([system.get("header") for system in listed[-2:]], ["neumann.hpp", "neumann_2.hpp"])
        config = systems / "two/neumann_2.toml"
        config.write_text(config.read_text().replace('header = "neumann_2.hpp"', 'name = "neumann-2"'))
        done = self.polhode("run", *both, config, "-o", "two.h5", "--set", "run.steps=100", "--backend", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_resume_needs_the_same_header(self):
        """Wherever it is, and whatever compiler made of it."""
        steps = ("--backend", "cpu", "--set", "run.checkpoint=0", "--set", "run.steps=3000000")
        command = ["polhode", "run", "neumann.toml", "-o", "long.h5", *steps]
        self.example("warm.h5", "--set", "run.steps=10")
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = self.folder / "long.h5.part"
        deadline = time.time() + 60
        while not (part / "checkpoint").exists() and process.poll() is None and time.time() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertTrue((part / "checkpoint").exists(), "the run ended before it was killed")
        moved, changed = self.folder / "moved/neumann.hpp", self.folder / "changed/neumann.hpp"
        for copy, text in ((moved, self.header.read_text()), (changed, self.header.read_text() + "// changed\n")):
            copy.parent.mkdir()
            copy.write_text(text)
        resume = [*command[1:], "--resume"]
        self.expect_error(self.polhode(*resume, "--system", changed), 2, "cannot resume", "header")
        other = environment | {"POLHODE_COMPILER": "clang++"} if shutil.which("clang++") else environment
        done = subprocess.run(["polhode", *resume, "--system", str(moved)], cwd=self.folder, env=other, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        resumed = results(self.folder / "long.h5")
        self.assertEqual(results(self.example("whole.h5", "--set", "run.steps=3000000")), resumed)


class Crosscheck(unittest.TestCase):
    """Of a derivative that was written against the values that it is one of."""

    def report(self, folder, code):
        command = ["polhode", "crosscheck", "neumann.toml", "--steps", "400", "--isa", "scalar"]
        text, json_text = run(*command, cwd=systems / folder), run(*command, "--json", cwd=systems / folder)
        self.assertEqual((text.returncode, json_text.returncode), (code, code), text.stdout + text.stderr)
        return text.stdout.splitlines(), {finding["promise"]: finding for finding in json.loads(json_text.stdout)["findings"] if finding["subject"] != "cuda"}

    def test_a_right_derivative_passes_every_check(self):
        lines, findings = self.report("example", 0)
        self.assertEqual(lines[-1], "all checks passed")
        self.assertEqual({promise: finding["verdict"] for promise, finding in findings.items()}, dict.fromkeys(("statuses", "step", "trajectories", "section"), "kept"))

    def test_a_wrong_derivative_fails_a_check(self):
        lines, findings = self.report("wrong", 1)
        self.assertEqual(lines[-1], "a check failed")
        broken = [line for line in lines if line.split()[0] == "failed"]
        self.assertRegex(broken[0], r"reference against cpu scalar: a step from common states: \S+ apart at most, \S+ of what is allowed$")
        self.assertEqual(findings["statuses"]["verdict"], "kept")
        self.assertEqual(findings["step"]["verdict"], "broken")
        # A millionth of the kick, h |a q| = 0.02 times up to 3.5, over momenta up to sqrt(3): by as much at most, and by
        # a tenth of it where it acts along the sphere.
        apart = findings["step"]["figures"]["largest"]
        self.assertLess(apart, 7e-8)
        self.assertGreater(apart, 2e-9)
        self.assertGreater(findings["step"]["figures"]["of_allowed"], 1000)


if __name__ == "__main__":
    unittest.main()
