#!/usr/bin/env python3
"""[ensemble] from = "random": what the program makes of the distributions (how they are drawn is tested in numerics).

Run with POLHODE set to the program's path."""

import unittest

import h5py
import numpy

from command_line import CliTest

CONFIG = """
[system]
{system}
[method]
name = "rattle"
step = 0.01
[ensemble]
from = "random"
count = 50
seed = 3
{ensemble}
[run]
steps = 10
[output]
file = "out.h5"
"""
TOP = 'name = "heavy-top"\ninertia = [1.5, 1.44, 0.94]'
BODY = 'name = "rigid-body"\ninertia = [1.5, 1.44, 0.94]\nc = 0'
MATRICES = 'name = "heavy-top-matrix"\ninertia = [1.5, 1.44, 0.94]'
FREE_MATRICES = 'name = "rigid-body-matrix"\ninertia = [1.5, 1.44, 0.94]'
FREE_TOP = 'name = "heavy-top"\ninertia = [1.5, 1.44, 0.94]\nc = 0'
SO3 = 'name = "rigid-body-n"\nalpha = [0.44, 0.5, 1.0]'  # the same moments
SO4 = 'name = "rigid-body-n"\nalpha = [0.44, 0.5, 1.0, 0.7]'
PENDULUM = 'name = "spherical-pendulum"\nm = 1\nl = 1\ng = 1'
PENDULA = 'name = "pendulum-chain"\nm = [1, 1.5, 1]\nl = [1, 1, 0.5]\ng = 1'
WATER = 'name = "molecule-water"'
# Two hydrogens at 0.1 nm from the oxygen, 0.163 nm apart, at rest.
WATER_STATE = "[0, 0, 0, 0.0815, 0.05794609, 0, -0.0815, 0.05794609, 0" + ", 0" * 9 + "]"
ENERGY = 'distribution = "microcanonical"\nenergy = 2'


