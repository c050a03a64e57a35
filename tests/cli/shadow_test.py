#!/usr/bin/env python3
"""Shadow energies from the command line: what a file has, against the same sums from its snapshots, and what is refused.

Run with POLHODE set to the program's path."""

import os
import re
import unittest
from math import comb

import h5py
import numpy

from command_line import CliTest
import plot_support  # noqa: F401  finds the package
from polhode.invariants_plot import drift_of

PENDULUM = """
[system]
name = "double-spherical-pendulum"
m = [1.0, 1.5]
l = [1.0, 0.7]
g = 1.0
[method]
name = "rattle"
step = 0.01
[ensemble]
from = "states"
states = [[0.6, 0, -0.8, 0, 0.42, -0.56, 0.2, 0.7, 0.15, 0.1, 0.3, 0.2], [0, 0.6, 0.8, 0.7, 0, 0, 0.5, 0, 0, 0, 0.4, 0.1],
          [0, 0, -1, 0, 0, -0.7, 0.3, 0, 0, 0.1, 0.3, 0]]
[run]
steps = 200
backend = "cpu"
[record]
snapshots = 1
shadow_energy = 8
[output]
file = "out.h5"
"""
HENON_HEILES = """
[system]
name = "henon-heiles"
[method]
name = "stoermer-verlet"
step = 0.1
[ensemble]
from = "states"
states = [[0, 0.1, 0.44795833139552909, 0.2], [0.05, 0.1, 0.3, 0.2]]
[run]
steps = 200
backend = "cpu"
[record]
snapshots = 1
shadow_energy = 8
[output]
file = "out.h5"
"""
TOP = """
[system]
name = "heavy-top"
inertia = [0.5, 0.9, 1.0]
[method]
name = "rattle"
step = 0.1
[ensemble]
from = "random"
distribution = "cloud"
count = 40
state = [0.1, 0.9, 0.4, 0, 0.8, 0.6]
width = 0.05
seed = 3
[run]
steps = 400
backend = "cpu"
[record]
snapshots = 20
shadow_energy = 6
[output]
file = "out.h5"
"""


def sums(q, p, actions, h, k):
    """H~_2k [t - k] of states [t, N] and the actions [t - 1] of the steps between them, by its definition."""
    total = 0
    done = numpy.concatenate([[0], numpy.cumsum(actions)])
    count = len(q) - k
    for i in range(k + 1):
        for j in range(i):
            weight = (-1) ** (i - j + 1) * 2 * comb(k, i) * comb(k, j) / comb(2 * k, k)
            first, last = slice(j, j + count), slice(i, i + count)
            work = ((p[first] + p[last]) * (q[last] - q[first])).sum(axis=1) / 2 - (done[last] - done[first])
            total = total + weight * work / ((i - j) * h)
    return total


