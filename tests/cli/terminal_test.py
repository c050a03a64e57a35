#!/usr/bin/env python3
"""section.terminal: a crossing ends its trajectory.

Run with POLHODE set to the program's path."""

import unittest

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets

ENDED = 4


class Terminal(CliTest):
    def test_a_trajectory_ends_at_its_first_crossing(self):
        self.write()
        self.run_with("config.toml", "free.h5", "--set", "record.snapshots=1")
        report = self.run_with("config.toml", "out.h5", "--set", "section.terminal=true", "--set", "run.steps=120")
        with h5py.File(self.path / "free.h5") as free, h5py.File(self.path / "out.h5") as file:
            trajectory, time = free["section/trajectory"][:], free["section/time"][:]
            first = numpy.unique(trajectory, return_index=True)[1]
            first = first[time[first] <= 120 * 0.05]
            self.assertGreater(len(first), 10)
            self.assertIn(f"{len(first)} trajectories ended on the section", report)
            self.assertIn("gamma3 = 0, up, terminal", report)
            self.assertTrue((file["section/trajectory"][:] == trajectory[first]).all())
            self.assertTrue((file["section/time"][:] == time[first]).all())
            self.assertTrue((file["section/state"][:] == free["section/state"][:][first]).all())
            code, steps = file["status/code"][:], file["status/step"][:]
            self.assertTrue((numpy.flatnonzero(code == ENDED) == trajectory[first]).all())
            self.assertTrue((steps[code != ENDED] == 120).all())
            # Where it was before the step that crosses: /final belongs to what was completed.
            self.assertTrue((steps[trajectory[first]] == numpy.ceil(time[first] / 0.05) - 1).all())
            self.assertTrue((file["final/time"][:] == steps * 0.05).all())
            snapshots = free["snapshots/state"]
            for k in trajectory[first]:
                self.assertTrue((file["final/state"][k] == snapshots[k, steps[k]]).all(), k)
            self.assertIn(b"terminal", file["status/code"].attrs["meaning"][ENDED].encode())

    def test_same_datasets_for_any_threads_and_segments(self):
        self.write()
        terminal = ["--set", "section.terminal=true"]
        self.run_with("config.toml", "one.h5", *terminal, "--threads", "1")
        expected = datasets(self.path / "one.h5")
        for options in (["--threads", "2"], ["--set", "run.segment=1"], ["--isa", "scalar"]):
            self.run_with("config.toml", "out.h5", *terminal, *options)
            self.assertEqual(datasets(self.path / "out.h5"), expected, options)

    def test_killed_and_resumed(self):
        # Slow tops: most take a while to come to the section.
        name = self.write(CONFIG.replace("steps = 600", "steps = 3000000").replace('"gamma3"', '"gamma1"\nvalue = 0.97'))
        options = ["--set", "section.terminal=true", "--set", "run.checkpoint=0"]
        reports = self.expect_same_after_kills(3, name, options, options)
        self.assertIn("trajectories ended on the section", reports[0])

    def test_is_shown_and_drawn(self):
        self.write()
        self.run_with("config.toml", "out.h5", "--set", "section.terminal=true")
        info = self.polhode("info", "out.h5")
        self.assertEqual(info.returncode, 0, info.stderr)
        self.assertIn("terminal", info.stdout)
        plot = self.polhode("plot", "out.h5", "-o", "out.png")
        self.assertEqual(plot.returncode, 0, plot.stderr)
        self.assertGreater((self.path / "out.png").stat().st_size, 10000)
        # What has ended early cannot be continued.
        self.write(CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "file"\npath = "out.h5"'))
        self.expect_error(self.polhode("run", "config.toml", "-o", "second.h5"), 2, "ended early")

    def test_refused_where_an_end_would_not_be_certain(self):
        self.write()
        terminal = ["--set", "section.terminal=true"]
        self.expect_error(self.polhode("run", "config.toml", *terminal, "--set", "section.where=pi1 > 0"), 2, "section.where")
        self.expect_error(self.polhode("run", "config.toml", "--set", "section.terminal=1"), 2, "section.terminal")
        pendulum = CONFIG.replace('"heavy-top"\nalpha = [0.44, 0.5, 1.0]', '"spherical-pendulum"\nm = 1.0\nl = 1.0')
        pendulum = pendulum.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "states"\nstates = [[1, 0, 0, 0, 1, 0]]')
        self.write(pendulum.replace('"gamma3"', '"azimuth"'))
        self.expect_error(self.polhode("run", "config.toml", *terminal), 2, "an angle")


if __name__ == "__main__":
    unittest.main()
