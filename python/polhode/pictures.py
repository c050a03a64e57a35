"""Pictures of runs from Python: `run.plot` and `polhode.compare`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from inspect import signature
from os import PathLike
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.figure import FigureBase

from polhode.errors import InputError
from polhode.heading import metadata_of
from polhode.paper import Paper, parameters_of, size_of
from polhode.picture import Page
from polhode.results import result_of
from polhode.runs import Run
from polhode.stored import open_run
from polhode.views import COMPARED_VIEWS, MEASUREMENTS, VIEWS, function_of, picture_of
from polhode.wanted import Wanted, interval, parse_axes, parse_positive, parse_range, parse_side, parse_trajectories

Size = str | float | tuple[float, float]


def draw(
    runs: Sequence[Run],
    view: str | None,
    ax: Axes | FigureBase | None = None,
    *,
    axes: tuple[str, str] | None = None,
    range: tuple[tuple[float, float], tuple[float, float]] | None = None,
    trajectories: Iterable[int] | None = None,
    side: str | None = None,
    colour: str | npt.ArrayLike | None = None,
    cmap: str | Colormap | None = None,
    label: str | None = None,
    size: Size | None = None,
    dpi: float | None = None,
    title: str | None = None,
    labels: tuple[str, str] | None = None,
    dots: float | None = None,
    style: str | PathLike[str] | None = None,
) -> Any:
    """Draws a view of runs, in a new figure of pyplot or on axes or in a figure of the caller's; returns its axes.

    Args:
        runs: one, or several that are compared
        view: one of polhode.views; None: the one that suits them
        ax: axes, or for views of several panels a figure or a part of one; None: a new figure
        axes: two columns or observables, or formulas of them, in whose plane a section is drawn
        range: bounds of the horizontal and the vertical axis
        trajectories: numbers of those that are drawn, or for each whether it is
        side: of a section that has two, "positive", "negative" or "both"; None: the positive one where the run has points of it
        colour: a quantity of the trajectories by its name (an invariant, "drift" or drift.NAME, a column at the start,
            "count", "time", "status", "trajectory"), or a number for each
        cmap: the colours of a quantity, a name or a Colormap of matplotlib
        label: of the bar of colours
        size: of a new figure, inches: its width, or width and height; or "column", 8.6 cm, as a journal's column is wide
        dpi: pixels per inch of a new figure
        title: in place of what the picture is of; "": none
        labels: of the horizontal and the vertical axis
        dots: their diameter, points
        style: a style of matplotlib or its file
    """
    wanted = Wanted(pair_of("axes", axes), bounds_of(range), sign=sign_of(side))
    names = pair_of("labels", labels)
    of_bar = scale_of(colour, cmap, label)
    paper = paper_of(ax, size, dpi, title, labels=names, dots=positive("dots", dots), **of_bar)
    with plt.rc_context(parameters_of(paper.size, style)):
        results = [result_of(run) for run in runs]
        wanted = replace(wanted, trajectories=numbers_of(trajectories, len(results[0].final_time)))
        drawn = picture_of(results, view, wanted, paper, colour)
    if isinstance(drawn.figure, Page):
        drawn.figure.about = metadata_of(results)
    return drawn.axes


def draw_measurement(
    measured: dict[str, Any],
    ax: Axes | FigureBase | None,
    methods: Sequence[str],
    *,
    size: Size | None = None,
    dpi: float | None = None,
    title: str | None = None,
    style: str | PathLike[str] | None = None,
) -> Any:
    """Draws the order or the work and precision that was measured; returns the axes."""
    paper = paper_of(ax, size, dpi, title)
    more = {"methods": methods} if methods else {}
    with plt.rc_context(parameters_of(paper.size, style)):
        return function_of(*MEASUREMENTS[measured["polhode"]])(measured, paper, **more).axes


def paper_of(ax: Any, size: Size | None, dpi: float | None, title: str | None, **looks: Any) -> Paper:
    """Axes or a figure of the caller's, or a new figure of pyplot; raises InputError."""
    if isinstance(ax, (str, PathLike)):
        raise InputError(f"cannot draw on {str(ax)!r} (it is neither axes nor a figure). Write the picture with .figure.savefig({str(ax)!r}).")
    if not (ax is None or isinstance(ax, (Axes, FigureBase))):
        raise InputError(f"cannot draw on a {type(ax).__name__} (it is neither axes nor a figure). Give one of these.")
    for name, value in (("size", size), ("dpi", dpi)):
        if ax is not None and value is not None:
            raise InputError(f"cannot use {name} with axes or a figure of your own (they have theirs). Leave it out.")
    return Paper(ax, partial(plt.figure, FigureClass=Page), size_of(size), positive("dpi", dpi), title, **looks)


