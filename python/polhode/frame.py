"""Axes of a plane: their limits, and a picture that fits them, without empty margins where both have one scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from polhode import heading
from polhode.chart import Chart
from polhode.paper import Paper

PIXELS_PER_INCH = 200
WIDTH_INCHES, LEAST_WIDTH_INCHES = 7.0, 4.5
LEAST_HEIGHT_INCHES, MOST_HEIGHT_INCHES = 2.0, 7.0  # of the axes
BESIDE_INCHES, BELOW_INCHES = 0.8, 0.65  # of labels and numbers
LONGEST = 4  # ratio of the sides of axes of one scale; longer ones have two scales
MARGIN = 0.05  # on each side of the points

Limits = tuple[tuple[float, float], tuple[float, float]]


def around(low: np.ndarray, high: np.ndarray) -> Limits:
    """Limits with a margin about a bounding box [2], [2]."""
    margin = np.where(high > low, MARGIN * (high - low), MARGIN * np.maximum(np.abs(high), 1))
    return between(low - margin, high + margin)


def between(low: Sequence[float] | np.ndarray, high: Sequence[float] | np.ndarray) -> Limits:
    """Limits from the corners [2] and [2] of a box."""
    return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))


def plane(chart: Chart, limits: Limits, title: Sequence[Sequence[str]], paper: Paper, more_inches: float = 0) -> Axes:
    """The axes of the chart between these limits, with the title; a new figure is higher for a colour bar or a legend."""
    spans = [high - low for low, high in limits]
    ratio = spans[1] / spans[0]
    same_scale = chart.same_scale and 1 / LONGEST <= ratio <= LONGEST
    widest, across = paper.width(WIDTH_INCHES), across_inches(paper)
    along = widest * MOST_HEIGHT_INCHES / WIDTH_INCHES - BELOW_INCHES
    if same_scale:
        along = np.clip(across * ratio, LEAST_HEIGHT_INCHES, MOST_HEIGHT_INCHES)
        across = across if paper.size else np.clip(along / ratio, LEAST_WIDTH_INCHES - BESIDE_INCHES, across)
    width = across + BESIDE_INCHES
    lines = paper.lines_of_title(title, width)
    height = along + BELOW_INCHES + more_inches + lines * heading.line_inches()
    axes = paper.axes(width, height, PIXELS_PER_INCH)
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    if same_scale:
        axes.set_aspect("equal", adjustable="box")
    paper.name_axes(axes, chart.horizontal.label, chart.vertical.label)
    paper.put_title(axes, title)
    return axes


def across_inches(paper: Paper) -> float:
    """The width of axes, at most."""
    return paper.width(WIDTH_INCHES) - BESIDE_INCHES


def settle(axes: Axes, paper: Paper) -> None:
    """Arranges all that has been added to the picture, and makes a new figure as high as axes of one scale need."""
    figure = axes.figure.figure
    if not paper.fits:
        if paper.on is None:
            heading.fit_labels(figure)
        return
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    least = 0 if paper.size else LEAST_WIDTH_INCHES - BESIDE_INCHES
    for _ in range(5):  # each arrangement starts from the sizes of labels in the last one
        figure.draw_without_rendering()
        if axes.get_aspect() == "auto":
            continue
        width, height = figure.get_size_inches()
        room, ratio = axes.get_position(original=True), (top - bottom) / (right - left)
        across = min(room.width * width, max(MOST_HEIGHT_INCHES / ratio, least))
        along = min(across * ratio, MOST_HEIGHT_INCHES)
        wide = width if paper.size else width + across - room.width * width
        figure.set_size_inches(wide, height + along - room.height * height)
