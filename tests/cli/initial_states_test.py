#!/usr/bin/env python3
"""Initial states of constrained systems: momenta or velocities, moved to the constraints or refused.

Run with POLHODE set to the program's path."""

import json
import unittest

import h5py
import numpy

from command_line import CliTest

# Two pendula with W = [[1, -1], [-1, 5/3]] (blocks of 3), the rods at right angles to each other; at rest.
PENDULA = """
[system]
name = "double-spherical-pendulum"
m = [1.0, 1.5]
l = [1.0, 1.5]
[method]
name = "rattle"
step = 0.01
[ensemble]
from = "states"
states = [[0.6, 0.8, 0, -1.2, 0.9, 0, 0, 0, 0, 0, 0, 0]]
[run]
steps = 20
[output]
file = "out.h5"
"""
POSITION = [0.6, 0.8, 0, -1.2, 0.9, 0]
VELOCITY = [-0.8, 0.6, 1, 0.9, 1.2, -2]  # each at right angles to its rod
# M q': all bobs hang on the first rod, the second alone on the second.
MOMENTUM = [1 * -0.8 + 1.5 * (-0.8 + 0.9), 1 * 0.6 + 1.5 * (0.6 + 1.2), 1 * 1 + 1.5 * (1 - 2),
            1.5 * (-0.8 + 0.9), 1.5 * (0.6 + 1.2), 1.5 * (1 - 2)]


def one_state(system, state, more=""):
    """A configuration with a state, or with several as they are written; by rattle or gauss."""
    method = "gauss" if system.startswith("j2") else "rattle"
    return (f'[system]\nname = "{system}"\n{more}\n[method]\nname = "{method}"\nstep = 0.05\n[ensemble]\nfrom = "states"\n'
            f'states = [{state}]\n[run]\nsteps = 20\n[output]\nfile = "out.h5"\n')


