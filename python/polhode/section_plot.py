"""Draws the Poincare section of a result.

What is drawn depends on the number of points, so that islands, invariant circles and the chaotic sea stay visible:

    up to 300 000 points   a dot per point: up to 12 orbits in 12 unlike colours, up to 200 in shades of a sequence,
                           more in one dark colour
    more                   the density of points, on a logarithmic scale, white where there are none

The section is read in blocks, so a file may be larger than the memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from polhode import colours, labels
from polhode.results import Result, ResultError

MOST_DOTS = 300_000
MOST_CELLS = 1000  # along a side
BLOCK_ROWS = 1 << 20
SIZE_INCHES, PIXELS_PER_INCH = 7.0, 200


@dataclass(frozen=True)
class Axis:
    """A state column as a coordinate of the picture."""

    label: str
    column: str
    sign: float = 1


@dataclass(frozen=True)
class Chart:
    """The plane in which the section of a system is drawn."""

    horizontal: Axis
    vertical: Axis
    equal_aspect: bool = False
    half_column: str | None = None  # draw only points where this column has the sign below ...
    half_sign: int = 1

    @property
    def condition(self) -> str:
        """What is drawn, in words."""
        return f"{self.half_column} {'>' if self.half_sign > 0 else '<'} 0" if self.half_column else ""


def chart_of(result: Result, columns: Sequence[str] | None = None) -> Chart:
    """In the plane of two columns; by default the chart that the file gives for its section, else the first two columns
    that are not the section's.
    """
    if columns:
        for column in columns:
            if column not in result.columns:
                raise ResultError(
                    f"cannot draw '{result.path}' over {column!r} (its columns are {', '.join(result.columns)}). "
                    "Choose two of them."
                )
        return Chart(*(Axis(_label(result, column), column) for column in columns))
    given = result.section.chart
    if given:
        first, second = (re.sub(r"[\d]", "", column) for column in given.columns)
        horizontal, vertical = (
            Axis(_label(result, column, name, sign), column, sign)
            for name, column, sign in zip(given.names, given.columns, given.signs)
        )
        return Chart(horizontal, vertical, equal_aspect=first == second, half_column=given.side)
    section_column = str(result.attributes.get("section", "")).split("=")[0].strip()
    free = [name for name in result.columns if name != section_column]
    if len(free) < 2:
        raise ResultError(f"cannot draw '{result.path}' (its state has too few columns). Give a file with more.")
    return Chart(*(Axis(_label(result, name), name) for name in free[:2]))


def _label(result: Result, column: str, name: str = "", sign: float = 1) -> str:
    """E.g. 'm12 = -pi3 [unit]'."""
    text = labels.symbol(column)
    if name not in ("", column) or sign != 1:
        factor = {1: "", -1: "\N{MINUS SIGN}"}.get(sign, f"{sign:g} ")
        text = f"{labels.symbol(name or column)} = {factor}{text}"
    return text + labels.unit(result.units[result.columns.index(column)])


@dataclass(frozen=True)
class Points:
    """k points of the picture."""

    x: np.ndarray  # [k]
    y: np.ndarray  # [k]
    trajectory: np.ndarray  # [k]


def blocks(result: Result, chart: Chart) -> Iterator[Points]:
    """The points that the chart shows, block by block of the file."""
    section = result.section
    horizontal, vertical = (result.columns.index(axis.column) for axis in (chart.horizontal, chart.vertical))
    for first in range(0, len(section), BLOCK_ROWS):
        rows = slice(first, first + BLOCK_ROWS)
        state = section.state[rows]
        shown = np.full(len(state), True)
        if chart.half_column:
            shown = chart.half_sign * state[:, result.columns.index(chart.half_column)] > 0
        yield Points(
            x=chart.horizontal.sign * state[shown, horizontal],
            y=chart.vertical.sign * state[shown, vertical],
            trajectory=section.trajectory[rows][shown],
        )


@dataclass(frozen=True)
class Extent:
    """Number of points and their bounding box."""

    count: int
    low: np.ndarray  # [2]: x, y
    high: np.ndarray  # [2]


def extent_of(result: Result, chart: Chart) -> Extent:
    """Surveys the points that the chart shows."""
    count, low, high = 0, np.full(2, np.inf), np.full(2, -np.inf)
    for points in blocks(result, chart):
        count += len(points.x)
        for i, values in enumerate((points.x, points.y)):
            low[i] = values.min(initial=low[i])
            high[i] = values.max(initial=high[i])
    return Extent(count, low, high)


def require_points(result: Result) -> None:
    """Raises ResultError where the result has no section points."""
    if result.section is None or len(result.section) == 0:
        raise ResultError(
            f"'{result.path}' has no section points (this view needs them). Run with a [section] that the orbits cross."
        )


def draw_section(result: Result, columns: Sequence[str] | None = None) -> Figure:
    """The picture of the result's Poincare section, over two columns if they are given; raises ResultError if it has no
    points to draw.
    """
    require_points(result)
    chart = chart_of(result, columns)
    extent = extent_of(result, chart)
    if extent.count == 0:  # the section was restricted to the other half
        chart = replace(chart, half_sign=-chart.half_sign)
        extent = extent_of(result, chart)

    figure = Figure(figsize=(SIZE_INCHES, SIZE_INCHES), dpi=PIXELS_PER_INCH, layout="constrained")
    axes = figure.add_subplot()
    if extent.count <= MOST_DOTS:
        draw_dots(axes, join(list(blocks(result, chart))))
    else:
        draw_density(axes, *density(result, chart, extent))
    if chart.equal_aspect:
        axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(chart.horizontal.label)
    axes.set_ylabel(chart.vertical.label)
    axes.set_title(title(result, chart, extent.count), fontsize=10, parse_math=False)
    return figure


def title(result: Result, chart: Chart, count: int) -> str:
    """System, section and method on one line, what is shown on the next."""
    origin = labels.origin(result, "system", "section", "method", "step")
    shown = "  |  ".join(text for text in (chart.condition, f"{count:,} points") if text)
    return f"{origin}\n{shown}"


def join(parts: list[Points]) -> Points:
    """The points of several blocks as one."""
    return Points(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("x", "y", "trajectory")))


def dot_style(k: int) -> dict[str, float]:
    """How each of k dots looks: the smaller and the fainter the more there are."""
    area = np.clip(4.0 * np.sqrt(1e3 / max(k, 1)), 0.3, 4.0)  # in square points: 1/72 inch
    return {"s": area, "alpha": np.clip(np.sqrt(5e4 / max(k, 1)), 0.4, 1.0), "linewidths": 0}


def draw_dots(axes: Axes, points: Points) -> None:
    """A dot per point."""
    axes.scatter(points.x, points.y, c=colours.orbit_colours(points.trajectory), **dot_style(len(points.x)))


def density(result: Result, chart: Chart, extent: Extent) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points per cell [nx, ny], and the edges of the cells [nx + 1] and [ny + 1]."""
    width = extent.high - extent.low
    most = min(MOST_CELLS, int(np.sqrt(extent.count)))
    cells = np.full(2, most)
    if chart.equal_aspect and width.max() > 0:
        cells = np.maximum(1, np.ceil(most * width / width.max())).astype(int)
    edges = [np.linspace(extent.low[i], extent.high[i], cells[i] + 1) for i in range(2)]
    counts = np.zeros(cells)
    for points in blocks(result, chart):
        counts += np.histogram2d(points.x, points.y, bins=edges)[0]
    return counts, *edges


def draw_density(axes: Axes, counts: np.ndarray, x_edges: np.ndarray, y_edges: np.ndarray) -> None:
    """Points per cell as a colour, white where there are none; shapes as `density` gives them."""
    image = axes.imshow(
        np.ma.masked_equal(counts.T, 0),
        extent=(x_edges[0], x_edges[-1], y_edges[0], y_edges[-1]),
        origin="lower",
        norm=LogNorm(vmin=1, vmax=max(10.0, counts.max())),
        cmap=colours.DENSITY,
        interpolation="nearest",
        aspect="auto",
    )
    axes.figure.colorbar(image, ax=axes, location="bottom", shrink=0.5, aspect=40, label="points per cell")
