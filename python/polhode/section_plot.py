"""Draws the Poincare section of a result, or those of several in one plane.

What is drawn depends on the number of points, so that islands, invariant circles and the chaotic sea stay visible:

    up to 1 500 000 points   a dot per point: up to 12 orbits in 12 unlike colours, up to 200 in shades of a sequence,
                             more in one dark colour; where branches lie over each other, each has shades of its own
    more                     the density of points at the resolution of the picture; of several branches the one with
                             the most points

With a quantity of trajectories the colours are its values, of many points the mean in each cell. Points that are far
from nearly all others, as those of an orbit that escapes, do not set the scale of the axes; the title counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, ListedColormap, LogNorm, Normalize
from matplotlib.image import AxesImage

from polhode import branches, colours, differences, frame, heading, labels, legend, scale, trajectories
from polhode.chart import Chart, chart_of_section
from polhode.errors import InputError
from polhode.notes import warn
from polhode.paper import NEW, Paper
from polhode.picture import Picture
from polhode.quantities import Quantity, quantity_of
from polhode.results import Result, section_of
from polhode.section_points import (
    Extent,
    Points,
    blocks,
    cells_of,
    density,
    edges_of,
    extent_of,
    join,
    require_columns,
)
from polhode.wanted import WHOLE, Wanted

MOST_DOTS = 1_500_000
BAR_INCHES, MOST_COLUMNS = 0.7, 3  # of a legend


def draw_section(
    result: Result, wanted: Wanted = WHOLE, paper: Paper = NEW, colour: str | npt.ArrayLike | None = None
) -> Picture:
    """The picture of the result's Poincare section; raises InputError if it has no points to draw.

    colour: a quantity of the trajectories (polhode.quantities), by its name or as numbers [n]
    """
    chart, extent, limits = survey(result, wanted)
    within = replace(wanted, range=limits)
    quantity = None if colour is None else quantity_of(result, colour)
    is_told = len(extent.branches) > 1 and quantity is None
    branch = None
    if extent.count > MOST_DOTS and quantity is None:
        branch = int(np.argmax(extent.of_branch))
    has_bar = quantity is not None or branch is not None
    names = branches.names(extent.branches) if is_told else []
    more = BAR_INCHES if has_bar else legend_inches(names, paper)
    if paper.is_untitled and wanted.range is None and extent.hidden:
        warn(f"{extent.hidden} section points far from the others are not shown; give a range")
    axes = frame.plane(chart, limits, title(result, chart, extent, wanted, branch), paper, more)
    if extent.count <= MOST_DOTS:
        points = join(list(blocks(result, chart, within)))
        if quantity is not None:
            draw_quantity(axes, points, quantity, paper)
        else:
            draw_dots(axes, points, paper)
            if is_told:
                name_colours(axes, names, [colours.branch_colour(place) for place in range(len(names))])
    elif quantity is not None:
        draw_mean(axes, result, chart, within, limits, quantity, paper)
    else:
        draw_density(axes, *density(result, chart, limits, cells_of(axes), within, branch))
    frame.settle(axes, paper)
    return Picture(axes, contents(result, chart, extent, branch))


def survey(result: Result, wanted: Wanted) -> tuple[Chart, Extent, frame.Limits]:
    """The plane of a section, the points in it that are drawn, and the bounds of the axes; raises InputError if none are."""
    section_of(result)
    chart = chart_of_section(result, wanted)
    side = [chart.side] if chart.side and chart.sign else []
    require_columns(result, [*chart.horizontal.columns, *chart.vertical.columns, *side], ", or choose two other axes")
    extent = extent_of(result, chart, wanted)
    if extent.count == 0 and chart.sign and wanted.sign is None and extent_of(result, chart, replace(wanted, range=None)).count == 0:
        chart = replace(chart, sign=-chart.sign)  # all are on the other side
        extent = extent_of(result, chart, wanted)
    if extent.count == 0:
        on_side = f" with {chart.condition}" if chart.sign else ""
        raise InputError(
            f"cannot draw {result.source} (no section point{on_side} is in the range, of the trajectories and with values of the axes asked for). "
            "Give others."
        )
    limits = wanted.range or frame.around(*extent.box)
    if extent.has_outliers and not wanted.range:
        near = extent_of(result, chart, replace(wanted, range=limits))
        extent = replace(near, hidden=extent.count - near.count)
    return chart, extent, limits


def draw_sections(results: Sequence[Result], wanted: Wanted = WHOLE, paper: Paper = NEW) -> Picture:
    """The picture of several sections in one plane, a colour for each; raises InputError if their planes differ."""
    surveys = [survey(result, wanted) for result in results]
    first = surveys[0][0]
    for result, (chart, *_) in zip(results, surveys):
        if (chart.horizontal, chart.vertical, chart.side) != (first.horizontal, first.vertical, first.side):
            raise InputError(
                f"cannot draw {results[0].source} and {result.source} in one plane (their axes are others). Choose two "
                "columns."
            )
    bounds = np.array([limits for _, _, limits in surveys])  # [results, 2, 2]
    limits = frame.between(bounds[..., 0].min(axis=0), bounds[..., 1].max(axis=0))
    names = differences.names_of(results, [chart.condition for chart, *_ in surveys])
    drawn, total = sum(extent.count for _, extent, _ in surveys), sum(len(section_of(result)) for result in results)
    sides = {chart.condition for chart, *_ in surveys}
    shown = [*(sides if len(sides) == 1 and first.condition else []), labels.part_of(drawn, total, "point")]
    common = differences.shared(results)
    origin = heading.origin(results[0], *(name for name in ("system", "section", "method", "step") if name in common))
    axes = frame.plane(first, limits, [[*origin, *shown]], paper, legend_inches(names, paper))
    for k, (result, (chart, _, _)) in enumerate(zip(results, surveys)):
        points = join(list(blocks(result, chart, replace(wanted, range=limits))))
        axes.scatter(points.x, points.y, color=[colours.FEW[k % len(colours.FEW)]], **dot_style(len(points.x), paper))
    name_colours(axes, names, [colours.FEW[k % len(colours.FEW)] for k in range(len(results))])
    frame.settle(axes, paper)
    return Picture(axes, f"sections of {labels.counted(len(results), 'result')}, {labels.part_of(drawn, total, 'point')}")


def title(result: Result, chart: Chart, extent: Extent, wanted: Wanted, branch: int | None = None) -> list[list[str]]:
    """System, section and method on one line, what its trajectories have in common and what is shown on the next."""
    total, drawn = len(section_of(result)), extent.count if branch is None else int(extent.of_branch[branch])
    shown = [chart.condition] if chart.condition else []
    if branch is not None and len(extent.branches) > 1:
        name = dict(zip(extent.branches, branches.names(extent.branches)))[branch]
        shown.append(f"states of {name} only")
    numbers = trajectories.chosen(result, wanted)
    if wanted.trajectories:
        shown.append(trajectories.counted(len(numbers), len(result.final_time)))
    shown.append(labels.part_of(drawn, total, "point"))
    known = heading.constants(result, numbers if wanted.trajectories else None)
    return [heading.origin(result, "system", "section", "method", "step"), known + shown]


def contents(result: Result, chart: Chart, extent: Extent, branch: int | None) -> str:
    """What is drawn, in words for standard output."""
    total, drawn = len(section_of(result)), extent.count if branch is None else int(extent.of_branch[branch])
    text = f"section of {labels.counted(total, 'point')}"
    if drawn == total:
        return text
    side = f" with {chart.condition}" if chart.sign else ""
    return f"{text}, {drawn} of them drawn{side}"


class Dots(TypedDict):
    """How dots look, in the keywords of matplotlib."""

    s: float
    alpha: float
    linewidths: float


def dot_style(k: int, paper: Paper) -> Dots:
    """How each of k dots looks: the smaller and the fainter the more there are, unless a diameter is wanted."""
    area = np.clip(4.0 * np.sqrt(1e3 / max(k, 1)), 0.3, 4.0) * paper.width(frame.WIDTH_INCHES) / frame.WIDTH_INCHES
    if paper.dots:
        area = paper.dots**2  # of square points
    return {"s": area, "alpha": np.clip(np.sqrt(5e4 / max(k, 1)), 0.2, 1.0), "linewidths": 0}


def draw_dots(axes: Axes, points: Points, paper: Paper) -> None:
    """A dot per point, in the colours of orbits, or of branches where there are several."""
    present = np.unique(points.branch)
    if len(present) > 1:
        colour = colours.branch_colours(points.trajectory, points.branch, present)
    else:
        colour = colours.orbit_colours(points.trajectory)
    axes.scatter(points.x, points.y, c=colour, **dot_style(len(points.x), paper))


def draw_quantity(axes: Axes, points: Points, quantity: Quantity, paper: Paper) -> None:
    """A dot per point, in the colour of its trajectory's value; grey where that is unknown."""
    values = quantity.values[points.trajectory]
    is_known = np.isfinite(values)
    norm, look, cmap = quantity.norm, dot_style(len(points.x), paper), paper.cmap or colours.SEQUENCE
    if isinstance(norm, LogNorm):
        values = np.where(values == 0, norm.vmin, values)  # a logarithm has no place for 0
    axes.scatter(points.x[~is_known], points.y[~is_known], color=colours.PALE, **look)
    axes.scatter(points.x[is_known], points.y[is_known], c=values[is_known], norm=norm, cmap=cmap, **look)
    put_bar(axes, ScalarMappable(norm, cmap), values[is_known], quantity.label, quantity.is_whole, paper.label)


