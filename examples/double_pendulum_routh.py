#!/usr/bin/env python3
"""A double spherical pendulum by a symplectic method on its shapes, and the energy of one that is not symplectic.

    POLHODE=build/release/polhode examples/double_pendulum_routh.py double_pendulum_routh.png

Runs double_pendulum_routh.toml, and the same state in all of the cylindrical coordinates by the Runge-Kutta method of order
4 with a quarter of the step. Draws the shape over the first units of time, the way of the second bob relative to the first,
seen from above, and the energy errors of both runs to their end.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from matplotlib.figure import Figure

CONFIG = pathlib.Path(__file__).with_suffix(".toml")
UNREDUCED = "double-spherical-pendulum-cylindrical"
RK4 = ("method.name=rk4", "method.step=0.025", "run.steps=80000", "record.snapshots=4")
SHOWN = 60  # units of time, of shape and way
COLUMNS = {"r1": "$r_1$", "r2": "$r_2$", "phi": r"$\varphi$"}
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#3C9D4E"
COLOURS = (BLUE, ORANGE, GREEN)


class Run:
    """One trajectory of a result."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.method, self.step = file.attrs["method"], file.attrs["step"]
            self.time = file["snapshots/time"][:]
            self.energy = file["snapshots/invariants"][0, :, list(file["invariants/names"].asstr()).index("energy")]
            names, state = list(file["final/state"].attrs["columns"]), file["snapshots/state"][0]
            self.state = {name: state[:, names.index(name)] for name in (*COLUMNS, "theta")}

    @property
    def error(self):
        """Of the energy, relative."""
        return (self.energy - self.energy[0]) / abs(self.energy[0])


def runs(folder):
    """The reduced run, and the one on all coordinates."""
    reduced, config, cylindrical = (pathlib.Path(folder) / name for name in ("reduced.h5", "rk4.toml", "rk4.h5"))
    settings = [word for setting in RK4 for word in ("--set", setting)]
    commands = (
        ("run", CONFIG, "-o", reduced, "--quiet"),
        ("convert", CONFIG, "--to", UNREDUCED, "--unset", "method.stages", *settings, "-o", config),
        ("run", config, "-o", cylindrical, "--quiet"),
    )
    try:
        for command in commands:
            subprocess.run([os.environ.get("POLHODE", "polhode"), *command], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot measure ({error}). Set POLHODE to the path of the program.")
    return Run(reduced), Run(cylindrical)


def draw(reduced, cylindrical):
    figure = Figure(figsize=(9, 6.4), dpi=150, layout="constrained")
    panels = figure.subplot_mosaic([["shape", "way"], ["energies", "energies"]], width_ratios=(1.5, 1))
    shape, way, energies = (panels[name] for name in ("shape", "way", "energies"))
    shown = reduced.time <= SHOWN
    for (name, label), colour in zip(COLUMNS.items(), COLOURS):
        shape.plot(reduced.time[shown], reduced.state[name][shown], color=colour, linewidth=1, label=label)
    shape.set_ylim(-0.52, 0.75)
    shape.legend(loc="lower left", ncols=3, fontsize=9)
    shape.set_xlabel("time")
    shape.set_title("shape", fontsize=10)
    azimuth = reduced.state["theta"] + reduced.state["phi"]
    way.plot((reduced.state["r2"] * np.cos(azimuth))[shown], (reduced.state["r2"] * np.sin(azimuth))[shown], color=BLUE, linewidth=0.8)
    way.set_aspect("equal")
    way.set_title("bob 2 relative to bob 1, from above", fontsize=10)
    for run, colour, where in ((reduced, BLUE, "reduced"), (cylindrical, ORANGE, "not reduced")):
        label = f"{run.method}, {where}, h = {run.step:g}"
        energies.plot(run.time, 1e6 * run.error, ".", color=colour, markersize=1.5, markeredgewidth=0, label=label)
    energies.legend(loc="lower left", fontsize=9, markerscale=8)
    energies.set_xlabel("time")
    energies.set_ylabel(r"$10^6$ relative error of the energy")
    return figure


def quarters(run):
    """Mean energy errors over quarters of the time, as text."""
    return " ".join(f"{part.mean():.3e}" for part in np.array_split(run.energy - run.energy[0], 4))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: double_pendulum_routh.py FIGURE.png")
    with tempfile.TemporaryDirectory() as folder:
        both = runs(folder)
    print("# method, largest |H - H(0)|, mean H - H(0) over quarters of the time")
    for run in both:
        print(f"{run.method} {abs(run.energy - run.energy[0]).max():.3e} {quarters(run)}")
    draw(*both).savefig(sys.argv[1])
