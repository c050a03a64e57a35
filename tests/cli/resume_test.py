#!/usr/bin/env python3
"""kill -9, Ctrl-C and --resume.

Run with POLHODE set to the program's path."""

import shutil
import signal
import subprocess
import time
import unittest
from random import Random

from command_line import CONFIG, PROGRAM, CliTest, datasets


class Resume(CliTest):
    def run_until_killed(self, name, extra, delay):
        process = subprocess.Popen([PROGRAM, "run", name, *extra], cwd=self.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        return process.returncode

    def test_kill_and_resume_gives_the_same_datasets(self):
        density = '[density]\naxes = ["pi2", "pi3"]\nbins = [30, 20]\nrange = [[-1, 1], [-2, 2]]\n'
        name = self.write(density + CONFIG.replace("steps = 600", "steps = 200000\nsegment = 1000\ncheckpoint = 0").replace("grid = [6, 6]", "grid = [12, 12]"))
        extra = ["--threads", "1", "--set", "record.snapshots=10000"]
        begin = time.monotonic()
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5", *extra).returncode, 0)
        duration = time.monotonic() - begin
        expected = datasets(self.path / "whole.h5")
        kills = attempts = 0
        random = Random(20)
        while kills < 20:  # also while it writes, and while the file is put together
            attempts += 1
            self.assertLess(attempts, 200, "most runs ended before they were killed")
            fraction = random.uniform(0, 1)
            self.run_until_killed(name, extra, fraction * duration)
            if (self.path / "out.h5").exists():  # it was faster this time
                duration *= 0.9
                (self.path / "out.h5").unlink()
                shutil.rmtree(self.path / "out.h5.part", ignore_errors=True)
                continue
            if not (self.path / "out.h5.part").exists():  # it had not begun
                continue
            kills += 1
            self.expect_error(self.polhode("run", name, *extra), 2, "--resume")
            # Again, sometimes killed while resuming, with other threads and segments.
            self.run_until_killed(name, ["--resume", *extra], 0.2 * duration)
            if not (self.path / "out.h5").exists():
                result = self.polhode("run", name, "--resume", "--set", "record.snapshots=10000", "--set", "run.segment=777")
                self.assertEqual(result.returncode, 0, result.stderr)
            self.assert_same_datasets("out.h5", expected, f"killed after {fraction:.2f} of the run")
            self.assertFalse((self.path / "out.h5.part").exists())
            (self.path / "out.h5").unlink()

    def test_resume_refuses_another_configuration(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 900000000\nsegment = 1000\ncheckpoint = 0"))
        self.run_until_killed(name, [], 1.0)
        for change, word in (("method.step=0.04", "method.step"), ("run.steps=100", "run.steps"), ("system.c=2", "parameters"),
                             ("ensemble.grid=[5, 5]", "initial states"), ("section.value=0.1", "section")):
            self.expect_error(self.polhode("run", name, "--resume", "--set", change), 2, "cannot resume", word)
        checkpoint = self.path / "out.h5.part" / "checkpoint"
        content = bytearray(checkpoint.read_bytes())
        content[len(content) // 2] ^= 1
        checkpoint.write_bytes(content)
        self.expect_error(self.polhode("run", name, "--resume"), 2, "checkpoint")

    def test_a_forced_run_can_be_resumed(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 6000000\ncheckpoint = 0"))
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5").returncode, 0)
        (self.path / "out.h5").write_text("old")
        self.run_until_killed(name, ["--force"], 0.15)
        self.assertEqual((self.path / "out.h5").read_text(), "old")  # replaced only at the end
        result = self.polhode("run", name, "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), "forced, killed and resumed")

    def test_interrupted_counts_go_on(self):
        density = '[density]\naxes = ["pi2", "pi3"]\nbins = [30, 20]\nrange = [[-1, 1], [-2, 2]]\n'
        name = self.write(density + CONFIG.replace("steps = 600", "steps = 6000000"))
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5").returncode, 0)
        process = subprocess.Popen([PROGRAM, "run", name], cwd=self.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (self.path / "out.h5.part" / "lock").exists():
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 130)
        result = self.polhode("run", name, "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), "interrupted and resumed")

    def test_interrupt_leaves_a_checkpoint(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 900000000\nsegment = 1000"))
        process = subprocess.Popen([PROGRAM, "run", name], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertIn("--resume", stderr)
        self.assertEqual(len(stderr.splitlines()), 1)
        self.assertTrue((self.path / "out.h5.part" / "checkpoint").exists())


if __name__ == "__main__":
    unittest.main()