def draw_mean(
    axes: Axes, result: Result, chart: Chart, within: Wanted, limits: frame.Limits, quantity: Quantity, paper: Paper
) -> None:
    """The mean of a quantity over the points in each cell, at the resolution of the picture; grey where it is unknown."""
    cells, is_known = cells_of(axes), np.isfinite(quantity.values)

    def sums(of_trajectory: np.ndarray) -> np.ndarray:
        return density(result, chart, limits, cells, within, weights=of_trajectory)[0]

    edges = edges_of(limits, cells)
    counts = sums(is_known.astype(float))
    if not is_known.all():
        unknown = np.ma.masked_equal(sums((~is_known).astype(float)), 0)
        put_cells(axes, unknown, *edges, Normalize(0, 1), ListedColormap([colours.PALE]))
    mean = np.ma.masked_array(sums(np.where(is_known, quantity.values, 0)), counts == 0) / np.maximum(counts, 1)
    image = put_cells(axes, mean, *edges, quantity.norm, paper.cmap or colours.SEQUENCE)
    put_bar(axes, image, mean.compressed(), quantity.label, label=paper.label)


def name_colours(axes: Axes, names: Sequence[str], of: Sequence[npt.ArrayLike]) -> None:
    """Which colours are which branch's or result's, above the axes."""
    for name, colour in zip(names, of):
        axes.scatter([], [], s=20, color=[colour], label=name)
    legend.put_above(axes, MOST_COLUMNS, handletextpad=0)