class Shadow(CliTest):
    def recorded(self, config, *settings, order=8):
        """States [n, t, dim], shadow energies [n, t] and attributes of a run."""
        name = self.write(config)
        words = (word for setting in (*settings, f"record.shadow_energy={order}") for word in ("--set", setting))
        self.run_with(name, "out.h5", "--force", *words)
        with h5py.File(self.path / "out.h5") as file:
            data = file["snapshots/shadow_energy"]
            self.assertEqual((data.attrs["order"], data.attrs["unit"]), (order, "1" if config is HENON_HEILES else "mass length^2/time^2"))
            self.assertAlmostEqual(data.attrs["time_after"], order / 4 * file.attrs["step"])
            return file["snapshots/state"][:], data[:], file["invariants/max_drift"][:, 0]

    def expect_sums(self, states, shadow, kinetic_mass, potential, h, order):
        half = states.shape[2] // 2
        for k, (state, values) in enumerate(zip(states, shadow)):
            q, p = state[:, :half], state[:, half:]
            v = numpy.diff(q, axis=0) / h
            actions = h * (kinetic_mass(v) - (potential(q[1:]) + potential(q[:-1])) / 2)
            expected = sums(q, p, actions, h, order // 2)
            # Round-off of sums over h.
            self.assertLess(abs(values[: len(expected)] - expected).max(), 1e-13 / h, k)

    def test_of_pendula_by_their_definition(self):
        m = numpy.array([1.0, 1.5])
        kinetic = lambda v: (m[0] * (v[:, :3] ** 2).sum(axis=1) + m[1] * ((v[:, :3] + v[:, 3:]) ** 2).sum(axis=1)) / 2
        potential = lambda q: m[0] * q[:, 2] + m[1] * (q[:, 2] + q[:, 5])
        for method in ("rattle", "rattle-tn", "shake"):
            for order in (4, 6, 8):
                with self.subTest(method, order=order):
                    states, shadow, drift = self.recorded(PENDULUM, f"method.name={method}", order=order)
                    self.expect_sums(states, shadow, kinetic, potential, 0.01, order)
                    self.assertTrue(numpy.isfinite(shadow).all())
                    self.assertTrue((numpy.ptp(shadow, axis=1) < drift / 100).all())

    def test_of_canonical_systems_by_their_definition(self):
        potential = lambda q: (q**2).sum(axis=1) / 2 + q[:, 0] ** 2 * q[:, 1] - q[:, 1] ** 3 / 3
        for order in (4, 8):
            states, shadow, drift = self.recorded(HENON_HEILES, order=order)
            self.expect_sums(states, shadow, lambda v: (v**2).sum(axis=1) / 2, potential, 0.1, order)
            self.assertTrue((numpy.ptp(shadow, axis=1) < drift / 100).all())

    def test_bits_are_those_of_the_states(self):
        """On any instruction set and number of threads, at fewer snapshots, and in runs that went on; single precision has its own."""
        name = self.write(TOP)

        def shadow(*arguments, file="out.h5"):
            self.run_with(name, file, "--force", *arguments)
            with h5py.File(self.path / file) as found:
                return found["snapshots/shadow_energy"][:].tobytes(), found["snapshots/shadow_energy"][:]

        bits, values = shadow()
        self.assertTrue(numpy.isfinite(values).all())
        for isa in ("scalar", "avx2"):
            self.assertEqual(shadow("--set", f"run.isa={isa}")[0], bits, isa)
        self.assertEqual(shadow("--set", "run.threads=1")[0], bits)
        self.assertEqual(shadow("--set", "record.snapshots=40")[1].tobytes(), values[:, ::2].tobytes())
        self.assertEqual(shadow("--set", "output.compression=4")[0], bits)
        single = shadow("--set", "run.precision=single")[1]
        self.assertLess(abs(single - values).max(), 100 * 2.0**-23 / 0.1)  # round-off of sums over h
        self.assertNotEqual(single.tobytes(), bits)
        shadow("--set", "run.steps=200", file="half.h5")
        done = self.polhode("run", name, "-o", "half.h5", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.path / "half.h5") as found:
            self.assertEqual(found["snapshots/shadow_energy"][:].tobytes(), bits)

    def test_added_to_a_finished_run(self):
        """A run without them goes on as one with them: they are functions of the states."""
        name = self.write(TOP)
        self.run_with(name, "part.h5", "--set", "record.shadow_energy=0", "--set", "run.steps=200")
        self.run_with(name, "whole.h5")
        done = self.polhode("run", name, "-o", "part.h5", "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.path / "part.h5") as part, h5py.File(self.path / "whole.h5") as whole:
            self.assertEqual(part["snapshots/shadow_energy"][:].tobytes(), whole["snapshots/shadow_energy"][:].tobytes())

    def test_trajectories_that_end(self):
        """What is unknown is NaN: after an end, and where no step leads on."""
        states, shadow, _ = self.recorded(PENDULUM, "method.step=0.5", "run.steps=40")
        with h5py.File(self.path / "out.h5") as file:
            steps = file["status/step"][:]
        self.assertTrue((steps < 40).any())
        for end, state, values in zip(steps, states, shadow):
            self.assertTrue(numpy.isnan(values[end + 1 :]).all())
            self.assertTrue(end == 40 or numpy.isnan(values[max(0, end - 3) : end + 1]).all())
            self.assertTrue(numpy.isnan(state[end + 1 :]).all())
            self.assertTrue(numpy.isfinite(values[: max(0, end - 3)]).all())
        self.assertGreater(numpy.isfinite(shadow).sum(), 20)

    def test_trajectories_that_a_section_ends(self):
        """From the state at the end the method could go on, and does."""
        section = '[section]\nname = "q1x"\nvalue = 0.2\ndirection = "both"\nterminal = true\n'
        states, shadow, _ = self.recorded(PENDULUM + section, "run.steps=600")
        with h5py.File(self.path / "out.h5") as file:
            steps, codes = file["status/step"][:], file["status/code"][:]
        self.assertIn(4, codes)
        for end, values in zip(steps, shadow):
            self.assertTrue(numpy.isfinite(values[: end + 1]).all())
            self.assertTrue(numpy.isnan(values[end + 1 :]).all())

    def test_steps_backwards(self):
        there, forward, _ = self.recorded(PENDULUM)
        back, backward, _ = self.recorded(PENDULUM, "method.step=-0.01")
        for one, other in zip(forward, backward):
            # The method is symmetric: its shadow energy is that of both directions, to an error that is the same for both.
            self.assertLess(abs(one[0] - other[0]), 10 * (numpy.ptp(one) + numpy.ptp(other)) + 1e-12)

    def test_what_is_refused(self):
        name = self.write(TOP)
        for setting, words in (("record.shadow_energy=5", "neither 4, 6 nor 8"), ("record.shadow_energy=10", "between 0 and 8"),
                               ("record.snapshots=0", "record.snapshots is missing"), ("method.name=gauss", "gauss with these options has no discrete action on heavy-top"),
                               ("method.name=splitting", "splitting with these options has no discrete action on heavy-top")):
            self.expect_error(self.polhode("run", name, "--set", setting), 2, words)
        self.assertFalse((self.path / "out.h5").exists())

    def test_what_else_is_made_of_it(self):
        name = self.write(TOP)
        done = self.polhode("run", name, "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_with(name, "out.h5")
        cited = set(re.findall(r"^@\w+\{(\w+),", self.polhode("cite", "out.h5").stdout, re.M))
        self.assertLessEqual({"SkeelHardy2001", "EngleSkeelDrees2005"}, cited)
        self.assertIn("/snapshots/shadow_energy", self.polhode("info", "out.h5").stdout)
        for view, count in (("shadow", 2), ("invariants", 4)):
            done = self.polhode("plot", "out.h5", "--view", view, "-o", f"{view}.png")
            self.assertIn(f"{count} invariants of 40 trajectories", done.stdout, done.stderr)
        self.run_with(name, "plain.h5", "--set", "record.shadow_energy=0")
        self.expect_error(self.polhode("plot", "plain.h5", "--view", "shadow"), 2, "has no shadow energy")
        self.run_with(name, "bare.h5", "--set", "record.invariants=false")
        self.expect_error(self.polhode("plot", "bare.h5", "--view", "shadow"), 2, "has no energy to compare")

    def test_drifts_are_told(self):
        """Of a symplectic method there is none; an explicit one of order 4 loses energy."""
        for config, method, words in (
                (TOP, "rattle", "no drift of the shadow energy: slopes within 4 standard errors; range at most "),
                (HENON_HEILES, "stoermer-verlet", "no drift of the shadow energy: slopes within 4 standard errors; range at most "),
                (HENON_HEILES, "runge-kutta", "the shadow energy drifts in 2 of 2 trajectories, by up to ")):
            self.recorded(config, f"method.name={method}", "run.steps=4000", "record.snapshots=10")
            done = self.polhode("plot", "out.h5", "--view", "shadow", "-o", "drift.png")
            self.assertIn(words, done.stdout, done.stderr)
        values = numpy.random.default_rng(46).normal(size=(3, 40)) + [[0], [1e-3], [0.1]] * numpy.arange(40.0)
        values[1, 25:] = values[2, 2:] = numpy.nan
        drift = drift_of(numpy.arange(40.0), values)
        for k, count in ((0, 40), (1, 25)):
            (slope, _), covariance = numpy.polyfit(numpy.arange(count), values[k, :count], 1, cov=True)
            numpy.testing.assert_allclose([drift.slope[k], drift.error[k]], [slope, covariance[0, 0] ** 0.5], rtol=1e-12)
            self.assertAlmostEqual(drift.range[k], numpy.ptp(values[k, :count]), 14)
        self.assertTrue(numpy.isnan([drift.slope[2], drift.error[2], drift.range[2]]).all())

    def test_kernels_are_compiled_in_advance(self):
        name = self.write(TOP)
        alone = {**os.environ, "POLHODE_CACHE": str(self.path / "cache")}
        self.expect_error(self.polhode("run", name, "--no-compile", env=alone), 3, "there is no kernel")
        done = self.polhode("compile", name, env=alone)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.polhode("run", name, "--no-compile", env=alone)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_free_rotations_of_order_2(self):
        """Of splitting and moser-veselov these are symplectic, and those of higher order are refused."""
        splitting = TOP.replace('"rattle"', '"splitting"\ncoefficients = "srkn6-14a"\ndrift_order = 2')
        free = TOP.replace('"rattle"', '"moser-veselov"').replace("[method]", "c = 0.0\n[method]")
        for config, setting in ((splitting, "method.drift_order=8"), (free, "method.order=8")):
            _, shadow, drift = self.recorded(config)
            self.assertTrue(numpy.isfinite(shadow).all())
            self.assertLess(numpy.ptp(shadow, axis=1).max(), 1e-4)
            self.expect_error(self.polhode("run", "config.toml", "--force", "--set", setting), 2, "has no discrete action")


if __name__ == "__main__":
    unittest.main()
