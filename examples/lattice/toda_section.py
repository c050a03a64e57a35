#!/usr/bin/env python3
"""The section of Toda's lattice of three particles, with the curves on which its points must lie.

    toda_section.py TODA_3.h5 FIGURE.png

Draws a result of toda_3.toml. On the section the third integral of Henon is a function of the plane; the grey curves are
those on which it has the value of a start.
"""

import sys

import h5py
import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure


def plane(states):
    """Coordinates of states [...][6] on the section."""
    q1, _, q3, p1, _, p3 = np.moveaxis(states, -1, 0)
    return (q1 - q3) / 2, (p1 - p3) / 2


def third_integral(x, y, energy):
    """p1 p2 p3 - e1 p3 - e2 p1 - e3 p2, NaN where there is no state.

    With the centre of mass at rest, q = (x, 0, -x) and p = (y - r / 2, r, -y - r / 2), r > 0.
    """
    beside, opposite = np.exp(x), np.exp(-2 * x)  # e1 = e2, and e3
    squared = (energy - 2 * beside - opposite - y**2) * 4 / 3
    r = np.sqrt(np.where(squared > 0, squared, np.nan))
    return r * (r**2 / 4 - y**2 + beside - opposite)


def draw(file):
    x, y = plane(file["section/state"][:])
    energy = file["invariants/initial"][0, 0]
    values = third_integral(*plane(file["initial/state"][:]), energy)
    grid = np.meshgrid(np.linspace(x.min() - 0.1, x.max() + 0.1, 1500), np.linspace(y.min() - 0.2, y.max() + 0.2, 1500))

    figure = Figure(figsize=(8, 7), dpi=150, layout="constrained")
    axes = figure.subplots()
    axes.contour(*grid, third_integral(*grid, energy), np.unique(values), colors="#BBBBBB", linewidths=0.6, linestyles="solid")
    colours = colormaps["viridis"](0.9 * values.argsort().argsort() / len(values))
    axes.scatter(x, y, s=1.5, c=colours[file["section/trajectory"][:]], linewidths=0, zorder=2)
    axes.set_xlabel("$(q_1 - q_3) / 2$")
    axes.set_ylabel("$(p_1 - p_3) / 2$")
    axes.set_title(f"Toda's lattice of 3 particles: $q_2 = 0$, upward, at energy {energy:.4g}\n"
                   f"{len(x):,} points of {len(values)} orbits, and the level curves of the third integral",
                   fontsize=10)  # fmt: skip
    return figure


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: toda_section.py TODA_3.h5 FIGURE.png")
    with h5py.File(sys.argv[1]) as result:
        draw(result).savefig(sys.argv[2])
