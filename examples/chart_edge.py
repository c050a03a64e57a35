#!/usr/bin/env python3
"""Energy errors of one orbit in cylindrical coordinates and without them, and how near to their edge it comes.

    POLHODE=build/release/polhode examples/chart_edge.py chart_edge.png

Runs chart_edge.toml, and the same state in space by a method of the same order. Draws the heights of both rods over their
lengths, which are 0 where a rod is horizontal, and |H - H(0)| of both runs.
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
IN_SPACE = ("--to", "double-spherical-pendulum", "--set", "method.name=lobatto", "--set", "method.stages=3")
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#3C9D4E", "#7A7A7A"


class Run:
    """One trajectory of a result."""

    def __init__(self, path):
        with h5py.File(path) as file:
            self.time, self.state = file["snapshots/time"][:], file["snapshots/state"][0]
            self.lengths = np.squeeze(file["parameters/l"][()])
            energy = file["snapshots/invariants"][0, :, list(file["invariants/names"].asstr()).index("energy")]
            self.error = abs(energy - energy[0])

    @property
    def heights(self):
        """[t, 2]: of the rods over their lengths, in the reduced description."""
        return -np.sqrt(1 - (self.state[:, :2] / self.lengths) ** 2)


def runs(folder):
    """In cylindrical coordinates, and in space."""
    reduced, config, space = (pathlib.Path(folder) / name for name in ("reduced.h5", "space.toml", "space.h5"))
    commands = (
        ("run", CONFIG, "-o", reduced, "--quiet"),
        ("convert", CONFIG, *IN_SPACE, "-o", config),
        ("run", config, "-o", space, "--quiet"),
    )
    try:
        for command in commands:
            subprocess.run([os.environ.get("POLHODE", "polhode"), *command], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot measure ({error}). Set POLHODE to the path of the program.")
    return Run(reduced), Run(space)


def draw(reduced, space):
    figure = Figure(figsize=(8, 5.5), dpi=150, layout="constrained")
    heights, errors = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    for rod, (height, colour) in enumerate(zip(reduced.heights.T, (GREY, GREEN)), 1):
        heights.plot(reduced.time, height, color=colour, linewidth=1, label=f"rod {rod}")
    heights.axhline(0, color="black", linewidth=0.6)
    heights.set_ylabel("height / length")
    heights.legend(loc="lower right", ncols=2, fontsize=9)
    for run, label, colour in ((reduced, "cylindrical coordinates, reduced", ORANGE), (space, "in space", BLUE)):
        errors.plot(run.time, run.error, color=colour, linewidth=0.8, label=label)
    errors.set_ylabel("|H - H(0)|")
    errors.set_xlabel("time")
    errors.legend(loc="lower right", ncols=2, fontsize=9)
    return figure


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: chart_edge.py FIGURE.png")
    with tempfile.TemporaryDirectory() as folder:
        both = runs(folder)
    print("# median and largest |H - H(0)|: in the chart, in space")
    for run in both:
        print(f"{np.median(run.error):.3e} {run.error.max():.3e}")
    draw(*both).savefig(sys.argv[1])
