"""The picture of a problem: what a unit of time of one orbit costs, against the error of the state."""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from polhode import colours, heading, picture

from measurement import Row
from report import curves_of


WIDTH_INCHES, HEIGHT_INCHES, PIXELS_PER_INCH = 8.0, 6.5, 200
PEERS = {"heyoka": (colours.ORANGE, "s"), "numba": (colours.GREEN, "^"), "jax": (colours.PURPLE, "v")}
DASHES = ("-", "--", ":")  # of a peer's methods


def draw(facts: dict, rows: list[Row]) -> Figure:
    figure = Figure(figsize=(WIDTH_INCHES, HEIGHT_INCHES), dpi=PIXELS_PER_INCH, layout="constrained")
    axes = figure.add_subplot()
    curves = curves_of(rows)
    ours = [key for key in curves if key[0] == "polhode"]
    shades = dict(zip(ours, colours.ordered(len(ours) + 1)))  # without the lightest
    drawn: dict[str, int] = {}
    for (program, method), curve in curves.items():
        number = drawn[program] = drawn.get(program, -1) + 1
        errors, times = ([getattr(row, name)["median"] for row in curve] for name in ("state_error", "ns"))
        if program == "polhode":
            look = {"color": shades[program, method], "marker": "o", "linewidth": 1.8}
        else:
            colour, marker = PEERS[program]
            look = {"color": colour, "marker": marker, "linewidth": 1, "linestyle": DASHES[number]}
        axes.plot(errors, times, markersize=4, label=f"{program}, {method}", **look)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.invert_xaxis()  # precision to the right
    axes.grid(color=colours.PALE, linewidth=0.3, which="both")
    axes.set_xlabel(f"error of the state at $t = {facts['time']:g}$, relative, median of {facts['orbits']} orbits")
    axes.set_ylabel("processor time for a unit of time of one orbit [ns]")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=3, frameon=False, fontsize=8)
    heading.put(figure, [[facts["problem"], "one core", facts["processor"], facts["date"]]], parse_math=False)
    return figure


def write(stem: Path, facts: dict, rows: list[Row]) -> None:
    """STEM.png."""
    picture.write(draw(facts, rows), stem.with_suffix(".png"))
