"""Colours of counts: a linear scale where their range is narrow, else a logarithmic one, and the bar that says so."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm, Normalize
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from polhode import heading

NARROW = 20  # largest ratio of most counts on a linear scale
MOST = (0.05, 0.995)  # as quantiles of the counts
ENDS = (0.01, 0.995)  # of the scale: a few large counts must not leave one colour to the others
MOST_NUMBERS = 4  # beside a linear scale
BELOW = 0.2  # between axes and bar, as a share of the axes, where nothing makes room for the numbers between them


def norm_of(counts: np.ndarray) -> Normalize:
    """The scale for counts of any shape; those of 0 have no colour."""
    present = counts[counts > 0]
    if present.size == 0:
        return Normalize(0, 1)
    lowest, highest = np.quantile(present, MOST)
    low, high = np.quantile(present, ENDS)
    if highest > NARROW * lowest:
        return LogNorm(low, high)
    if high > low:
        return Normalize(low, high)
    return Normalize(low - 1, high + 1)  # the middle of the colours for all of them


def bar(axes: Axes, image: ScalarMappable, values: np.ndarray, of: str, is_whole: bool = False, label: str | None = None, **place: Any) -> None:
    """A colour bar beside or below the axes, labelled with what the values that have a colour are `of`, and with the kind
    of scale, or else as wanted."""
    kind = "logarithmic" if isinstance(image.norm, LogNorm) else "linear"
    below, above = (values < image.norm.vmin).any(), (values > image.norm.vmax).any()
    extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[int(below), int(above)]
    if place.get("location") == "bottom" and not isinstance(axes.figure.figure.get_layout_engine(), ConstrainedLayoutEngine):
        place["pad"] = BELOW
    drawn = axes.figure.colorbar(image, ax=axes, extend=extend, **place)
    if kind == "linear":
        drawn.locator = MaxNLocator(MOST_NUMBERS, integer=is_whole)
        drawn.update_ticks()
        numbers = [f"{number:g}" for number in drawn.get_ticks()]
        if len(set(numbers)) == len(numbers):  # else they are written with what they have in common apart
            drawn.formatter = StrMethodFormatter("{x:g}")
            drawn.update_ticks()
    side = axes.bbox.width if drawn.orientation == "horizontal" else axes.bbox.height
    if label is None:
        label = "\n".join(heading.broken(f"{of}, {kind} scale", 0.9 * side / axes.figure.figure.dpi, heading.SMALL)) if of else ""
    drawn.set_label(label, fontsize=heading.points(heading.SMALL))
    drawn.ax.tick_params(labelsize="small", which="both")
    drawn.outline.set_linewidth(0.4)
