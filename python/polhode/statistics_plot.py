"""Draws the statistics of an ensemble against time: means, standard deviations, extremes, histograms where there are."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from polhode import labels
from polhode.colours import BLUE, DENSITY, INK
from polhode.results import Result, ResultError, Statistics

WIDTH_INCHES, PANEL_INCHES, PIXELS_PER_INCH = 8.0, 2.6, 150
MOST_TIMES = 2000  # of a histogram: more columns than a picture has pixels


def draw_statistics(result: Result) -> Figure:
    """A panel for each observable; raises ResultError where the file has no statistics."""
    statistics = result.statistics
    if statistics is None:
        raise ResultError(f"'{result.path}' has no statistics (this view needs them). Run with [statistics].")
    panels = len(statistics.observables)
    figure = Figure(figsize=(WIDTH_INCHES, PANEL_INCHES * panels + 0.8), dpi=PIXELS_PER_INCH, layout="constrained")
    stack = figure.subplots(panels, 1, sharex=True, squeeze=False)[:, 0]
    for place, axes in enumerate(stack):
        draw_observable(axes, statistics, place)
    stack[0].legend(loc="upper right", fontsize=8)
    stack[-1].set_xlabel("time" + labels.unit(labels.unit_of(statistics.time)))
    counts = statistics.count[:]
    failed = f", {counts[-1]:,} at the end" if counts[-1] != counts[0] else ""
    title = f"{labels.origin(result, 'system', 'method', 'step')}\n{counts[0]:,} trajectories{failed}"
    stack[0].set_title(title, fontsize=10, parse_math=False)
    return figure


def draw_observable(axes: Axes, statistics: Statistics, place: int) -> None:
    """The observable's mean before its histogram, or before what lies one standard deviation to both sides."""
    time, mean = statistics.time[:], statistics.mean[:, place]
    deviation = np.sqrt(statistics.variance[:, place])
    if statistics.histogram is not None:
        stride = -(-len(time) // MOST_TIMES)
        counts = statistics.histogram[::stride, place]
        edges = np.linspace(statistics.low[place], statistics.high[place], counts.shape[1] + 1)
        cells = np.ma.masked_equal(counts.T, 0)
        axes.pcolormesh(edges_of(time[::stride]), edges, cells, norm=LogNorm(1, max(counts.max(), 2)), cmap=DENSITY)
        axes.set_ylim(edges[0], edges[-1])
    else:
        axes.fill_between(
            time, mean - deviation, mean + deviation, color=BLUE, alpha=0.2, linewidth=0, label="standard deviation"
        )
        axes.plot(time, statistics.minimum[:, place], ":", color=INK, linewidth=0.8, label="minimum, maximum")
        axes.plot(time, statistics.maximum[:, place], ":", color=INK, linewidth=0.8)
    axes.plot(time, mean, color=BLUE, linewidth=0.8, label="mean")
    axes.set_ylabel(labels.symbol(statistics.observables[place]))


def edges_of(time: np.ndarray) -> np.ndarray:
    """Edges of columns about the times, which are equally spaced."""
    width = time[1] - time[0] if len(time) > 1 else 1.0
    return np.append(time, time[-1] + width) - width / 2
