#!/usr/bin/env python3
"""Every example of the system of Henon and Heiles runs, draws its picture and shows what it promises.

Run with POLHODE set to the program's path."""

import os
import subprocess
import sys
import unittest

import numpy

import henon_heiles
import henon_heiles_map
import section_features
from examples_support import PROGRAM, ExampleTests, with_completeness
from pictures import CHROMA, Picture, logarithm, of_curves

import henon_heiles_energies  # how it tells regular orbits; examples_support has put it on the path


class HenonHeilesExamples(ExampleTests):
    def test_henon_heiles_has_its_islands_in_a_chaotic_sea(self):
        file = self.example("henon_heiles_section")
        section, trajectory, starts = file["section/state"][:], file["section/trajectory"][:], file["initial/state"][:]
        self.assertGreater(len(starts), 1000)
        self.assertTrue((file["status/code"][:] == 0).all())
        self.assertLess(file["invariants/max_drift"][:].max(), 1e-7)
        fills = henon_heiles.occupied(section, trajectory, len(starts)) > 120  # 265 points or more, of a curve or of the sea
        is_chaotic = henon_heiles.growth(starts) > 14
        self.assertGreater((fills == is_chaotic).mean(), 0.9)  # at the shores 265 points do not tell
        share, islands = henon_heiles.sea(section, fills[trajectory], 0.125)
        other_share, others = henon_heiles.sea(section, is_chaotic[trajectory], 0.125)
        self.assertLess(abs(share - other_share), 0.03)
        self.assertTrue(0.65 < share < 0.75, share)  # 0.71 and 0.69
        # Those of four periodic orbits about which Henon and Heiles drew islands, and of three of longer periods.
        expected = [(0.29, 0), (-0.28, 0), (0, 0.24), (0, -0.24), (0.35, 0.15), (0.35, -0.15), (0.04, 0.08), (0.04, -0.08), (-0.29, 0), (0.56, 0)]
        for found in (islands, others):
            self.assertLessEqual(abs(len(found) - len(expected)), 2, found)  # smaller ones come to the limit
            for place in expected:
                self.assertLess(numpy.linalg.norm(found - place, axis=1).min(), 0.02, place)
        self.expect_section(self.draw("henon_heiles.png", "henon_heiles_section.h5"), file)

    def test_pierces_figures_and_table(self):
        # Figures of an independent implementation: mean and largest H - H(0), its mean over the last tenth, and the mean and
        # largest distance of (q, p) from rk4 with a quarter of the step, over t <= 200; digits as printed.
        rk4 = ("--set", "method.name=rk4", "--set", "method.step=0.025", "--set", "record.snapshots=4", "--set", "run.steps=8000")
        exact = self.example("henon_heiles_pierce", *rk4, output="exact_rk4.h5")
        errors, energies = [], []
        for method, table in (("symplectic-euler", (-5.735e-4, 7.673e-3, -8.194e-4, 5.176e-2, 1.469e-1)),
                              ("heun", (3.661e-3, 7.452e-3, 6.985e-3, 5.579e-2, 1.534e-1)),
                              ("explicit-midpoint", (3.573e-3, 7.324e-3, 6.896e-3, 6.590e-2, 2.123e-1)),
                              ("rk4", (-3.168e-6, 6.362e-6, -5.944e-6, 5.672e-5, 2.288e-4))):
            for backend in ("reference", "cpu"):
                choice = ("--set", f"method.name={method}", "--backend", backend, "--force")
                file = self.example("henon_heiles_pierce", *choice, output=f"{method}.h5")
                energy = file["snapshots/invariants"][0, 1:, 0] - file["invariants/initial"][0, 0]
                difference = file["snapshots/state"][0] - exact["snapshots/state"][0]
                error = numpy.linalg.norm(difference[1:], axis=1)
                found = energy.mean(), abs(energy).max(), energy[-200:].mean(), error.mean(), error.max()
                for value, wanted in zip(found, table):
                    self.assertAlmostEqual(value / wanted, 1, delta=5e-4)  # half of the fourth digit
                if backend == "reference":
                    file.close()
            time = file["snapshots/time"][:]
            errors.append((time[1:], logarithm(numpy.linalg.norm(difference[1:, :2], axis=1))))
            energies.append((time, numpy.concatenate(([0], energy))))
        # Figure 1: "the error tends to be a little less" for RK2 at tau = 0.05; at 0.1 both are alike.
        # Figure 2: (10) keeps the Hamiltonian better on average.
        panels = self.draw("pierce.png", "symplectic-euler.h5", "heun.h5", "exact_rk4.h5", "--view", "error").panels()
        self.assertEqual(len(panels), 2)
        for panel, curves in zip(panels, (errors[:2], energies[:2])):
            self.expect_drawn(panel, of_curves(curves, panel.shape))

    def henon_heiles(self, energy, *settings):
        """A run of henon_heiles_energies."""
        words = [word for setting in (f"ensemble.energy={energy!r}", *settings) for word in ("--set", setting)]
        return self.example("henon_heiles_energies", *words, "--force", output=f"henon_heiles_{energy:.3f}.h5")

    def test_henon_heiles_has_four_stable_and_three_unstable_points(self):
        for energy, centre_trace in ((1 / 12, 0.64680), (1 / 8, -0.90350)):
            points, traces = henon_heiles_map.fixed_points(energy)
            is_stable = abs(traces) < 2
            self.assertEqual((is_stable.sum(), (~is_stable).sum()), (4, 3))
            # Two stable orbits are straight lines through the origin, at 30 degrees to the axis q1, where all energy is
            # kinetic: p2 = +-(2 E)^1/2 / 2. The differences of the other computation leave 1e-9.
            for p2 in ((energy / 2) ** 0.5, -((energy / 2) ** 0.5)):
                self.assertLess(numpy.linalg.norm(points[is_stable] - (0, p2), axis=1).min(), 1e-8)
            self.assertEqual((abs(traces - centre_trace) < 1e-5).sum(), 2)  # of one loop, run through in both directions

            # Counted from the first returns over the grid, which has cells of 0.01 or less: 0.02 from the places of the
            # other computation at most, where the displacement is almost the same over a few cells.
            file = self.henon_heiles(energy, "run.steps=100")
            count = file["section/count"][:]
            first = file["section/state"][:][numpy.cumsum(count) - count]
            self.assertGreater(len(first), 10_000)
            places, indices = section_features.fixed_points(file["initial/state"][:][:, [1, 3]], first)
            nearest = numpy.linalg.norm(places[:, None] - points, axis=2).argmin(axis=1)
            self.assertEqual(sorted(nearest), list(range(7)))
            numpy.testing.assert_array_equal(indices, numpy.where(is_stable, 1, -1)[nearest])
            self.assertLess(abs(places - points[nearest]).max(), 0.02)

            # The section map linearised, from neighbours at 1e-4: an error of 1e-8 times third derivatives, of up to 1e3.
            def mapped(starts):
                states = henon_heiles_map.states(starts, energy).tolist()
                unused = ("--unset", "ensemble.grid", "--unset", "ensemble.energy")
                near = self.example("henon_heiles_energies", *unused, "--set", "ensemble.from=states", "--set", f"ensemble.states={states}",
                                    "--set", "run.steps=40", output=f"near_{energy:.3f}.h5")
                self.assertTrue((near["section/count"][:] == 1).all())
                return near["section/state"][:]

            slopes = henon_heiles_map.jacobians(mapped, points, 1e-4)
            numpy.testing.assert_allclose(numpy.trace(slopes, axis1=1, axis2=2), traces, atol=1e-5)
            numpy.testing.assert_allclose(numpy.linalg.det(slopes), 1, atol=1e-5)

    def henon_heiles_orbits(self, energy):
        """(orbits, which of them are regular) from a coarse grid, of which a second computation agrees."""
        file = self.henon_heiles(energy, "ensemble.grid=[60, 60]")
        self.assertTrue((file["status/code"][:] == 0).all())  # none escapes, at 1/6 neither
        self.assertLess(file["invariants/max_drift"][:].max(), 2e-11)  # 9e-12
        orbits = henon_heiles_energies.read(file.filename)
        regular = henon_heiles_energies.are_regular(orbits)
        # On a torus a small distance grows by some 10^3 in 1600 units of time: ln is about 7. Of the orbits at the shores
        # of the sea, one or two in a hundred, 16000 steps tell other than 600 returns.
        grows = henon_heiles.growth(orbits.starts[::4], steps=16000) > 8
        self.assertGreater((grows != regular[::4]).mean(), 0.965)  # 0.998, 0.979 and 0.998
        self.assertLess(abs((~grows).mean() - regular.mean()), 0.015)
        return orbits, regular

    def test_henon_heiles_goes_from_order_to_chaos(self):
        # Henon and Heiles, Figure 4: curves about four points fill the section, but for those near its rim, which is the
        # straight orbit on the axis q2, and for small chains of islands.
        orbits, regular = self.henon_heiles_orbits(1 / 12)
        self.assertLess(abs(regular.mean() - 0.988), 0.004)  # 0.9896; 0.9869 on the grid of the example
        points, traces = henon_heiles_map.fixed_points(1 / 12)
        unstable = sorted(points[abs(traces) > 2].tolist(), key=lambda point: point[1])
        numpy.testing.assert_allclose(unstable, [(0.211, -0.278), (-0.120, 0), (0.211, 0.278)], atol=5e-4)  # digits as printed
        around = numpy.array([section_features.surround(orbits.points[regular], point) for point in points[abs(traces) < 2]])
        families = numpy.sort([mine.mean() for mine in around & (around.sum(axis=0) == 1)])
        numpy.testing.assert_allclose(families, [0.075, 0.075, 0.338, 0.377], atol=0.01)
        self.assertLess(abs(around.all(axis=0).mean() - 0.074), 0.01)

        # Figure 5: five islands on the right side, among others. Innermost orbits lie about stable points of period 5.
        orbits, regular = self.henon_heiles_orbits(1 / 8)
        self.assertLess(abs(regular.mean() - 0.42), 0.01)  # 0.419; 0.423 on the grid of the example
        count = section_features.islands(orbits.points, 8)
        fives = orbits.points[regular & (count == 5)]
        is_right, is_left = fives[:, :, 0].min(axis=1) > -0.1, fives[:, :, 0].max(axis=1) < 0.1
        chain = fives[is_right]
        self.assertLess(abs(len(chain) / len(regular) - 0.0365), 0.003)  # 0.0363

        def innermost(orbits):
            turns = orbits[:, : orbits.shape[1] // 5 * 5].reshape(len(orbits), -1, 5, 2)
            return turns[numpy.ptp(turns, axis=1).max(axis=(1, 2)).argmin()].mean(axis=0)

        # Its image on the left has the same trace. Differences leave up to 6e-6 there; places have half a digit.
        for islands, place, distance in ((chain, (0.573, 0), 1e-3), (fives[is_left], (-0.294, 0), 3e-3)):  # 2e-4, 1.6e-3
            inner = innermost(islands)
            periodic, traces = henon_heiles_map.periodic_points(inner, 1 / 8, 5)
            self.assertLess(abs(inner - periodic).max(), distance)
            self.assertLess(numpy.linalg.norm(periodic - place, axis=1).min(), 5e-4)
            numpy.testing.assert_allclose(traces, -1.993746, atol=2e-5)
        # The last one is at the rim, where p1 = 0: 0.91 to 0.95 of the energy without p1.
        q2, p2 = innermost(fives[~is_right & ~is_left]).T
        numpy.testing.assert_allclose((q2**2 - 2 / 3 * q2**3 + p2**2) / (2 / 8), 0.93, atol=0.04)
        # Chains of four about the two straight orbits: 17 orbits each, to some at their shores.
        fours = orbits.points[regular & (count == 4)]
        for p2 in (-0.25, 0.25):
            self.assertAlmostEqual(section_features.surround(fours, (0, p2), widest=numpy.pi).sum(), 17, delta=4)
        # A fifth of a turn about the stable point from one return to the next; its angle is known to half a turn of 700.
        angle = numpy.unwrap(numpy.arctan2(chain[:, :, 1], chain[:, :, 0] - 0.30267), axis=1)
        rotation = (angle[:, -1] - angle[:, 0]) / (2 * numpy.pi * (chain.shape[1] - 1))
        self.assertLess(abs(rotation - 1 / 5).max(), 5e-4)

        # Figure 6: two points have become unstable, and what is left are islands about the orbits of twice their periods.
        orbits, regular = self.henon_heiles_orbits(1 / 6)
        self.assertLess(abs(regular.mean() - 0.032), 0.004)  # 0.0310; 0.0329 on the grid of the example
        count = section_features.islands(orbits.points, 8)
        self.assertTrue((count[regular] == 2).all())
        right = orbits.points[regular][:, :, 0].min(axis=1) > 0
        self.assertLess(abs(right.mean() - 0.5), 0.1)
        _, traces = henon_heiles_map.periodic_points([(0.34077, 0), (-0.42946, 0)], 1 / 6)
        numpy.testing.assert_allclose(traces, -2.93094, atol=1e-4)
        _, traces = henon_heiles_map.periodic_points([(0.109, 0), (0.548, 0), (-0.207, 0.444), (-0.207, -0.444)], 1 / 6, 2)
        numpy.testing.assert_allclose(traces, -1.95382, atol=1e-4)

    def test_henon_heiles_shares_and_picture(self):
        picture = self.path / "energies.png"
        done = subprocess.run([sys.executable, self.program("henon_heiles_energies.py"), picture, "40"], text=True, capture_output=True,
                              env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        energies, orbits, regular, together = numpy.array([line.split() for line in done.stdout.splitlines()[1:]], float).T
        self.assertTrue((numpy.diff(energies) > 0).all())
        self.assertGreater(orbits.min(), 200)
        # Their Figure 7: all is covered by curves up to 0.11, hardly anything at 1/6. The finer grids of the example give
        # 0.987, 0.423 and 0.033 regular orbits, and 1, 0.831 and 0.122 that stay together; the coarse one, of a thousand
        # starts in the sections and 250 elsewhere, is off by up to 0.02 and 0.05.
        sections = numpy.isin(energies, (0.08333, 0.125, 0.16667))
        numpy.testing.assert_allclose(regular[sections], [0.987, 0.423, 0.033], atol=0.03)
        numpy.testing.assert_allclose(together[sections], [1, 0.831, 0.122], atol=0.03)
        self.assertTrue((together >= regular).all())
        self.assertTrue((together[energies <= 0.1] > 0.99).all())
        # At 0.11 and 0.14; 0.73 and 0.27, 0.97 and 0.55 on finer grids.
        between = numpy.isin(energies, (0.11, 0.14))
        numpy.testing.assert_allclose(regular[between], [0.73, 0.27], atol=0.06)
        numpy.testing.assert_allclose(together[between], [0.97, 0.55], atol=0.06)
        # How much of the panels, which stand side by side, is coloured, and of the sections how much is the sea's grey;
        # what is measured, to a third for other versions of the fonts and of the layout.
        picture = Picture(picture)
        halves = [half for frame in picture.frames() for half in numpy.array_split(picture.pixels[frame], 2, axis=1)]
        coloured = [(numpy.ptp(half, axis=2) > CHROMA).mean() for half in halves]
        grey = [(abs(half - 0xB4 / 0xFF) < 0.08).all(axis=2).mean() for half in halves[:3]]
        numpy.testing.assert_allclose(coloured, [0.168, 0.067, 0.0099, 0.0223], rtol=0.33)
        numpy.testing.assert_allclose(grey, [0.0159, 0.274, 0.382], rtol=0.33)
        # The configuration is the section at 1/8.
        file = self.example("henon_heiles_energies")
        self.assertGreater(len(file["status/code"]), 10_000)
        self.assertGreater(len(self.henon_heiles(1 / 6, "run.steps=100")["status/code"]), 10_000)  # the fewest
        self.drawn.add(self.path / "henon_heiles_energies.h5")  # as one panel of the picture
        regular_here = henon_heiles_energies.are_regular(henon_heiles_energies.read(file.filename))
        self.assertLess(abs(regular_here.mean() - 0.423), 0.005)


def load_tests(loader, tests, pattern):
    return with_completeness(loader, HenonHeilesExamples, "henon_heiles_examples")


if __name__ == "__main__":
    unittest.main()