def positive(name: str, number: Any) -> float | None:
    """A positive number; raises InputError."""
    try:
        return None if number is None else parse_positive(number)
    except ValueError as error:
        raise InputError(f"cannot use {name} = {number!r} ({error}). Correct it.") from None


def bounds_of(range: Any) -> Any:
    """The bounds of both axes; raises InputError."""
    if range is None:
        return None
    try:
        if isinstance(range, str):
            return parse_range(range)
        (left, right), (bottom, top) = range
        return interval(left, right), interval(bottom, top)
    except (TypeError, ValueError) as error:
        why = error if isinstance(range, str) or "is not" in str(error) else "it has to be ((left, right), (bottom, top))"
        raise InputError(f"cannot use range = {range!r} ({why}). Correct it.") from None


def sign_of(side: str | None) -> int | None:
    """The sign of a side by its name; raises InputError."""
    try:
        return None if side is None else parse_side(side)
    except (TypeError, ValueError) as error:
        raise InputError(f"cannot use side = {side!r} ({error}). Correct it.") from None


def pair_of(name: str, value: Any) -> Any:
    """Two names or formulas, of a text `a,b` or one by one; None where there are none. Raises InputError."""
    if value is None:
        return None
    try:
        first, second = parse_axes(value) if isinstance(value, str) else value
    except (TypeError, ValueError):
        raise InputError(f"cannot use {name} = {value!r} (it has to be two). Correct it.") from None
    return first, second


def scale_of(colour: Any, cmap: str | Colormap | None, label: str | None) -> dict[str, Any]:
    """The colours of a quantity and the label of their bar; raises InputError."""
    for name, value in (("cmap", cmap), ("label", label)):
        if value is not None and colour is None:
            raise InputError(f"cannot use {name} without a quantity (it is of its colours). Give colour.")
    try:
        return {"cmap": None if cmap is None else plt.get_cmap(cmap), "label": label}
    except (TypeError, ValueError):
        raise InputError(f"cannot use cmap = {cmap!r} (it is no colormap of matplotlib's). Give for example 'viridis'.") from None


def numbers_of(trajectories: Iterable[int] | int | str | None, count: int) -> tuple[Any, ...]:
    """Ranges of the numbers of trajectories, or of those that a mask of all has; raises InputError."""
    if trajectories is None:
        return ()
    try:
        if isinstance(trajectories, str):
            return parse_trajectories(trajectories)
        given = np.atleast_1d(np.asarray(trajectories if isinstance(trajectories, int) else list(trajectories)))
    except (TypeError, ValueError):
        given = np.array([np.nan])
    if given.dtype == bool:
        given = numbers_in(given, count)
    if not given.size:
        raise InputError("cannot draw no trajectories (none is chosen). Give numbers from 0 on, or leave it out.")
    if not np.issubdtype(given.dtype, np.integer) or given.min() < 0:
        raise InputError("cannot draw these trajectories (they are not numbers from 0 on). Give others.")
    return tuple(range(number, number + 1) for number in given.tolist())


def numbers_in(mask: np.ndarray, count: int) -> np.ndarray:
    """The numbers of the trajectories that a mask of all has; raises InputError."""
    if mask.shape != (count,):
        raise InputError(f"cannot draw these trajectories (their mask has the shape {mask.shape}, not ({count},)). Correct it.")
    return np.flatnonzero(mask)