def legend_inches(names: Sequence[str], paper: Paper) -> float:
    """How high the legend is."""
    return legend.layout(names, frame.across_inches(paper), MOST_COLUMNS).inches if names else 0


def put_bar(axes: Axes, image: ScalarMappable, values: np.ndarray, of: str, is_whole: bool = False, label: str | None = None) -> None:
    """The scale of colours, below the axes."""
    scale.bar(axes, image, values, of, is_whole, label, location="bottom", shrink=0.6, aspect=40, pad=0.02)


def draw_density(axes: Axes, counts: np.ndarray, x_edges: np.ndarray, y_edges: np.ndarray) -> None:
    """Points per cell as a colour, with its scale, white where there are none; shapes as `density` gives them."""
    cells = np.ma.masked_equal(counts, 0)
    image = put_cells(axes, cells, x_edges, y_edges, scale.norm_of(counts), colours.DENSITY)
    put_bar(axes, image, cells.compressed(), "points per cell")


def put_cells(
    axes: Axes, cells: np.ma.MaskedArray, x_edges: np.ndarray, y_edges: np.ndarray, norm: Normalize, cmap: Colormap
) -> AxesImage:
    """Values of cells as colours, between the limits that the axes have; white where a cell is masked."""
    limits = axes.get_xlim(), axes.get_ylim()
    image = axes.imshow(
        cells.T,
        extent=(x_edges[0], x_edges[-1], y_edges[0], y_edges[-1]),
        origin="lower",
        norm=norm,
        cmap=cmap,
        interpolation="nearest",
        aspect=axes.get_aspect(),
    )
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    return image
