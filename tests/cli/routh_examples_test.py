#!/usr/bin/env python3
"""Every example of a system reduced by an angle runs, draws its picture and shows what it promises.

Run with POLHODE set to the program's path."""

import os
import re
import subprocess
import sys
import unittest

import h5py
import numpy

import section_features
from examples_support import EXAMPLES, PROGRAM, ExampleTests, run, with_completeness
from pictures import Picture

import chart_edge  # examples_support has put them on the path
import double_pendulum_routh
import j2_satellite
import relative_periodic

MIDPOINT = ("--set", "method.stages=1", "--set", "method.step=0.3", "--set", "run.steps=3000")
BLUE, ORANGE = (0, 0x72 / 0xFF, 0xB2 / 0xFF), (0xD5 / 0xFF, 0x5E / 0xFF, 0)


class RouthExamples(ExampleTests):
    def script(self, name, *arguments):
        """What a program of the examples prints; it has looked at the results among its arguments."""
        command = [sys.executable, self.program(name), *map(str, arguments)]
        done = subprocess.run(command, text=True, capture_output=True, cwd=self.path, env={**os.environ, "POLHODE": PROGRAM})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.drawn.update(self.path / argument for argument in arguments)
        return done.stdout

    def converted(self, name, system, *settings):
        """The result of an example in another description."""
        words = [word for setting in settings for word in setting]
        for command in (("convert", EXAMPLES / f"{name}.toml", "--to", system, *words, "-o", f"{system}.toml", "--force"),
                        ("run", f"{system}.toml", "-o", f"{system}.h5", "--force")):
            done = run(*command, cwd=self.path)
            self.assertEqual(done.returncode, 0, done.stderr)
        file = h5py.File(self.path / f"{system}.h5")
        self.addCleanup(file.close)
        return file

    def test_nodes_of_satellites_precess_by_J2_and_by_the_midpoint_rule(self):
        # Figures of an independent implementation, digits as printed: the precession per revolution and the distances. The
        # first has an exact value, and those of a circle; Gauss at h = 0.1 leaves 1.5e-6 and 2e-7.
        runs = (("exact", ("--set", "system.J2=0"), (0, 1, 1), 2e-6),
                ("spurious", ("--set", "system.J2=0", *MIDPOINT), (0.0532, 0.9928, 1.0029), 5e-5),
                ("oblate", (), (-0.4449, 0.8556, 1.0000), 5e-5),
                ("both", MIDPOINT, (-0.370, 0.850, 1.000), 5e-4))
        for name, words, expected, half_digit in runs:
            file = self.example("j2_satellite", *words, output=f"{name}.h5")
            self.assertGreater(len(file["section/count"]), 0)
            orbit = j2_satellite.Orbit.read(file.filename)
            self.assertGreater(len(orbit.nodes), 100)
            for value, wanted in zip((orbit.precession, *orbit.distances), expected):
                self.assertAlmostEqual(value, wanted, delta=half_digit)
        self.script("j2_satellite.py", *(f"{name}.h5" for name, *_ in runs), "satellites.png")
        # Between the sides of the frames, which are in two columns, the extent of what is drawn in a row of pixels, over the
        # width: (0.1444, 0.1503) / 0.23 of the flattened planet's satellites, 0.0101 / 0.23 at most of the others.
        picture = Picture(self.path / "satellites.png")
        dark = picture.pixels.max(axis=2) < 0.2
        sides = numpy.flatnonzero(dark.sum(axis=0) > len(dark) / 2)
        columns = numpy.split(sides, numpy.flatnonzero(numpy.diff(sides) > 20) + 1)
        self.assertEqual(len(columns), 4)  # left and right sides of both
        for left, right in (columns[:2], columns[2:]):
            for panel, low, high in zip(numpy.array_split(picture.drawn[:, left[-1] : right[0]], 2), (0, 0.5), (0.1, 0.75)):
                rows = [numpy.flatnonzero(row) for row in panel if row.any()]
                self.assertGreater(len(rows), len(panel) / 2)
                extent = numpy.median([numpy.ptp(row) + 1 for row in rows]) / panel.shape[1]
                self.assertTrue(low < extent < high, extent)

    def test_unreduced_satellites_are_the_same(self):
        # 1000 steps of round-off, which adds up in the phase; longitudes of 120.
        steps = "--set", "run.steps=1000"
        reduced = self.example("j2_satellite", *steps, output="reduced.h5")["snapshots/state"][0]
        file = self.converted("j2_satellite", "j2-satellite-cylindrical", steps)
        names, state = list(file["final/state"].attrs["columns"]), file["snapshots/state"][0]
        for column, name in enumerate(("r", "z", "pr", "pz", "theta")):
            self.assertLess(abs(state[:, names.index(name)] - reduced[:, column]).max(), 1e-11, name)

    def test_tori_of_satellites_break_up_into_chains_of_islands(self):
        file = self.example("j2_section")
        self.assertLess(file["invariants/max_drift"][:].max(), 1e-6)
        orbits = numpy.split(file["section/state"][:][:, [0, 2]], numpy.cumsum(file["section/count"][:])[:-1])
        self.assertEqual(len(orbits), 50)
        self.assertGreater(min(map(len, orbits)), 200)
        islands = [int(section_features.islands(points[None], 12)[0]) for points in orbits]
        self.assertGreater(islands.count(1), 40)
        self.assertTrue({3, 4, 7} <= set(islands), islands)
        self.expect_section(self.draw("j2_section.png", "j2_section.h5"), file)

    def test_the_energy_of_rk4_drifts_and_that_of_gauss_does_not(self):
        file = self.example("double_pendulum_routh")
        # The exact shape after a unit of time, by extrapolation in 30 digits; order 4 leaves 2e-5 at h = 0.1.
        shape = file["snapshots/state"][0, 10, :3]
        self.assertLess(abs(shape - [0.598276748641830614, 0.479723761802457618, -0.195095837022994622]).max(), 2e-5)
        printed = self.script("double_pendulum_routh.py", "routh.png").splitlines()[1:]
        self.drawn.add(self.path / "double_pendulum_routh.h5")  # the script runs it, too
        gauss, rk4 = (numpy.array(line.split()[1:], float) for line in printed)
        energy = double_pendulum_routh.Run(file.filename).energy
        self.assertEqual(f"{abs(energy - energy[0]).max():.3e}", f"{gauss[0]:.3e}")
        # Figures of an independent implementation: the largest |H - H(0)|, the means over quarters of the time. Over so many
        # steps round-off makes another orbit of it; the means agree to a hundredth.
        numpy.testing.assert_allclose(gauss, [5.05e-7, -2.533e-7, -2.535e-7, -2.536e-7, -2.535e-7], rtol=0.02)
        numpy.testing.assert_allclose(rk4, [3.17e-6, -0.39e-6, -1.19e-6, -1.98e-6, -2.78e-6], rtol=0.02)
        # The drift of one, and the other about 0.
        picture = Picture(self.path / "routh.png")
        panel = picture.panels()[-1]
        self.assertGreater(picture.hue(ORANGE), panel.shape[1] / 2)
        self.assertGreater(picture.hue(BLUE), panel.shape[1] / 2)

    def test_energy_has_spikes_at_the_edge_of_the_chart_only(self):
        file = self.example("chart_edge")
        self.assertTrue((file["status/code"][:] == 0).all())
        result = chart_edge.Run(file.filename)
        near = result.heights.max(axis=1) > -0.1  # a tenth of the time
        self.assertTrue(0.02 < near.mean() < 0.3, near.mean())
        (median, spike), (median_in_space, largest_in_space) = (
            map(float, line.split()) for line in self.script("chart_edge.py", "edge.png").splitlines()[1:])
        self.drawn.add(self.path / "chart_edge.h5")  # the script runs it, too
        self.assertEqual(f"{result.error.max():.3e}", f"{spike:.3e}")
        self.assertGreater(spike, 8 * median)  # 10 times
        self.assertGreater(result.error[near].max(), 2 * result.error[~near].max())
        self.assertLess(largest_in_space, 3 * median_in_space)  # 2.2 times
        # Harmless: between them the error is what it was.
        first, _, last = (numpy.median(part) for part in numpy.array_split(result.error, 3))
        self.assertAlmostEqual(last / first, 1, delta=0.2)
        picture = Picture(self.path / "edge.png")
        _, lower = picture.panels()
        self.assertGreater(picture.hue(ORANGE), lower.shape[1])
        self.assertGreater(picture.hue(BLUE), lower.shape[1])

    def test_a_relative_periodic_orbit_closes_in_its_frame_and_not_in_space(self):
        file = self.example("relative_periodic")
        (near,) = relative_periodic.read(file)
        self.assertLess(near.defect, 1e-3)  # four digits of the start
        printed = self.script("relative_periodic.py", "relative_periodic.png")
        self.drawn.add(self.path / "relative_periodic.h5")  # the same orbit but for those digits
        moved = float(re.search(r"moved by (\S+)", printed).group(1))
        closed = float(re.search(r"closed to ([^,]+)", printed).group(1))
        period, turns = map(float, re.search(r"period (\S+), (\S+) turns", printed).groups())
        self.assertLess(moved, 1e-12)
        self.assertLess(closed, 1e-10)  # 8e-12; half of the orbit to 1e-13, the section to what order 6 leaves of a step
        # Of a Runge-Kutta method on other equations, to the digits that it gave.
        self.assertAlmostEqual(float(re.search(r"rate ([^,]+)", printed).group(1)), 0.859392, delta=1e-6)
        self.assertAlmostEqual(period, 1.83592, delta=1e-5)
        self.assertAlmostEqual(turns, 0.25551, delta=1e-5)
        self.assertAlmostEqual(period, near.period, delta=1e-2)
        self.assertAlmostEqual(turns, near.turn / (2 * numpy.pi), delta=1e-2)
        self.assertGreater(abs(turns - round(turns)), 0.1)  # so that it does not close in space
        picture = Picture(self.path / "relative_periodic.png")
        # Circles about the axis, and curves about as long: each colour is seen.
        self.assertGreater(picture.hue(BLUE), 1000)
        self.assertGreater(picture.hue(ORANGE), 1000)


def load_tests(loader, tests, pattern):
    return with_completeness(loader, RouthExamples, "routh_examples")


if __name__ == "__main__":
    unittest.main()
