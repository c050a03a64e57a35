#!/usr/bin/env python3
"""Systems that are reduced by an angle, from starts to cross-checks: shape, reduced momenta and the angle.

Run with POLHODE set to the program's path."""

import json
import unittest

import h5py
import numpy

from command_line import CliTest

SATELLITE = """
[system]
name = "j2-satellite-reduced"
J2 = 0.05
mu = 0.955336489125606
[method]
name = "gauss"
step = 0.1
[ensemble]
from = "section"
axes = ["r", "pr"]
solve = "pz"
base = [1, 0, 0, 0, 0.5]
energy = -0.5
window = [[0.85, 1.15], [-0.2, 0.2]]
grid = [6, 6]
[section]
name = "z"
[run]
steps = 500
"""
PENDULA = """
[system]
name = "double-spherical-pendulum-reduced"
m = [1, 2]
l = [1, 0.8]
g = 1
mu = 2.119705402694607634
[method]
name = "lobatto"
step = 0.05
[ensemble]
from = "states"
variables = "velocity"
states = [[0.5, 0.4, 0.3, 0.1, -0.05, 0.2, 0.25]]
[run]
steps = 20
"""
CLOUD = """from = "random"
distribution = "cloud"
state = [0.5, 0.4, 0.3, 0.237, 0.108, 0.0013, 0.25]
width = 0.01
count = 50
seed = 1
"""


class ReducedSystems(CliTest):
    def test_sections_start_on_the_energy_without_the_angle(self):
        self.run_with(self.write(SATELLITE), "out.h5")
        with h5py.File(self.path / "out.h5") as file:
            r, z, pr, pz, theta = file["initial/state"][:].T
            points = file["section/state"][:]
        self.assertEqual(len(r), 36)
        self.assertTrue((z == 0).all() and (theta == 0.5).all() and (pz > 0).all())
        energy = (pr**2 + pz**2 + (0.955336489125606 / r) ** 2) / 2 - 1 / r - 0.025 / r**3
        numpy.testing.assert_allclose(energy, -0.5, atol=1e-14)
        self.assertGreater(len(points), 300)
        numpy.testing.assert_allclose(points[:, 1], 0, atol=1e-14)
        self.assertGreater(points[:, 4].max(), 30)  # the angle counts turns

    def test_the_angle_is_no_momentum(self):
        done = self.polhode("run", self.write(SATELLITE.replace('solve = "pz"', 'solve = "theta"')))
        self.assertEqual(done.returncode, 2)
        self.assertIn('ensemble.solve ("theta" is not a momentum column; known: pr, pz)', done.stderr)

    def test_states_are_given_by_velocities(self):
        """s = M_hor x', and the angle as it is. The end is known to 22 digits."""
        self.run_with(self.write(PENDULA), "out.h5")
        with h5py.File(self.path / "out.h5") as file:
            start, end = file["initial/state"][0], file["final/state"][0]
        numpy.testing.assert_allclose(start, [0.5, 0.4, 0.3, 0.2369976071667942, 0.1079658530603265, 0.001310541680238141, 0.25], atol=1e-15)
        known = [0.5982769342923695, 0.4797238674789027, -0.19509990928956, 0.8172188073292588, 0.6831073006328643, -0.01221625255931800, 1.424543948255872]
        numpy.testing.assert_allclose(end, known, atol=1e-14)

    def test_states_beyond_the_chart_are_refused(self):
        done = self.polhode("run", self.write(PENDULA.replace("[[0.5, 0.4", "[[0.5, 0.9").replace('variables = "velocity"\n', "")))
        self.assertEqual(done.returncode, 2)
        self.assertIn("it is outside the domain of the system", done.stderr)

    def test_backends_agree(self):
        """The reference has other equations: with a magnetic term, in shape and reduced momenta."""
        head, tail = PENDULA.split('from = "states"')
        cloud = head + CLOUD + tail[tail.index("[run]") :].replace("20", "100")
        for config in (SATELLITE, cloud):
            done = self.polhode("crosscheck", self.write(config))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"passed +reference against cpu \w+: a step from common states")

    def test_what_is_at_rest_breaks_no_promise(self):
        """Its momenta are round-off, of which two backends say different things."""
        head = SATELLITE[: SATELLITE.index("[ensemble]")].replace("0.955336489125606", "1.0").replace("0.1", "0.05")
        resting = self.write(head + '[ensemble]\nfrom = "relative-equilibrium"\nnear = [1.0, 0.0]\n[run]\nsteps = 200\n')
        for method in ("gauss", "lobatto", "discrete-routh"):
            done = self.polhode("crosscheck", resting, "--set", f"method.name={method}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_starts_on_a_section_of_the_angle(self):
        section = SATELLITE.replace('name = "z"', 'name = "theta"\nvalue = 0.5\ndirection = "both"').replace(
            "[1, 0, 0, 0, 0.5]", "[1, 0, 0, 0.3, 0.1]")
        file = self.path / "angle.h5"
        done = self.polhode("run", self.write(section), "-o", file, "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(file) as result:
            self.assertGreater(len(result["initial/state"]), 20)
            numpy.testing.assert_allclose(result["initial/state"][:, 4], 0.5, atol=1e-12)
            turns = (result["section/state"][:, 4] - 0.5) / (2 * numpy.pi)
            self.assertGreater(len(turns), 100)
            numpy.testing.assert_allclose(turns, numpy.round(turns), atol=1e-12)

    def test_motion_does_not_depend_on_turns(self):
        """Of an eccentric orbit in cylindrical coordinates, whose stages need further sweeps."""
        head = SATELLITE[: SATELLITE.index("[ensemble]")].replace("-reduced", "-cylindrical").replace("mu = 0.955336489125606\n", "")
        ends = []
        for theta in (0.0, 1e5):
            file = self.path / f"turned_{theta:g}.h5"
            starts = f'[ensemble]\nfrom = "states"\nstates = [[0.5, 0, {theta}, 0, 0.3, 0.95]]\n[run]\nsteps = 2000\n'
            done = self.polhode("run", self.write(head + starts), "-o", file, "--set", "method.step=0.05", "--force")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(file) as result:
                ends.append(result["final/state"][0, [0, 1, 3, 4, 5]])
        numpy.testing.assert_array_equal(*ends)

    def test_the_catalog_says_what_a_state_is(self):
        done = self.polhode("list", "systems", "j2-satellite-reduced", "--json")
        entry = json.loads(done.stdout)
        entry = entry[0] if isinstance(entry, list) else entry
        self.assertEqual(entry["kind"], "reduced")
        self.assertEqual([(block["form"], block["size"]) for block in entry["layout"]], [("position", 2), ("momentum", 2), ("angle", 1)])


if __name__ == "__main__":
    unittest.main()
