#!/usr/bin/env python3
"""A double spherical pendulum by a symplectic method on its shapes, and the energy of one that is not symplectic.

    double_pendulum_routh.py REDUCED.h5 CYLINDRICAL.h5 FIGURE.png

Draws results of double_pendulum_routh.toml: the shape over the first units of time, the way of the second bob relative to
the first, seen from above, and the energy errors of both runs to their end.
"""

import sys

import h5py
import numpy as np
from matplotlib.figure import Figure

SHOWN = 60  # units of time, of shape and way
COLUMNS = {"r1": "$r_1$", "r2": "$r_2$", "phi": r"$\varphi$"}
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#3C9D4E"
COLOURS = (BLUE, ORANGE, GREEN)


class Run:
    """One trajectory of a result."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.label = f"{file.attrs['method']} on {file.attrs['system']}, h = {file.attrs['step']:g}"
            self.time = file["snapshots/time"][:]
            energy = file["snapshots/invariants"][0, :, list(file["invariants/names"].asstr()).index("energy")]
            self.error = (energy - file["invariants/initial"][0, 0]) / abs(file["invariants/initial"][0, 0])
            names, state = list(file["final/state"].attrs["columns"]), file["snapshots/state"][0]
            self.state = {name: state[:, names.index(name)] for name in (*COLUMNS, "theta")}


def draw(reduced, cylindrical):
    figure = Figure(figsize=(9, 6.4), dpi=150, layout="constrained")
    panels = figure.subplot_mosaic([["shape", "way"], ["energies", "energies"]], width_ratios=(1.5, 1))
    shape, way, energies = (panels[name] for name in ("shape", "way", "energies"))
    shown = reduced.time <= SHOWN
    for (name, label), colour in zip(COLUMNS.items(), COLOURS):
        shape.plot(reduced.time[shown], reduced.state[name][shown], color=colour, linewidth=1, label=label)
    shape.legend(loc="lower left", ncols=3, fontsize=9)
    shape.set_xlabel("time")
    shape.set_title("shape", fontsize=10)
    azimuth = reduced.state["theta"] + reduced.state["phi"]
    way.plot((reduced.state["r2"] * np.cos(azimuth))[shown], (reduced.state["r2"] * np.sin(azimuth))[shown], color=BLUE, linewidth=0.8)
    way.set_aspect("equal")
    way.set_title("bob 2 relative to bob 1, from above", fontsize=10)
    for run, colour in ((reduced, BLUE), (cylindrical, ORANGE)):
        energies.plot(run.time, 1e6 * run.error, ".", color=colour, markersize=1.5, markeredgewidth=0, label=run.label)
    energies.legend(loc="lower left", fontsize=9, markerscale=8)
    energies.set_xlabel("time")
    energies.set_ylabel(r"$10^6$ relative error of the energy")
    return figure


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: double_pendulum_routh.py REDUCED.h5 CYLINDRICAL.h5 FIGURE.png")
    draw(Run(sys.argv[1]), Run(sys.argv[2])).savefig(sys.argv[3])
