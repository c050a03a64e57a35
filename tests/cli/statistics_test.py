#!/usr/bin/env python3
"""[statistics]: means, variances, extremes and histograms of an ensemble at chosen times.

Run with POLHODE set to the program's path."""

import unittest

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets

STATISTICS = """
[statistics]
every = 40
observables = ["pi2", "energy"]
bins = 9
range = [[-0.8, 0.9], [0.999, 1.001]]
"""
MANY = CONFIG.replace("grid = [6, 6]", "grid = [90, 90]")  # several blocks of 1024
NAMES = ("statistics/count", "statistics/mean", "statistics/variance", "statistics/histogram", "statistics/outside")

SWARM = """
[system]
name = "spherical-pendulum"
m = 1.0
l = 1.0
g = 1.0
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "random"
distribution = "cloud"
state = [{}, {}, -0.8, {}, {}, 0.225]
width = 0.03
count = 2000
seed = 14
[run]
steps = 100
[record]
snapshots = 10
[statistics]
every = 10
observables = ["azimuth", "q1z"]
[output]
file = "out.h5"
"""


class Statistics(CliTest):
    def expect_statistics_of_snapshots(self, path, every):
        """Against numpy's, of the snapshots in the same file; how many trajectories each time has."""
        with h5py.File(path) as file:
            state, inertia = file["snapshots/state"][:], file["parameters/inertia"][:]
            step, reached = file.attrs["step"], file["status/step"][:]
            own = {name: data[()] for name, data in file["statistics"].items()}
            low, high = file["statistics/histogram"].attrs["low"], file["statistics/histogram"].attrs["high"]
        self.assertEqual([name.decode() for name in own["observables"]], ["pi2", "energy"])
        self.assertEqual(len(own["time"]), state.shape[1])
        for t in range(state.shape[1]):
            self.assertEqual(own["time"][t], t * every * step)
            x = state[reached >= t * every, t]
            self.assertEqual(own["count"][t], len(x))
            for o, values in enumerate((x[:, 1], (x[:, :3] ** 2 / inertia).sum(axis=1) / 2 + x[:, 5])):
                # Values up to 2, whose sums of some thousand are rounded in another order.
                self.assertAlmostEqual(own["mean"][t, o], values.mean(), delta=4e-15)
                deviations = values - values.mean()
                self.assertAlmostEqual(own["variance"][t, o], deviations.var(ddof=1), delta=1e-14)
                if o == 0:
                    self.assertEqual((own["minimum"][t, o], own["maximum"][t, o]), (values.min(), values.max()))
                    counts, _ = numpy.histogram(values, bins=9, range=(low[o], numpy.nextafter(high[o], -9)))
                    edges = numpy.linspace(low[o], high[o], 10)
                    near = numpy.abs(values[:, None] - edges[None, :]).min() < 1e-15
                    self.assertTrue(near or (own["histogram"][t, o] == counts).all())
                self.assertEqual(own["outside"][t, o, 0], (values < low[o]).sum())
                self.assertEqual(own["histogram"][t, o].sum() + own["outside"][t, o].sum(), len(values))
        return own["count"]

    def test_statistics_are_those_of_the_snapshots(self):
        name = self.write(MANY + STATISTICS + "[record]\nsnapshots = 40\n")
        self.run_with(name, "out.h5")
        count = self.expect_statistics_of_snapshots(self.path / "out.h5", 40)
        self.assertGreater(count[0], 4000)
        self.assertTrue((count == count[0]).all())

    def test_a_wrapped_angle_has_the_moments_of_the_circle(self):
        """Wherever its cut is: two narrow swarms, 0.03 about 3.14 and about 0, that swing to and fro."""
        for azimuth in (3.14, 0.0):
            with self.subTest(azimuth):
                x, y = numpy.cos(azimuth), numpy.sin(azimuth)
                self.run_with(self.write(SWARM.format(0.6 * x, 0.6 * y, 0.3 * x, 0.3 * y)), "out.h5")
                with h5py.File(self.path / "out.h5") as file:
                    state = file["snapshots/state"][:]
                    own = {name: file[f"statistics/{name}"][:] for name in ("mean", "variance", "minimum", "maximum")}
                    meaning = {name: list(file[f"statistics/{name}"].attrs["meaning"]) for name in own}
                    angle = {name: list(file[f"statistics/{name}"].attrs["angle"]) for name in own}
                values = numpy.arctan2(state[:, :, 1], state[:, :, 0])  # [n, t]
                if azimuth:
                    self.assertTrue(((values < -3).any(axis=0) & (values > 3).any(axis=0)).any())
                resultant = numpy.exp(1j * values).mean(axis=0)
                # Sums of 2000 terms of size 1 in another order; where the swarm passes the bottom they nearly cancel.
                uncertain = 4e-15 / abs(resultant)
                self.assertTrue((abs(numpy.angle(numpy.exp(1j * (own["mean"][:, 0] - numpy.angle(resultant))))) < uncertain).all())
                chords = (4 * numpy.sin((values - numpy.angle(resultant)) / 2) ** 2).mean(axis=0)
                wanted = -2 * numpy.log1p(-chords / 2)
                self.assertTrue((abs(own["variance"][:, 0] - wanted) < 2 * uncertain).all())
                self.assertAlmostEqual(numpy.angle(numpy.exp(1j * (own["mean"][0, 0] - azimuth))), 0, delta=4 * 0.05 / 2000**0.5)
                self.assertLess(own["variance"][0, 0], 0.01)
                self.assertLess(abs(own["minimum"][:, 0] - values.min(axis=0)).max(), 2e-15)  # of two arc tangents
                self.assertEqual(angle, {name: ["wrapped", ""] for name in own})
                self.assertIn("circular mean", meaning["mean"][0])
                self.assertIn("circular standard deviation", meaning["variance"][0])
                for name in own:
                    self.assertNotIn("circular", meaning[name][1])
                    if name in ("minimum", "maximum"):
                        self.assertNotIn("circular", meaning[name][0])
                # What is no angle is what it was.
                self.assertTrue((abs(own["mean"][:, 1] - state[:, :, 2].mean(axis=0)) < 4e-15).all())
                self.assertTrue((abs(own["variance"][:, 1] - state[:, :, 2].var(axis=0, ddof=1)) < 4e-15).all())

    def test_trajectories_that_have_failed_are_left_out(self):
        # Steps of 0.6 are too long for a third of these, sooner or later.
        name = self.write(MANY.replace("step = 0.05", "step = 0.6") + STATISTICS + "[record]\nsnapshots = 40\n")
        self.run_with(name, "out.h5")
        count = self.expect_statistics_of_snapshots(self.path / "out.h5", 40)
        self.assertLess(count[-1], count[0])
        self.assertGreater(count[-1], 0)

    def test_same_bits_for_any_threads_segments_and_snapshots(self):
        name = self.write(MANY + STATISTICS)
        self.run_with(name, "out.h5")
        expected = datasets(self.path / "out.h5")
        for options in (["--threads", "1"], ["--set", "run.segment=1"], ["--set", "run.segment=17"], ["--isa", "scalar"]):
            self.run_with(name, "other.h5", *options)
            self.assert_same_datasets("other.h5", expected, options)
        self.run_with(name, "other.h5", "--set", "record.snapshots=150")
        found = datasets(self.path / "other.h5")
        for key in NAMES:
            self.assertEqual(found[key], expected[key])
        self.assertEqual(found["snapshots/time"][0], (5,))

    def test_killed_and_resumed(self):
        name = self.write(MANY.replace("steps = 600", "steps = 12000") + STATISTICS)
        options = ["--set", "run.checkpoint=0"]
        reports = self.expect_same_after_kills(3, name, options, options)
        self.assertTrue(any("resumed at step" in report for report in reports))

    def test_resume_refuses_other_statistics(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 600000000") + STATISTICS)
        self.run_until(self.has_checkpoint, name, "--set", "run.checkpoint=0")
        result = self.polhode("run", name, "--resume", "--set", "run.checkpoint=0", "--set", "statistics.every=50")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("statistics", result.stderr)

    def test_a_single_trajectory_has_no_variance(self):
        text = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "states"\nstates = [[1.4, 0.1, 0.05, 0, 0.6, 0.8]]')
        self.run_with(self.write(text + STATISTICS), "out.h5")
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(file["statistics/mean"][0, 0], 0.1)
            self.assertTrue(numpy.isnan(file["statistics/variance"][:]).all())

    def test_the_picture(self):
        for histograms, statistics in ((True, STATISTICS), (False, STATISTICS.split("bins")[0])):
            self.run_with(self.write(MANY.replace('[section]\nname = "gamma3"\n', "") + statistics), "out.h5")
            with h5py.File(self.path / "out.h5") as file:
                self.assertEqual("histogram" in file["statistics"], histograms)
            for view in ([], ["--view", "statistics"]):
                result = self.polhode("plot", "out.h5", "-o", "out.png", *view)
                self.assertEqual(result.returncode, 0, result.stderr)
                (self.path / "out.png").unlink()
        self.run_with(self.write(), "none.h5")
        result = self.polhode("plot", "none.h5", "--view", "statistics")
        self.expect_error(result, 2, "has no statistics")

    def test_bad_statistics_are_one_line(self):
        for change, words in (
            (("every = 40", "every = 0"), "between 1 and"),
            (("every = 40", "evry = 40"), "every is missing"),
            (('["pi2", "energy"]', '["pi2", "enrgy"]'), '"energy"'),
            (('["pi2", "energy"]', "[]"), "there are none"),
            (('["pi2", "energy"]', str(["pi2"] * 65)), "there are 65, and 64 at most"),
            (("bins = 9", "bins = -9"), "between 0 and"),
            (("bins = 9", ""), "bins is missing"),
            (("[-0.8, 0.9], ", ""), "it has 1 pairs"),
            (("[-0.8, 0.9]", "[0.9, -0.8]"), "[low, high]"),
            (("range", "ranges"), "unknown key statistics.ranges"),
            (("bins = ", "# "), "bins is missing"),
        ):
            self.expect_rejected(2, words, config=CONFIG + STATISTICS.replace(*change))
        self.expect_rejected(2, "there are none", config=CONFIG + "[statistics]\nevery = 40\nobservables = []\n")


if __name__ == "__main__":
    unittest.main()
