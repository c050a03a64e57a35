#!/usr/bin/env python3
"""What is a failure and what a result: open systems, edges of charts, limits on the energy; and what the report and
the exit code say of them.

Run with POLHODE set to the program's path."""

import json
import re
import unittest

import h5py
import numpy

from command_line import CliTest

LEFT, CHANGED = 3, 8

# Six orbits of Henon and Heiles: above the saddles, whose energy is 1/6, and bounded ones.
ESCAPING = [[0, 0, 1.2 + 0.1 * k, 0.3] for k in range(3)]
BOUNDED = [[0.1 + 0.02 * k, 0.1, 0.2, 0.1] for k in range(3)]
HENON_HEILES = """
[system]
name = "henon-heiles"
[method]
name = "stoermer-verlet"
step = 0.1
[ensemble]
from = "states"
states = {states}
[run]
steps = 2000
[output]
file = "out.h5"
"""
KEPLER = """
[system]
name = "kepler"
radius = 1e-6
[method]
name = "rk4"
step = 0.02
[ensemble]
from = "states"
states = {states}
[run]
steps = 400
[output]
file = "out.h5"
"""
# The double spherical pendulum at E = -2.5, mu = 0.3, where orbits pass by r = 0 sooner or later.
CHART = """
[system]
name = "double-spherical-pendulum-reduced"
m = [1, 1]
l = [1, 1]
g = 1
mu = 0.3
[method]
name = "gauss"
step = {step}
[ensemble]
from = "section"
axes = ["r1", "r2"]
solve = "s1"
base = [0.4, 0.4, 0.0, 0.2, 0.0, 0.1, 0.0]
grid = [24, 24]
window = [[0.02, 0.7], [0.02, 0.7]]
energy = -2.5
[section]
name = "phi"
[run]
steps = {steps}
[output]
file = "out.h5"
"""


class Results(CliTest):
    def endings(self):
        with h5py.File(self.path / "out.h5") as file:
            return file["status/code"][:], file["status/step"][:], file["invariants/max_drift"][:, 0]

    def test_an_escape_is_a_result(self):
        """Also where all trajectories escape; its energy is not that of those that go on."""
        for states, code in ((ESCAPING, 0), (ESCAPING + BOUNDED, 0)):
            for backend in ("cpu", "reference"):
                result = self.polhode("run", self.write(HENON_HEILES.format(states=states)), "--force", "--backend", backend)
                self.assertEqual((result.returncode, result.stderr), (code, ""))
                codes, steps, drift = self.endings()
                self.assertEqual(list(codes[:3]), [LEFT] * 3)
                self.assertIn(f"  3 trajectories left (first: trajectory 0, after step {steps[0]}): ", result.stdout)
                self.assertIn("it escaped over a saddle", result.stdout)
                self.assertNotIn("failed (", result.stdout)
                with h5py.File(self.path / "out.h5") as file:
                    self.assertIn("it escaped over a saddle", file["status/code"].attrs["meaning"][LEFT])
        largest = re.search(r"largest change of energy: (\S+) \(trajectory (\d)\), of those that failed or left (\S+) \(trajectory (\d)\)\n", result.stdout)
        self.assertTrue(largest, result.stdout)
        for value, trajectory, of in ((largest[1], largest[2], drift[3:]), (largest[3], largest[4], drift[:3])):
            self.assertEqual(value, f"{of.max():.2e}")
            self.assertEqual(drift[int(trajectory)], of.max())
        self.assertGreater(drift[:3].max(), 100 * drift[3:].max())
        info = self.polhode("info", "out.h5").stdout
        self.assertIn(f"{drift[3:].max():.2e} (trajectory {largest[2]}), of those that failed or left {drift[:3].max():.2e} (trajectory {largest[4]})", info)
        (energy,) = json.loads(self.polhode("info", "--json", "out.h5").stdout)["invariants"]
        self.assertEqual((energy["largest_change"], energy["trajectory"]), (drift[3:].max(), int(largest[2])))
        self.assertEqual((energy["largest_change_early"], energy["trajectory_early"]), (drift[:3].max(), int(largest[4])))
        # Escapes of the potential that is unbounded below for these coefficients, and a bounded orbit.
        central = HENON_HEILES.replace('"henon-heiles"', '"central"\nk2 = 1\nk4 = -1').replace("step = 0.1", "step = 0.01")
        result = self.polhode("run", self.write(central.format(states=[[0.9, 0, 1, 0]])), "--force")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("it escaped over the last barrier", result.stdout)
        result = self.polhode("run", self.write(central.format(states=[[0.3, 0, 0, 0.2]])), "--force")
        self.assertNotIn("left", result.stdout)

    def test_the_largest_change_is_that_of_those_that_reached_their_end(self):
        """A failure beside others: the figure of those that reached their end is theirs alone."""
        states = [[1, 0, 0, 0.01], [1, 0, 0, 1], [1, 0, 0, 0.9]]
        report = self.polhode("run", self.write(KEPLER.format(states=states)), "--set", "run.energy_limit=0.1").stdout
        codes, steps, drift = self.endings()
        self.assertEqual(list(codes), [CHANGED, 0, 0])
        self.assertEqual(steps[0], 64)
        self.assertIn("  1 trajectory failed (first: trajectory 0, after step 64): the energy changed by more than run.energy_limit\n", report)
        self.assertIn(f"largest change of energy: {drift[1:].max():.2e} (trajectory {1 + drift[1:].argmax()}), of those that failed {drift[0]:.2e} (trajectory 0)\n", report)

    def test_a_collision_is_a_failure(self):
        name = self.write(KEPLER.replace("radius = 1e-6", "radius = 0.1").format(states=[[1, 0, 0, 0.01]]))
        result = self.polhode("run", name)
        self.expect_error(result, 1, "every trajectory failed", "Use other initial states.")
        self.assertIn("a collision", result.stdout)

    def test_an_energy_limit_needs_energies(self):
        name = self.write(KEPLER.format(states=[[1, 0, 0, 1]]))
        for change, *words in (("run.energy_limit=0", "run.energy_limit"), ("run.energy_limit=-1", "run.energy_limit"), ("run.energy_limit=nan", "run.energy_limit")):
            self.expect_error(self.polhode("run", name, "--set", change), 2, *words)
        self.expect_error(self.polhode("run", name, "--set", "run.energy_limit=1", "--set", "record.invariants=false"), 2, "run.energy_limit", "record.invariants")
        name = self.write(KEPLER.format(states=[[1, 0, 0, 0.01]]))
        result = self.polhode("run", name, "--set", "run.energy_limit=0.1")
        self.expect_error(result, 1, "Use a smaller step or a larger run.energy_limit.")

    def test_orbits_end_at_the_edge_of_their_chart(self):
        for step, steps in ((0.02, 5000), (0.005, 20000)):
            name = self.write(CHART.format(step=step, steps=steps))
            result = self.polhode("run", name, "--force")
            codes, _, _ = self.endings()
            self.assertEqual(set(codes) - {0}, {LEFT}, numpy.bincount(codes))
            self.assertGreater((codes == LEFT).sum(), len(codes) / 2)
            self.assertIn("r1 = 0 or r2 = 0, where a rod is vertical", result.stdout)
            self.assertIn("  past the edge of a chart double-spherical-pendulum goes on, the same system in space: polhode convert CONFIG --to double-spherical-pendulum\n", result.stdout)
        # A step that is too long in space is no edge.
        result = self.polhode("run", name, "--force", "--set", "method.step=40")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertNotIn(LEFT, self.endings()[0])


if __name__ == "__main__":
    unittest.main()
