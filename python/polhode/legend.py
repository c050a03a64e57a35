"""Legends above axes, no wider than these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from polhode import heading

HANDLE, LINE, BORDER = 4.8, 1.5, 0.8  # letters: what is beside a name, a line's height, what is above and below


@dataclass(frozen=True)
class Layout:
    """Names of a legend in lines and columns."""

    names: list[str]
    columns: int
    inches: float  # high


def layout(names: Sequence[str], inches: float, most: int) -> Layout:
    """The layout for axes of this width, in at most so many columns."""
    letter = heading.points(heading.SMALL) / 72
    pieces = [[name] if "$" in name else heading.broken(name, max(inches - HANDLE * letter, letter), heading.SMALL) for name in names]
    widest = max(heading.width_of(piece, heading.SMALL) for name in pieces for piece in name) + HANDLE * letter
    columns = max(1, min(most, len(names), int(inches / widest)))
    rows = [max(map(len, pieces[row::-(-len(names) // columns)])) for row in range(-(-len(names) // columns))]
    return Layout(["\n".join(name) for name in pieces], columns, (LINE * sum(rows) + BORDER) * letter)


def put_above(axes: Axes, most: int, height: float = 1, **look: Any) -> None:
    """Names what the axes show, above them, or above a height in their units."""
    handles, names = axes.get_legend_handles_labels()
    fitting = layout(names, axes.bbox.width / axes.figure.figure.dpi, most)
    axes.legend(handles, fitting.names, loc="lower center", bbox_to_anchor=(0.5, height), ncol=fitting.columns, frameon=False,
                fontsize=heading.points(heading.SMALL), **look)  # fmt: skip
