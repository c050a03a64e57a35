#!/usr/bin/env python3
"""Orbits of a satellite in space and modulo rotations about the axis of the planet, with the precession of their nodes.

    j2_satellite.py J2_SATELLITE.h5... FIGURE.png

Draws results of j2_satellite.toml, two in a row: left the first revolutions in space, whose ascending nodes are dots on
the equator, right all of the reduced orbit, r against z.
"""

import sys
from dataclasses import dataclass

import h5py
import numpy as np
from matplotlib.figure import Figure

DRAWN = 10  # revolutions in space
ELEVATION = np.radians(30)  # of the eye above the equator
BLUE, GREY, BLACK = "#0072B2", "#B4B4B4", "#000000"


@dataclass(frozen=True)
class Orbit:
    """An orbit and its ascending nodes."""

    J2: float
    mu: float
    method: str
    step: float
    states: np.ndarray  # [t, 5]: r, z, pr, pz, theta
    nodes: np.ndarray  # [n, 2]: r, theta

    @classmethod
    def read(cls, path):
        with h5py.File(path) as file:
            stages, step = file.attrs["stages"], file.attrs["step"]
            name = "midpoint rule" if stages == 1 else f"Gauss, {stages} stages"
            J2, mu = (float(np.squeeze(file[f"parameters/{key}"][()])) for key in ("J2", "mu"))
            nodes = file["section/state"][:][:, [0, 4]]
            return cls(J2, mu, f"{name}, h = {step:g}", float(step), file["snapshots/state"][0], nodes)

    @property
    def precession(self):
        """Mean angle from one node to the next."""
        turn = np.diff(self.nodes[:, 1])
        return (np.mod(turn + np.pi, 2 * np.pi) - np.pi).mean()

    @property
    def distances(self):
        """The smallest and the largest distance from the centre."""
        R = np.hypot(self.states[:, 0], self.states[:, 1])
        return R.min(), R.max()


def smooth(values, rates, step):
    """Cubic polynomials from one state to the next, with their values and rates of change, [t, n]."""
    u = np.linspace(0, 1, 9)[:-1, None, None]
    change, start, end = np.diff(values, axis=0), step * rates[:-1], step * rates[1:]
    between = values[:-1] + u**2 * (3 - 2 * u) * change + u * (1 - u) ** 2 * start - u**2 * (1 - u) * end
    return between.swapaxes(0, 1).reshape(-1, values.shape[1])


def projected(r, z, theta):
    """Across and up in the picture, of places in space."""
    return r * np.cos(theta), z * np.cos(ELEVATION) + r * np.sin(theta) * np.sin(ELEVATION)


def draw_space(axes, orbit):
    axes.plot(*projected(1, 0, np.linspace(0, 2 * np.pi, 200)), color=GREY, linewidth=0.8, linestyle="--")
    r, _, pr, pz, _ = orbit.states[orbit.states[:, 4] <= 2 * np.pi * DRAWN].T
    curve = smooth(orbit.states[: len(r), [0, 1, 4]], np.stack([pr, pz, orbit.mu / r**2], axis=1), orbit.step)
    axes.plot(*projected(*curve.T), color=BLUE, linewidth=0.5)
    r, theta = orbit.nodes[: DRAWN - 1].T
    axes.plot(*projected(r, 0, theta), ".", color=BLACK, markersize=5)
    axes.set_aspect("equal")
    axes.set(xticks=[], yticks=[], frame_on=False)
    axes.set_title(f"$J_2$ = {orbit.J2:g}, {orbit.method}\n{orbit.precession:+.4f} rad per revolution", fontsize=10)


def draw_reduced(axes, orbit):
    axes.plot(orbit.states[:, 0], orbit.states[:, 1], ".", color=BLUE, markersize=1, markeredgewidth=0)
    axes.set_aspect("equal")
    axes.set_xlim(0.8, 1.03)
    axes.set_ylim(-0.33, 0.33)
    axes.set_xlabel("r")
    axes.set_ylabel("z", labelpad=0)
    least, most = orbit.distances
    axes.set_title(f"R: {least:.4f} to {most:.4f}", fontsize=9)


def draw(orbits):
    rows = (len(orbits) + 1) // 2
    figure = Figure(figsize=(10, 3.4 * rows), dpi=150, layout="constrained")
    panels = figure.subplots(rows, 4, width_ratios=(1.7, 1, 1.7, 1), squeeze=False).reshape(-1, 2)
    for (space, reduced), orbit in zip(panels, orbits):
        draw_space(space, orbit)
        draw_reduced(reduced, orbit)
    for axes in panels[len(orbits) :].ravel():
        axes.set_axis_off()
    return figure


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: j2_satellite.py J2_SATELLITE.h5... FIGURE.png")
    draw([Orbit.read(path) for path in sys.argv[1:-1]]).savefig(sys.argv[-1])
