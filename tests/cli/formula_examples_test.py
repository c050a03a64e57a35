#!/usr/bin/env python3
"""examples/formulas: systems of the literature from formulas run, draw their sections, and have the features that are known of them.

Run with POLHODE set to the program's path."""

import os
import subprocess
import sys
import unittest

import h5py
import numpy

from examples_support import EXAMPLES, PROGRAM, ExampleTests
from pictures import Picture, of_points

from formulas.rotors import states_of  # examples_support has put its folder on the path

P1Y, P2Y = 7, 9  # columns of momenta
KEPT = 1e-9  # bound of changes of what is conserved: those of the energy are 1e-13 to 2e-12 by these methods and steps


def spreads(values, trajectory):
    """Largest minus smallest value along each trajectory with points, over the largest size of all."""
    mine = [values[trajectory == k] for k in numpy.unique(trajectory)]
    return numpy.array([numpy.ptp(one) for one in mine]) / abs(values).max()


class FormulaExamples(ExampleTests):
    def result(self, name, *settings, output="out.h5", may_fail=False):
        """The result of an example, and its columns by name at the section points."""
        words = [word for setting in settings for word in ("--set", setting)]
        file = self.example(f"formulas/{name}", "--force", *words, output=output, may_fail=may_fail)
        columns = dict(zip(file["section/state"].attrs["columns"], file["section/state"][:].T))
        return file, columns, file["section/trajectory"][:]

    def expect_section_over(self, picture, x, y):
        (panel,) = picture.panels()
        self.expect_drawn(panel, of_points(x, y, panel.shape))

    def test_stars_escape_above_an_energy(self):
        file, at, _ = self.result("galaxy", output="galaxy.h5")
        self.assertTrue((file["status/code"][:] == 0).all())
        self.expect_section_over(self.draw("galaxy.png", "galaxy.h5"), at["x"], at["px"])
        escape = 1.6 * 0.9**2 / (8 * 4.0**2)  # of the saddles at x = B / (2 epsilon)
        below, *_ = self.result("galaxy", f"ensemble.energy={0.99 * escape}")
        self.assertTrue((below["status/code"][:] == 0).all())
        above, *_ = self.result("galaxy", f"ensemble.energy={1.2 * escape}", output="above.h5", may_fail=True)
        codes = above["status/code"][:]
        self.assertEqual(set(codes), {0, 3})
        out = abs(above["final/state"][:][codes == 3][:, 1])
        self.assertGreater(out.min(), 0.5)  # along y, over either saddle, to x^2 + y^2 = 1

    def test_atwoods_machine_is_integrable_for_masses_of_three(self):
        def separated(at):
            """The constant of separation of Hamilton and Jacobi's equation, up to its sign, which changes in each turn of theta.

            In the plane with the polar coordinates r, theta / 2 it separates in parabolic ones, xi^2 = r (1 + sin(theta/2)),
            eta^2 = r (1 - sin(theta/2)): (p_xi^2 + p_eta^2)/8 + 2 (xi^4 + eta^4) - E (xi^2 + eta^2) = 0.
            """
            r = numpy.exp(at["s"])
            return abs((at["ps"] + 2 * at["ptheta"]) ** 2 / (8 * r) + 2 * r**2 - r)

        _, at, trajectory = self.result("atwood", output="atwood.h5")
        r = numpy.exp(at["s"])
        self.expect_section_over(self.draw("atwood.png", "atwood.h5", "--axes", "r,pr"), r, at["ps"] / r)
        self.assertGreater(numpy.median(spreads(separated(at), trajectory)), 0.1)  # of the size of the constant itself
        _, at, trajectory = self.result("atwood", "system.parameters.mu=3")
        self.assertLess(spreads(separated(at), trajectory).max(), KEPT)

    def test_the_quartic_potential_is_integrable_twice(self):
        kept = {1: lambda at: at["y"] * at["px"] - at["x"] * at["py"],
                1 / 3: lambda at: (at["px"] + at["py"]) ** 2 / 4 + (at["x"] + at["y"]) ** 4 / 24}  # separable at 45 degrees
        _, at, trajectory = self.result("quartic", output="quartic.h5")
        self.expect_section_over(self.draw("quartic.png", "quartic.h5"), at["x"], at["px"])
        for quantity in kept.values():
            self.assertGreater(numpy.median(spreads(quantity(at), trajectory)), 0.5)  # likewise
        for beta, quantity in kept.items():
            _, at, trajectory = self.result("quartic", f"system.parameters.beta={beta!r}")
            self.assertLess(spreads(quantity(at), trajectory).max(), KEPT, beta)

    def rotors(self, states, output="out.h5"):
        with h5py.File(self.path / "states.h5", "w") as file:
            file["states"] = states
        return self.result("rotors", f"ensemble.path='{self.path / 'states.h5'}'", output=output)

    def growth_of_rotors(self, energy):
        """By how much trajectories that begin 1e-9 apart have parted at the time 600; all have the angular momentum 0.

        Regular ones part in proportion to the time, chaotic ones until nothing is left, at 1e9.
        """
        ends = []
        for apart in (0, 1e-9):
            states = states_of(energy)
            states[:, P1Y] -= apart
            states[:, P2Y] += apart
            file, *_ = self.rotors(states)
            self.assertLess(abs(file["invariants/initial"][:, 1]).max(), 1e-14)  # round-off of rates of 3 at most
            ends.append(file["final/state"][:])
        return numpy.linalg.norm(ends[1] - ends[0], axis=1) / 1e-9

    def test_rotors_are_chaotic_above_the_saddles(self):
        # Where one rotor is opposite to both others the energy is 4.
        self.assertLess(numpy.median(self.growth_of_rotors(3)), 1e4)
        self.assertGreater(numpy.median(self.growth_of_rotors(6)), 1e7)
        done = subprocess.run([sys.executable, EXAMPLES / "formulas/rotors.py", self.path / "rotors.png"], text=True, capture_output=True,
                              env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        _, at, _ = self.rotors(states_of(6.0))
        sine = at["x1"] * at["y2"] - at["y1"] * at["x2"]
        self.assertLess(abs(sine).max(), 1e-12)
        self.assertGreater((at["x1"] * at["x2"] + at["y1"] * at["y2"]).min(), 0)  # not opposite each other
        self.assertGreater((at["x2"] * at["p2y"] - at["y2"] * at["p2x"] - at["x1"] * at["p1y"] + at["y1"] * at["p1x"]).min(), 0)
        ahead = numpy.arctan2(at["x2"] * at["y3"] - at["y2"] * at["x3"], at["x2"] * at["x3"] + at["y2"] * at["y3"])
        self.expect_section_over(Picture(self.path / "rotors.png"), ahead, at["x3"] * at["p3y"] - at["y3"] * at["p3x"])

    def test_the_way_to_the_moon_opens_at_an_energy(self):
        mu = 0.0121505856
        x = numpy.linspace(0.7, 0.95, 100_001)
        opening = (-(x**2) / 2 - (1 - mu) / (x + mu) - mu / (1 - mu - x)).max()  # of the effective potential, at L1
        self.assertAlmostEqual(opening, -1.594, delta=5e-4)  # as the configuration says, in three digits
        file, at, _ = self.result("moon", output="moon.h5", may_fail=True)
        self.expect_section_over(self.draw("moon.png", "moon.h5", "--axes", "x,xdot"), at["x"], at["px"] + at["y"])
        fell, left = self.ends(file, mu)
        self.assertGreater(fell, 10)
        self.assertEqual(left, 0)
        file, *_ = self.result("moon", "ensemble.energy=-1.57", may_fail=True)
        _, left = self.ends(file, mu)
        self.assertGreater(left, 5)

    def ends(self, file, mu):
        """How many orbits fell to the Earth, and how many left for the Moon: no other has ended."""
        final, codes = file["final/state"][:], file["status/code"][:]
        self.assertEqual(set(codes), {0, 3})
        distance = numpy.hypot(final[:, 0] + mu, final[:, 1])[codes == 3]  # in the last step inside of 0.1 < r1 < 1, r2 > 0.02
        fell, left = (distance < 0.2).sum(), (distance > 0.9).sum()
        self.assertEqual(fell + left, len(distance))
        return fell, left


if __name__ == "__main__":
    unittest.main()
