"""Reads the points of a section that a chart shows, block by block: a file may be larger than the memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from polhode import branches, trajectories
from polhode.chart import Chart
from polhode.results import Result, ResultError
from polhode.wanted import Wanted

MOST_CELLS = 1000  # along a side
POINTS_PER_CELL = 6  # at least, on average: of fewer one sees the noise of the counts, not the density
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

    @property
    def branches(self) -> np.ndarray:
        """Numbers of the branches that have points."""
        return np.flatnonzero(self.of_branch)


def require_points(result: Result) -> None:
    """Raises ResultError where the result has no section points."""
    if result.section is None or len(result.section) == 0:
        raise ResultError(
            f"'{result.path}' has no section points (this view needs them). Run with a [section] that the orbits cross."
        )


def require_columns(result: Result, columns: Iterable[str], advice: str = "") -> None:
    """Raises ResultError where the section points lack columns that a picture needs."""
    if missing := [name for name in columns if name not in result.section.columns]:
        raise ResultError(
            f"cannot draw '{result.path}' (section.columns left {', '.join(missing)} out of its points, which have "
            f"{', '.join(result.section.columns)}). Run with {', '.join(missing)} in section.columns{advice}."
        )


def blocks(result: Result, chart: Chart, wanted: Wanted) -> Iterator[Points]:
    """The points that the chart shows of what is wanted, block by block of the file."""
    section, is_wanted = result.section, trajectories.mask(result, wanted)
    horizontal, vertical = (result.columns.index(axis.column) for axis in (chart.horizontal, chart.vertical))
    for first in range(0, len(section), BLOCK_ROWS):
        rows = slice(first, first + BLOCK_ROWS)
        state, trajectory = section.states(rows), section.trajectory[rows]
        shown = np.full(len(state), True)
        if chart.sign:
            shown = chart.sign * state[:, result.columns.index(chart.side)] > 0
        if is_wanted is not None:
            shown &= is_wanted[trajectory]
        lows = [low for low, _ in wanted.range] if wanted.range else (None, None)
        x, y = chart.horizontal.of(state[:, horizontal], lows[0]), chart.vertical.of(state[:, vertical], lows[1])
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
    of_branch = np.zeros(branches.MOST, int)
    for points in blocks(result, chart, wanted):
        count += len(points.x)
        of_branch += np.bincount(points.branch, minlength=branches.MOST)
        for i, values in enumerate((points.x, points.y)):
            low[i] = values.min(initial=low[i])
            high[i] = values.max(initial=high[i])
    return Extent(count, low, high, of_branch)


def density(
    result: Result, chart: Chart, extent: Extent, wanted: Wanted, branch: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points of a branch per cell [nx, ny], and the edges of the cells [nx + 1] and [ny + 1]."""
    width = extent.high - extent.low
    most = int(np.clip(np.sqrt(extent.of_branch[branch] / POINTS_PER_CELL), 1, MOST_CELLS))
    cells = np.full(2, most)
    if chart.same_scale and width.max() > 0:
        cells = np.maximum(1, np.ceil(most * width / width.max())).astype(int)
    edges = [np.linspace(extent.low[i], extent.high[i], cells[i] + 1) for i in range(2)]
    counts = np.zeros(cells)
    for points in blocks(result, chart, wanted):
        mine = points.branch == branch
        counts += np.histogram2d(points.x[mine], points.y[mine], bins=edges)[0]
    return counts, *edges
