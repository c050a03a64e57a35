#!/usr/bin/env python3
"""kill -9, Ctrl-C and --resume.

Run with POLHODE set to the program's path."""

import signal
import unittest

from command_line import CONFIG, CliTest, datasets


class Resume(CliTest):
    def test_kill_and_resume_gives_the_same_datasets(self):
        """20 times: also while it writes, while the file is put together, and while it resumes."""
        density = '[density]\naxes = ["pi2", "pi3"]\nbins = [30, 20]\nrange = [[-1, 1], [-2, 2]]\n'
        statistics = '[statistics]\nevery = 4000\nobservables = ["pi1", "height"]\nbins = 10\nrange = [[-2, 2], [-1, 1]]\n'
        name = self.write(density + statistics + CONFIG.replace("steps = 600", "steps = 200000").replace("grid = [6, 6]", "grid = [12, 12]"))
        options = ["--set", "record.snapshots=10000", "--set", "run.segment=1000", "--set", "run.checkpoint=0", "--threads", "1"]
        # With other threads and segments.
        self.expect_same_after_kills(20, name, options, ["--set", "record.snapshots=10000", "--set", "run.segment=777"], kill_again=True)

    def test_inside_a_composition(self):
        text = CONFIG.replace("step = 0.05", 'step = 0.4\ncomposition = "kahan-li8"').replace("steps = 600", "steps = 60000")
        name = self.write(text)
        options = ["--set", "run.segment=500", "--set", "run.checkpoint=0", "--threads", "1"]
        self.expect_same_after_kills(3, name, options, ["--set", "run.segment=333"])
        name = self.write(text.replace("steps = 60000", "steps = 900000000\nsegment = 1000\ncheckpoint = 0"))
        self.run_until(self.has_checkpoint, name)
        for other in ("none", "yoshida4"):
            self.expect_error(self.polhode("run", name, "--resume", "--set", f"method.composition={other}"), 2, "cannot resume", "method.composition")

    def test_with_two_crossings_in_a_step(self):
        text = CONFIG.replace('name = "rattle"', 'name = "splitting"').replace("step = 0.05", "step = 0.6").replace("steps = 600", "steps = 60000")
        name = self.write(text)
        options = ["--set", "run.segment=500", "--set", "run.checkpoint=0", "--threads", "1"]
        self.expect_same_after_kills(3, name, options, ["--set", "run.segment=333"])
        # States at the end are of no use to a run that goes on.
        without = ["--set", "record.final=false"]
        self.expect_same_after_kills(2, name, options + without, ["--set", "run.segment=333", *without])
        name = self.write(text.replace("steps = 60000", "steps = 900000000\nsegment = 1000\ncheckpoint = 0"))
        self.run_until(self.has_checkpoint, name)
        self.expect_error(self.polhode("run", name, "--resume", *without), 2, "cannot resume", "record.final")
        for option in ("coefficients=srkn6-11b", "drift_order=10"):
            self.expect_error(self.polhode("run", name, "--resume", "--set", f"method.{option}"), 2, "cannot resume", "method." + option.split("=")[0])

    def test_resume_refuses_another_order(self):
        text = CONFIG.replace('name = "rattle"', 'name = "moser-veselov"\norder = 6').replace("1.0]", "1.0]\nc = 0")
        name = self.write(text.replace("steps = 600", "steps = 900000000\nsegment = 1000\ncheckpoint = 0"))
        self.run_until(self.has_checkpoint, name)
        self.expect_error(self.polhode("run", name, "--resume", "--set", "method.order=8"), 2, "cannot resume", "method.order")

    def test_resume_refuses_another_configuration(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 900000000\nsegment = 1000\ncheckpoint = 0"))
        self.run_until(self.has_checkpoint, name)
        self.expect_error(self.polhode("run", name), 2, "--resume")
        for change, word in (("method.step=0.04", "method.step"), ("run.steps=100", "run.steps"), ("system.c=2", "system.c"),
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
        self.run_until(self.has_checkpoint, name, "--force")
        self.assertEqual((self.path / "out.h5").read_text(), "old")  # replaced only at the end
        result = self.polhode("run", name, "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), "forced, killed and resumed")

    def test_interrupted_counts_go_on(self):
        density = '[density]\naxes = ["pi2", "pi3"]\nbins = [30, 20]\nrange = [[-1, 1], [-2, 2]]\n'
        name = self.write(density + CONFIG.replace("steps = 600", "steps = 6000000"))
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5").returncode, 0)
        for _ in range(20):
            code, _ = self.run_until(self.begun, name, "--force", send=signal.SIGINT, delay=0.1)
            if code != 0:  # otherwise it was faster
                break
        self.assertEqual(code, 130)
        result = self.polhode("run", name, "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), "interrupted and resumed")

    def test_interrupt_leaves_a_checkpoint(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 900000000\nsegment = 1000"))
        code, stderr = self.run_until(self.begun, name, send=signal.SIGINT, delay=0.3)
        self.assertEqual(code, 130, stderr)
        self.assertIn("--resume", stderr)
        self.assertEqual(len(stderr.splitlines()), 1)
        self.assertTrue((self.path / "out.h5.part" / "checkpoint").exists())


if __name__ == "__main__":
    unittest.main()
