"""Draws what `polhode workprec` has measured: time and work of every method against its errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from polhode import colours, heading, labels
from polhode.measurements import rows_with
from polhode.picture import Picture
from polhode.results import ResultError

COLUMN_INCHES, ROW_INCHES, LEGEND_LINE_INCHES, PIXELS_PER_INCH = 4.2, 3.6, 0.19, 160
COSTS = {
    "nanoseconds_per_time": "processor time for a unit of time of an orbit [ns]",
    "stages_per_time": "stages for a unit of time of an orbit",
}
ERRORS = {
    "state_error": "error of the state, relative",
    "point_error": "error of section points, relative",
    "energy_error": "largest $|H - H(0)|$",
}
KNOWN_FROM = {"state_error": "states_known_from", "point_error": "points_known_from"}
LOOKS = [("-", "o"), ("--", "s"), (":", "^"), ("-.", "v"), ("-", "D"), ("--", "x")]  # of one method's variants
LARGEST_ERROR = 0.5  # of the state; more says nothing of a method


def draw_work_precision(measured: dict[str, Any]) -> Picture:
    """The picture; raises ResultError where nothing was measured."""
    curves = measured["curves"]
    errors = [name for name in ERRORS if any(_shown(curve, name) for curve in curves)]
    if not errors:
        raise ResultError("cannot draw errors (no method came to the end). Measure shorter steps.")
    legend_columns = max(2, len(errors)) + 1
    legend_lines = -(-len(curves) // legend_columns)
    size = max(2, len(errors)) * COLUMN_INCHES, 2 * ROW_INCHES + legend_lines * LEGEND_LINE_INCHES
    figure = Figure(figsize=size, dpi=PIXELS_PER_INCH, layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=[2 * ROW_INCHES, legend_lines * LEGEND_LINE_INCHES])
    panels = upper.subplots(2, len(errors), sharex="col", sharey="row", squeeze=False)
    looks = _looks(curves)
    for row, cost in enumerate(COSTS):
        for column, error in enumerate(errors):
            _draw_panel(panels[row, column], curves, looks, error, cost)
        panels[row, 0].set_ylabel(COSTS[cost])
    for column, error in enumerate(errors):
        _shade_unknown(panels[:, column], measured["references"].get(KNOWN_FROM.get(error, "")))
        panels[0, column].invert_xaxis()  # precision to the right, for the column
        panels[1, column].set_xlabel(ERRORS[error])
    handles, names = panels[0, 0].get_legend_handles_labels()
    lower.legend(handles, names, loc="center", ncol=legend_columns, frameon=False, fontsize=8)
    about = f"{labels.counted(measured['trajectories'], 'orbit')} over a time of {measured['time']:g}, medians"
    against = [] if measured["references"]["independent"] else ["references by one step map"]
    heading.put(figure, [[measured["system"], about, f"one thread, {measured['isa']}", *against]])
    return Picture(figure, f"work and precision of {labels.counted(len(curves), 'method')} on {measured['system']}")


def _shown(curve: dict[str, Any], *names: str) -> list[dict[str, Any]]:
    """Rows with these numbers in which the states are near enough to tell something."""
    return [row for row in rows_with(curve["rows"], "state_error", *names) if row["state_error"] < LARGEST_ERROR]


def _looks(curves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The colour of a curve tells its method, line and marker which variant of it."""
    methods: dict[str, int] = {}
    looks = []
    for curve in curves:
        name = curve["method"]["name"]
        number = methods[name] = methods.get(name, -1) + 1
        line, marker = LOOKS[number % len(LOOKS)]
        colour = colours.FEW[list(methods).index(name) % len(colours.FEW)]
        looks.append({"color": colour, "linestyle": line, "marker": marker, "markersize": 3.5, "linewidth": 1})
    return looks


def _draw_panel(axes: Axes, curves: list, looks: list, error: str, cost: str) -> None:
    for curve, look in zip(curves, looks):
        rows = _shown(curve, error, cost)
        axes.plot([row[error] for row in rows], [row[cost] for row in rows], label=curve["label"], **look)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(color=colours.PALE, linewidth=0.3)


def _shade_unknown(column: Iterable[Axes], known_from: float | None) -> None:
    """Greys errors that the references do not tell."""
    for axes in column:
        low, high = axes.get_xlim()
        if known_from and known_from > low:
            axes.axvspan(low, known_from, color=colours.PALE, alpha=0.4, linewidth=0)
            axes.set_xlim(low, high)