def check_keywords(how: dict[str, Any]) -> None:
    """Raises InputError for a keyword that `draw` does not take."""
    known = [name for name, of in signature(draw).parameters.items() if of.kind is of.KEYWORD_ONLY]
    for name in how:
        if name == "view":
            raise InputError(f"unknown keyword 'view' of a picture (views are functions). Use run.plot.{how[name]}().")
        if name not in known:
            near = get_close_matches(name, known, 1)
            advice = f"Use {near[0]}" if near else "Leave it out"
            raise InputError(f"unknown keyword {name!r} of a picture (there are {', '.join(known)}). {advice}.")


class Pictures:
    """The pictures of a run: `run.plot()`, and each view by its name, as `run.plot.section(colour="drift")`.

    All take what polhode.pictures.draw takes; those of several panels have a figure in place of axes.
    """

    def __init__(self, run: Run):
        self._run = run

    def _draw(self, view: str | None, ax: Axes | FigureBase | None, how: dict[str, Any]) -> Any:
        check_keywords(how)
        return draw([self._run], view, ax, **how)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"there is no picture {name!r}; there are {', '.join(VIEWS)}")

    def __call__(self, ax: Axes | FigureBase | None = None, **how: Any) -> Any:
        """The view that suits the run: its section, else the density, the statistics or the invariants."""
        return self._draw(None, ax, how)

    def section(self, ax: Axes | None = None, **how: Any) -> Any:
        """The Poincare section in a plane."""
        return self._draw("section", ax, how)

    def density(self, ax: Axes | None = None, **how: Any) -> Any:
        """The section points that a run has counted in cells."""
        return self._draw("density", ax, how)

    def section3d(self, ax: Axes | None = None, **how: Any) -> Any:
        """The section of a top in space."""
        return self._draw("section3d", ax, how)

    def polhodes(self, ax: Axes | None = None, **how: Any) -> Any:
        """The angular velocities of free bodies on the inertia ellipsoid."""
        return self._draw("polhodes", ax, how)

    def invariants(self, ax: FigureBase | None = None, **how: Any) -> Any:
        """The change of the invariants against time, a panel for each."""
        return self._draw("invariants", ax, how)

    def shadow(self, ax: FigureBase | None = None, **how: Any) -> Any:
        """The energy error and that of the shadow energy against time."""
        return self._draw("shadow", ax, how)

    def statistics(self, ax: FigureBase | None = None, **how: Any) -> Any:
        """Means, standard deviations, extremes and histograms against time, a panel for each observable."""
        return self._draw("statistics", ax, how)


def compare(
    runs: Sequence[Run | str | PathLike[str]], view: str = "section", ax: Axes | FigureBase | None = None, **how: Any
) -> Any:
    """Several runs, or results in files, in one picture: their sections ("section"), energy errors of steps ("invariants")
    or errors of methods ("error"). Takes what polhode.pictures.draw takes."""
    if view not in COMPARED_VIEWS:
        raise InputError(
            f"unknown view {view!r} (there are {', '.join(COMPARED_VIEWS)} of several runs). Choose one of them."
        )
    if isinstance(runs, (Run, str, PathLike)) or len(runs) == 1:
        raise InputError("cannot compare a single run (it has nothing beside it). Give several, [run, other].")
    if not len(runs):
        raise InputError("cannot compare no runs (the list is empty). Give several, [run, other].")
    check_keywords(how)
    with ExitStack() as opened:
        return draw([run_of(run, opened) for run in runs], view, ax, **how)


def run_of(run: Run | str | PathLike[str], opened: ExitStack) -> Run:
    """A run, or that in a file, which is open as long as the stack; raises InputError."""
    if isinstance(run, Run):
        return run
    if not isinstance(run, (str, PathLike)):
        raise InputError(f"cannot compare a {type(run).__name__} (it is neither a run nor a file's name). Give one of these.")
    return opened.enter_context(open_run(run))
