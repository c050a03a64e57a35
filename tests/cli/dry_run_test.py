#!/usr/bin/env python3
"""polhode run --dry-run: what a run will be, and nothing written.

Run with POLHODE set to the program's path."""

import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

from command_line import CONFIG, EXAMPLES, PROGRAM, WITHOUT_QUARANTINE, CliTest

sys.path.insert(0, str(EXAMPLES.parent / "scripts"))
sys.dont_write_bytecode = True

from compare_programs import example_runs  # noqa: E402
from verification import examples  # noqa: E402

UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9}


class DryRun(CliTest):
    def dry(self, *arguments):
        """What is said of a run that could be made; it leaves nothing behind."""
        before = sorted(self.path.rglob("*"))
        done = self.polhode("run", *arguments, "--dry-run")
        self.assertEqual((done.stderr, done.returncode), ("", 0))
        self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")
        self.assertTrue(done.stdout.endswith("  nothing has been written\n"), done.stdout)
        return done.stdout

    def size(self, text):
        number, unit = re.search(r"about (\S+) ([kMG]B) for the result", text).groups()
        return float(number) * UNITS[unit]

    def test_sizes_of_the_examples(self):
        """A fifth is what was asked for; without sampled section points it is exact but for what HDF5 writes beside."""
        files = examples.files()
        self.assertGreater(len(files), 10)
        for example in files:
            options = examples.write_states(example, self.path, example_runs.MOLECULES)
            if example.stem in example_runs.CUTS:
                options += ["--set", example_runs.CUTS[example.stem].setting]
            output = self.path / f"{example.stem}.h5"
            with self.subTest(example.name):
                told = self.size(self.dry(example, *options, "-o", output))
                self.assertEqual(self.polhode("run", example, *options, "-o", output, "--quiet").returncode, 0)
                true = output.stat().st_size
                self.assertLess(abs(told - true), 0.2 * true, f"{told:g} and {true:g}")

    def test_says_what_the_run_will_say(self):
        name = self.write()
        text = self.dry(name)
        self.assertRegex(text, r"^out.h5: \d+ trajectories of heavy-top by rattle \(cayley\), 600 steps of 0.05 on cpu")
        self.assertRegex(text, r"\n  \d+ of 36 grid points have a start on branch pi1\+")
        self.assertRegex(text, r"\n  about \S+ section points \(gamma3 = 0, up\)\n")
        self.assertRegex(text, r"\n  about \S+ s, up to \S+ [MG]B of memory\n")
        self.assertRegex(text, r", \S+ [kM]B while it is written; \S+ [GT]B are free\n")
        points = float(re.search(r"about (\S+) section points", text)[1])
        self.assertEqual(self.polhode("run", name).returncode, 0)
        # Few enough that the sample is all of them.
        self.assertIn(f"  {points:.0f} section points", self.run_with(name, "again.h5"))

    def test_kernels_that_are_missing(self):
        """And may not be compiled: a list of them, without what only a run of some trajectories could tell."""
        name = self.write(CONFIG + "[record]\nsnapshots = 1\n")
        environment = {name: value for name, value in os.environ.items() if name != "POLHODE_NO_COMPILE"} | {"POLHODE_CACHE": str(self.path / "cache")}
        arguments = ("run", name, "--backend", "cpu", "--dry-run")
        for no_compile in (("--no-compile",), ()):
            extra = {} if no_compile else {"POLHODE_NO_COMPILE": "1"}
            done = self.polhode(*arguments, *no_compile, env=environment | extra)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"^out\.h5: 32 trajectories of heavy-top by rattle \(cayley\), 600 steps of 0\.05 on cpu, \d+ threads?, (\w+)\n")
            self.assertRegex(done.stdout, r"\n  an unknown time \(kernels are missing\), up to \S+ MB of memory\n  about \S+ MB for the result without section points, \S+ MB while it is written; ")
            self.assertRegex(done.stdout, r"\n  kernels that are missing: heavy-top, rattle, cayley, double, \w+; heavy-top, \w+; compiled by polhode compile CONFIG\n  nothing has been written\n$")
            self.assertNotRegex(done.stdout, r"\d section points")
        self.assertFalse((self.path / "cache").exists())
        done = self.polhode(*arguments, "--no-compile", "--isa", "scalar", env=environment)
        self.assertIn("; compiled by polhode compile CONFIG --for scalar\n", done.stdout)
        # Otherwise a dry run compiles, and then nothing is missing.
        self.assertIn(" section points (gamma3", self.polhode(*arguments, env=environment).stdout)
        done = self.polhode(*arguments, "--no-compile", env=environment)
        self.assertIn(" section points (gamma3", done.stdout)
        self.assertNotIn("missing", done.stdout)
        self.expect_error(self.polhode(*arguments, "--no-compile", "--set", "run.steps=1000000000000", env=environment | {"POLHODE_CACHE": str(self.path / "other")}),
                          4, "does not fit on the disk", "at least")

    def test_what_is_wrong_is_wrong_without_a_run(self):
        name = self.write()
        (self.path / "there.h5").write_text("precious")
        for arguments, code, words in (((), 0, ""), (("--set", "run.steps=0"), 2, "run.steps = 0"),
                                       (("--set", "method.name=rk5"), 2, "rk5"), (("-o", "there.h5"), 2, "already exists"),
                                       (("-o", "absent/out.h5"), 4, "cannot write"), (("--resume",), 2, "nothing to resume")):
            with self.subTest(arguments):
                before = sorted(self.path.rglob("*"))
                done = self.polhode("run", name, "--dry-run", *arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(sorted(self.path.rglob("*")), before)

    def test_what_does_not_fit_on_the_disk(self):
        name = self.write(CONFIG + "[record]\nsnapshots = 1\n")
        done = self.polhode("run", name, "--dry-run", "--set", "run.steps=1000000000000")
        self.expect_error(done, 4, "does not fit on the disk", "PB for it")
        self.assertEqual(list(self.path.iterdir()), [self.path / name])

    def test_beside_a_run(self):
        """That was interrupted, or is going on: the dry run leaves it as it is."""
        name = self.write(CONFIG.replace("steps = 600", "steps = 100000000\ncheckpoint = 0"))
        self.run_until(self.has_checkpoint, name)
        before = {path: path.read_bytes() for path in (self.path / "out.h5.part").iterdir()}
        there = "  out.h5.part is there: a run was interrupted or is going on\n"
        self.assertIn(there, self.dry(name))
        for option in ("--resume", "--force"):
            self.assertNotIn(there, self.dry(name, option))
        self.assertEqual({path: path.read_bytes() for path in (self.path / "out.h5.part").iterdir()}, before)
        self.expect_error(self.polhode("run", name), 2, "already exists")  # which a run refuses

    def test_memory_is_a_bound(self):
        """Of many trajectories, of which the file takes next to nothing, and of many cells."""
        name = self.write("""
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "random"
distribution = "cloud"
state = [1, 0, 0, 0, 0, 1]
width = 0.1
count = 1000000
[run]
steps = 20
[section]
name = "gamma3"
points = false
[density]
axes = ["pi1", "pi2"]
bins = [2000, 2000]
range = [[-3, 3], [-3, 3]]
[output]
file = "out.h5"
""")
        number, unit = re.search(r"up to (\S+) ([MG]B) of memory", self.dry(name)).groups()
        told = float(number) * UNITS[unit]
        process = subprocess.Popen([PROGRAM, "run", name, "--quiet"], cwd=self.path, stdout=subprocess.DEVNULL, env=WITHOUT_QUARANTINE)
        status, most = pathlib.Path(f"/proc/{process.pid}/status"), 0
        while process.poll() is None:
            # Without the pages of mapped files, which are no memory that is needed.
            if anonymous := re.search(r"RssAnon:\s+(\d+) kB", status.read_text()):
                most = max(most, 1024 * int(anonymous[1]))
            time.sleep(0.002)
        self.assertEqual(process.returncode, 0)
        self.assertLess(most, told)
        self.assertGreater(most, told / 3)  # not all of it is there at a time



if __name__ == "__main__":
    unittest.main()
