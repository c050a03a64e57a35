"""Draws the change of the invariants against time, from snapshots.

Up to 8 trajectories have a line each; of more, the median is drawn and the bands that hold 90 percent and all of them.
A panel is linear, or shows the size of the change on a logarithmic scale where it grows by orders of magnitude.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from polhode import colours, labels
from polhode.results import Result
from polhode.snapshots import Changes, changes_of, require_snapshots, rows_of

MOST_LINES = 8
MOST_TRAJECTORIES, MOST_TIMES = 2000, 1000  # in bands
MOST_PLACES = 200_000  # of a line
GROWTH = 100  # largest change over the median in time of the largest at a time, from which on the scale is logarithmic
PERCENTS = (0, 5, 50, 95, 100)
WIDTH_INCHES, PANEL_INCHES, MARGIN_INCHES, PIXELS_PER_INCH = 8.0, 1.6, 1.2, 200


def stride_of(result: Result) -> int:
    """Every how many snapshots are drawn."""
    most = MOST_PLACES if len(result.final_time) <= MOST_LINES else MOST_TIMES
    return -(-len(result.snapshots.time) // most)


def read_changes(result: Result) -> Changes:
    """What is drawn, the energy first."""
    require_snapshots(result)
    changes = changes_of(result, rows_of(result, MOST_TRAJECTORIES), stride_of(result))
    order = sorted(range(len(changes.names)), key=lambda i: changes.names[i] != "energy")
    return Changes(
        tuple(changes.names[i] for i in order),
        tuple(changes.units[i] for i in order),
        changes.time,
        changes.values[..., order],
    )


def is_growing(values: np.ndarray) -> bool:
    """Whether changes [n, t] are better shown on a logarithmic scale."""
    largest = np.max(np.nan_to_num(np.abs(values)), axis=0)
    largest = largest[largest > 0]
    return len(largest) > 0 and bool(largest.max() > GROWTH * np.median(largest))


def draw_invariants(result: Result) -> Figure:
    """The picture; raises ResultError where the file has no snapshots or does not tell the invariants."""
    changes = read_changes(result)
    panels = len(changes.names)
    figure = Figure(
        figsize=(WIDTH_INCHES, MARGIN_INCHES + PANEL_INCHES * (panels + 1)), dpi=PIXELS_PER_INCH, layout="constrained"
    )
    heights = [2] + [1] * (panels - 1)
    stack = figure.subplots(panels, 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for i, axes in enumerate(stack):
        draw_panel(axes, changes, i)
    stack[-1].set_xlabel("time" + labels.unit(labels.unit_of(result.snapshots.time)))
    stack[0].set_xlim(changes.time[0], changes.time[-1] if len(changes.time) > 1 else None)
    if len(stack[0].get_legend_handles_labels()[1]) > 1:
        stack[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.02), ncol=4, frameon=False, fontsize=9)
    figure.suptitle(title(result, changes), fontsize=10, parse_math=False)
    figure.align_ylabels(stack)
    return figure


def draw_panel(axes: Axes, changes: Changes, i: int) -> None:
    """The change of invariant i."""
    values, name = changes.values[..., i], changes.names[i]
    text = "$H_n - H_0$" if name == "energy" else f"change of\n{labels.invariant(name)}"
    if is_growing(values):
        values = np.where(values == 0, np.nan, np.abs(values))
        axes.set_yscale("log")
        text = "$|H_n - H_0|$" if name == "energy" else f"|change| of\n{labels.invariant(name)}"
    else:
        axes.axhline(0, color=colours.GREY, linewidth=0.6)
        axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3), useMathText=True)
    axes.set_ylabel(text + labels.unit(changes.units[i]))
    axes.grid(color=colours.PALE, linewidth=0.3)
    if len(values) <= MOST_LINES:
        for k, line in enumerate(values):
            axes.plot(changes.time, line, color=colours.FEW[k], linewidth=1, label=f"trajectory {k}")
    else:
        bands = percentiles(values)
        axes.fill_between(changes.time, bands[0], bands[4], color="#CFE3F1", linewidth=0, label="smallest to largest")
        axes.fill_between(changes.time, bands[1], bands[3], color="#7FB8D8", linewidth=0, label="5 to 95 percent")
        axes.plot(changes.time, bands[2], color=colours.INK, linewidth=1, label="median")


def percentiles(values: np.ndarray) -> np.ndarray:
    """[5, t], the PERCENTS of the trajectories that have not ended; NaN where all have."""
    known = ~np.isnan(values).all(axis=0)
    bands = np.full((len(PERCENTS), values.shape[1]), np.nan)
    bands[:, known] = np.nanpercentile(values[:, known], PERCENTS, axis=0)
    return bands


def title(result: Result, changes: Changes) -> str:
    """System and method, and how many trajectories."""
    n, drawn = len(result.final_time), len(changes.values)
    count = "1 trajectory" if n == 1 else f"{n:,} trajectories" if drawn == n else f"{drawn:,} of {n:,} trajectories"
    parts = [labels.origin(result, "system", "method", "step"), count]
    if stride_of(result) > 1:
        parts.append(f"every {stride_of(result)} snapshots")
    return "  |  ".join(parts)
