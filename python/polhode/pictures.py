"""Pictures of runs from Python: `run.plot` and `polhode.compare`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any

import matplotlib.pyplot as plt
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import FigureBase

from polhode.errors import InputError
from polhode.paper import Paper, parameters_of, size_of
from polhode.results import result_of
from polhode.runs import Run
from polhode.views import COMPARED_VIEWS, MEASUREMENTS, function_of, picture_of
from polhode.wanted import Wanted

Size = str | float | tuple[float, float]


def draw(
    runs: Sequence[Run],
    view: str | None,
    on: Axes | FigureBase | None = None,
    *,
    axes: tuple[str, str] | None = None,
    range: tuple[tuple[float, float], tuple[float, float]] | None = None,
    trajectories: Iterable[int] | None = None,
    colour: str | npt.ArrayLike | None = None,
    size: Size | None = None,
    dpi: float | None = None,
    title: str | None = None,
    labels: tuple[str, str] | None = None,
    dots: float | None = None,
    style: str | PathLike[str] | None = None,
) -> Any:
    """Draws a view of runs, in a new figure of pyplot or `on` axes or a figure of the caller's; returns its axes.

    Args:
        runs: one, or several that are compared
        view: one of polhode.views; None: the one that suits them
        on: axes, or for views of several panels a figure or a part of one; None: a new figure
        axes: two columns in whose plane a section is drawn
        range: bounds of the horizontal and the vertical axis
        trajectories: numbers of those that are drawn
        colour: a quantity of the trajectories by its name (an invariant, "drift" or drift.NAME, a column at the start,
            "count", "time", "status", "trajectory"), or a number for each
        size: of a new figure, inches: its width, or width and height; or "column", 8.6 cm, as a journal's column is wide
        dpi: pixels per inch of a new figure
        title: in place of what the picture is of; "": none
        labels: of the horizontal and the vertical axis
        dots: their diameter, points
        style: a style of matplotlib or its file
    """
    bounds = None if range is None else ((range[0][0], range[0][1]), (range[1][0], range[1][1]))
    wanted = Wanted(axes and (axes[0], axes[1]), bounds, numbers_of(trajectories))
    paper = Paper(on, plt.figure, size_of(size), dpi, title, labels and (labels[0], labels[1]), dots)
    parameters: Any = parameters_of(paper.size, style)
    with plt.rc_context(parameters):
        return picture_of([result_of(run) for run in runs], view, wanted, paper, colour).axes


def draw_measurement(
    measured: dict[str, Any],
    on: Axes | FigureBase | None,
    methods: Sequence[str],
    *,
    size: Size | None = None,
    dpi: float | None = None,
    title: str | None = None,
    style: str | PathLike[str] | None = None,
) -> Any:
    """Draws the order or the work and precision that was measured; returns the axes."""
    paper = Paper(on, plt.figure, size_of(size), dpi, title)
    more = {"methods": methods} if methods else {}
    parameters: Any = parameters_of(paper.size, style)
    with plt.rc_context(parameters):
        return function_of(*MEASUREMENTS[measured["polhode"]])(measured, paper, **more).axes


def numbers_of(trajectories: Iterable[int] | None) -> tuple[Any, ...]:
    """Ranges of the numbers of trajectories."""
    numbers = [] if trajectories is None else [int(number) for number in trajectories]
    if trajectories is not None and (not numbers or min(numbers) < 0):
        raise InputError("cannot draw these trajectories (give their numbers, from 0 on).")
    return tuple(range(number, number + 1) for number in numbers)


class Pictures:
    """The pictures of a run: `run.plot()`, and each view by its name, as `run.plot.section(colour="drift")`.

    All take what polhode.pictures.draw takes; those of several panels have a figure in place of axes.
    """

    def __init__(self, run: Run):
        self._run = run

    def __call__(self, on: Axes | FigureBase | None = None, **how: Any) -> Any:
        """The view that suits the run: its section, else the density, the statistics or the invariants."""
        return draw([self._run], None, on, **how)

    def section(self, on: Axes | None = None, **how: Any) -> Any:
        """The Poincare section in a plane."""
        return draw([self._run], "section", on, **how)

    def density(self, on: Axes | None = None, **how: Any) -> Any:
        """The section points that a run has counted in cells."""
        return draw([self._run], "density", on, **how)

    def section3d(self, on: Axes | None = None, **how: Any) -> Any:
        """The section of a top in space."""
        return draw([self._run], "section3d", on, **how)

    def polhodes(self, on: Axes | None = None, **how: Any) -> Any:
        """The angular velocities of free bodies on the inertia ellipsoid."""
        return draw([self._run], "polhodes", on, **how)

    def invariants(self, on: FigureBase | None = None, **how: Any) -> Any:
        """The change of the invariants against time, a panel for each."""
        return draw([self._run], "invariants", on, **how)

    def shadow(self, on: FigureBase | None = None, **how: Any) -> Any:
        """The energy error and that of the shadow energy against time."""
        return draw([self._run], "shadow", on, **how)

    def statistics(self, on: FigureBase | None = None, **how: Any) -> Any:
        """Means, standard deviations, extremes and histograms against time, a panel for each observable."""
        return draw([self._run], "statistics", on, **how)


def compare(runs: Sequence[Run], view: str = "section", on: Axes | FigureBase | None = None, **how: Any) -> Any:
    """Several runs in one picture: their sections ("section"), energy errors of steps ("invariants") or errors of methods
    ("error"). Takes what polhode.pictures.draw takes."""
    if view not in COMPARED_VIEWS:
        raise InputError(
            f"unknown view {view!r} (there are {', '.join(COMPARED_VIEWS)} of several runs). Choose one of them."
        )
    if len(runs) < 2:
        raise InputError("cannot compare a single run (it has nothing beside it). Give several.")
    return draw(runs, view, on, **how)
