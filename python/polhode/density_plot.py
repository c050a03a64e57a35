"""Draws the density of section points that a run has counted in the cells of a plane."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from polhode import labels
from polhode.results import Result, ResultError
from polhode.section_plot import PIXELS_PER_INCH, SIZE_INCHES, draw_density


def draw_density_of_run(result: Result) -> Figure:
    """The picture of the counts, on a logarithmic scale; raises ResultError if there are none."""
    density = result.density
    if density is None:
        raise ResultError(f"'{result.path}' has no density (this view needs it). Run with [density].")
    counts = density.counts[:]
    if not counts.any():
        raise ResultError(
            f"'{result.path}' has no section points in its density ({density.outside} are outside). Run with another range."
        )
    figure = Figure(figsize=(SIZE_INCHES, SIZE_INCHES), dpi=PIXELS_PER_INCH, layout="constrained")
    axes = figure.add_subplot()
    edges = [np.linspace(density.low[i], density.high[i], counts.shape[i] + 1) for i in range(2)]
    draw_density(axes, counts, *edges)
    axes.set_xlabel(labels.symbol(density.axes[0]))
    axes.set_ylabel(labels.symbol(density.axes[1]))
    outside = f", {density.outside:,} outside" if density.outside else ""
    title = f"{labels.origin(result, 'system', 'section', 'method', 'step')}\n{counts.sum():,} points{outside}"
    axes.set_title(title, fontsize=10, parse_math=False)
    return figure
