#!/usr/bin/env python3
"""[ensemble] from = "section": the states over a chart of a section.

Run with POLHODE set to the program's path."""

import unittest

import h5py
import numpy

from command_line import CONFIG, EXAMPLES, CliTest

PENDULUM = """
[system]
name = "{}"
{}
g = 1
[method]
name = "rattle"
step = 0.01
[ensemble]
from = "section"
grid = [23, 24]
energy = {}
branch = "{}"
[run]
steps = 1
[section]
name = "{}"
[output]
file = "out.h5"
"""


class Starts(CliTest):
    def starts(self, *changes, top):
        """The report and the states of a short run from a section, with the check that they are what was asked for."""
        config = CONFIG.replace("alpha = [0.44, 0.5, 1.0]", top).replace("steps = 600", "steps = 1")
        name = self.write(config.replace("grid = [6, 6]", "grid = [60, 61]"))
        result = self.polhode("run", name, "--force", *(word for change in changes for word in ("--set", change)))
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(list(file["section"].attrs["axes"]), ["m13", "m12"])
            self.assertEqual(list(file["section"].attrs["axis_columns"]), ["pi2", "pi3"])
            self.assertEqual(list(file["section"].attrs["axis_signs"]), [1, -1])
            self.assertEqual(file["section"].attrs["side"], "pi1")
            state, invariants = file["initial/state"][:], file["invariants/initial"][:]
            inertia = file["parameters/inertia"][:]
        self.assertTrue((state[:, 5] == 0).all())
        self.assertTrue((state[:, 3] * state[:, 1] / inertia[1] > state[:, 4] * state[:, 0] / inertia[0]).all())
        return result.stdout, state, invariants

    def test_sections_of_other_tops(self):
        tops = {"Kowalevski": "inertia = [2, 2, 1]\nchi = [1, 0, 0]", "Lagrange": "inertia = [1.5, 1.5, 0.9]", "oblique": "alpha = [0.44, 0.5, 1.0]\nchi = [0.36, 0.48, 0.8]"}
        for name, top in tops.items():
            for momentum in (0, -0.4):
                for branch, sign in (("pi1+", 1), ("pi1-", -1)):
                    with self.subTest(top=name, momentum=momentum, branch=branch):
                        report, state, invariants = self.starts(f"ensemble.momentum={momentum}", f"ensemble.branch={branch}", top=top)
                        self.assertIn(f"{len(state)} of 3660 grid points have a start on branch {branch}, {3660 - len(state)} have none", report)
                        self.assertGreater(len(state), 1000)
                        self.assertTrue((sign * state[:, 0] > 0).all())
                        # A few roundings of terms of about 1, in the start and in the invariant.
                        self.assertLess(abs(invariants[:, :3] - [1, 1, momentum]).max(), 4e-15)

    def test_an_integral_of_one_level_is_recorded_there_only(self):
        example = EXAMPLES / "goryachev_chaplygin.toml"
        for momentum, kept in ((0, True), (0.5, False)):
            result = self.polhode("run", example, "-o", "out.h5", "--force", "--set", "run.steps=100", "--set", f"ensemble.momentum={momentum}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("goryachev_chaplygin:" in result.stdout, kept)
            with h5py.File(self.path / "out.h5") as file:
                self.assertEqual(b"goryachev_chaplygin" in file["invariants/names"][:], kept)

    def test_several_states_over_a_point(self):
        oblique = "alpha = [0.44, 0.5, 1.0]\nchi = [0.6, 0, 0.8]"
        # At momentum 0 and without gravity in the plane one state of each sign is all.
        self.assertNotIn("pi1+2", self.starts(top="alpha = [0.44, 0.5, 1.0]")[0])
        report, first, _ = self.starts(top=oblique)
        second_report, second, invariants = self.starts("ensemble.branch=pi1+2", top=oblique)
        self.assertGreater(len(second), 10)
        self.assertIn(f"; {len(second)} have a state on pi1+2\n", report)
        self.assertIn(f"{len(second)} of 3660 grid points have a start on branch pi1+2, {3660 - len(second)} have none; {len(first)} have a state on pi1+\n", second_report)
        self.assertLess(abs(invariants[:, :3] - [1, 1, 0]).max(), 4e-15)
        where = {(pi2, pi3): pi1 for pi1, pi2, pi3 in first[:, :3]}
        for pi1, pi2, pi3 in second[:, :3]:
            self.assertTrue(0 < pi1 < where[pi2, pi3])  # the order of the names at momentum 0

    def test_the_grid_of_pendula_covers_the_box_around_the_section(self):
        """With m = l = g = 1 and E = -2.5 both rods are in the triangle 2 z1 + z2 < -2.5: half of a box."""
        double = PENDULUM.format("double-spherical-pendulum", "m = [1, 1]\nl = [1, 1]", -2.5, "up", "azimuth_difference")
        report, state = self.pendula(double)
        # 2 (-1 + (i + 1/2)/23 / 4) + (-1 + (j + 1/2)/24 / 2) < -2.5; no centre of a cell is on the edge.
        count = sum(24 * (2 * i + 1) + 23 * (2 * j + 1) < 2 * 23 * 24 for i in range(23) for j in range(24))
        self.assertIn(f"{count} of 552 grid points have a start on branch up, {552 - count} have none", report)
        self.assertLess(state[:, [2, 5]].max(axis=0)[0], -0.75)
        self.assertGreater(state[:, 2].max(), -0.77)
        self.assertGreater(state[:, 5].max(), -0.54)  # of two rows of cells below -0.5, the first one lies outside
        single = PENDULUM.format("spherical-pendulum", "m = 1\nl = 1", -0.9, "p1y+", "q1y")
        report, state = self.pendula(single)
        self.assertGreater(len(state), 552 / 2)
        heights = state[:, 2]
        self.assertTrue(-1 < heights.min() < -0.995 and -0.905 < heights.max() < -0.9)

    def pendula(self, config):
        result = self.polhode("run", self.write(config), "--force")
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "out.h5") as file:
            state, energy = file["initial/state"][:], file["invariants/initial"][:, 0]
        self.assertLess(numpy.ptp(energy), 4e-15)
        return result.stdout, state

    def test_a_section_without_a_plane_has_no_axes(self):
        self.assertEqual(self.polhode("run", self.write(), "--set", "section.name=pi2").returncode, 0)
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(len(file["section"].attrs), 0)


if __name__ == "__main__":
    unittest.main()
