#!/usr/bin/env python3
"""The change of the integrals of Toda's lattice against time.

    toda_integrals.py TODA_6.h5... FIGURE.png

Draws results of toda_6.toml, which differ in method or step: of each integral the largest change in the ensemble, over the
largest value of the integral.
"""

import sys

import h5py
import numpy as np
from matplotlib.figure import Figure

COLOURS = {"energy": "#7A7A7A", "henon_3": "#0072B2", "henon_4": "#3C9D4E", "henon_5": "#E67E3C", "henon_6": "#A0529F"}
LABELS = {"energy": "energy"} | {f"henon_{m}": f"$I_{m}$" for m in range(3, 7)}


def draw(files):
    figure = Figure(figsize=(8, 5), dpi=150, layout="constrained")
    axes = figure.subplots()
    for file in files:
        names = list(file["invariants/names"].asstr())
        time, values = file["snapshots/time"][:], file["snapshots/invariants"][:, :, [names.index(name) for name in COLOURS]]
        changes = (abs(values - values[:, :1]) / abs(values[:, :1]).max(axis=0)).max(axis=0)
        for name, change in zip(COLOURS, changes.T):
            axes.semilogy(time[1:], change[1:], color=COLOURS[name], linewidth=0.8,
                          label=LABELS[name] if file is files[0] else None)  # fmt: skip
        axes.annotate(f"{file.attrs['method']}, order {file.attrs['order']}, step {file.attrs['step']:g}",
                      (0, changes.max()), (6, 6), textcoords="offset points", fontsize=9)  # fmt: skip
    axes.set_xlim(0, time[-1])
    axes.set_xlabel("time")
    axes.set_ylim(1e-14, 0.1)
    axes.set_ylabel("largest change, relative")
    axes.legend(ncols=5, loc="center", fontsize=9, frameon=False)
    axes.set_title(f"Toda's lattice of 6 particles: integrals of {len(values)} trajectories", fontsize=10)
    return figure


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: toda_integrals.py TODA_6.h5... FIGURE.png")
    draw([h5py.File(path) for path in sys.argv[1:-1]]).savefig(sys.argv[-1])