class RandomStarts(CliTest):
    def run_with(self, system, ensemble, *options):
        name = self.write(CONFIG.format(system=system, ensemble=ensemble))
        return self.polhode("run", name, "--force", *options)

    def starts(self, system, ensemble, *options):
        """States and a dictionary of the invariants of the starts."""
        result = self.run_with(system, ensemble, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "out.h5") as file:
            names = [name.decode() for name in file["invariants/names"][:]]
            return file["initial/state"][:], dict(zip(names, file["invariants/initial"][:].T))

    def expect_mean(self, values, expected):
        """To four standard errors, of numbers whose mean is not known to be this by construction."""
        self.assertGreater(values.std(), 0)
        self.assertLess(abs(values.mean() - expected), 4 * values.std() / len(values) ** 0.5)

    def test_attitudes_are_uniform(self):
        count = ("--set", "ensemble.count=200000", "--set", "run.steps=1", "--threads", "1")
        attitudes = 'distribution = "attitudes"\nstate = '
        states, _ = self.starts(TOP, attitudes + "[1, 2, 3, 0, 0.6, 0.8]", *count)
        self.assertTrue((states[:, :3] == [1, 2, 3]).all())
        self.assertLess(abs((states[:, 3:] ** 2).sum(axis=1) - 1).max(), 1e-14)
        for i in range(3, 6):
            self.expect_mean(states[:, i], 0)
            self.expect_mean(states[:, i] ** 2, 1 / 3)
            self.expect_mean(states[:, i] ** 4, 1 / 5)
        again, _ = self.starts(TOP, attitudes + "[1, 2, 3, 0, 0.6, 0.8]", *count[:-1], "2")
        self.assertEqual(again.tobytes(), states.tobytes())

        states, invariants = self.starts(BODY, attitudes + "[1, 2, 3, 0.6, 0, 0.8, 0]", *count)
        self.assertTrue((states[:, :3] == [1, 2, 3]).all())
        for i in range(3, 7):  # four coordinates of a sphere in four dimensions
            self.expect_mean(states[:, i], 0)
            self.expect_mean(states[:, i] ** 2, 1 / 4)
            self.expect_mean(states[:, i] ** 4, 1 / 8)
            self.expect_mean(states[:, i] * states[:, 3 + (i - 2) % 4], 0)
        self.assertLess(abs(invariants["energy"] - invariants["energy"][0]).max(), 1e-14)
        self.expect_mean(invariants["momentum_z"], 0)

        start = "[0, -1, 0, 1, 0, 0, 0, 0, 1, 0.1, -0.2, 0.05, 0.2, 0.1, -0.3, -0.05, 0.3, 0.2]"
        states, invariants = self.starts(FREE_MATRICES, attitudes + start, *count)
        q, p = states[:, :9].reshape(-1, 3, 3), states[:, 9:].reshape(-1, 3, 3)
        self.assertLess(abs(numpy.swapaxes(q, 1, 2) @ q - numpy.eye(3)).max(), 1e-14)
        seen_from_body = numpy.swapaxes(q, 1, 2) @ p
        self.assertLess(abs(seen_from_body - seen_from_body[0]).max(), 1e-14)
        for i in range(3):
            for j in range(3):
                self.expect_mean(q[:, i, j], 0)
                self.expect_mean(q[:, i, j] ** 2, 1 / 3)
        self.expect_mean(q[:, 0, 0] * q[:, 1, 1], 0)

        states, invariants = self.starts(WATER, attitudes + WATER_STATE, *count)
        atoms = states[:, :9].reshape(-1, 3, 3)
        self.assertLess(abs(numpy.linalg.norm(atoms, axis=2) - numpy.linalg.norm(atoms[0], axis=1)).max(), 1e-14)
        direction = (atoms[:, 1] - atoms[:, 0]) / numpy.linalg.norm(atoms[0, 1] - atoms[0, 0])
        for i in range(3):
            self.expect_mean(direction[:, i], 0)
            self.expect_mean(direction[:, i] ** 2, 1 / 3)

    def test_energy_and_momentum_are_those_asked_for(self):
        for system, momentum in ((TOP, "pi_dot_gamma"), (BODY, "momentum_z"), (MATRICES, "momentum_z"), (PENDULA, "angular_momentum_z")):
            with self.subTest(system=system):
                states, invariants = self.starts(system, ENERGY + "\nmomentum = 0.4")
                self.assertEqual(len(states), 50)
                self.assertLess(abs(invariants["energy"] - 2).max(), 1e-13)
                self.assertLess(abs(invariants[momentum] - 0.4).max(), 1e-13)
        for system in (TOP, BODY, MATRICES, FREE_MATRICES, SO4, PENDULUM, PENDULA):
            with self.subTest(system=system):
                self.assertLess(abs(self.starts(system, ENERGY)[1]["energy"] - 2).max(), 1e-13)

    def test_energy_and_angular_momentum_are_those_asked_for(self):
        # |Pi| of a free body with 2 H = 4: between (4 x 0.94)^1/2 and (4 x 1.5)^1/2, with the separatrix at 2.4.
        for magnitude in (2.0, 2.43):
            for system, pi in ((FREE_TOP, slice(0, 3)), (BODY, slice(0, 3)), (SO3, slice(0, 3))):
                with self.subTest(system=system, magnitude=magnitude):
                    states, invariants = self.starts(system, ENERGY + f"\nangular_momentum = {magnitude}")
                    self.assertLess(abs(invariants["energy"] - 2).max(), 1e-14)
                    self.assertLess(abs(numpy.linalg.norm(states[:, pi], axis=1) - magnitude).max(), 1e-14)
                    self.assertEqual(len(numpy.unique(states, axis=0)), 50)
        states, invariants = self.starts(FREE_MATRICES, ENERGY + "\nangular_momentum = 2.43\nmomentum = 1.2")
        self.assertLess(abs(invariants["energy"] - 2).max(), 1e-14)
        self.assertLess(abs(invariants["momentum_z"] - 1.2).max(), 1e-14)
        in_space = sum(invariants[f"momentum_{axis}"] ** 2 for axis in "xyz") ** 0.5
        self.assertLess(abs(in_space - 2.43).max(), 1e-14)
        for momentum in (0, 1.2, -1.2):
            states, invariants = self.starts(PENDULUM, ENERGY + f"\nangular_momentum = {momentum}")
            self.assertLess(abs(invariants["energy"] - 2).max(), 1e-14)
            self.assertLess(abs(invariants["angular_momentum_z"] - momentum).max(), 1e-14)
            self.assertLess(invariants["constraint"].max(), 1e-15)

    def test_levels_do_not_depend_on_threads(self):
        count = ("--set", "ensemble.count=20000", "--set", "run.steps=1", "--threads")
        for system, level in ((PENDULUM, "\nangular_momentum = 1.2"), (BODY, "\nangular_momentum = 2\nmomentum = 0.4")):
            with self.subTest(system=system):
                one, _ = self.starts(system, ENERGY + level, *count, "1")
                three, _ = self.starts(system, ENERGY + level, *count, "3")
                self.assertEqual(one.tobytes(), three.tobytes())

    def test_levels_are_stationary(self):
        # What the flow keeps: height and speed of pendula, and a body's momentum, have the same means later.
        later = ("--set", "ensemble.count=100000", "--set", "run.steps=137")
        for system, level, columns in ((PENDULUM, 1.2, (2, 5)), (BODY, 2.43, (0, 1, 2))):
            with self.subTest(system=system):
                early, _ = self.starts(system, ENERGY + f"\nangular_momentum = {level}", *later)
                with h5py.File(self.path / "out.h5") as file:
                    late = file["final/state"][:]
                self.assertGreater(abs(late - early).mean(), 0.1)
                for column in columns:
                    for power in (1, 2, 4):
                        # Of the same orbits, so that the difference has at most twice the variance of independent means;
                        # RATTLE's error at h = 0.01 is 1e-5 of it.
                        first, second = early[:, column] ** power, late[:, column] ** power
                        error = ((first.var() + second.var()) / len(first)) ** 0.5
                        self.assertLess(abs(first.mean() - second.mean()), 4 * 2**0.5 * error)

    def test_a_trajectory_has_its_own_numbers(self):
        few, _ = self.starts(PENDULA, ENERGY)
        many, _ = self.starts(PENDULA, ENERGY, "--set", "ensemble.count=80")
        other, _ = self.starts(PENDULA, ENERGY, "--set", "ensemble.seed=4")
        self.assertTrue((few == many[:50]).all())
        self.assertFalse((few == other).any(axis=1).any())

    def test_matrices_are_the_reduced_top(self):
        reduced, _ = self.starts(TOP, ENERGY)
        matrices, _ = self.starts(MATRICES, ENERGY)
        q, p = matrices[:, :9].reshape(-1, 3, 3), matrices[:, 9:].reshape(-1, 3, 3)
        hat = numpy.einsum("kji,kjl->kil", q, p)
        hat -= hat.transpose(0, 2, 1)
        self.assertLess(abs(q[:, 2] - reduced[:, 3:]).max(), 1e-15)
        self.assertLess(abs(numpy.stack([hat[:, 2, 1], hat[:, 0, 2], hat[:, 1, 0]], 1) - reduced[:, :3]).max(), 5e-15)

    def test_a_temperature(self):
        states, invariants = self.starts(PENDULA, 'distribution = "canonical"\ntemperature = 0.5', "--set", "ensemble.count=20000")
        z = states[:, [2, 5, 8]]
        kinetic = invariants["energy"] - z @ [3.5, 2.5, 1]  # g times the masses below
        # Six degrees of freedom: mean 3 kT and variance 3 kT^2, to four standard errors of 20000.
        self.assertAlmostEqual(kinetic.mean(), 1.5, delta=4 * (0.75 / 20000) ** 0.5)
        self.assertAlmostEqual(kinetic.var(), 0.75, delta=4 * 0.75 * (4 / 20000) ** 0.5)  # of which the kurtosis is 5

    def test_a_cloud_is_brought_to_the_constraints(self):
        state = "[1, 0, 0, 0, 1, 0, 0, 0, -0.5, 0, 1, 0, 0, 0, 1, 1, 0, 0]"
        states, invariants = self.starts(PENDULA, f'distribution = "cloud"\nstate = {state}\nwidth = 0.1')
        self.assertLess(invariants["constraint"].max(), 1e-15)
        spread = states[:, 1].std()
        self.assertTrue(0.05 < spread < 0.15, spread)
        states, _ = self.starts(TOP, 'distribution = "cloud"\nstate = [1, 0, 0, 0, 0, 1]\nwidth = [0.5, 0, 0, 0.1, 0, 0]')
        self.assertLess(abs(numpy.linalg.norm(states[:, 3:], axis=1) - 1).max(), 4e-16)
        self.assertTrue((states[:, [1, 2, 4]] == 0).all())
        self.assertTrue(0.3 < states[:, 0].std() < 0.8)

    def test_a_bad_ensemble_is_one_line(self):
        cloud = 'distribution = "cloud"\n'
        for system, ensemble, words in (
            (TOP, "", "ensemble.distribution is missing"),
            (TOP, 'distribution = "microcanonic"', "microcanonical"),
            (TOP, 'distribution = "microcanonical"', "energy"),
            (TOP, 'distribution = "microcanonical"\nenergy = -1.5', "no state has so little energy"),
            (TOP, ENERGY + "\ntemperature = 1", 'with distribution = "microcanonical"'),
            (TOP, 'distribution = "canonical"\ntemperature = 0', "temperature"),
            (SO4, ENERGY + "\nmomentum = 1", "no momentum about the vertical"),
            (PENDULUM, ENERGY + "\nmomentum = 0.1", "given as angular_momentum"),
            (PENDULUM, ENERGY + "\nmomentum = 0.1\nangular_momentum = 0.1", "the same J_z"),
            (PENDULUM, ENERGY + "\nangular_momentum = 3", "angular_momentum is between -2.05553 and 2.05553"),
            (PENDULUM, 'distribution = "microcanonical"\nenergy = 1\nangular_momentum = 0', "for ever"),
            (PENDULUM, 'distribution = "microcanonical"\nenergy = -1.5\nangular_momentum = 0', "so little energy"),
            (PENDULUM, 'distribution = "canonical"\ntemperature = 1\nangular_momentum = 0', "unknown key"),
            (PENDULUM, ENERGY + '\nangular_momentum = "up"', "angular_momentum"),
            (PENDULA, ENERGY + "\nangular_momentum = 1", "one spherical pendulum"),
            (TOP, ENERGY + "\nangular_momentum = 2", "c = 0"),
            (FREE_TOP, ENERGY + "\nangular_momentum = 2.5", "angular_momentum is between 1.93907 and 2.44949"),
            (FREE_TOP, ENERGY + "\nangular_momentum = 2.4", "for ever"),  # 2.4^2 = 4 I2
            (BODY, ENERGY + "\nangular_momentum = 2\nmomentum = -2.1", "is larger"),
            (SO3, ENERGY + "\nangular_momentum = 2\nmomentum = 1", "no momentum about the vertical"),
            (SO4, ENERGY + "\nangular_momentum = 2", "three dimensions"),
            (TOP, 'distribution = "microcanonical"\nenergy = 2\nmomentum = 50', "no random states were found"),
            (WATER, ENERGY, "has no ensemble in equilibrium"),
            (TOP, cloud + "state = [1, 0, 0, 0, 0, 1]", "width"),
            (TOP, cloud + "state = [1, 0, 0]\nwidth = 1", "it has 3 numbers"),
            (TOP, cloud + "state = [1, 0, 0, 0, 0, 1]\nwidth = [1, 2]", "it has 2 numbers"),
            (TOP, cloud + "state = [1, 0, 0, 0, 0, 1]\nwidth = -1", "at least 0"),
            (TOP, cloud + "state = [1, 0, 0, 0, 0, 0]\nwidth = 0", "no projection"),
            (TOP, 'distribution = "attitudes"', "state is missing"),
            (TOP, 'distribution = "attitudes"\nstate = [1, 0, 0]', "it has 3 numbers"),
            (PENDULUM, 'distribution = "attitudes"\nstate = [1, 0, 0, 0, 0, 0]', "has no attitude"),
            (SO4, 'distribution = "attitudes"\nstate = [1, 0, 0, 0, 0, 0]', "has no attitude"),
        ):
            with self.subTest(ensemble=ensemble):
                result = self.run_with(system, ensemble, "-o", "never.h5")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)
        for options in (["--set", "ensemble.count=0"], ["--set", "ensemble.count=1000000000000"]):
            result = self.run_with(TOP, ENERGY, "-o", "never.h5", *options)
            self.assertEqual(result.returncode, 2, result.stderr)
        self.assertFalse((self.path / "never.h5").exists())
        self.assertFalse((self.path / "never.h5.part").exists())


if __name__ == "__main__":
    unittest.main()
