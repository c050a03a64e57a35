"""Reads the points of a section that a chart shows, block by block: a file may be larger than the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from polhode import branches, frame, trajectories
from polhode.chart import Chart
from polhode.errors import InputError
from polhode.results import Result, section_of
from polhode.wanted import Wanted

FAR = 5  # ratio of the whole extent to that of nearly all points, from which on those beyond do not set the scale
NEARLY_ALL = (0.002, 0.998)  # as quantiles
SAMPLE = 1 << 14  # points of a block, by which they are known
BLOCK_ROWS = 1 << 20


@dataclass(frozen=True)
class Points:
    """k points of the picture."""

    x: np.ndarray  # [k]
    y: np.ndarray  # [k]
    trajectory: np.ndarray  # [k]
    branch: np.ndarray  # [k], numbers of branches.NAMES


@dataclass(frozen=True)
class Extent:
    """Number of points, their bounding box, and their number on each branch."""

    count: int
    low: np.ndarray  # [2]: x, y
    high: np.ndarray  # [2]
    of_branch: np.ndarray  # [branches.MOST]
    sample: np.ndarray  # [k, 2], some of the points
    hidden: int = 0  # points that are left out since they are far from the others

    @property
    def branches(self) -> np.ndarray:
        """Numbers of the branches that have points."""
        return np.flatnonzero(self.of_branch)

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """Low and high [2] of a box about the points, without those that are far from nearly all others."""
        low, high = np.quantile(self.sample, NEARLY_ALL, axis=0)
        width = high - low
        is_far = self.high - self.low > FAR * width
        is_far &= width > 0
        return np.where(is_far, np.maximum(low - width / 2, self.low), self.low), np.where(
            is_far, np.minimum(high + width / 2, self.high), self.high
        )

    @property
    def has_outliers(self) -> bool:
        """Whether there are points outside the box."""
        low, high = self.box
        return bool((low > self.low).any() or (high < self.high).any())


def require_columns(result: Result, columns: Iterable[str], advice: str = "") -> None:
    """Raises InputError where the section points lack columns that a picture needs."""
    present = section_of(result).columns
    if missing := [name for name in columns if name not in present]:
        raise InputError(
            f"cannot draw {result.source} (section.columns left {', '.join(missing)} out of its points, which have "
            f"{', '.join(present)}). Run with {', '.join(missing)} in section.columns{advice}."
        )


def blocks(result: Result, chart: Chart, wanted: Wanted) -> Iterator[Points]:
    """The points that the chart shows of what is wanted, block by block of the file."""
    section, is_wanted = section_of(result), trajectories.mask(result, wanted)
    for first in range(0, len(section), BLOCK_ROWS):
        rows = slice(first, first + BLOCK_ROWS)
        state, trajectory = section.states(rows), section.trajectory[rows]
        shown = np.full(len(state), True)
        if chart.sign:
            shown = chart.sign * state[:, result.columns.index(chart.side)] > 0
        if is_wanted is not None:
            shown &= is_wanted[trajectory]
        lows = [low for low, _ in wanted.range] if wanted.range else (None, None)
        x, y = (axis.at(lambda name: state[:, result.columns.index(name)], low) for axis, low in zip((chart.horizontal, chart.vertical), lows))
        shown &= np.isfinite(x) & np.isfinite(y)  # a formula may have no value
        if wanted.range:
            for values, (low, high) in zip((x, y), wanted.range):
                shown &= (values >= low) & (values <= high)
        yield Points(x[shown], y[shown], trajectory[shown], branches.numbers(result, chart, state[shown]))


def join(parts: list[Points]) -> Points:
    """The points of several blocks as one."""
    names = ("x", "y", "trajectory", "branch")
    return Points(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def extent_of(result: Result, chart: Chart, wanted: Wanted) -> Extent:
    """Surveys the points that the chart shows."""
    count, low, high = 0, np.full(2, np.inf), np.full(2, -np.inf)
    of_branch, samples = np.zeros(branches.MOST, int), []
    for points in blocks(result, chart, wanted):
        count += len(points.x)
        every = max(1, len(points.x) // SAMPLE)
        samples.append(np.stack([points.x[::every], points.y[::every]], axis=1))
        of_branch += np.bincount(points.branch, minlength=branches.MOST)
        for i, values in enumerate((points.x, points.y)):
            low[i] = values.min(initial=low[i])
            high[i] = values.max(initial=high[i])
    return Extent(count, low, high, of_branch, np.concatenate(samples))


def cells_of(axes: Axes) -> tuple[int, int]:
    """As many cells along each axis as the picture has pixels there."""
    box = axes.get_window_extent()
    return max(1, round(box.width)), max(1, round(box.height))


def edges_of(limits: frame.Limits, cells: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Edges of cells [nx + 1] and [ny + 1] between the limits."""
    return np.linspace(*limits[0], cells[0] + 1), np.linspace(*limits[1], cells[1] + 1)


def density(
    result: Result,
    chart: Chart,
    limits: frame.Limits,
    cells: tuple[int, int],
    wanted: Wanted,
    branch: int | None = None,
    weights: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points, of one branch or of all, per cell [nx, ny] between the limits, and the edges of the cells [nx + 1] and
    [ny + 1]. weights: what a point of each trajectory counts, 1 by default."""
    edges, counts = edges_of(limits, cells), np.zeros(cells)
    for points in blocks(result, chart, wanted):
        mine = slice(None) if branch is None else points.branch == branch
        weight = None if weights is None else weights[points.trajectory[mine]]
        counts += np.histogram2d(points.x[mine], points.y[mine], bins=edges, weights=weight)[0]
    return counts, *edges
