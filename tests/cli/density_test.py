#!/usr/bin/env python3
"""[density]: section points counted in the cells of a plane.

Run with POLHODE set to the program's path."""

import unittest

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets

DENSITY = """
[density]
axes = ["pi2", "energy"]
bins = [7, 5]
range = [[-0.8, 0.9], [0.99, 1.02]]
"""


class Density(CliTest):
    def expect_counts_of_the_points(self, config, *options):
        name = self.write(config)
        self.run_with(name, "out.h5", *options)
        with h5py.File(self.path / "out.h5") as file:
            state, counts, attributes = file["section/state"][:], file["section/density"][:], dict(file["section/density"].attrs)
            inertia = file["parameters/inertia"][:]
            cells = [file["section/density"].dims[i][0] for i in range(2)]
            self.assertEqual([scale.name for scale in cells], ["/section/cell_pi2", "/section/cell_energy"])
            # Centres of 5 cells of width 0.006; the bound is round-off of numbers near 1.
            numpy.testing.assert_allclose(cells[1][:], 0.993 + 0.006 * numpy.arange(5), rtol=0, atol=4e-16)
        energy = (state[:, :3] ** 2 / inertia).sum(axis=1) / 2 + state[:, 5]
        expected, _, _ = numpy.histogram2d(state[:, 1], energy, bins=(7, 5), range=((-0.8, 0.9), (0.99, 1.02)))
        self.assertTrue((counts == expected).all())
        self.assertGreater(numpy.count_nonzero(counts), 5)
        self.assertGreater(attributes["outside"], 0)
        self.assertEqual(counts.sum() + attributes["outside"], len(state))
        self.assertEqual([axis.decode() if isinstance(axis, bytes) else axis for axis in attributes["axes"]], ["pi2", "energy"])
        return state

    # The cpu backend counts in the threads that integrate, the reference leaves it to the one that writes.
    def test_counts_are_those_of_the_points(self):
        some = CONFIG.replace('name = "gamma3"', 'name = "gamma3"\nwhere = "pi3 < 0.3"')
        for backend in ("cpu", "reference"):
            of_all = self.expect_counts_of_the_points(CONFIG + DENSITY, "--backend", backend)
            of_some = self.expect_counts_of_the_points(some + DENSITY, "--backend", backend)
            self.assertTrue((of_some == of_all[of_all[:, 2] < 0.3]).all())
            self.assertLess(len(of_some), len(of_all))
            with_points = datasets(self.path / "out.h5")["section/density"]
            self.run_with("config.toml", "out.h5", "--backend", backend, "--set", "section.points=false")
            self.assertEqual(datasets(self.path / "out.h5")["section/density"], with_points)

    def test_counts_without_points_for_any_threads_and_segments(self):
        name = self.write(CONFIG + DENSITY)
        self.run_with(name, "points.h5")
        expected = datasets(self.path / "points.h5")["section/density"]
        for options in (["--threads", "1"], ["--threads", "2"], ["--set", "run.segment=1"], ["--set", "run.segment=17"], ["--isa", "scalar"]):
            report = self.run_with(name, "out.h5", "--set", "section.points=false", *options)
            found = datasets(self.path / "out.h5")
            self.assertEqual(found["section/density"], expected, options)
            self.assertNotIn("section/state", found)
        with h5py.File(self.path / "points.h5") as file:
            self.assertIn(f"{len(file['section/state'])} section points", report)
        self.assertEqual(self.polhode("info", "out.h5").returncode, 0)

    def test_killed_and_resumed(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 6000000") + DENSITY)
        options = ["--set", "section.points=false", "--set", "run.checkpoint=0"]
        self.expect_same_after_kills(2, name, options, options)

    def test_resume_refuses_another_density(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 600000000") + DENSITY)
        self.run_until(self.has_checkpoint, name, "--set", "run.checkpoint=0")
        result = self.polhode("run", name, "--resume", "--set", "run.checkpoint=0", "--set", "density.bins=[7, 6]")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("density", result.stderr)

    def test_the_picture(self):
        self.run_with(self.write(CONFIG + DENSITY), "out.h5", "--set", "section.points=false")
        for view in ([], ["--view", "density"]):
            result = self.polhode("plot", "out.h5", "-o", "out.png", *view)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((self.path / "out.png").exists())
        self.run_with(self.write(), "none.h5")
        result = self.polhode("plot", "none.h5", "--view", "density")
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no density", result.stderr)
        result = self.polhode("plot", "out.h5", "--view", "section")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no section points", result.stderr)

    def test_a_bad_density_is_one_line(self):
        for change, words in (
            (('axes = ["pi2", "energy"]', 'axes = ["pi2", "enrgy"]'), '"energy"'),
            (('axes = ["pi2", "energy"]', 'axes = ["pi2"]'), "it has 1 names"),
            (('axes = ["pi2", "energy"]', 'axes = ["pi2", "pi2"]'), "both are the same observable"),
            (('axes = ["pi2", "energy"]', "axes = [1, 2]"), "not a string"),
            (("bins = [7, 5]", "bins = [7, 0]"), "at least 1"),
            (("bins = [7, 5]", "bins = [100000, 100000]"), "more than"),
            (("range = [[-0.8, 0.9]", "range = [[0.9, -0.8]"), "[low, high]"),
            (("range", "ranges"), "range is missing"),
        ):
            result = self.polhode("run", self.write(CONFIG + DENSITY.replace(*change)))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn(words, result.stderr)
        result = self.polhode("run", self.write(CONFIG), "--set", "section.points=false")
        self.assertEqual(result.returncode, 2)
        self.assertIn("Add [density]", result.stderr)
        result = self.polhode("run", self.write(CONFIG.replace('[section]\nname = "gamma3"\n', "") + DENSITY))
        self.assertEqual(result.returncode, 2)
        self.assertIn("no [section]", result.stderr)
        self.assertFalse((self.path / "out.h5.part").exists())


if __name__ == "__main__":
    unittest.main()
