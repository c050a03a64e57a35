#!/usr/bin/env python3
"""The section of three rotors in a ring where the second one overtakes the first, at an energy and angular momentum 0.

    POLHODE=build/release/polhode examples/formulas/rotors.py rotors.png [ENERGY]

Writes the states over a grid in the plane of the picture, runs rotors.toml in a temporary folder, and draws it."""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CONFIG = pathlib.Path(__file__).with_suffix(".toml")
GRID = 16


def states_of(energy):
    """The states [n, 12] with both first rotors along x, over cells of the plane of the third's angle and rate.

    The rates w1, w2, w3 have the sum 0 and the kinetic energy that is left: w2 - w1 = 2 rate.
    """
    angle = (np.arange(GRID) + 0.5) / GRID * 2 * np.pi - np.pi
    omega = ((np.arange(GRID) + 0.5) / GRID * 2 - 1) * np.sqrt(4 * energy / 3)
    b, w3 = (values.ravel() for values in np.meshgrid(angle, omega))
    squared = energy - (2 - 2 * np.cos(b)) - 0.75 * w3**2
    b, w3, rate = b[squared > 0], w3[squared > 0], np.sqrt(squared[squared > 0])
    one, zero = np.ones_like(b), np.zeros_like(b)
    x, y = np.cos(b), np.sin(b)
    return np.stack([one, zero, one, zero, x, y, zero, -w3 / 2 - rate, zero, -w3 / 2 + rate, -w3 * y, w3 * x], axis=1)


def main():
    picture, *energy = sys.argv[1:]
    program = os.environ.get("POLHODE", "polhode")
    with tempfile.TemporaryDirectory() as folder:
        states, result = (os.path.join(folder, name) for name in ("rotors_states.h5", "rotors.h5"))
        with h5py.File(states, "w") as file:
            file["states"] = states_of(float(energy[0]) if energy else 6.0)
        subprocess.run([program, "run", CONFIG, "-o", result, "--quiet", "--set", f"ensemble.path={states}"], check=True)
        subprocess.run([program, "plot", result, "--axes", "ahead3,omega3", "-o", picture], check=True)


if __name__ == "__main__":
    main()
