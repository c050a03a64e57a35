#!/usr/bin/env python3
"""polhode-mpi: kernels that ranks hand to one another."""

import json
import os
import pathlib
import shutil
import subprocess

from command_line import CONFIG, PROGRAM, datasets
from ranks import SHARED, RanksTest, main


class Kernels(RanksTest):
    """Kernels that ranks hand to one another: those of different machines have different caches."""

    def setUp(self):
        super().setUp()
        self.caches = [self.path / "cache", self.path / "elsewhere"]
        self.log = self.path / "compiled"
        self.compiler = self.script("compiler", f'case "$*" in *-shared*) echo "$@" >>{self.log};; esac\nexec g++ "$@"\n')
        self.environment |= {"POLHODE_CACHE": str(self.caches[0]), "POLHODE_COMPILER": str(self.compiler)}
        self.environment.pop("POLHODE_NO_COMPILE", None)
        self.elsewhere = {"POLHODE_CACHE": self.caches[1], "POLHODE_COMPILER": "/nowhere/g++"}
        self.name = self.write(CONFIG)
        self.command = ["run", self.name, "--force", "--backend", "cpu"]
        self.assertEqual(self.polhode(*self.command, "-o", "alone.h5").returncode, 0)

    def script(self, name, text):
        file = self.path / name
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(0o755)
        return file

    def modules(self, cache):
        return {module.name: module.read_bytes() for module in cache.rglob("*.so")}

    def compiled(self):
        """How often a compiler has made a module since the last time."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return len(lines)

    def share(self, ranks, *arguments, other=None, elsewhere=None, **changed):
        self.environment |= changed
        return self.end(self.start(["-n", ranks, SHARED, *(arguments or self.command)], other=other, elsewhere=elsewhere))

    def share_well(self, ranks, *arguments, **keywords):
        """What is said of kernels when they are there, however long that takes."""
        done = self.share(ranks, *arguments, **keywords)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_datasets("out.h5", datasets(self.path / "alone.h5"), arguments)
        return "".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith("polhode: still compiling "))

    def test_ranks_of_one_cache_compile_once(self):
        self.assertRegex(self.share_well(4), r"^polhode: compiled heavy-top, rattle, cayley, double, \w+; heavy-top, \w+: [\d.]+ s\n$")
        self.assertEqual(self.compiled(), 2)
        self.assertEqual(len(self.modules(self.caches[0])), 2)
        self.assertEqual(sorted(path.suffix for path in self.caches[0].rglob("*") if path.is_file()), [".so", ".so"], "nothing else is left")
        self.assertEqual((self.share_well(4), self.compiled()), ("", 0))

    def test_a_machine_without_a_compiler_gets_kernels(self):
        """Three of the four ranks are on the first machine."""
        self.assertEqual(self.share_well(4, elsewhere=self.elsewhere).count("compiled"), 1)
        self.assertEqual(self.compiled(), 2)
        here, there = map(self.modules, self.caches)
        self.assertEqual(len(here), 2)
        self.assertEqual(there, here)
        self.assertEqual(sorted(path.suffix for path in self.caches[1].rglob("*") if path.is_file()), [".so", ".so"], "nothing else is left")
        self.assertEqual((self.share_well(2, elsewhere=self.elsewhere), self.compiled()), ("", 0))
        # What is damaged there is replaced.
        module = next(self.caches[1].rglob("*.so"))
        module.write_bytes(module.read_bytes()[:-100])
        self.assertEqual((self.share_well(2, elsewhere=self.elsewhere), self.compiled()), ("", 0))
        self.assertEqual(self.modules(self.caches[1]), here)

    def test_a_machine_with_a_compiler_finds_later_what_it_got(self):
        elsewhere = self.elsewhere | {"POLHODE_COMPILER": self.script("other", 'exec g++ "$@"\n')}
        self.share_well(2, elsewhere=elsewhere)
        self.assertEqual(self.compiled(), 2)
        done = subprocess.run([PROGRAM, *self.command], cwd=self.path, env=self.environment | {name: str(value) for name, value in elsewhere.items()} | {"POLHODE_NO_COMPILE": "1"},
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_where_nothing_may_be_compiled_kernels_are_handed_out(self):
        for forbidden in ({"POLHODE_NO_COMPILE": "1"}, {}):
            command = self.command if forbidden else [*self.command, "--no-compile"]
            done = self.share(2, *command, elsewhere=self.elsewhere, **forbidden)
            self.expect_error(done, 3, "there is no kernel heavy-top, rattle, cayley, double", "none may be compiled", "Run polhode compile CONFIG first")
            self.environment.pop("POLHODE_NO_COMPILE", None)
        self.assertEqual(self.compiled(), 0)
        self.share_well(1)
        self.compiled()
        self.assertEqual((self.share_well(2, elsewhere=self.elsewhere, POLHODE_NO_COMPILE="1"), self.compiled()), ("", 0))
        # Also by another than the first.
        shutil.rmtree(self.caches[0])
        self.assertEqual((self.share_well(3, elsewhere=self.elsewhere), self.compiled()), ("", 0))
        self.assertEqual(*map(self.modules, self.caches))

    def test_a_compiler_that_fails(self):
        broken = self.script("broken", 'case "$*" in *-shared*) echo "no licence: error" >&2; exit 1;; esac\nexec g++ "$@"\n')
        for elsewhere in (None, self.elsewhere):
            done = self.share(3, elsewhere=elsewhere, POLHODE_COMPILER=str(broken))
            self.expect_error(done, 3, "cannot compile heavy-top, rattle, cayley, double", "no licence: error", ".log")
            self.assertFalse((self.path / "out.h5").exists())
        self.expect_error(self.share(3, POLHODE_COMPILER="/nowhere/g++"), 3, "which is no program")

    def test_instruction_sets_of_others_are_compiled_for(self):
        backends = json.loads(self.polhode("list", "backends", "--json").stdout)
        best = {backend["name"]: backend for backend in backends}["cpu"]["isa"][0]
        scalar = [*self.command, "--isa", "scalar"]
        for elsewhere in (self.elsewhere, None):
            said = self.share_well(2, other=scalar, elsewhere=elsewhere)
            if elsewhere:
                self.assertEqual((said.count("scalar"), said.count(best)), (2, 2), said)
                self.assertEqual(self.compiled(), 4)
                self.assertEqual(len(self.modules(self.caches[0])), 4)
                self.assertEqual(len(self.modules(self.caches[1])), 2)
        self.assertEqual(self.compiled(), 0)
        shutil.rmtree(self.caches[0])
        done = self.share(2, other=scalar, POLHODE_NO_COMPILE="1")
        self.expect_error(done, 3, "Run polhode compile CONFIG --for ", "scalar", best)

    def test_a_system_of_a_header(self):
        example = pathlib.Path(__file__).resolve().parents[2] / "examples/own_system"
        for file in example.glob("neumann.*"):
            shutil.copy(file, self.path)
        text = (self.path / "neumann.toml").read_text()
        self.write(text.replace('header = "neumann.hpp"', 'name = "neumann"'), "named.toml")
        shutil.copy(self.path / "neumann.hpp", self.path / "other.hpp")
        (self.path / "other.hpp").write_text((self.path / "neumann.hpp").read_text().replace('"neumann"', '"other"'))
        steps = ["--set", "run.steps=200", "--force", "--backend", "cpu", "-o"]
        alone = self.polhode("run", "neumann.toml", *steps, "alone.h5")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        for command, n in ((["neumann.toml"], 3), (["named.toml", "--system", "neumann.hpp"], 3), (["named.toml", "--system", "other.hpp", "--system", "neumann.hpp"], 4)):
            with self.subTest(command):
                self.share_well(3, "run", *command, *steps, "out.h5", elsewhere=self.elsewhere)
                self.assertEqual(self.compiled(), n)
                self.assertEqual(len(self.modules(self.caches[1])), n)
                for cache in self.caches:
                    shutil.rmtree(cache)
        (self.path / "neumann.hpp").write_text((self.path / "neumann.hpp").read_text().replace("dot(q, q)", "dott(q, q)"))
        done = self.share(3, "run", "neumann.toml", *steps, "out.h5", elsewhere=self.elsewhere)
        self.expect_error(done, 2, "neumann.hpp:", "error: ", "Correct it")

    def test_ranks_of_different_kernels_are_told_so(self):
        done = self.share(2, other=[*self.command, "--precision", "single"])
        self.expect_error(done, 2, "rank 1: ", "kernels are not those of rank 0")
        self.assertEqual(self.compiled(), 0)

    def test_a_rank_that_needs_no_kernel_is_told_so(self):
        reference = [*self.command[:-1], "reference"]
        for command, other in ((reference, self.command), (self.command, reference)):
            done = self.share(2, *command, other=other)
            self.expect_error(done, 2, "rank 1: ", "not th")
            shutil.rmtree(self.caches[0], ignore_errors=True)

    def test_what_the_first_rank_may_counts_for_all(self):
        dry = [*self.command, "--dry-run"]
        done = self.share(2, *dry, elsewhere=self.elsewhere | {"POLHODE_NO_COMPILE": "0"}, POLHODE_NO_COMPILE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("kernels that are missing: heavy-top, rattle, cayley", done.stdout)
        self.environment.pop("POLHODE_NO_COMPILE")
        done = self.share(2, *dry, elsewhere={"POLHODE_NO_COMPILE": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("missing", done.stdout)
        self.assertEqual(self.compiled(), 2)

    def test_a_machine_whose_cache_is_full_or_of_no_use(self):
        file = self.path / "file"
        file.write_text("")
        said = self.share_well(2, elsewhere=self.elsewhere | {"POLHODE_CACHE": file})
        self.assertIn("for this process alone", said)
        # The first rank hands out what it has compiled for itself alone, too.
        cache = self.environment["POLHODE_CACHE"]
        said = self.share_well(2, elsewhere={"POLHODE_COMPILER": "/nowhere/g++"}, POLHODE_CACHE=str(file))
        self.assertEqual((said.count("for this process alone"), said.count("compiled heavy-top")), (2, 1), said)
        self.environment["POLHODE_CACHE"] = cache
        disk = self.path / "disk"
        disk.mkdir(mode=0o700)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k,mode=700", "tmpfs", str(disk)], capture_output=True).returncode != 0:
            self.skipTest("cannot mount a small file system (this needs root)")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], stdin=subprocess.DEVNULL)
        done = self.share(3, elsewhere=self.elsewhere | {"POLHODE_CACHE": disk})
        self.expect_error(done, 4, "rank 1: cannot write", "is the disk full?")
        self.assertEqual(list(disk.rglob("*.so")), [])

    def test_a_dry_run_tells_what_no_rank_has(self):
        dry = [*self.command, "--dry-run", "--no-compile"]
        done = self.share(2, *dry, elsewhere=self.elsewhere, other=[*dry, "--isa", "scalar"])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ("an unknown time (kernels are missing)", "heavy-top, rattle, cayley, double, scalar", "polhode compile CONFIG --for "):
            self.assertIn(words, done.stdout)
        self.assertEqual(self.compiled(), 0)


if __name__ == "__main__":
    main()
