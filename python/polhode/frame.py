"""Axes of a plane: their limits, and a picture that fits them, without empty margins where both have one scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from polhode import heading
from polhode.chart import Chart

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
    return tuple((float(a), float(b)) for a, b in zip(low - margin, high + margin))


def plane(chart: Chart, limits: Limits, title: Sequence[Sequence[str]], more_inches: float = 0) -> tuple[Figure, Axes]:
    """A figure with the title and the axes of the chart between these limits; higher for a colour bar or a legend."""
    spans = [high - low for low, high in limits]
    ratio = spans[1] / spans[0]
    same_scale = chart.same_scale and 1 / LONGEST <= ratio <= LONGEST
    across = WIDTH_INCHES - BESIDE_INCHES
    along = MOST_HEIGHT_INCHES - BELOW_INCHES
    if same_scale:
        along = np.clip(across * ratio, LEAST_HEIGHT_INCHES, MOST_HEIGHT_INCHES)
        across = np.clip(along / ratio, LEAST_WIDTH_INCHES - BESIDE_INCHES, across)
    width = across + BESIDE_INCHES
    lines = heading.wrapped(title, width - 2 * heading.MARGIN_INCHES).count("\n") + 1
    height = along + BELOW_INCHES + more_inches + lines * heading.LINE_INCHES
    figure = Figure(figsize=(width, height), dpi=PIXELS_PER_INCH, layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    if same_scale:
        axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel(chart.horizontal.label)
    axes.set_ylabel(chart.vertical.label)
    heading.put(figure, title)
    return figure, axes


def settle(figure: Figure, axes: Axes) -> None:
    """Arranges all that has been added to the picture, and makes it as high as axes of one scale need."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    for _ in range(5):  # each arrangement starts from the sizes of labels in the last one
        figure.draw_without_rendering()
        if axes.get_aspect() == "auto":
            continue
        width, height = figure.get_size_inches()
        room, ratio = axes.get_position(original=True), (top - bottom) / (right - left)
        across = min(room.width * width, max(MOST_HEIGHT_INCHES / ratio, LEAST_WIDTH_INCHES - BESIDE_INCHES))
        along = min(across * ratio, MOST_HEIGHT_INCHES)
        figure.set_size_inches(width + across - room.width * width, height + along - room.height * height)
