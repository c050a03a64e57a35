"""Draws what `polhode workprec` has measured: time and work of every method against its errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from polhode import colours, heading, labels, legend
from polhode.errors import InputError
from polhode.measurements import rows_with
from polhode.paper import NARROW, NEW, Paper
from polhode.picture import Picture

COLUMN_INCHES, ROW_INCHES, PIXELS_PER_INCH = 4.2, 3.6, 160
THE_CHEAPEST = "the cheapest"
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
LOOKS = list(zip(("-", "--", ":", "-.") * 3, "os^vDxPX*<>p"))  # of one method's variants, no two alike
LARGEST_ERROR = 0.5  # of the state; more says nothing of a method


def draw_work_precision(measured: dict[str, Any], paper: Paper = NEW, methods: Sequence[str] = ()) -> Picture:
    """The picture; raises InputError where nothing was measured. methods: names of those that are drawn; none: all."""
    curves = _chosen(measured["curves"], methods)
    errors = [name for name in ERRORS if any(_shown(curve, name) for curve in curves)]
    if not errors:
        raise InputError("cannot draw errors (no method came to the end). Measure shorter steps.")
    default = max(2, len(errors)) * COLUMN_INCHES
    width = paper.width(default)
    if width < NARROW:  # a journal's column has room for the first alone
        errors, default = errors[:1], COLUMN_INCHES
    named = legend.layout([THE_CHEAPEST, *(curve["label"] for curve in curves)], width, len(errors) + 1)
    panel_inches = len(COSTS) * ROW_INCHES * width / default
    figure = paper.figure(width, panel_inches + named.inches, PIXELS_PER_INCH)
    upper, lower = figure.subfigures(2, 1, squeeze=False, height_ratios=[panel_inches, named.inches])[:, 0]
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
    lower.legend(handles, names, loc="center", ncol=named.columns, frameon=False, fontsize=heading.points(heading.SMALL))
    about = f"{labels.counted(measured['trajectories'], 'orbit')} over a time of {measured['time']:g}, medians"
    against = [] if measured["references"]["independent"] else ["references by one step map"]
    paper.put_title(figure, [[measured["system"], about, f"one thread, {measured['isa']}", *against]])
    return Picture(panels, f"work and precision of {labels.counted(len(curves), 'method')} on {measured['system']}")


def _chosen(curves: list[dict[str, Any]], methods: Sequence[str]) -> list[dict[str, Any]]:
    """The curves of some methods; raises InputError where one was not measured."""
    measured = {curve["method"]["name"] for curve in curves}
    if unknown := [name for name in methods if name not in measured]:
        raise InputError(
            f"cannot draw {unknown[0]!r} (measured were {', '.join(sorted(measured))}). Choose one of these."
        )
    return [curve for curve in curves if not methods or curve["method"]["name"] in methods]


def front_of(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """Of points (error, cost) those that no other beats in both, from the largest error on."""
    front: list[tuple[float, float]] = []
    for error, cost in sorted(points, key=lambda point: (point[1], point[0])):
        if not front or error < front[-1][0]:
            front.append((error, cost))
    return front


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


def _draw_panel(axes: Axes, curves: list[dict[str, Any]], looks: list[dict[str, Any]], error: str, cost: str) -> None:
    of_curves = [_shown(curve, error, cost) for curve in curves]
    front = front_of((row[error], row[cost]) for rows in of_curves for row in rows)
    name = THE_CHEAPEST if len(curves) > 1 else None
    axes.plot(*zip(*front), label=name, color=colours.PALE, linewidth=6, zorder=0.5, solid_capstyle="round")
    for curve, look, rows in zip(curves, looks, of_curves):
        axes.plot([row[error] for row in rows], [row[cost] for row in rows], label=curve["label"], **look)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(color=colours.PALE, linewidth=0.3)


def _shade_unknown(column: Iterable[Axes], known_from: float | None) -> None:
    """Greys errors that the references do not tell."""
    for axes in column:
        low, high = axes.get_xlim()
        if known_from and known_from > low:
            axes.axvspan(low, known_from, color=colours.PALE, alpha=0.4, linewidth=0)
            axes.set_xlim(low, high)
