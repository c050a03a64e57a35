#!/usr/bin/env python3
"""The fraction of hanging tops that rise above the horizontal, against energy: a Monte Carlo measurement.

    POLHODE=build/release/polhode examples/heavy_top_rising.py heavy_top_rising.png

Runs heavy_top_rising.toml at several energies E, as it is and with two equal moments of inertia: the Lagrange top. The
random states whose centre of mass is below the pivot, at a height Gamma.chi < 0, are counted. The fraction f of these n
that has been above the pivot by a time t has the binomial standard error (f (1 - f) / n)^1/2.

At the horizontal there is no potential energy, so that none rises where E < 0. A Lagrange top conserves J = Pi.Gamma
and Pi3. It nods between two heights, and height 0 lies between them if J^2 / (2 I1) + Pi3^2 / (2 I3) < E: it rises in
the first nod or never. An asymmetric top conserves J alone. It can rise if J^2 / (2 I_max) < E, and with time more of
those do, except for regular motions. Both conditions are integrated over the energy surface and drawn as lines.
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
ENERGIES = (-0.2, -0.1, 0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.25, 1.5, 1.75, 2.0)  # c is 1
PARTS_OF_DURATION = (0.05, 0.2, 1.0)
COMPLETED, ENDED_ON_SECTION = 0, 4  # status codes
BLUE, ORANGES, GREY = "#0072B2", ("#F6B48F", "#E67E3C", "#A63C00"), "#7A7A7A"


@dataclass(frozen=True)
class Ensemble:
    """Tops of one energy."""

    energy: float
    inertia: np.ndarray  # [3]
    strength: float  # c
    hanging: int  # number of those that started below the horizontal
    times: np.ndarray  # until which tops are watched
    fractions: np.ndarray  # of the hanging ones that had risen by each of the times
    last: float  # when the last of them did for the first time

    @property
    def errors(self):
        return np.sqrt(self.fractions * (1 - self.fractions) / self.hanging)


def run(folder, energy, seed, *settings):
    """The ensemble at an energy."""
    file = pathlib.Path(folder) / "tops.h5"
    settings = (f"ensemble.energy={energy}", f"ensemble.seed={seed}", *settings)
    command = [os.environ.get("POLHODE", "polhode"), "run", CONFIG, "-o", file, "--force", "--quiet"]
    words = [word for setting in settings for word in ("--set", setting)]
    try:
        subprocess.run([*command, *words], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot measure ({error}). Set POLHODE to the path of the program.")
    with h5py.File(file) as result:
        inertia, chi, c = (result[f"parameters/{name}"][()] for name in ("inertia", "chi", "c"))
        hangs = result["initial/state"][:, 3:] @ chi < 0
        ended = result["status/code"][:]
        if not np.isin(ended, (COMPLETED, ENDED_ON_SECTION)).all():
            sys.exit(f"some tops failed at energy {energy}")
        times = result["final/time"][:][ended == COMPLETED].max() * np.array(PARTS_OF_DURATION)
        rises = np.full(len(hangs), np.inf)
        rises[result["section/trajectory"][:]] = result["section/time"][:]
    rises = rises[hangs]
    fractions = (rises[:, None] <= times).mean(axis=0)
    last = rises[np.isfinite(rises)].max(initial=0)
    return Ensemble(energy, inertia, float(np.squeeze(c)), int(hangs.sum()), times, fractions, last)


def midpoints(low, high, n=400):
    return low + (np.arange(n) + 0.5) / n * (high - low)


def exact_for_lagrange(energy, inertia, c):
    """The fraction of hanging Lagrange tops (I1 = I2, chi = e3) that ever rises.

    At height u the states of an energy are uniform in Pi3 and in the angle a of the horizontal part of Pi,

        J = Pi3 u + (1 - u^2)^1/2 r cos a,   r^2 / (2 I1) = E - c u - Pi3^2 / (2 I3)
    """
    if energy <= 0:
        return 0.0
    u, angle = np.meshgrid(midpoints(-1, 0), midpoints(-np.pi / 2, np.pi / 2), indexing="ij")
    most = np.sqrt(2 * inertia[2] * (energy - c * u))
    pi3, weight = most * np.sin(angle), most * np.cos(angle)
    spread = np.sqrt((1 - u**2) * 2 * inertia[0] * (energy - c * u)) * np.cos(angle)
    bound = np.sqrt(2 * inertia[0] * np.maximum(energy - pi3**2 / (2 * inertia[2]), 0))
    low, high = (np.clip((sign * bound - pi3 * u) / spread, -1, 1) for sign in (-1, 1))
    return np.sum(weight * (np.arccos(low) - np.arccos(high)) / np.pi) / np.sum(weight)


def bound_by_momentum(energy, inertia, c):
    """The fraction of hanging tops (chi = e3) whose energy and momentum about the vertical allow them to rise.

    Over Gamma the states have the weight K^1/2, K = E - c u, and J is uniform up to (2 K Gamma.I Gamma)^1/2.
    """
    if energy <= 0:
        return 0.0
    u, azimuth = np.meshgrid(midpoints(-1, 0), midpoints(0, np.pi / 2, 200), indexing="ij")
    about = inertia[2] * u**2 + (1 - u**2) * (inertia[0] * np.cos(azimuth) ** 2 + inertia[1] * np.sin(azimuth) ** 2)
    weight = np.sqrt(energy - c * u)
    return np.minimum(weight, np.sqrt(energy * max(inertia[:2]) / about)).sum() / weight.sum()


def deviation(ensemble):
    """The deviation of a Lagrange top's last fraction from the exact one, in standard errors; 0 where both are 0."""
    exact = exact_for_lagrange(ensemble.energy, ensemble.inertia, ensemble.strength)
    difference = ensemble.fractions[-1] - exact
    return difference / np.sqrt(exact * (1 - exact) / ensemble.hanging) if exact > 0 else difference


