"""Draws the Poincare section of a result.

What is drawn depends on the number of points, so that islands, invariant circles and the chaotic sea stay visible:

    up to 1 500 000 points   a dot per point: up to 12 orbits in 12 unlike colours, up to 200 in shades of a sequence,
                             more in one dark colour; where branches lie over each other, each has shades of its own
    more                     the density of points in cells that have several points on average; of several branches
                             the one with the most points
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes

from polhode import branches, colours, frame, heading, labels, scale, trajectories
from polhode.chart import Chart, chart_of_section
from polhode.picture import MOST_VECTOR_DOTS, Picture
from polhode.results import Result, ResultError
from polhode.section_points import Extent, Points, blocks, density, extent_of, join, require_columns, require_points
from polhode.wanted import WHOLE, Wanted

MOST_DOTS = 1_500_000
BAR_INCHES, LEGEND_INCHES = 0.7, 0.3


def draw_section(result: Result, wanted: Wanted = WHOLE) -> Picture:
    """The picture of the result's Poincare section; raises ResultError if it has no points to draw."""
    require_points(result)
    chart = chart_of_section(result, wanted)
    drawn_over = [chart.horizontal.column, chart.vertical.column]
    require_columns(result, drawn_over + [chart.side] * bool(chart.sign), ", or choose two others with --axes")
    extent = extent_of(result, chart, wanted)
    if extent.count == 0 and chart.sign and extent_of(result, chart, replace(wanted, range=None)).count == 0:
        chart = replace(chart, sign=-chart.sign)  # all are on the other side
        extent = extent_of(result, chart, wanted)
    if extent.count == 0:
        side = f" with {chart.condition}" if chart.sign else ""
        raise ResultError(
            f"cannot draw '{result.path}' (no section point{side} is in the range and of the trajectories asked for). "
            "Give others."
        )
    limits = wanted.range or frame.around(extent.low, extent.high)
    if extent.count <= MOST_DOTS:
        branch = None
        figure, axes = frame.plane(
            chart, limits, title(result, chart, extent, wanted), LEGEND_INCHES * _is_told(extent)
        )
        draw_dots(axes, join(list(blocks(result, chart, wanted))))
        if _is_told(extent):
            draw_legend(axes, extent)
    else:
        branch = int(np.argmax(extent.of_branch))
        figure, axes = frame.plane(chart, limits, title(result, chart, extent, wanted, branch), BAR_INCHES)
        draw_density(axes, *density(result, chart, extent, wanted, branch))
    frame.settle(figure, axes)
    return Picture(figure, contents(result, chart, extent, branch))


def _is_told(extent: Extent) -> bool:
    """Whether there are branches to tell apart."""
    return len(extent.branches) > 1


def title(result: Result, chart: Chart, extent: Extent, wanted: Wanted, branch: int | None = None) -> list[list[str]]:
    """System, section and method on one line, what its trajectories have in common and what is shown on the next."""
    total, drawn = len(result.section), extent.count if branch is None else int(extent.of_branch[branch])
    shown = [chart.condition] if chart.condition else []
    if branch is not None and _is_told(extent):
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
    total, drawn = len(result.section), extent.count if branch is None else int(extent.of_branch[branch])
    text = f"section of {labels.counted(total, 'point')}"
    if drawn == total:
        return text
    side = f" with {chart.condition}" if chart.sign else ""
    return f"{text}, {drawn} of them drawn{side}"


def dot_style(k: int) -> dict[str, float]:
    """How each of k dots looks: the smaller and the fainter the more there are."""
    area = np.clip(4.0 * np.sqrt(1e3 / max(k, 1)), 0.3, 4.0)  # in square points: 1/72 inch
    return {"s": area, "alpha": np.clip(np.sqrt(5e4 / max(k, 1)), 0.2, 1.0), "linewidths": 0}


def draw_dots(axes: Axes, points: Points) -> None:
    """A dot per point, in the colours of orbits, or of branches where there are several."""
    present = np.unique(points.branch)
    if len(present) > 1:
        colour = colours.branch_colours(points.trajectory, points.branch, present)
    else:
        colour = colours.orbit_colours(points.trajectory)
    count = len(points.x)
    axes.scatter(points.x, points.y, c=colour, rasterized=count > MOST_VECTOR_DOTS, **dot_style(count))


def draw_legend(axes: Axes, extent: Extent) -> None:
    """Which colours are which branch's, above the axes."""
    for place, name in enumerate(branches.names(extent.branches)):
        axes.scatter([], [], s=20, color=[colours.branch_colour(place)], label=name)
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncol=len(extent.branches),
        frameon=False,
        fontsize=9,
        handletextpad=0,
    )


def draw_density(axes: Axes, counts: np.ndarray, x_edges: np.ndarray, y_edges: np.ndarray) -> None:
    """Points per cell as a colour, white where there are none; shapes as `density` gives them."""
    limits = axes.get_xlim(), axes.get_ylim()
    aspect = axes.get_aspect()
    image = axes.imshow(
        np.ma.masked_equal(counts.T, 0),
        extent=(x_edges[0], x_edges[-1], y_edges[0], y_edges[-1]),
        origin="lower",
        norm=scale.norm_of(counts),
        cmap=colours.DENSITY,
        interpolation="nearest",
        aspect=aspect,
    )
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])
    scale.bar(axes.figure, axes, image, counts, "points per cell", location="bottom", shrink=0.6, aspect=40, pad=0.02)
