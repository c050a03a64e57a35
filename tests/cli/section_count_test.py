#!/usr/bin/env python3
"""/section/count: the section points of each trajectory, also where they are not in the file one by one.

Run with POLHODE set to the program's path."""

import signal
import sys
import unittest
from pathlib import Path

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from polhode.stored import open_result  # noqa: E402

DENSITY = """
[density]
axes = ["pi2", "pi3"]
bins = [6, 4]
range = [[-0.5, 0.5], [-1, 1]]
"""
WHERE = CONFIG.replace('name = "gamma3"', 'name = "gamma3"\ndirection = "both"\nwhere = "pi3 < 0.3"') + DENSITY
# Three slices, in which some tops fail.
MANY = WHERE.replace("grid = [6, 6]", "grid = [60, 60]").replace("step = 0.05", "step = 0.6")
WITHOUT_POINTS = ("--set", "section.points=false")


class SectionCount(CliTest):
    def expect_counts_of_the_points(self, name):
        """What the file has of them, as datasets() gives it."""
        with h5py.File(self.path / name) as file:
            trajectory, count = file["section/trajectory"][:], file["section/count"]
            self.assertEqual(count.dtype, numpy.int64)
            self.assertTrue((count[:] == numpy.bincount(trajectory, minlength=len(file["final/time"]))).all())
            self.assertGreater(len(set(count[:])), 2)  # or nothing is tested
        return datasets(self.path / name)["section/count"]

    def test_counts_the_points_that_are_in_the_file(self):
        for backend in ("cpu", "reference"):
            for config in (CONFIG, WHERE):
                self.run_with(self.write(config), "out.h5", "--backend", backend)
                counts = self.expect_counts_of_the_points("out.h5")
            self.run_with("config.toml", "out.h5", "--backend", backend, *WITHOUT_POINTS)
            found = datasets(self.path / "out.h5")
            self.assertNotIn("section/state", found)
            self.assertEqual(found["section/count"], counts)

    def test_the_same_without_points_in_any_slices_segments_and_threads(self):
        name = self.write(MANY)
        self.assertIn("trajectories failed", self.run_with(name, "points.h5"))
        expected = self.expect_counts_of_the_points("points.h5")
        for options in ((), ("--threads", "1"), ("--set", "run.slice=1024"), ("--isa", "scalar"),
                        ("--set", "run.slice=2048", "--set", "run.segment=17", "--set", "run.checkpoint=0")):
            self.run_with(name, "out.h5", *WITHOUT_POINTS, *options)
            self.assertEqual(datasets(self.path / "out.h5")["section/count"], expected, options)

    def test_killed_and_resumed_without_points(self):
        name = self.write(MANY.replace("steps = 600", "steps = 2500"))
        options = [*WITHOUT_POINTS, "--set", "run.slice=1024", "--set", "run.checkpoint=0", "--threads", "1"]
        self.expect_same_after_kills(4, name, options, WITHOUT_POINTS, signals=(signal.SIGKILL, signal.SIGINT))
        self.run_with(name, "points.h5")
        self.assertEqual(self.expect_counts_of_the_points("points.h5"), datasets(self.path / "whole.h5")["section/count"])

    def test_jumps_are_not_counted(self):
        """A pendulum that goes round meets an azimuth once up, and once by the jump from pi to -pi."""
        config = CONFIG.replace('"heavy-top"\nalpha = [0.44, 0.5, 1.0]', '"spherical-pendulum"\nm = 1.0\nl = 1.0')
        states = [[1, 0, 0, 0, 2 + 0.5 * k, 0] for k in range(5)]
        config = config.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', f'from = "states"\nstates = {states}')
        self.write(config.replace('"gamma3"', '"azimuth"\nvalue = 1.0\ndirection = "both"'))
        for backend in ("cpu", "reference"):
            self.run_with("config.toml", "both.h5", "--backend", backend)
            self.run_with("config.toml", "up.h5", "--backend", backend, "--set", "section.direction=up")
            self.assertEqual(self.expect_counts_of_the_points("both.h5"), self.expect_counts_of_the_points("up.h5"))

    def test_a_terminal_section_has_one_point_at_most(self):
        self.run_with(self.write(), "out.h5", "--set", "section.terminal=true", "--set", "run.steps=120")
        with h5py.File(self.path / "out.h5") as file:
            ended = file["status/code"][:] == 4
            self.assertTrue(ended.any() and not ended.all())
            self.assertTrue((file["section/count"][:] == ended).all())

    def test_says_what_it_is(self):
        self.run_with(self.write(WHERE), "out.h5", *WITHOUT_POINTS)
        self.assertRegex(self.polhode("info", "out.h5").stdout, r"/section/count +int64 +\[32\]")
        with open_result(self.path / "out.h5") as result:
            self.assertIsNone(result.section)
            self.assertEqual(result.section_count[:].sum(), result.density.counts[:].sum() + result.density.outside)
            self.assertIn("points of each trajectory", result.section_count.attributes["meaning"])
        self.run_with(self.write(CONFIG.replace('[section]\nname = "gamma3"\n', "")), "none.h5")
        with open_result(self.path / "none.h5") as result:
            self.assertIsNone(result.section_count)


if __name__ == "__main__":
    unittest.main()
