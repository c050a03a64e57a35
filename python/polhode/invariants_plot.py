"""Draws the change of the invariants against time, from snapshots.

The components of a vector share a panel. A shadow energy, where it was recorded, is drawn below the energy. Of
constraints the largest |g_i| itself is drawn. Up to 8 trajectories have a line each; of more, the median is drawn and
the bands that hold 90 percent and all of them. A panel is linear, or shows the size of the change on a logarithmic
scale where it grows by orders of magnitude.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from polhode import colours, heading, labels, legend, trajectories
from polhode.errors import InputError
from polhode.paper import NEW, Paper
from polhode.picture import Picture
from polhode.results import Result, snapshots_of
from polhode.snapshots import CONSTRAINT, SHADOW_ENERGY, Changes, changes_of
from polhode.wanted import WHOLE, Wanted

ENERGIES = ("energy", SHADOW_ENERGY)  # in this order
MOST_LINES = 8
MOST_TRAJECTORIES, MOST_TIMES = 2000, 1000  # in bands
MOST_PLACES = 200_000  # of a line
GROWTH = 100  # largest change over the median in time of the largest at a time, from which on the scale is logarithmic
PERCENTS = (0, 5, 50, 95, 100)
STANDARD_ERRORS = 4  # from which on a slope is a drift
WIDTH_INCHES, PANEL_INCHES, MARGIN_INCHES, PIXELS_PER_INCH = 8.0, 1.6, 1.2, 200
LABEL_LETTERS, LABEL_SHARE, LEAST_LABEL_POINTS = 18, 0.9, 5.0
STYLES: tuple[Literal["-", "--", ":"], ...] = ("-", "--", ":")  # of the components of a vector, where colours are the trajectories'


@dataclass(frozen=True)
class Panel:
    """An invariant, or the components of a vector."""

    name: str
    unit: str
    components: tuple[int, ...]  # numbers of invariants
    directions: tuple[str, ...] = ()  # x, y, z of the components of a vector


def panels_of(changes: Changes) -> list[Panel]:
    """The panels of a picture, those of energies first, vectors where their first component is."""
    panels, seen = [], set()
    for i in sorted(range(len(changes.names)), key=lambda i: (*ENERGIES, changes.names[i]).index(changes.names[i])):
        name = changes.names[i]
        if name in seen:
            continue
        vector = re.fullmatch("(.+)_[xyz]", name)
        parts = [f"{vector[1]}_{axis}" for axis in "xyz" if f"{vector[1]}_{axis}" in changes.names] if vector else []
        if vector and len(parts) > 1:
            numbers = tuple(changes.names.index(part) for part in parts)
            panels.append(Panel(vector[1], changes.units[i], numbers, tuple(part[-1] for part in parts)))
            seen.update(parts)
        else:
            panels.append(Panel(name, changes.units[i], (i,)))
    return panels


def stride_of(result: Result, drawn: int) -> int:
    """Every how many snapshots are shown of as many trajectories."""
    most = MOST_PLACES if drawn <= MOST_LINES else MOST_TIMES
    return -(-len(snapshots_of(result).time) // most)


def read_changes(result: Result, rows: np.ndarray) -> Changes:
    """The changes of the trajectories rows as far as they are drawn."""
    return changes_of(result, rows, stride_of(result, len(rows)))


def is_growing(values: np.ndarray) -> bool:
    """Whether changes [n, t] are better shown on a logarithmic scale."""
    largest = np.max(np.nan_to_num(np.abs(values)), axis=0)
    largest = largest[largest > 0]
    return len(largest) > 0 and bool(largest.max() > GROWTH * np.median(largest))


def draw_invariants(result: Result, wanted: Wanted = WHOLE, paper: Paper = NEW) -> Picture:
    """The picture; raises InputError where the file has no snapshots or does not tell the invariants."""
    return draw_panels(result, wanted, paper, panels_of)[0]


def draw_shadow(result: Result, wanted: Wanted = WHOLE, paper: Paper = NEW) -> Picture:
    """The picture of the energy and the shadow energy alone; raises InputError where the file does not tell both."""
    if snapshots_of(result).shadow_energy is None:
        raise InputError(
            f"{result.source} has no shadow energy (it is recorded only on request). Run with record.shadow_energy."
        )
    if result.invariants is None or "energy" not in result.invariants.names:
        raise InputError(
            f"{result.source} has no energy to compare the shadow energy with (invariants were not recorded). "
            "Run it again."
        )
    picture, changes = draw_panels(
        result, wanted, paper, lambda changes: [panel for panel in panels_of(changes) if panel.name in ENERGIES]
    )
    shadow = changes.values[..., changes.names.index(SHADOW_ENERGY)]
    return Picture(picture.axes, f"{picture.contents}; {drift_in_words(drift_of(changes.time, shadow), changes.time)}")


@dataclass(frozen=True)
class Drift:
    """Lines of least squares through values against time, [n] each; NaN with fewer than three values."""

    slope: np.ndarray
    error: np.ndarray  # standard error of the slope
    range: np.ndarray  # largest value less the smallest

    def is_beyond_errors(self) -> np.ndarray:
        """Whether a slope is more than four standard errors."""
        return np.asarray(np.abs(self.slope) > STANDARD_ERRORS * self.error)


def drift_of(time: np.ndarray, values: np.ndarray) -> Drift:
    """The drift of values [n, t], of which those that are NaN do not count."""
    known = np.isfinite(values)
    count = known.sum(axis=1)

    def centred(a: np.ndarray) -> np.ndarray:
        return np.where(known, a - (np.where(known, a, 0).sum(axis=1) / count)[:, None], 0)

    with np.errstate(invalid="ignore", divide="ignore"):
        t, v = centred(np.broadcast_to(time, values.shape)), centred(values)
        spread = (t**2).sum(axis=1)
        slope = (t * v).sum(axis=1) / spread
        error = np.sqrt(((v - slope[:, None] * t) ** 2).sum(axis=1) / (count - 2) / spread)
    extent = np.where(known, values, -np.inf).max(axis=1) - np.where(known, values, np.inf).min(axis=1)
    unknown = count < 3
    return Drift(*(np.where(unknown, np.nan, a) for a in (slope, error, extent)))


def drift_in_words(drift: Drift, time: np.ndarray) -> str:
    """Trajectories that drift, and by how much over the whole time."""
    known = np.isfinite(drift.slope)
    if not known.any():
        return "too few values for a drift"
    beyond = drift.is_beyond_errors() & known
    extent = f"range at most {np.max(drift.range[known]):.2g}"
    if not beyond.any():
        return f"no drift of the shadow energy: slopes within {STANDARD_ERRORS} standard errors; {extent}"
    most = np.max(np.abs(drift.slope[beyond])) * (time[-1] - time[0])
    of = labels.counted(int(np.count_nonzero(known)), "trajectory", "trajectories")
    return (
        f"the shadow energy drifts in {np.count_nonzero(beyond)} of {of}, by up to {most:.2g} "
        f"(slopes beyond {STANDARD_ERRORS} standard errors); {extent}"
    )


def draw_panels(
    result: Result, wanted: Wanted, paper: Paper, panels_of_changes: Callable[[Changes], list[Panel]]
) -> tuple[Picture, Changes]:
    """The picture of some panels, and what it shows."""
    snapshots = snapshots_of(result)
    rows = trajectories.thinned(trajectories.chosen(result, wanted), MOST_TRAJECTORIES)
    changes = read_changes(result, rows)
    panels = panels_of_changes(changes)
    figure = paper.figure(WIDTH_INCHES, MARGIN_INCHES + PANEL_INCHES * (len(panels) + 1), PIXELS_PER_INCH)
    heights = [2] + [1] * (len(panels) - 1)
    stack = figure.subplots(len(panels), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for axes, panel in zip(stack, panels):
        draw_panel(axes, panel, changes, rows)
    stack[-1].set_xlabel(labels.time(snapshots.time))
    stack[0].set_xlim(changes.time[0], changes.time[-1] if len(changes.time) > 1 else None)
    if len(stack[0].get_legend_handles_labels()[1]) > 1:
        legend.put_above(stack[0], 4, 1.02)
    paper.put_title(figure, title(result, rows))
    figure.align_ylabels(stack)
    fit_labels(stack)
    things = labels.counted(sum(len(panel.components) for panel in panels), "invariant")
    of = labels.counted(len(rows), "trajectory", "trajectories")
    return Picture(stack, f"{things} of {of} at {labels.counted(len(changes.time), 'time')}"), changes


def draw_panel(axes: Axes, panel: Panel, changes: Changes, rows: np.ndarray) -> None:
    """The change of an invariant or of the components of a vector."""
    values = changes.values[..., list(panel.components)]
    is_logarithmic = is_growing(np.moveaxis(values, 2, 1).reshape(-1, values.shape[1]))
    if is_logarithmic:
        values = np.where(values == 0, np.nan, np.abs(values))
        axes.set_yscale("log")
    else:
        axes.axhline(0, color=colours.GREY, linewidth=0.6)
        axes.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3), useMathText=True)
    axes.set_ylabel(label(panel, is_logarithmic), fontsize=heading.points(1 if panel.name in ENERGIES else LABEL_SHARE))
    axes.grid(color=colours.PALE, linewidth=0.3)
    if len(values) <= MOST_LINES:
        draw_lines(axes, panel, changes.time, values, rows)
    elif panel.directions:
        draw_component_bands(axes, changes.time, values)
    else:
        draw_bands(axes, changes.time, values[..., 0])
    if panel.directions:
        draw_directions(axes, panel, by_colour=len(values) > MOST_LINES or len(values) == 1)


def label(panel: Panel, is_logarithmic: bool) -> str:
    """What is drawn in a panel, in lines that fit into its height, and the unit."""
    unit = labels.unit(panel.unit).strip()
    if panel.name == CONSTRAINT:
        text = "largest $|g_i|$"
    elif panel.name == SHADOW_ENERGY:
        text = r"$|\tilde H_n - \tilde H_0|$" if is_logarithmic else r"$\tilde H_n - \tilde H_0$"
    elif panel.name == "energy":
        text = "$|H_n - H_0|$" if is_logarithmic else "$H_n - H_0$"
    else:
        name = labels.invariant(panel.name)
        if "$" not in name:
            name = "\n".join(textwrap.wrap(name.replace("_", " "), LABEL_LETTERS))
        text = f"{'|change|' if is_logarithmic else 'change'} of\n{name}"
    return f"{text}\n{unit}" if unit else text


def draw_lines(axes: Axes, panel: Panel, time: np.ndarray, values: np.ndarray, rows: np.ndarray) -> None:
    """A line for each trajectory, numbered rows, and each component."""
    for k, row in enumerate(rows):
        for c in range(values.shape[2]):
            colour = colours.COMPONENTS[c] if panel.directions and len(rows) == 1 else colours.FEW[k]
            style = "-" if len(rows) == 1 else STYLES[c]
            name = f"trajectory {row}" if c == 0 else None
            axes.plot(time, values[k, :, c], color=colour, linewidth=1, linestyle=style, label=name)


def draw_bands(axes: Axes, time: np.ndarray, values: np.ndarray) -> None:
    """The percentiles of many trajectories."""
    bands = percentiles(values)
    axes.fill_between(time, bands[0], bands[4], color="#CFE3F1", linewidth=0, label="smallest to largest")
    axes.fill_between(time, bands[1], bands[3], color="#7FB8D8", linewidth=0, label="5 to 95 percent")
    axes.plot(time, bands[2], color=colours.INK, linewidth=1, label="median")


def draw_component_bands(axes: Axes, time: np.ndarray, values: np.ndarray) -> None:
    """The percentiles of each component in its colour: 5 to 95 percent filled, lines about all and in the middle."""
    for c, colour in enumerate(colours.COMPONENTS[: values.shape[2]]):
        bands = percentiles(values[..., c])
        axes.fill_between(time, bands[1], bands[3], color=colour, alpha=0.25, linewidth=0)
        for outer in (bands[0], bands[4]):
            axes.plot(time, outer, color=colour, linewidth=0.7)
        axes.plot(time, bands[2], color=colour, linewidth=1.2)


def draw_directions(axes: Axes, panel: Panel, by_colour: bool) -> None:
    """A legend beside the panel of a vector: which component is which."""
    handles = [
        Line2D([], [], label=f"${name}$", color=colour if by_colour else colours.GREY, linestyle=None if by_colour else style)
        for name, colour, style in zip(panel.directions, colours.COMPONENTS, STYLES)
    ]
    axes.legend(
        handles=handles, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize="small", handlelength=1.5
    )


def fit_labels(stack: np.ndarray) -> None:
    """Makes the letters of labels that are longer than their panels smaller."""
    stack[0].figure.figure.draw_without_rendering()
    for axes in stack:
        room = axes.get_window_extent().height / axes.yaxis.label.get_window_extent().height
        if room < 1:
            axes.yaxis.label.set_fontsize(max(LEAST_LABEL_POINTS, 0.97 * room * axes.yaxis.label.get_fontsize()))


def percentiles(values: np.ndarray) -> np.ndarray:
    """[5, t], the PERCENTS of the trajectories that have not ended; NaN where all have."""
    known = ~np.isnan(values).all(axis=0)
    bands = np.full((len(PERCENTS), values.shape[1]), np.nan)
    bands[:, known] = np.nanpercentile(values[:, known], PERCENTS, axis=0)
    return bands


def title(result: Result, rows: np.ndarray) -> list[list[str]]:
    """System and method, what the trajectories have in common, and how many they are."""
    shown = [*heading.constants(result, rows), trajectories.counted(len(rows), len(result.final_time))]
    stride = stride_of(result, len(rows))
    if stride > 1:
        shown.append(f"every {stride} snapshots")
    return [heading.origin(result, "system", "method", "step"), shown]
