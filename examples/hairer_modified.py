#!/usr/bin/env python3
"""Hairer 2003, Figure 1, with the function H_3 of the modified energy H + h^2 H_3 + ... over the curves.

    POLHODE=build/release/polhode examples/hairer_modified.py hairer_modified.png

Runs hairer_top.toml with four steps, and draws the energy errors divided by h^2 with -(H_3(x_n) - H_3(x_0)), and below the
changes of energy and shadow energy themselves. Prints for each step the largest distance of the two curves above, which
falls with h^2, and the ranges of energy and shadow energy.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from matplotlib.figure import Figure

CONFIG = pathlib.Path(__file__).with_name("hairer_top.toml")
STEPS = {0.2: "#CC79A7", 0.1: "#E67E3C", 0.05: "#56B4E9", 0.025: "#0072B2"}
TIME = 20
SETTINGS = ("system.name=heavy-top", "ensemble.states=[[0.1, 0.9, 0.4, 0, 0.8, 0.6]]", "record.shadow_energy=8")


def third(states, inertia, chi, c):
    """H_3 of RATTLE on states [t, 6] of Pi and Gamma, its closed form."""
    pi, gamma = states[:, :3], states[:, 3:]
    omega = pi / inertia
    torque = np.cross(pi, omega) + c * np.cross(gamma, chi)
    acceleration = torque / inertia
    moments = inertia.sum() / 2 - inertia
    twice = (pi * omega).sum(axis=1) * (omega**2).sum(axis=1) + (torque * acceleration).sum(axis=1)
    twice -= 2 * (moments * omega * np.cross(acceleration, omega)).sum(axis=1)
    potential = c * (np.cross(np.cross(gamma, omega), omega) + np.cross(gamma, acceleration)) @ chi
    return twice / 24 + potential / 12


def run(step, folder):
    """Times, changes of the energy and of the shadow energy, and H_3 less its first value."""
    file = pathlib.Path(folder) / f"{step}.h5"
    settings = (*SETTINGS, f"method.step={step}", f"run.steps={round(TIME / step)}")
    command = [os.environ.get("POLHODE", "polhode"), "run", CONFIG, "-o", file, "--quiet"]
    try:
        subprocess.run([*command, *(word for setting in settings for word in ("--set", setting))], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot measure ({error}). Set POLHODE to the path of the program.")
    with h5py.File(file) as result:
        energy, shadow = result["snapshots/invariants"][0, :, 0], result["snapshots/shadow_energy"][0]
        closed = third(result["snapshots/state"][0], *(result[f"parameters/{name}"][()] for name in ("inertia", "chi", "c")))
        return result["snapshots/time"][:], energy - energy[0], shadow - shadow[0], closed - closed[0]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: hairer_modified.py PICTURE")
    figure = Figure(figsize=(8, 7), dpi=200, layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    with tempfile.TemporaryDirectory() as folder:
        for step, colour in STEPS.items():
            time, energy, shadow, closed = run(step, folder)
            scaled = energy / step**2
            print(step, f"{abs(scaled + closed).max():.5f} {np.ptp(energy):.4e} {np.ptp(shadow):.4e}")
            upper.plot(time, scaled, color=colour, linewidth=1, label=f"$h = {step}$")
            lower.semilogy(time[1:], abs(energy[1:]), color=colour, linewidth=0.8)
            lower.semilogy(time[1:], abs(shadow[1:]), color=colour, linewidth=0.8, linestyle=":")
        upper.plot(time, -closed, color="black", linewidth=0.8, linestyle="--", label="$-(H_3(x_n) - H_3(x_0))$")
    upper.set_title("RATTLE on the heavy top of Hairer 2003")
    upper.set_ylabel("$(H_n - H_0)/h^2$")
    upper.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.08))
    lower.set_ylabel(r"$|H_n - H_0|$, dotted $|\tilde H_n - \tilde H_0|$")
    lower.set_xlabel("time")
    figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()
