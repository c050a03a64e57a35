"""Draws the density of section points that a run has counted in the cells of a plane."""

from __future__ import annotations

import numpy as np

from polhode import frame, heading, labels
from polhode.chart import chart_of_density
from polhode.errors import InputError
from polhode.paper import NEW, Paper
from polhode.picture import Picture
from polhode.results import Result
from polhode.section_plot import BAR_INCHES, draw_density
from polhode.wanted import WHOLE, Wanted


def draw_density_of_run(result: Result, wanted: Wanted = WHOLE, paper: Paper = NEW) -> Picture:
    """The picture of the counts; raises InputError if there are none."""
    density = result.density
    if density is None:
        raise InputError(f"{result.source} has no density (this view needs it). Run with [density].")
    counts, chart = density.counts[:], chart_of_density(result, density)
    if not counts.any():
        raise InputError(
            f"{result.source} has no section points in its density ({density.outside} are outside). "
            "Run with another range."
        )
    edges = []
    for i, axis in enumerate((chart.horizontal, chart.vertical)):
        low, high = sorted((axis.sign * density.low[i], axis.sign * density.high[i]))
        edges.append(np.linspace(low, high, counts.shape[i] + 1))
        if axis.sign < 0:
            counts = np.flip(counts, i)
    if wanted.range:
        counts, edges = within(counts, edges, wanted.range)
        if not counts.any():
            raise InputError(
                f"cannot draw {result.source} (no section point is in the range asked for). Give another."
            )
    limits = wanted.range or frame.between([edge[0] for edge in edges], [edge[-1] for edge in edges])
    shown = [chart.condition] if chart.condition else []
    points = int(counts.sum())
    outside = f", {density.outside:,} outside" if density.outside else ""
    shown.append(labels.part_of(points, points, "point") + outside)
    known = heading.constants(result)
    title = [heading.origin(result, "system", "section", "method", "step"), known + shown]
    axes = frame.plane(chart, limits, title, paper, BAR_INCHES)
    draw_density(axes, counts, *edges)
    frame.settle(axes, paper)
    cells = " x ".join(str(len(edge) - 1) for edge in edges)
    return Picture(axes, f"density of {labels.counted(int(counts.sum()), 'point')} in {cells} cells")


def within(counts: np.ndarray, edges: list[np.ndarray], limits: frame.Limits) -> tuple[np.ndarray, list[np.ndarray]]:
    """The cells that a range touches."""
    parts = []
    for edge, (low, high) in zip(edges, limits):
        touched = np.flatnonzero((edge[1:] > low) & (edge[:-1] < high))
        parts.append(slice(touched[0], touched[-1] + 1) if touched.size else slice(0, 0))
    return counts[parts[0], parts[1]], [edge[part.start : part.stop + 1] for edge, part in zip(edges, parts)]
