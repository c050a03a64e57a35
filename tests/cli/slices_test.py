#!/usr/bin/env python3
"""run.slice: trajectories are integrated some at a time, and the file does not tell.

Run with POLHODE set to the program's path."""

import os
import signal
import subprocess
import unittest

from command_line import CONFIG, PROGRAM, WITHOUT_QUARANTINE, CliTest, datasets, everything

# 6376 trajectories, of which some fail.
MANY = CONFIG.replace("grid = [6, 6]", "grid = [90, 90]").replace("step = 0.05", "step = 0.6") + everything(150, 40)


class Slices(CliTest):
    def test_same_file_for_any_slices(self):
        name = self.write(MANY)
        report = self.run_with(name, "whole.h5")
        self.assertIn("trajectories failed", report)
        expected = datasets(self.path / "whole.h5")
        for options in (["--set", "run.slice=1024"], ["--set", "run.slice=4096", "--threads", "1"],
                        ["--set", "run.slice=2048", "--set", "run.segment=17"], ["--set", "run.slice=1024", "--set", "run.checkpoint=0"]):
            sliced = self.run_with(name, "out.h5", *options)
            self.assert_same_datasets("out.h5", expected, options)
            # All but the line with the time.
            self.assertEqual([line for line in sliced.splitlines()[1:] if "steps/s" not in line],
                             [line for line in report.splitlines()[1:] if "steps/s" not in line])

    def test_killed_in_any_slice_and_resumed_with_others(self):
        name = self.write(MANY.replace("steps = 600", "steps = 8000").replace("snapshots = 150", "snapshots = 2000").replace("every = 40", "every = 1000"))
        options = ["--set", "run.checkpoint=0", "--set", "run.slice=1024", "--threads", "1"]
        # What is left of it has the slices that it was begun with.
        reports = self.expect_same_after_kills(3, name, options, ["--set", "run.slice=2048"], signals=(signal.SIGKILL, signal.SIGINT))
        self.assertTrue(any("resumed at trajectory" in report for report in reports))

    def test_interruption_says_where(self):
        # Of as many snapshots and times of statistics the result would not fit on the disk.
        name = self.write(MANY.replace("steps = 600", "steps = 900000000").replace("snapshots = 150", "snapshots = 0")
                          .replace("every = 40", "every = 300000000"))
        code, stderr = self.run_until(self.begun, name, "--set", "run.slice=1024", send=signal.SIGINT, delay=0.3)
        self.assertEqual(code, 130, stderr)
        self.assertIn("of trajectories 0 to 1023 of 6376", stderr)

    def test_bad_slices_are_one_line(self):
        for value, words in (("1000", "power of two"), ("512", "power of two"), ("-1024", "from 1024 to 2^40"),
                             (str(2**41), "from 1024 to 2^40")):
            self.expect_rejected(2, words, arguments=("--set", f"run.slice={value}"))

    def test_memory_does_not_grow(self):
        """Heavy tops in slices of 65536: a trajectory of a batch takes 113 bytes. The journal of final batches is mapped
        at the end, which counts as memory. Starts, 48 bytes each, are drawn when they are needed; half a million are 10
        MB less than the block in which they are written."""
        text = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "random"\ndistribution = "microcanonical"\nenergy = 1.0\ncount = 1')
        name = self.write(text.replace("steps = 600", "steps = 2").replace('[section]\nname = "gamma3"\n', ""))
        used = []
        for count in (500000, 1500000):
            process = subprocess.Popen([PROGRAM, "run", name, "--force", "--set", "run.slice=65536", "--set", f"ensemble.count={count}"], cwd=self.path, env=WITHOUT_QUARANTINE, stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            used.append(usage.ru_maxrss * 1024)
        self.assertLess((used[1] - used[0]) / 1e6, 113 + 10 + 10)


if __name__ == "__main__":
    unittest.main()
