#!/usr/bin/env python3
"""A relative equilibrium and a relative periodic orbit of the double spherical pendulum, in two frames.

    POLHODE=build/release/polhode examples/relative_periodic.py relative_periodic.png

Runs relative_periodic.toml. Its equations do not change under phi -> -phi, s1 -> -s1, s2 -> -s2 together with t -> -t, so
that an orbit that starts at phi = 0 with s1 = s2 = 0, and comes to phi = 0 with s1 = s2 = 0 again, goes back the same way
with phi reversed: it has closed at the next crossing. Newton's method finds r2 and s3 of such a start for the r1 of the
configuration; each iteration runs three starts as one ensemble.

In the reduced system the orbit is closed. In space theta has advanced by some part of a turn, and does so again in every
period: in a frame that turns at the mean rate both bobs go along closed curves.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import h5py
import numpy as np
from matplotlib.figure import Figure

CONFIG = pathlib.Path(__file__).with_suffix(".toml")
R1, R2, PHI, S1, S2, S3, THETA = range(7)
UNKNOWNS = (R2, S3)
DIFFERENCE, ITERATIONS, CLOSED = 1e-6, 12, 1e-13
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#B4B4B4"


@dataclass(frozen=True)
class Motion:
    """A trajectory; states are columns r1 r2 phi s1 s2 s3 theta."""

    times: np.ndarray  # [n]
    states: np.ndarray  # [n, 7]
    crossings: np.ndarray  # [k, 7]: with the rods in one plane
    crossing_times: np.ndarray  # [k]

    @property
    def period(self):
        return self.crossing_times[1]

    @property
    def turn(self):
        """The angle by which theta advances in a period."""
        return self.crossings[1, THETA] - self.states[0, THETA]

    @property
    def defect(self):
        """How far the reduced state is from closing."""
        return abs(self.crossings[1, :THETA] - self.states[0, :THETA]).max()


def run(folder, *options):
    """The motions of the configuration with other words on its command line."""
    file = pathlib.Path(folder) / "motions.h5"
    command = [os.environ.get("POLHODE", "polhode"), "run", CONFIG, "-o", file, "--force", "--quiet"]
    try:
        subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot measure ({error}). Set POLHODE to the path of the program.")
    with h5py.File(file) as result:
        return read(result)


def read(result):
    """The motions of a result."""
    times, states = result["snapshots/time"][:], result["snapshots/state"][:]
    if "section" not in result:
        nothing = np.empty((0, states.shape[-1])), np.empty(0)
        return [Motion(times, states[k], *nothing) for k in range(len(states))]
    ends = np.cumsum(result["section/count"][:])[:-1]
    points, at = np.split(result["section/state"][:], ends), np.split(result["section/time"][:], ends)
    return [Motion(times, states[k], points[k], at[k]) for k in range(len(states))]


def starting_at(states):
    return "--set", f"ensemble.states={[[float(x) for x in state] for state in states]}"


def relative_periodic_orbit(folder):
    """By Newton's method from the start in the configuration."""
    (motion,) = run(folder)
    start = motion.states[0]
    for _ in range(ITERATIONS):
        starts = np.array([start] * (1 + len(UNKNOWNS)))
        for row, unknown in enumerate(UNKNOWNS, 1):
            starts[row, unknown] += DIFFERENCE
        motions = run(folder, *starting_at(starts))
        lacking = np.array([motion.crossings[0, [S1, S2]] for motion in motions])
        if abs(lacking[0]).max() < CLOSED:
            return motions[0]
        slopes = (lacking[1:] - lacking[0]).T / DIFFERENCE
        start[list(UNKNOWNS)] -= np.linalg.solve(slopes, lacking[0])
    sys.exit("the orbit does not close")


def relative_equilibrium(folder):
    settings = "--set", "ensemble.from=relative-equilibrium"
    (motion,) = run(folder, *settings, "--unset", "ensemble.states", "--unset", "section")
    return motion


def bobs(states, angles):
    """Horizontal positions of both bobs with the first rod at these azimuths, as complex numbers."""
    first = states[:, R1] * np.exp(1j * angles)
    return first, first + states[:, R2] * np.exp(1j * (angles + states[:, PHI]))


def draw(axes, motion, rate, title):
    """In a frame that turns at a rate; the pendula themselves at the start."""
    angles = motion.states[:, THETA] - rate * motion.times
    for path, colour, name in zip(bobs(motion.states, angles), (BLUE, ORANGE), ("bob 1", "bob 2")):
        axes.plot(path.real, path.imag, color=colour, linewidth=0.9, label=name)
    rods = np.array([0, *(path[0] for path in bobs(motion.states, angles))])
    axes.plot(rods.real, rods.imag, "o-", color="black", markersize=3, linewidth=1.2)
    axes.plot(0, 0, "+", color=GREY, markersize=12, zorder=0)
    axes.set_aspect("equal")
    axes.set_xlim(-1.25, 1.25)
    axes.set_ylim(-1.25, 1.25)
    axes.set_title(title, fontsize=10)


def main(picture):
    with tempfile.TemporaryDirectory() as folder:
        orbit, resting = relative_periodic_orbit(folder), relative_equilibrium(folder)
    moved = abs(resting.states[:, :THETA] - resting.states[0, :THETA]).max()
    print(f"# relative equilibrium: rate {resting.states[-1, THETA] / resting.times[-1]:.6f}, moved by {moved:.1e}")
    print(f"# relative periodic orbit: period {orbit.period:.6f}, {orbit.turn / (2 * np.pi):.6f} turns, "
          f"closed to {orbit.defect:.1e}, start {[float(x) for x in orbit.states[0]]}")  # fmt: skip
    figure = Figure(figsize=(8, 8.2), dpi=150, layout="constrained")
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    draw(panels[0, 0], resting, resting.states[-1, THETA] / resting.times[-1], "relative equilibrium, turning with it")
    draw(panels[0, 1], resting, 0, "in space")
    draw(panels[1, 0], orbit, orbit.turn / orbit.period, "relative periodic orbit, turning with it")
    draw(panels[1, 1], orbit, 0, "in space")
    panels[0, 0].legend(loc="lower left", fontsize=9, frameon=False)
    for axes in panels[:, 0]:
        axes.set_ylabel("y")
    for axes in panels[1]:
        axes.set_xlabel("x")
    figure.savefig(picture)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: relative_periodic.py FIGURE.png")
    main(sys.argv[1])
