#!/usr/bin/env python3
"""Variational integrators made of Runge-Kutta methods from the command line: layers, biases, what they keep and what they refuse.

Run with POLHODE set to the program's path."""

import re
import unittest

import h5py
import numpy

from command_line import EXAMPLES, CliTest, datasets

CONFIG = """
[system]
name = "spherical-pendulum"
m = [1.0]
l = [1.0]
g = 1.0
[method]
name = "variational"
step = 0.1
[ensemble]
from = "states"
states = [[0.6, 0, -0.8, 0.2, 0.7, 0.15], [0, 0.6, 0.8, 0.5, 0, 0], [1, 0, 0, 0, 0, 0]]
[section]
name = "q1z"
value = -0.5
[run]
steps = 400
backend = "cpu"
[output]
file = "out.h5"
"""
MAGNETIC = CONFIG.replace("spherical-pendulum", "magnetic-pendulum").replace("m = [1.0]\nl = [1.0]\ng = 1.0", "")
# A pendulum with another Hamiltonian.
OTHER = """
#pragma once
#include "polhode/system/magnetic_pendulum.hpp"

struct OtherPendulum : polhode::MagneticPendulumPhysics {
  static constexpr const char* name = "other-pendulum";
  template <class T>
  struct Equations : polhode::MagneticPendulumPhysics::Equations<T> {
    using polhode::MagneticPendulumPhysics::Equations<T>::Equations;
    POLHODE_HD T hamiltonian(const polhode::Vec<T, 3>& q, const polhode::Vec<T, 3>& p) const {
      return HAMILTONIAN;
    }
  };
};
using OtherSystem = polhode::HamiltonianSystem<OtherPendulum>;
POLHODE_SYSTEM(OtherSystem)
"""
VEHICLE = """
[system]
name = "underwater-vehicle"
inertia = [0.218, 0.357, 0.335]
mass = [1.234, 1.341, 2.253]
[method]
name = "variational"
layer = "heun"
step = 0.1
[ensemble]
from = "states"
variables = "velocity"
states = STATES
[section]
name = "gamma3"
direction = "both"
[run]
steps = 100
backend = "cpu"
[output]
file = "out.h5"
"""


def vehicle_start():
    """Attitude, place and velocities of a body that turns by Omega and moves with v, both in its own axes."""
    attitude, (x, y, z) = numpy.array([[0.8, 0, 0.6], [0, 1, 0], [-0.6, 0, 0.8]]), (0.9, 0.3, 0.35)
    turning = attitude @ numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return [*attitude.ravel(), 0, 0, 0, *turning.ravel(), *(attitude @ [0.1, -0.7, 0.05])]


def energies_and_momenta(states):
    """Of the free vehicle, [n] and [n, 6]: linear and angular momentum in space."""
    attitude, place, of_attitude, linear = numpy.split(states, [9, 12, 21], axis=1)
    attitude, of_attitude = attitude.reshape(-1, 3, 3), of_attitude.reshape(-1, 3, 3)
    in_body = attitude.transpose(0, 2, 1) @ of_attitude
    axial = lambda a: numpy.stack([(a - a.transpose(0, 2, 1))[:, i, k] for i, k in ((2, 1), (0, 2), (1, 0))], axis=1)
    pi, p = axial(in_body), numpy.einsum("nij,ni->nj", attitude, linear)
    energies = (pi**2 / [0.218, 0.357, 0.335] + p**2 / [1.234, 1.341, 2.253]).sum(axis=1) / 2
    angular = axial(of_attitude @ attitude.transpose(0, 2, 1)) + numpy.cross(place, linear)
    return energies, numpy.hstack([linear, angular])


VEHICLE = VEHICLE.replace("STATES", str([vehicle_start()]))
ORDERS = {"euler": 1, "heun": 2, "kutta3": 3, "rk4": 4, "dopri5": 5}
RALSTON = "[[0, 0, 0], [0.5, 0, 0], [0, 0.75, 0], [0.2222222222222222, 0.3333333333333333, 0.4444444444444444]]"


