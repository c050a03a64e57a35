"""Draws the Poincare section of a result.

What is drawn depends on the number of points, so that islands, invariant circles and the chaotic sea stay visible:

    up to 300 000 points   a dot per point: up to 12 orbits in 12 unlike colours, up to 200 in the colours of a circle
                           by number, more in one dark colour
    more                   the density of points, on a logarithmic scale, white where there are none

The section is read in blocks, so a file may be larger than the memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, LogNorm, hsv_to_rgb
from matplotlib.figure import Figure

from polhode.results import Result, ResultError

MOST_DOTS = 300_000
MOST_COLOURED_ORBITS = 200
MOST_CELLS = 1000  # along a side
BLOCK_ROWS = 1 << 20
SIZE_INCHES, PIXELS_PER_INCH = 7.0, 200

FEW_ORBITS_PALETTE = np.array([*colormaps["tab10"].colors, (0.0, 0.0, 0.0), (0.95, 0.75, 0.0)])
MANY_ORBITS_COLOUR = (0.05, 0.1, 0.3)
DENSITY_COLOURS = ListedColormap(colormaps["magma_r"](np.linspace(0.2, 1.0, 256)))  # the palest look white


@dataclass(frozen=True)
class Axis:
    """A state column as a coordinate of the picture."""

    label: str
    column: str
    sign: int = 1


@dataclass(frozen=True)
class Chart:
    """The plane in which the section of a system is drawn."""

    horizontal: Axis
    vertical: Axis
    equal_aspect: bool = False
    half_column: str | None = None  # draw only points where this column has the sign below ...
    half_sign: int = 1
    condition: str = ""  # ... in words,
    other_condition: str = ""  # and that of the other half, which is drawn when this one is empty


# By system and section column.
CHARTS = {
    # McLachlan & Scovel 1995, Figure 1: the plane and the half of the energy ellipsoid.
    ("heavy-top", "gamma3"): Chart(
        horizontal=Axis(r"$m_{13} = \Pi_2$", "pi2"),
        vertical=Axis(r"$m_{12} = {-}\Pi_3$", "pi3", sign=-1),
        equal_aspect=True,
        half_column="pi1",
        condition="m23 < 0",
        other_condition="m23 > 0",
    ),
}


def chart_of(result: Result) -> Chart:
    """The chart of the file's system and section, else the first two columns that are not the section's."""
    section_column = str(result.attributes.get("section", "")).split("=")[0].strip()
    known = CHARTS.get((result.attributes.get("system"), section_column))
    if known:
        return known
    free = [name for name in result.columns if name != section_column]
    if len(free) < 2:
        raise ResultError(f"cannot draw '{result.path}' (its state has too few columns). Give a file with more.")
    return Chart(Axis(free[0], free[0]), Axis(free[1], free[1]))


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


def draw_section(result: Result) -> Figure:
    """The picture of the result's Poincare section; raises ResultError if it has no points to draw."""
    if result.section is None or len(result.section) == 0:
        raise ResultError(
            f"'{result.path}' has no section points (only a Poincare section can be drawn). "
            "Run with a [section] that the orbits cross."
        )
    chart = chart_of(result)
    extent = extent_of(result, chart)
    if extent.count == 0:  # the section was restricted to the other half
        chart = replace(chart, half_sign=-chart.half_sign, condition=chart.other_condition)
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
    known = result.attributes
    wording = {"system": "{}", "section": "section {}", "method": "{}", "step": "step {}"}
    origin = "  |  ".join(text.format(known[name]) for name, text in wording.items() if name in known)
    shown = "  |  ".join(text for text in (chart.condition, f"{count:,} points") if text)
    return f"{origin}\n{shown}"


def join(parts: list[Points]) -> Points:
    """The points of several blocks as one."""
    return Points(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("x", "y", "trajectory")))


def orbit_colours(trajectory: np.ndarray) -> np.ndarray:
    """[k, 3] colours that tell orbits apart, for trajectory numbers [k]."""
    numbers, orbit = np.unique(trajectory, return_inverse=True)
    if len(numbers) <= len(FEW_ORBITS_PALETTE):
        palette = FEW_ORBITS_PALETTE
    elif len(numbers) <= MOST_COLOURED_ORBITS:
        hue = np.arange(len(numbers)) / len(numbers)
        palette = hsv_to_rgb(np.stack([hue, np.full_like(hue, 1.0), np.full_like(hue, 0.8)], axis=1))
    else:
        palette = np.tile(MANY_ORBITS_COLOUR, (len(numbers), 1))
    return palette[orbit]


def draw_dots(axes: Axes, points: Points) -> None:
    """A dot per point, the smaller and the fainter the more there are."""
    k = len(points.x)
    area = np.clip(4.0 * np.sqrt(1e3 / k), 0.3, 4.0)  # in square points: 1/72 inch
    opacity = np.clip(np.sqrt(5e4 / k), 0.4, 1.0)
    axes.scatter(points.x, points.y, s=area, c=orbit_colours(points.trajectory), alpha=opacity, linewidths=0)


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
        cmap=DENSITY_COLOURS,
        interpolation="nearest",
        aspect="auto",
    )
    axes.figure.colorbar(image, ax=axes, location="bottom", shrink=0.5, aspect=40, label="points per cell")
