"""Draws the statistics of an ensemble against time: means, standard deviations, extremes, histograms if it has them."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import Normal, Stroke

from polhode import colours, heading, labels, legend, scale, trajectories
from polhode.arrays import Array
from polhode.errors import InputError
from polhode.paper import NEW, Paper
from polhode.picture import Picture
from polhode.results import Result, Statistics
from polhode.wanted import WHOLE, Wanted

WIDTH_INCHES, PANEL_INCHES, AROUND_INCHES, PIXELS_PER_INCH = 8.0, 2.8, 1.1, 150
MOST_TIMES = 2000  # of a histogram: more columns than a picture has pixels
BORDER = [Stroke(linewidth=2.0, foreground=colours.INK), Normal()]  # of light lines, to be seen on white as well


def draw_statistics(result: Result, wanted: Wanted = WHOLE, paper: Paper = NEW) -> Picture:
    """A panel for each observable; raises InputError where the file has no statistics."""
    statistics = result.statistics
    if statistics is None:
        raise InputError(f"{result.source} has no statistics (this view needs them). Run with [statistics].")
    panels = len(statistics.observables)
    figure = paper.figure(WIDTH_INCHES, PANEL_INCHES * panels + AROUND_INCHES, PIXELS_PER_INCH)
    stack = figure.subplots(panels, 1, sharex=True, squeeze=False)[:, 0]
    for place, axes in enumerate(stack):
        draw_observable(axes, statistics, place)
    legend.put_above(stack[0], 3)
    stack[-1].set_xlabel(labels.time(statistics.time))
    counts = statistics.count[:]
    failed = f", {counts[-1]:,} at the end" if counts[-1] != counts[0] else ""
    known = heading.constants(result)
    paper.put_title(
        figure,
        [
            heading.origin(result, "system", "method", "step"),
            [*known, trajectories.counted(counts[0], counts[0]) + failed],
        ],
    )
    if paper.on is None:
        heading.fit_labels(stack[0].figure, panels)
    things = labels.counted(panels, "observable")
    times = labels.counted(len(counts), "time")
    return Picture(
        stack, f"statistics of {things} of {labels.counted(int(counts[0]), 'trajectory', 'trajectories')} at {times}"
    )


def draw_observable(axes: Axes, statistics: Statistics, place: int) -> None:
    """The observable's mean and standard deviation over its histogram, or over a band between its extremes."""
    time = statistics.time[:]
    if statistics.histogram is not None:
        draw_histogram(axes, statistics, statistics.histogram, place)
        draw_mean = draw_line
    else:
        for extreme, name in ((statistics.minimum, "minimum, maximum"), (statistics.maximum, None)):
            axes.plot(time, extreme[:, place], label=name, color=colours.INK, linewidth=0.8, linestyle=":")
        draw_mean = draw_band
    mean, deviation = statistics.mean[:, place], np.sqrt(statistics.variance[:, place])
    if statistics.wrapped[place]:
        if statistics.histogram is None:
            axes.set_ylim(-np.pi, np.pi)
        times, mean, deviation = beyond_the_cut(time, mean, deviation)
        for turn in (-2 * np.pi, 2 * np.pi):  # what reaches over the cut is on the other side, too
            draw_mean(axes, times, mean + turn, deviation, is_named=False)
        draw_mean(axes, times, mean, deviation)
    else:
        draw_mean(axes, time, mean, deviation)
    axes.set_xlim(time[0], time[-1] if len(time) > 1 else None)
    axes.set_ylabel(labels.symbol(statistics.observables[place]) + labels.unit(statistics.units[place]))


def draw_line(axes: Axes, time: np.ndarray, mean: np.ndarray, deviation: np.ndarray, is_named: bool = True) -> None:
    """A light line between two of dashes."""
    name = "mean" if is_named else None
    axes.plot(time, mean, linewidth=1.0, label=name, color=colours.LIGHT, path_effects=BORDER)
    for sign in (-1, 1):
        name = "mean \N{PLUS-MINUS SIGN} standard deviation" if sign > 0 and is_named else None
        axes.plot(time, mean + sign * deviation, linewidth=0.7, linestyle=(0, (4, 3)), label=name, color=colours.LIGHT, path_effects=BORDER)


def draw_band(axes: Axes, time: np.ndarray, mean: np.ndarray, deviation: np.ndarray, is_named: bool = True) -> None:
    """A line in a band."""
    name = "standard deviation" if is_named else None
    axes.fill_between(time, mean - deviation, mean + deviation, color=colours.BLUE, alpha=0.2, linewidth=0, label=name)
    axes.plot(time, mean, color=colours.BLUE, linewidth=1, label="mean" if is_named else None)


def beyond_the_cut(time: np.ndarray, mean: np.ndarray, deviation: np.ndarray) -> list[np.ndarray]:
    """The line of an angle in (-pi, pi]: where it jumps it goes on to where it would be, and begins anew beyond."""
    before = np.flatnonzero(np.abs(np.diff(mean)) > np.pi)
    after, gap = before + 1, np.full(len(before), np.nan)
    turn = np.copysign(2 * np.pi, mean[before])
    added = (
        (time[after], gap, time[before]),
        (mean[after] + turn, gap, mean[before] - turn),
        (deviation[after], gap, deviation[before]),
    )
    return [
        np.insert(line, np.repeat(after, 3), np.stack(more, axis=1).ravel())
        for line, more in zip((time, mean, deviation), added, strict=True)
    ]


def draw_histogram(axes: Axes, statistics: Statistics, histogram: Array, place: int) -> None:
    """How many trajectories are in each cell at each time."""
    time = statistics.time[:]
    stride = -(-len(time) // MOST_TIMES)
    counts = histogram[::stride, place]
    edges = np.linspace(statistics.low[place], statistics.high[place], counts.shape[1] + 1)
    cells = np.ma.masked_equal(counts.T, 0)
    norm = scale.norm_of(counts)
    image = axes.pcolormesh(edges_of(time[::stride]), edges, cells, norm=norm, cmap=colours.DENSITY, rasterized=True)
    axes.set_ylim(edges[0], edges[-1])
    scale.bar(axes, image, counts[counts > 0], "trajectories per cell", pad=0.01, aspect=25)


def edges_of(time: np.ndarray) -> np.ndarray:
    """Edges of columns about the times, which are equally spaced."""
    width = time[1] - time[0] if len(time) > 1 else 1.0
    return np.append(time, time[-1] + width) - width / 2
