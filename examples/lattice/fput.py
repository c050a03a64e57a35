#!/usr/bin/env python3
"""The energies of the lowest modes of the chain of Fermi, Pasta, Ulam and Tsingou against time.

    fput.py FPUT.h5... FIGURE.png

Draws results of fput.toml one below the other, each with the time at which the energy comes back to mode 1.
"""

import sys
from dataclasses import dataclass

import h5py
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

COLOURS = ("#0072B2", "#E67E3C", "#3C9D4E", "#A0529F", "#7A7A7A")  # of modes 1, 2, ...


@dataclass(frozen=True)
class Modes:
    """What a result says of the energies of the modes."""

    method: str
    order: int
    springs: int
    alpha: float
    periods: np.ndarray  # times, in periods of mode 1
    shares: np.ndarray  # of the initial energy, [time][mode]

    @classmethod
    def read(cls, path):
        with h5py.File(path) as file:
            springs = file["final/state"].shape[1] // 2 + 1
            period = np.pi / np.sin(np.pi / (2 * springs))
            energies, periods = file["statistics/mean"][:], file["statistics/time"][:] / period
            alpha = float(np.squeeze(file["parameters/alpha"][()]))
            return cls(str(file.attrs["method"]), int(file.attrs["order"]), springs, alpha, periods,
                       energies / energies[0].sum())  # fmt: skip

    @property
    def recurrence(self):
        """Where most of the energy is in mode 1 again, after least of it was."""
        first = self.shares[:, 0]
        least = first.argmin()
        return least + first[least:].argmax()


def draw(results):
    figure = Figure(figsize=(8, 3.2 * len(results) + 0.6), dpi=150, layout="constrained")
    panels = figure.subplots(len(results), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, modes in zip(panels, results):
        for k, (share, colour) in enumerate(zip(modes.shares.T, COLOURS), 1):
            axes.plot(modes.periods, 100 * share, color=colour, linewidth=1.1, label=f"mode {k}")
        at = modes.recurrence
        axes.axvline(modes.periods[at], color="black", linewidth=0.8, linestyle=":")
        axes.annotate(f"{100 * modes.shares[at, 0]:.1f} % after {modes.periods[at]:.1f} periods",
                      (modes.periods[at], 100), (-6, 3), textcoords="offset points", ha="right", fontsize=9)  # fmt: skip
        axes.set_title(f"{modes.method}, order {modes.order}", fontsize=10, loc="left")
        axes.set_ylabel("percent of the energy")
        axes.set_ylim(0, 108)
    panels[0].legend(ncols=5, loc="lower right", bbox_to_anchor=(1, 1), fontsize=9, frameon=False, borderaxespad=0)
    panels[-1].set_xlabel("periods of mode 1")
    panels[-1].set_xlim(0, max(modes.periods[-1] for modes in results))
    panels[-1].xaxis.set_major_locator(MultipleLocator(20))
    first = results[0]
    figure.suptitle(f"Fermi, Pasta, Ulam and Tsingou: {first.springs} springs, \N{GREEK SMALL LETTER ALPHA} = {first.alpha:g}", fontsize=11)
    return figure


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: fput.py FPUT.h5... FIGURE.png")
    draw([Modes.read(path) for path in sys.argv[1:-1]]).savefig(sys.argv[-1])
