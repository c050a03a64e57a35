#!/usr/bin/env python3
"""Trajectories that end early, and runs that cannot go on: what the file says of them, the report and the exit code.

Run with POLHODE set to the program's path."""

import json
import re
import resource
import signal
import subprocess
import unittest

import h5py
import numpy

from command_line import CONFIG, PROGRAM, CliTest, datasets

ENDED = 4
UNKNOWN = numpy.float64(numpy.nan).tobytes()  # the one pattern of bits that stands for what nobody knows
EVERY = 5  # steps between snapshots

# Tops of growing speed: with this step the slow ones go on, and the others fail sooner or later, the fastest at once.
SPEEDS = [0.5, 0.8, 0.98, 1.01, 1.1, 1.25, 4000.0]
STATES = [[s, 0.3, 0.1, 0.6, 0.0, 0.8] for s in SPEEDS]
MIXED = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', f'from = "states"\nstates = {STATES}').replace("step = 0.05", "step = 0.6")
ALL_FAIL = CONFIG.replace("step = 0.05", "step = 0.9")


class Failures(CliTest):
    def run_mixed(self, *options):
        report = self.run_with(self.write(MIXED), "out.h5", "--set", f"record.snapshots={EVERY}", *options)
        with h5py.File(self.path / "out.h5") as file:
            code, step = file["status/code"][:], file["status/step"][:]
        # Some of each kind, or nothing is tested.
        self.assertEqual(code[0], 0)
        self.assertTrue(((step > 16) & (step < 600)).any(), step)
        self.assertEqual(step[-1], 0)
        return report, code, step

    def expect_known_until_the_end(self, name, values, step):
        """values [n, t, ...] of snapshots: numbers as far as a trajectory came, and one NaN after that."""
        for k, last in enumerate(step):
            known = last // EVERY + 1
            self.assertTrue(numpy.isfinite(values[k, :known]).all(), f"{name}, trajectory {k}")
            self.assertEqual(values[k, known:].tobytes(), UNKNOWN * values[k, known:].size, f"{name}, trajectory {k}")

    def test_snapshots_after_a_failure_are_unknown(self):
        for backend in ("cpu", "reference"):
            _, _, step = self.run_mixed("--backend", backend)
            with h5py.File(self.path / "out.h5") as file:
                for name in ("snapshots/state", "snapshots/invariants"):
                    self.expect_known_until_the_end(name, file[name][:], step)
                self.assertTrue(numpy.isfinite(file["final/state"][:]).all())  # the last state that is known

    def test_snapshots_after_an_event_are_unknown(self):
        self.run_with(self.write(), "free.h5", "--set", f"record.snapshots={EVERY}")
        self.run_with("config.toml", "out.h5", "--set", f"record.snapshots={EVERY}", "--set", "section.terminal=true")
        with h5py.File(self.path / "free.h5") as free, h5py.File(self.path / "out.h5") as file:
            step = file["status/step"][:]
            self.assertTrue((file["status/code"][:] == ENDED).any())
            for name in ("snapshots/state", "snapshots/invariants"):
                values = file[name][:]
                self.expect_known_until_the_end(name, values, step)
                for k, last in enumerate(step):
                    known = last // EVERY + 1
                    self.assertEqual(values[k, :known].tobytes(), free[name][k, :known].tobytes())

    def test_drift_that_was_never_compared_is_unknown(self):
        for every in (16, 100, 1000):  # the last one: at the end alone
            report, _, step = self.run_mixed("--set", f"record.invariants_every={every}")
            compared = step >= min(every, 600)
            with h5py.File(self.path / "out.h5") as file:
                drift = file["invariants/max_drift"][:]
                self.assertTrue(numpy.isfinite(file["invariants/initial"][:]).all())
            self.assertTrue(compared.any() and not compared.all())
            self.assertRegex(report, rf"largest change of energy: \S+ \(trajectory \d\)(, of those that failed \S+ \(trajectory \d\))?, unknown in {(~compared).sum()} trajectories\n")
            self.assertTrue((drift[compared, 0] > 0).all() and numpy.isfinite(drift[compared]).all())
            self.assertEqual(drift[~compared].tobytes(), UNKNOWN * drift[~compared].size)
            self.assertIn(f", unknown in {(~compared).sum()} trajectories\n", self.polhode("info", "out.h5").stdout)

    def test_info_says_unknown_where_no_drift_is_known(self):
        self.polhode("run", self.write(ALL_FAIL))
        info = self.polhode("info", "out.h5")
        self.assertEqual(info.returncode, 0, info.stderr)
        self.assertEqual(re.findall(r"  energy +(.*)", info.stdout), ["unknown"])
        self.assertNotIn("0.00e+00", info.stdout)

    def test_the_report_names_the_first_failure(self):
        report, code, step = self.run_mixed()
        failed = numpy.flatnonzero(code == 1)
        self.assertIn(f"  {len(failed)} trajectories failed (first: trajectory {failed[0]}, after step {step[failed[0]]}): the implicit", report)
        report = self.run_with(self.write(MIXED), "out.h5", "--set", f"ensemble.states={STATES[:1] + STATES[-1:]}")
        self.assertIn("  1 trajectory failed (first: trajectory 1, after step 0): the implicit", report)

    def test_speed_is_that_of_the_steps_taken(self):
        """One top of eight goes on. Time and speed are of one measurement, so that their product is a number of steps."""
        states = STATES[:1] + 7 * STATES[-1:]
        steps = 3_000_000  # so many that the time has digits, which half a hundredth of a second is rounded to
        report = self.run_with(self.write(MIXED), "out.h5", "--set", f"ensemble.states={states}", "--set", f"run.steps={steps}", "--set", "method.step=0.05", "--isa", "scalar", "--threads", "1")
        seconds, speed = map(float, re.search(r"  ([\d.]+) s, (\S+) steps/s", report).groups())
        self.assertLess(0.995 * speed * (seconds - 0.005), steps)
        self.assertGreater(1.005 * speed * (seconds + 0.005), steps)

    def test_a_run_of_failures_alone_exits_with_1_and_has_its_file(self):
        name = self.write(ALL_FAIL)
        for backend in ("cpu", "reference"):
            result = self.polhode("run", name, "--force", "--backend", backend)
            self.expect_error(result, 1, "every trajectory failed (trajectory 0 after step ", "see /status in out.h5)")
            self.assertIn("32 trajectories failed (first: trajectory 0, after step ", result.stdout)
            with h5py.File(self.path / "out.h5") as file:
                self.assertTrue((file["status/code"][:] == 1).all())
        self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["config.toml", "out.h5"])
        # One that goes on is enough, and an event is no failure.
        self.run_mixed()
        self.run_with(self.write(), "out.h5", "--set", "section.terminal=true", "--set", "run.steps=6000")
        with h5py.File(self.path / "out.h5") as file:
            self.assertTrue((file["status/code"][:] == ENDED).all())

    def test_beyond_the_domain_of_a_generating_function_a_smaller_step_is_no_advice(self):
        state = "[[7.0, 0.0, 0.0]]"
        config = f'[system]\nname = "rigid-body-3"\nalpha = [2.0, 1.0, 0.0]\n[method]\nname = "ge-marsden"\nkappa = 1.0\nstep = 0.01\n[ensemble]\nfrom = "states"\nstates = {state}\n[run]\nsteps = 10\n[output]\nfile = "out.h5"\n'
        name = self.write(config)
        for method in ("ge-marsden", "channell-scovel"):
            for backend in ("cpu", "reference"):
                words = ("run", name, "--force", "--backend", backend, "--set", f"method.name={method}")
                self.expect_error(self.polhode(*words), 1, "(trajectory 0 after step 0; see /status in out.h5). Use other initial states or a larger method.kappa.")
                with h5py.File(self.path / "out.h5") as file:
                    self.assertEqual(list(file["status/code"]), [7])
                result = self.polhode(*words, "--set", "method.kappa=2.0")
                self.assertEqual(result.returncode, 0, result.stderr)
        # Any other failure keeps the other advice: next to the full turn a smaller step does help.
        near = ("run", name, "--force", "--set", "ensemble.states=[[1.0, 6.0, 0.0]]", "--set", "method.step=0.1")
        self.expect_error(self.polhode(*near), 1, "Use a smaller step or other initial states.")

    def test_a_step_far_too_large_ends_in_statuses(self):
        result = self.polhode("run", self.write(), "--set", "method.step=40")
        self.assertEqual(result.returncode, 1, result.stderr)
        with h5py.File(self.path / "out.h5") as file:
            code = file["status/code"][:]
            self.assertTrue((code == 1).all())
            self.assertTrue(numpy.isfinite(file["final/state"][:]).all())
            self.assertTrue((file["status/step"][:] < 600).all())
            self.assertTrue(numpy.allclose(file["final/time"][:], file["status/step"][:] * 40))
        # Failed trajectories cannot be continued.
        second = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "file"\npath = "out.h5"')
        self.write(second, "second.toml")
        self.expect_error(self.polhode("run", "second.toml", "-o", "second.h5"), 2, "failed")

    def test_a_disk_that_fills_up_early_leaves_something_to_resume(self):
        """A limit on the size of files stands for the disk. It is met long before the first timed checkpoint."""
        name = self.write()
        options = ["--set", "record.snapshots=1", "--set", "run.steps=20000", "--set", "run.segment=100"]  # 30 MB
        self.run_with(name, "whole.h5", *options)
        expected = datasets(self.path / "whole.h5")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        full = subprocess.run([PROGRAM, "run", name, *options], cwd=self.path, capture_output=True, text=True, preexec_fn=limit, timeout=300)
        self.expect_error(full, 4, "out.h5.part/snapshots", "File too large", "--resume")
        self.assertTrue((self.path / "out.h5.part" / "checkpoint").exists())
        resumed = self.polhode("run", name, *options, "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assert_same_datasets("out.h5", expected, "resumed after a full disk")


class NothingCompared(CliTest):
    def test_a_crosscheck_of_failures_exits_with_1(self):
        self.write(ALL_FAIL.replace("step = 0.9", "step = 40"))
        result = self.polhode("crosscheck", "config.toml")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "nothing compared: no trajectory completed a step")
        self.assertNotIn("equal bits", result.stdout)
        report = json.loads(self.polhode("crosscheck", "config.toml", "--json").stdout)
        self.assertEqual((report["kept"], report["compared"]), (True, False))
        # Steps that are halved are compared, too; where no order can be seen, that is no check that has passed.
        self.write()
        fine = self.polhode("crosscheck", "config.toml", "--backends", "cpu", "--isa", "scalar", "--step-halving", "--steps", "1", "--set", "method.step=1e-9")
        self.assertEqual((fine.returncode, fine.stdout.splitlines()[-1]), (1, "nothing compared: every check was skipped"))
        report = json.loads(self.polhode("crosscheck", "config.toml", "--backends", "cpu", "--isa", "scalar", "--step-halving", "--steps", "1", "--set", "method.step=1e-9", "--json").stdout)
        self.assertEqual((report["kept"], report["compared"]), (True, False))
        # One trajectory with one step is something.
        self.write(MIXED)
        report = json.loads(self.polhode("crosscheck", "config.toml", "--json").stdout)
        self.assertEqual((report["kept"], report["compared"]), (True, True))


if __name__ == "__main__":
    unittest.main()
