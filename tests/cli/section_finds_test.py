#!/usr/bin/env python3
"""What a section finds, as a user meets it: angles where they jump, first passages within a step, round-off, crossings
that may have been missed.

Run with POLHODE set to the program's path."""

import json
import math
import pathlib
import re
import unittest

import h5py

from command_line import CliTest

PENDULUM = """
[system]
name = "{system}"
m = {ones}
l = {ones}
g = 1.0
[method]
name = "{method}"
step = 0.05
[ensemble]
from = "states"
states = {states}
[run]
steps = {steps}
[section]
name = "{angle}"
value = {value}
direction = "both"
"""
OSCILLATOR = """
[system]
name = "central"
k2 = 1.0
k4 = 0.0
[method]
name = "{method}"
step = 0.5
[ensemble]
from = "states"
states = [[1, 0, 0, 0]]
[run]
steps = 1244
[section]
name = "q1"
value = 0.99
direction = "up"
"""
FOUND = re.compile(r"(\d+) section points")
DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "docs"


class SectionFinds(CliTest):
    def found(self, report):
        return int(FOUND.search(report).group(1))

    def methods(self, system):
        listed = json.loads(self.polhode("list", "methods", system, "--json").stdout)
        return sorted({method["name"] for method in listed if method["system"] == system})

    def pendulum(self, states, value=0.0, method="rattle", steps=2000):
        return self.write(PENDULUM.format(system="spherical-pendulum", ones=1.0, method=method, states=states, steps=steps,
                                          angle="azimuth", value=value))

    def test_a_pendulum_in_a_plane_has_no_section_of_its_azimuth(self):
        for value in (0.0, math.pi, -math.pi, 0.3):
            name = self.pendulum([[0.6, 0, -0.8, 0, 0, 0]], value)
            for options in ([], ["--backend", "reference"], ["--precision", "single"]):
                self.assertEqual(self.found(self.run_with(name, "out.h5", *options)), 0, (value, options))

    def test_crosscheck_passes_in_a_plane_and_near_it(self):
        """Every method, in long searches too: the same crossings on every instruction set and the reference."""
        for method in self.methods("spherical-pendulum"):
            for off in (0, 1e-9):
                states = [[0.6, 0, -0.8, 0, off, 0], [-0.36, 0.48, -0.8, -off, 0.75 * off, 0], [0.8, 0, -0.6, 0.3, off, 0.4]]
                for value in (0.0, 0.3):
                    with self.subTest(method=method, off=off, value=value):
                        name = self.pendulum(states, value, method)
                        options = ["--set", "method.stages=3"] if method in ("gauss", "lobatto") else []
                        checked = self.polhode("crosscheck", name, "--steps", "400", *options)
                        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_crosscheck_passes_for_two_rods_in_a_plane(self):
        for method in self.methods("double-spherical-pendulum"):
            for off in (0, 1e-9):
                states = [[0.6, 0, -0.8, 0, 0, -1, 0, off, 0, 0, -off, 0], [0, 0.6, -0.8, 0, -0.6, -0.8, off, 0, 0, 0, 0, 0]]
                with self.subTest(method=method, off=off):
                    name = self.write(PENDULUM.format(system="double-spherical-pendulum", ones=[1, 1], method=method, states=states,
                                                      steps=200, angle="azimuth_difference", value=0.0))
                    checked = self.polhode("crosscheck", name, "--steps", "100")
                    self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_the_first_passage_within_a_step_ends_a_trajectory(self):
        """2 pi - arccos(0.99), which lies between two steps whose ends are both below the section."""
        expected = 2 * math.pi - math.acos(0.99)
        for method, options in (("splitting", []), ("gauss", ["--set", "method.stages=4"]), ("lobatto", ["--set", "method.stages=4"])):
            for backend in ("cpu", "reference"):
                name = self.write(OSCILLATOR.format(method=method))
                report = self.run_with(name, "out.h5", "--backend", backend, "--set", "section.terminal=true", *options)
                self.assertIn("1 trajectory ended on the section", report)
                self.assertNotIn("may have been missed", report)
                with h5py.File(self.path / "out.h5") as file:
                    self.assertAlmostEqual(file["section/time"][0], expected, delta=1e-4)
                    self.assertEqual(file["status/step"][0], 12)
                    self.assertEqual(file["final/time"][0], 6.0)
            self.assertEqual(self.found(self.run_with(name, "all.h5", *options)), 99)

    def test_the_documents_name_the_methods_that_find_two_crossings_in_a_step(self):
        """Those that find all 99 of the oscillator, from as many stages on as they need."""
        name = self.write(OSCILLATOR.format(method="splitting"))
        find_all = lambda *changes: self.found(self.run_with(name, "out.h5", *(word for change in changes for word in ("--set", change)))) == 99
        self.assertTrue(find_all())
        pages = [(DOCUMENTS / page).read_text() for page in ("guide/sections.md", "theory/sections.md")]
        for method, most in (("gauss", 8), ("lobatto", 4)):
            least = next(s for s in range(2, most + 1) if find_all(f'method.name="{method}"', f"method.stages={s}"))
            self.assertGreater(least, 2)
            for page in pages:
                self.assertRegex(page, rf"`{method}`\s+from {('two', 'three', 'four')[least - 2]}\b")
        for page in pages:
            self.assertRegex(page, r"`splitting`")
        self.assertNotIn("other methods do not", (DOCUMENTS / "theory/splitting.md").read_text())

    def test_says_what_a_sign_a_step_misses(self):
        """By a symplectic method: the amplitude of rk4 falls below the section."""
        report = self.run_with(self.write(OSCILLATOR.format(method="stoermer-verlet")), "out.h5")
        found, missed = self.found(report), int(re.search(r"about (\d+) crossings may have been missed: use a shorter", report).group(1))
        self.assertLess(found, 80)
        self.assertAlmostEqual(found + missed, 99, delta=3)  # two digits, of what 1000 of 1244 steps have
        self.assertNotIn("missed", self.run_with("config.toml", "out.h5", "--set", "method.step=0.01", "--set", "run.steps=60000"))
        self.assertNotIn("missed", self.run_with("config.toml", "out.h5", "--set", "method.name=splitting"))
        terminal = self.run_with("config.toml", "out.h5", "--set", "section.terminal=true")
        self.assertIn("about 1 crossing may have been missed", terminal)

    def test_round_off_is_no_crossing_and_is_counted(self):
        name = self.write("""
[system]
name = "heavy-top"
inertia = [1.2, 1.2, 0.8]
c = 0.0
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "states"
states = [[1e-17, 0, 1, 0, 0, 1], [0.5, 0, 1, 0, 0, 1]]
[run]
steps = 1000
[section]
name = "pi1"
direction = "both"
""")
        for backend in ("cpu", "reference"):
            for terminal in ("false", "true"):
                report = self.run_with(name, "out.h5", "--backend", backend, "--set", f"section.terminal={terminal}")
                with h5py.File(self.path / "out.h5") as file:
                    self.assertEqual(file["section/count"][0], 0)
                    self.assertGreater(file["section/count"][1], 0)
                    dropped = file["section/round_off"][:]
                    self.assertGreater(dropped[0], 4)
                    self.assertEqual(dropped[1], 0)
                    self.assertEqual(file["status/code"][0], 0)
                self.assertIn(f"{dropped[0]} changes of sign of 1 trajectory dropped: round-off about the section", report)


if __name__ == "__main__":
    unittest.main()
