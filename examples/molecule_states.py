#!/usr/bin/env python3
"""Writes initial states of a molecule at a temperature, for examples/water.toml and examples/butane.toml.

    examples/molecule_states.py water 300 water_states.h5

300 copies of the molecule, each turned at random, its atoms with velocities of Maxwell and Boltzmann's distribution at
300 K; polhode projects these to the fixed distances. The centre of mass is at rest at the origin. In nm, ps and u.
"""

import sys

import h5py
import numpy

KT = 2.494  # kJ/mol at 300 K
MOLECULES = {  # masses and positions, which need not fit the fixed distances to more than two digits
    "water": ([16, 1, 1], [[0, 0, 0], [-0.0815, 0.0579, 0], [0.0815, 0.0579, 0]]),
    "butane": ([15.035, 14.027, 14.027, 15.035], [[0, 0, 0], [0.1292, 0.0839, 0], [0.2583, 0, 0], [0.3875, 0.0839, 0]]),
}


def centred(vectors, masses):
    """Vectors [n, atoms, 3] less their mean, weighted by masses."""
    return vectors - numpy.average(vectors, axis=1, weights=masses)[:, None]


def states(name, n, generator):
    """[n, 6 atoms]: positions and velocities."""
    masses, positions = map(numpy.array, MOLECULES[name])
    turns = numpy.linalg.qr(generator.standard_normal((n, 3, 3)))[0]
    turns *= numpy.linalg.det(turns)[:, None, None]  # no reflections
    turned = numpy.einsum("nij,aj->nai", turns, positions)
    velocities = generator.standard_normal(turned.shape) * numpy.sqrt(KT / masses)[:, None]
    return numpy.concatenate([centred(turned, masses), centred(velocities, masses)], axis=1).reshape(n, -1)


if len(sys.argv) != 4 or sys.argv[1] not in MOLECULES:
    sys.exit(f"usage: molecule_states.py {'|'.join(MOLECULES)} COUNT FILE.h5")
with h5py.File(sys.argv[3], "w") as file:
    file["states"] = states(sys.argv[1], int(sys.argv[2]), numpy.random.default_rng(1))