class Variational(CliTest):
    def setUp(self):
        super().setUp()
        self.name = self.write(CONFIG)

    def drifts(self, *settings):
        """Largest changes of energy, angular momentum and constraint, and what the file says of the method."""
        self.run_with(self.name, "out.h5", "--force", *(word for setting in settings for word in ("--set", setting)))
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(file["status/code"][:].tolist(), [0, 0, 0])
            return file["invariants/max_drift"][:].max(axis=0), dict(file.attrs)

    def test_layers_and_biases(self):
        for bias in (0, -0.5):
            energies = []
            for layer, order in ORDERS.items():
                (energy, momentum, constraint), attributes = self.drifts(f"method.layer={layer}", f"method.bias={bias}")
                self.assertEqual([attributes[key] for key in ("method", "layer", "bias")], ["variational", layer, bias])
                self.assertEqual(attributes["order"], order + (order % 2 if bias else 0))
                # Four hundred steps that are each right to some roundings.
                self.assertLess(momentum, 1e-12)
                self.assertLess(constraint, 1e-15)
                energies.append(energy)
            for coarse, fine in zip(energies[:-2], energies[2:]):
                self.assertGreater(coarse, 3 * fine, energies)

    def test_an_energy_that_does_not_drift(self):
        """Where the layer alone, each step projected, loses energy: means of the quarters of 10^4 steps, known to three digits."""
        for method, means in (("variational", (1.75e-8, 1.52e-8, 1.74e-8, 1.54e-8)), ("runge-kutta-projected", (-1.8e-5, -5.3e-5, -8.8e-5, -12.4e-5))):
            with self.subTest(method):
                config = str(EXAMPLES / "variational_drift.toml")
                self.run_with(config, "drift.h5", "--force", "--set", f"method.name={method}", "--set", "run.steps=10000", "--set", "record.snapshots=1")
                with h5py.File(self.path / "drift.h5") as file:
                    energy = file["snapshots/invariants"][0, :, 0]
                for quarter, mean in zip(numpy.array_split(energy[1:] - energy[0], 4), means):
                    self.assertAlmostEqual(quarter.mean() / mean, 1, delta=0.03)

    def test_vehicles_keep_their_momenta_and_energies(self):
        """Numbers of 2000 steps that were computed elsewhere: how far the energy swings, and its means over quarters of the run."""
        self.run_with(self.write(VEHICLE.replace("heun", "rk4")), "out.h5", "--set", "run.steps=10000", "--set", "record.snapshots=1")
        with h5py.File(self.path / "out.h5") as file:
            (start,), momenta_at_start = energies_and_momenta(file["initial/state"][:])
            energies, momenta = energies_and_momenta(file["snapshots/state"][0])
        change = (energies - start)[-10000:]
        # Round-off grows along the orbit: the last quarter differs by 4e-9 from one implementation to another.
        numpy.testing.assert_allclose(change[:2000].reshape(4, -1).mean(axis=1), [-2.4014e-6, -2.3912e-6, -2.4492e-6, -2.5008e-6],
                                      rtol=0, atol=5e-9)
        self.assertAlmostEqual(abs(change[:2000]).max() / 9.0784e-6, 1, 4)
        self.assertLess(abs(change).max(), 1.1 * 9.0784e-6)
        self.assertLess(abs(momenta - momenta_at_start).max(), 1e-12)

    def test_a_layer_of_ones_own(self):
        _, attributes = self.drifts(f"method.layer={RALSTON}")
        self.assertEqual(attributes["order"], 3)
        self.assertEqual(attributes["layer"].shape, (12,))
        self.assertIn("PatrickCuellSpiteriZhang2009", self.polhode("cite", "out.h5").stdout)

    def test_compositions_are_of_symmetric_ones(self):
        self.expect_error(self.polhode("run", self.name, "--set", "method.composition=yoshida4"), 2, "neither symmetric nor has an adjoint")
        _, attributes = self.drifts("method.layer=euler", "method.bias=-0.5", "method.composition=yoshida4", "method.step=0.05")
        self.assertEqual(attributes["order"], 4)

    def test_what_is_refused(self):
        for setting, words in (("bias=0.1", "between -1 and 0"), ("bias=-1.5", "between -1 and 0"), ("layer=rk5", "unknown value"),
                               ("layer=[[0, 0], [1, 0], [0.5, 0.25]]", "its weights sum up to 0.75"), ("table=rk4", "unknown key method.table")):
            before = sorted(self.path.rglob("*"))
            self.expect_error(self.polhode("run", self.name, "--set", f"method.{setting}"), 2, words)
            self.assertEqual(sorted(self.path.rglob("*")), before)

    def test_hamiltonians_that_it_is_not_for(self):
        """One that is not quadratic in the momenta, and one whose H_pp is singular."""
        name = self.write(MAGNETIC.replace("magnetic-pendulum", "other-pendulum"), "other.toml")
        for hamiltonian, words in (("sqrt(T(1) + dot(p, p)) + q[2]", "quadratic in the momenta"),
                                   ("(p[0] * p[0] + p[1] * p[1]) / T(2) + q[2]", "it needs an invertible H_pp, off the constraints as well")):
            with self.subTest(hamiltonian):
                (self.path / "other.hpp").write_text(OTHER.replace("HAMILTONIAN", hamiltonian))
                self.expect_error(self.polhode("run", name, "--system", "other.hpp"), 2, "cannot use the method variational", words)
                done = self.polhode("run", name, "--system", "other.hpp", "--force", "--set", "method.name=rattle", "--set", "run.steps=10")
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_steps_that_are_too_long_end_a_trajectory(self):
        done = self.polhode("run", self.name, "--set", "method.step=5", "--set", "method.layer=euler")
        with h5py.File(self.path / "out.h5") as file:
            codes = file["status/code"][:]
            self.assertTrue(set(codes) <= {0, 1, 2, 5}, done.stderr)
            self.assertGreater(numpy.count_nonzero(codes), 0)

    def test_bits_of_runs_that_go_on_and_of_densities(self):
        for config in (CONFIG, MAGNETIC, VEHICLE):
            name = self.write(config + "[record]\nsnapshots = 10\n")
            self.run_with(name, "whole.h5", "--force", "--set", "run.steps=120")
            self.run_with(name, "part.h5", "--force", "--set", "run.steps=50")
            done = self.polhode("run", name, "-o", "part.h5", "--resume", "--set", "run.steps=120")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_same_datasets("part.h5", datasets(self.path / "whole.h5"), config)
            with h5py.File(self.path / "whole.h5") as file:
                points, columns = file["section/state"][:], list(file["final/state"].attrs["columns"])
            plane = columns[0], columns[1]
            dense = self.write(config + f'[density]\naxes = {list(plane)}\nrange = [[-2, 2], [-2, 2]]\nbins = [8, 8]\n', "dense.toml")
            self.run_with(dense, "dense.h5", "--force", "--set", "run.steps=120")
            with h5py.File(self.path / "dense.h5") as file:
                counted, _, _ = numpy.histogram2d(points[:, 0], points[:, 1], bins=8, range=[[-2, 2]] * 2)
                self.assertEqual(file["section/density"][:].tolist(), counted.astype(int).tolist())

    def test_the_reference_agrees(self):
        for name in (self.name, self.write(MAGNETIC, "magnetic.toml")):
            for bias in (0, -0.5):
                done = self.polhode("crosscheck", name, "--steps", "40", "--set", f"method.bias={bias}", "--backends", "cpu,reference")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertTrue(re.search("reference", done.stdout), done.stdout)


if __name__ == "__main__":
    unittest.main()
