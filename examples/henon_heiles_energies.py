#!/usr/bin/env python3
"""Sections of the system of Henon and Heiles at three energies, and the share of regular orbits against energy.

    POLHODE=build/release/polhode examples/henon_heiles_energies.py henon_heiles_energies.png [GRID]

Runs henon_heiles_energies.toml at several energies, with GRID starts along each side of the chart (140 by default) in the
three sections and half as many at the other energies.

A quasi-periodic orbit has time averages, which a smooth weight makes converge faster than any power of the number of
terms (S. Das, Y. Saiki, E. Sander & J. A. Yorke, Nonlinearity 30 (2017) 4111). An orbit counts as regular if the two
halves of its returns have the same averages of q2 and of the time between returns, to 1e-3; those of chaotic orbits
differ by some 1e-2.

Henon and Heiles could follow an orbit over a few returns only, and looked at how fast two neighbours part. That is
measured, too: two orbits stay together if the squares of their distances over 25 returns, 1e-7 at first, add up to less
than 1e-4. A weakly chaotic orbit does.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import h5py
import matplotlib
import numpy as np
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure

CONFIG = pathlib.Path(__file__).with_suffix(".toml")
SECTIONS = {1 / 12: "1/12", 1 / 8: "1/8", 1 / 6: "1/6"}
BETWEEN = (0.06, 0.07, 0.09, 0.095, 0.1, 0.105, 0.11, 0.115, 0.12, 0.13, 0.135, 0.14, 0.15, 0.16)
MOST_DIFFERENCE = 1e-3  # of the averages of an orbit's halves
APART, RETURNS, MOST_SQUARES = 1e-7, 25, 1e-4  # of two neighbours
STEPS = 1200  # more than those returns take
COMPLETED = 0  # status code
PERIODS = Normalize(5.6, 7.6)
COLOURS = ListedColormap(matplotlib.colormaps["viridis"].colors[:225])  # all visible on white
SEA, BLUE, ORANGE = "#B4B4B4", "#0072B2", "#D55E00"
DOTS_OF_SEA = 250_000


@dataclass(frozen=True)
class Orbits:
    """n orbits, and the returns to the section that all of them have, m."""

    starts: np.ndarray  # [n, 4]: q1, q2, p1, p2
    points: np.ndarray  # [n, m, 2]: q2, p2
    times: np.ndarray  # [n, m]

    @property
    def periods(self):
        """[n, m - 1], from one return to the next."""
        return np.diff(self.times)


def run(folder, *words):
    """The orbits of the configuration with other words on its command line."""
    file = pathlib.Path(folder) / "orbits.h5"
    command = [os.environ.get("POLHODE", "polhode"), "run", CONFIG, "-o", file, "--force", "--quiet"]
    try:
        subprocess.run([*command, *words], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot measure ({error}). Set POLHODE to the path of the program.")
    return read(file)


def read(file):
    """The orbits of a result."""
    with h5py.File(file) as result:
        if (result["status/code"][:] != COMPLETED).any():
            sys.exit(f"some orbits of '{file}' failed or escaped")
        count = result["section/count"][:]
        rows = (np.cumsum(count) - count)[:, None] + np.arange(count.min())
        return Orbits(result["initial/state"][:], result["section/state"][:][rows], result["section/time"][:][rows])


def on_grid(folder, energy, grid):
    """Orbits of an energy."""
    return run(folder, "--set", f"ensemble.energy={energy!r}", "--set", f"ensemble.grid=[{grid}, {grid}]")


def neighbours(folder, energy, orbits):
    """Orbits of the same energy that start a little nearer to the origin."""
    states = orbits.starts.copy()
    q2, p2 = states[:, 1] - APART * np.sign(states[:, 1]), states[:, 3]
    states[:, 1], states[:, 2] = q2, np.sqrt(2 * energy - q2**2 + 2 / 3 * q2**3 - p2**2)
    path = pathlib.Path(folder) / "neighbours.h5"
    with h5py.File(path, "w") as file:
        file["states"] = states
    source = ("ensemble.from=file", f"ensemble.path={path}", "ensemble.dataset=states")
    unused = ("ensemble.energy", "ensemble.grid")
    options = [("--set", setting) for setting in (*source, f"run.steps={STEPS}")] + [("--unset", key) for key in unused]
    return run(folder, *(word for option in options for word in option))


def averages(values):
    """Weighted averages [n] of values [n, k] along orbits."""
    inside = np.arange(1, values.shape[1] + 1) / (values.shape[1] + 1)
    weights = np.exp(-1 / (inside * (1 - inside)))
    return values @ weights / weights.sum()


def are_regular(orbits):
    """[n]"""
    half = orbits.periods.shape[1] // 2
    measured = orbits.periods, orbits.points[:, 1:, 0]
    differences = [abs(averages(v[:, :half]) - averages(v[:, half : 2 * half])) for v in measured]
    return np.max(differences, axis=0) < MOST_DIFFERENCE


def stay_together(orbits, neighbours):
    """[n]"""
    squares = (orbits.points[:, :RETURNS] - neighbours.points[:, :RETURNS]) ** 2
    return squares.sum(axis=(1, 2)) < MOST_SQUARES


@dataclass(frozen=True)
class Shares:
    """Of the orbits of one energy."""

    energy: float
    orbits: int
    regular: float
    together: float


def draw_section(axes, orbits, regular, energy):
    """Some regular orbits in the colours of their mean periods, and points of all the others."""
    random = np.random.default_rng(1)
    sea = orbits.points[~regular].reshape(-1, 2)
    sea = sea[random.permutation(len(sea))[:DOTS_OF_SEA]]
    axes.scatter(*sea.T, s=0.2, color=SEA, linewidths=0)
    number = round(1.4 * np.sqrt(regular.sum()))  # as many as leave paper between them
    curves = random.permutation(np.flatnonzero(regular))[:number]
    points, periods = orbits.points[curves], averages(orbits.periods[curves])
    colours = COLOURS(PERIODS(np.repeat(periods, points.shape[1])))
    axes.scatter(*points.reshape(-1, 2).T, s=0.5, color=colours, linewidths=0)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(f"E = {SECTIONS[energy]}", fontsize=10)
    axes.set_xlabel("$q_2$")
    axes.set_ylabel("$p_2$")


def draw_shares(axes, shares):
    energies = [s.energy for s in shares]
    style = {"marker": "o", "markersize": 3, "linewidth": 1}
    axes.plot(energies, [s.together for s in shares], color=ORANGE, label=f"together over {RETURNS} returns", **style)
    axes.plot(energies, [s.regular for s in shares], color=BLUE, label="regular", **style)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("energy E")
    axes.set_ylabel("share of the orbits")
    axes.set_title("Shares of the area", fontsize=10)
    axes.legend(loc="lower left", fontsize=9)


def main(picture, grid):
    figure = Figure(figsize=(8, 8.2), dpi=150, layout="constrained")
    panels = figure.subplots(2, 2).ravel()
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        for energy in sorted((*SECTIONS, *BETWEEN)):
            orbits = on_grid(folder, energy, grid if energy in SECTIONS else grid // 2)
            regular, together = are_regular(orbits), stay_together(orbits, neighbours(folder, energy, orbits))
            shares.append(Shares(energy, len(regular), regular.mean(), together.mean()))
            if energy in SECTIONS:
                draw_section(panels[list(SECTIONS).index(energy)], orbits, regular, energy)
    print("# energy orbits regular together")
    for s in shares:
        print(f"{s.energy:.5f} {s.orbits} {s.regular:.5f} {s.together:.5f}")
    draw_shares(panels[-1], shares)
    scale = matplotlib.cm.ScalarMappable(PERIODS, COLOURS)
    label = "mean time between returns of regular orbits; grey: chaotic orbits"
    figure.colorbar(scale, ax=panels, label=label, location="bottom", shrink=0.6, aspect=40, pad=0.02)
    figure.savefig(picture)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: henon_heiles_energies.py FIGURE.png [GRID]")
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 140)