def draw(lagrange, asymmetric):
    figure = Figure(figsize=(8, 7), dpi=150, layout="constrained")
    axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    energies = np.array([ensemble.energy for ensemble in lagrange])
    fine = np.append(energies.min(), energies.max() * np.linspace(0, 1, 150) ** 2)  # steep above 0
    style = {"linestyle": "none", "capsize": 3, "markersize": 3, "elinewidth": 1}

    first = asymmetric[0]
    bounds = [bound_by_momentum(energy, first.inertia, first.strength) for energy in fine]
    allowed = "asymmetric: bound from energy and $\\Pi\\cdot\\Gamma$"
    axes.plot(fine, bounds, "--", color=GREY, linewidth=1, label=allowed)
    for place in reversed(range(len(PARTS_OF_DURATION))):
        values, errors = (np.array([getattr(e, name)[place] for e in asymmetric]) for name in ("fractions", "errors"))
        guide = (np.append(0, along[energies > 0]) for along in (energies, values))
        axes.plot(*guide, color=ORANGES[place], linewidth=0.5)
        axes.errorbar(energies, values, errors, marker="s", color=ORANGES[place], **style,
                      label=f"asymmetric, by t = {first.times[place]:g}")  # fmt: skip
    exact = [exact_for_lagrange(energy, lagrange[0].inertia, lagrange[0].strength) for energy in fine]
    axes.plot(fine, exact, color=BLUE, linewidth=1, label="Lagrange: exact")
    values, errors = (np.array([getattr(e, name)[-1] for e in lagrange]) for name in ("fractions", "errors"))
    axes.errorbar(energies, values, errors, marker="o", color=BLUE, **style,
                  label=f"Lagrange, by t = {lagrange[0].times[-1]:g}")  # fmt: skip
    axes.set_ylabel("fraction of the hanging tops that rise")
    axes.set_ylim(-0.03, 1.0)
    axes.legend(loc="lower right", fontsize=9)
    moments = ["(" + ", ".join(f"{i:g}" for i in tops[0].inertia) + ")" for tops in (lagrange, asymmetric)]
    counts = [e.hanging for e in (*lagrange, *asymmetric)]
    title = (f"Hanging tops that rise above the horizontal: I = {moments[0]}, Lagrange, and {moments[1]}",
             f"{min(counts):,} to {max(counts):,} tops at each energy, with standard errors")  # fmt: skip
    axes.set_title("\n".join(title), fontsize=10)

    below.axhspan(-2, 2, color=GREY, alpha=0.15, linewidth=0)
    below.axhline(0, color=BLUE, linewidth=1)
    below.errorbar(energies, [deviation(e) for e in lagrange], [e.energy > 0 for e in lagrange],
                   marker="o", color=BLUE, **style)  # fmt: skip
    below.set_ylim(-4.5, 4.5)
    below.set_ylabel("Lagrange \N{MINUS SIGN} exact\n(standard errors)", fontsize=9)
    below.set_xlabel(f"energy (c = {first.strength:g})")
    return figure


def main(picture):
    lagrange, asymmetric = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, energy in enumerate(ENERGIES):
            asymmetric.append(run(folder, energy, 2 * number))
            lagrange.append(run(folder, energy, 2 * number + 1, "system.alpha=[0.5, 0.5, 1.0]"))
    print("# energy top hanging fractions errors exact-or-bound deviation last")
    rows = (lagrange, "lagrange", exact_for_lagrange), (asymmetric, "asymmetric", bound_by_momentum)
    for tops, name, limit in rows:
        for e in tops:
            figures = (*e.fractions, *e.errors, limit(e.energy, e.inertia, e.strength))
            print(e.energy, name, e.hanging, *(f"{figure:.5f}" for figure in figures),
                  f"{deviation(e):.2f}" if tops is lagrange else "-", f"{e.last:.2f}")  # fmt: skip
    draw(lagrange, asymmetric).savefig(picture)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: heavy_top_rising.py FIGURE.png")
    main(sys.argv[1])