class InitialStates(CliTest):
    def start(self, position, second_half, *changes):
        """The report and the initial state of a run from one state."""
        state = f"ensemble.states=[{[float(x) for x in [*position, *second_half]]}]"
        name = self.write(PENDULA)
        result = self.polhode("run", name, "--force", *(word for change in (state, *changes) for word in ("--set", change)))
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "out.h5") as file:
            return result.stdout, file["initial/state"][0]

    def test_velocities_become_momenta(self):
        for method in ("rattle", "shake", "constraint-euler", "rattle-tn"):
            with self.subTest(method=method):
                report, state = self.start(POSITION, VELOCITY, "ensemble.variables=velocity", f"method.name={method}")
                expected = numpy.array(MOMENTUM)
                if method == "rattle-tn":  # at right angles to the rods, for which M need not care
                    for rod in (slice(0, 3), slice(3, 6)):
                        direction = numpy.array(POSITION)[rod] / numpy.linalg.norm(POSITION[rod])
                        expected[rod] -= direction * (direction @ expected[rod])
                numpy.testing.assert_allclose(state, [*POSITION, *expected], rtol=0, atol=4e-15)  # of numbers up to 4
                self.assertNotIn("moved", report)

    def test_momenta_are_taken_as_they_are(self):
        report, state = self.start(POSITION, MOMENTUM)
        numpy.testing.assert_allclose(state, [*POSITION, *MOMENTUM], rtol=0, atol=4e-15)
        self.assertNotIn("moved", report)
        self.assertEqual(state.tobytes(), self.start(state[:6], state[6:])[1].tobytes())

    def test_a_report_says_how_far_states_were_moved(self):
        # The first rod, of length 1 of sqrt(3.25) for both, is longer by 0.002; what the first bob moves the second rod
        # takes up: sqrt(2) times that in all, 0.0016.
        report, state = self.start([0.6012, 0.8016, *POSITION[2:]], MOMENTUM)
        numpy.testing.assert_allclose([numpy.linalg.norm(state[:3]), numpy.linalg.norm(state[3:6])], [1, 1.5], rtol=1e-15)
        self.assertRegex(report, r"starts were moved to the constraints: positions by up to 0\.0016 \(trajectory 0\), momenta by up to ")
        # Along the first rod, which no bob can move.
        report, _ = self.start(POSITION, numpy.add(VELOCITY, [0.6, 0.8, 0, 0, 0, 0]), "ensemble.variables=velocity")
        self.assertRegex(report, r"constraints: velocities by up to 0\.\d+ \(trajectory 0\) of their length\n")
        # Digits that a person gives are no reason to say something.
        report, _ = self.start([0.6 + 1e-11, *POSITION[1:]], MOMENTUM)
        self.assertNotIn("moved", report)

    def test_unit_vectors_and_quaternions_of_few_digits(self):
        """They get their length, as positions are moved to their constraints: to a hundredth. What was accepted before,
        to 1e-6, keeps its bits."""
        quaternion = numpy.array([0.3, -0.2, 0.7, 0.4])
        quaternion /= numpy.linalg.norm(quaternion)
        gamma = numpy.array([1, 2, 3]) / numpy.sqrt(14)
        inertia = "inertia = [1.5, 1.44, 0.94]"
        for system, unit in (("rigid-body", quaternion), ("heavy-top", gamma)):
            for digits in (2, 4):
                with self.subTest(system=system, digits=digits):
                    given = numpy.round(unit, digits)
                    moved = abs(numpy.linalg.norm(given) - 1)
                    self.assertTrue(1e-6 < moved < 0.01, moved)
                    report = self.run_with(self.write(one_state(system, [0.1, 0.2, 0.3, *given.tolist()], inertia)), "out.h5")
                    self.assertIn(f"  starts were moved to the constraints: unit vectors by up to {moved:.2g} (trajectory 0) of their length\n",
                                  report)
                    with h5py.File(self.path / "out.h5") as file:
                        start = file["initial/state"][0]
                    self.assertEqual(start[:3].tolist(), [0.1, 0.2, 0.3])
                    numpy.testing.assert_allclose(start[3:], given / numpy.linalg.norm(given), rtol=0, atol=3e-16)
            almost = (unit * (1 + 4e-7)).tolist()
            report = self.run_with(self.write(one_state(system, [0.1, 0.2, 0.3, *almost], inertia)), "out.h5")
            self.assertNotIn("moved", report)
            with h5py.File(self.path / "out.h5") as file:
                self.assertEqual(file["initial/state"][0, 3:].tolist(), almost)
            self.expect_rejected(2, "state 0", "is off length 1 by more than a hundredth: by 0.011 of it",
                                 config=one_state(system, [0.1, 0.2, 0.3, *(1.011 * unit).tolist()], inertia), arguments=("-o", "other.h5"))

    def test_drawn_attitudes_of_few_digits_are_those_of_the_unit_quaternion(self):
        """Which are made again for each slice: what was examined is what is integrated."""
        random = ('from = "random"\ndistribution = "attitudes"\ncount = 3000\nstate = [0.1, 0.2, 0.3, 0.50, -0.10, 0.70, 0.51]')
        config = one_state("rigid-body", "STATE", "inertia = [1.5, 1.44, 0.94]").replace('from = "states"\nstates = [STATE]', random)
        for slices in ((), ("--set", "run.slice=1024")):
            self.run_with(self.write(config), "out.h5", *slices)
            with h5py.File(self.path / "out.h5") as file:
                for group in ("initial", "final"):
                    lengths = numpy.linalg.norm(file[f"{group}/state"][:, 3:], axis=1)
                    numpy.testing.assert_allclose(lengths, 1, rtol=0, atol=1e-14)  # 20 steps of round-off

    def test_satellites_in_kilometres_are_asked_about(self):
        states = {"j2-satellite": [8000, 0, 0, 0, 7, 0], "j2-satellite-cylindrical": [8000, 0, 0, 0, 0, 56000],
                  "j2-satellite-reduced": [8000, 0, 0, 0, 0]}
        for system, state in states.items():
            mu = "mu = 56000" if system.endswith("reduced") else ""
            state = [float(x) for x in state]
            report = self.run_with(self.write(one_state(system, state, mu)), "out.h5")
            self.assertRegex(report, r"\n  state 0 has R = 8000; the planet's radius is the unit of length, .*: are these kilometres and seconds\?\n")
        # Of more, the first that is farthest; of those in radii nothing is said.
        several = "[1.25, 0, 0, 0, 0.9, 0], [6778, 0, 0, 0, 7.6, 0], [8000, 0, 0, 0, 7, 0], [8000, 0, 0, 0, 7, 0]"
        self.assertIn("state 2 has R = 8000;", self.run_with(self.write(one_state("j2-satellite", several)), "out.h5"))
        self.assertNotIn("kilometres", self.run_with(self.write(one_state("j2-satellite", [42, 0, 0, 0, 0.15, 0])), "out.h5"))

    def test_a_file_continues_another(self):
        for method in ("rattle", "rattle-tn"):
            with self.subTest(method=method):
                options = ["--force", "--set", f"method.name={method}", "--set", "record.invariants=false"]
                name = self.write(PENDULA.replace("0, 0, 0, 0, 0, 0]]", "1, 2, 3, 1, 1, 1]]"))
                for output, steps in (("out.h5", 20), ("long.h5", 40)):
                    done = self.polhode("run", name, *options, "-o", output, "--set", f"run.steps={steps}")
                    self.assertEqual(done.returncode, 0, done.stderr)
                second = PENDULA.replace('"states"', '"file"\npath = "out.h5"').replace('file = "out.h5"', 'file = "second.h5"')
                second = "\n".join(line for line in second.split("\n") if not line.startswith("states"))
                done = self.polhode("run", self.write(second, "second.toml"), *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                with h5py.File(self.path / "second.h5") as second, h5py.File(self.path / "long.h5") as long:
                    self.assertEqual(second["final/state"][:].tobytes(), long["final/state"][:].tobytes())

    def test_what_is_refused(self):
        def states(*state):
            return ["--set", f"ensemble.states=[{[float(x) for x in state]}]"]

        rest = [0] * 6
        for arguments, words in (
                (states(0.66, 0.88, *POSITION[2:], *rest), ("state 0", "off the constraints", "hundredth", "by 0.076")),
                (states(0, 0, 0, -1.2, 0.9, 0, *rest), ("state 0", "rank-deficient", "coincide")),
                (states(*POSITION, 1e200, *rest[1:]), ("state 0", "momenta are too large")),
                (states(1e200, *POSITION[1:], *rest), ("state 0", "position is too large")),
                (states(*POSITION, *rest[1:]), ("ensemble.states", "11")),
                (["--set", "ensemble.states=[[0.6, 0.8, 0, -1.2, 0.9, 0, nan, 0, 0, 0, 0, 0]]"], ("ensemble.states", "not finite")),
                (["--set", "ensemble.variables=speed"], ("variables", "speed")),
                (["--set", "method.name=shake", "--set", "section.name=p1x"], ("section.name", "p1x", "shake"))):
            with self.subTest(arguments=arguments):
                self.expect_rejected(2, *words, config=PENDULA, arguments=arguments)

    def test_tops_have_no_velocities(self):
        top = '[system]\nname = "heavy-top"\nalpha = [0.44, 0.5, 1.0]\n[method]\nname = "rattle"\nstep = 0.1\n[ensemble]\n' \
              'from = "states"\nstates = [[1, 0, 0, 0, 0, 1]]\nvariables = "velocity"\n[run]\nsteps = 1\n'
        self.expect_rejected(2, "variables", "velocities", config=top)

    def test_the_example_of_every_system_runs(self):
        systems = {system["name"]: system for system in json.loads(self.polhode("list", "systems", "--json").stdout)}
        methods = json.loads(self.polhode("list", "methods", "--json").stdout)
        for name, system in systems.items():
            with self.subTest(system=name):
                example = system["example"]
                lines = [f"{key} = {value}" for key, value in example["parameters"].items()]
                method = next(method["name"] for method in methods if method["system"] == name)
                config = self.write("\n".join([
                    "[system]", f'name = "{name}"', *lines, "[method]", f'name = "{method}"', f"step = {example['step']}",
                    "[ensemble]", 'from = "states"', f"states = [{example['state']}]", "[run]", "steps = 100"]))
                result = self.polhode("run", config, "-o", "out.h5", "--force")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertNotIn("failed", result.stdout)
                self.assertNotIn("moved", result.stdout)
                with h5py.File(self.path / "out.h5") as file:
                    self.assertEqual(file["initial/state"][0].tolist(), example["state"])

    def test_changes_that_nobody_measured_are_not_zero(self):
        result = self.polhode("run", self.write(PENDULA), "--set", "method.step=10")
        self.assertEqual(result.returncode, 1, result.stderr)  # all of them failed before
        self.assertNotIn("largest change", result.stdout)
        self.assertIn("no trajectory reached step 16", result.stdout)


if __name__ == "__main__":
    unittest.main()
