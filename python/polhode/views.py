"""Views of results and measurements: which there are, what each may be asked for, and what draws it.

Needs no packages until a view is drawn.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from polhode.errors import InputError
from polhode.wanted import Wanted

if TYPE_CHECKING:  # their packages may be missing
    from polhode.paper import Paper
    from polhode.picture import Picture
    from polhode.results import Result

VIEWS = {  # module and function, imported when wanted
    "section": ("polhode.section_plot", "draw_section"),
    "density": ("polhode.density_plot", "draw_density_of_run"),
    "section3d": ("polhode.section3d_plot", "draw_section3d"),
    "invariants": ("polhode.invariants_plot", "draw_invariants"),
    "shadow": ("polhode.invariants_plot", "draw_shadow"),
    "statistics": ("polhode.statistics_plot", "draw_statistics"),
    "polhodes": ("polhode.polhode_plot", "draw_polhodes"),
}
COMPARED_VIEWS = {  # of several results, the default first
    "invariants": ("polhode.steps_plot", "draw_steps"),
    "error": ("polhode.error_plot", "draw_errors"),
    "section": ("polhode.section_plot", "draw_sections"),
}
MEASUREMENTS = {  # JSON of polhode order and workprec
    "order": ("polhode.order_plot", "draw_order"),
    "work-precision": ("polhode.work_precision_plot", "draw_work_precision"),
}
VIEWS_WITH = {  # what may be asked of a view, and of which; everything else of all
    "axes": ("section",),
    "range": ("section", "density"),
    "side": ("section",),
    "trajectories": ("section", "section3d", "invariants", "shadow", "polhodes"),
    "colour": ("section",),
    "dots": ("section", "section3d"),
    "labels": ("section", "density"),
}


def function_of(module: str, function: str) -> Callable[..., Picture]:
    """What draws a view."""
    drawing: Callable[..., Picture] = getattr(importlib.import_module(module), function)
    return drawing


def view_of(result: Result) -> str:
    """The view that suits a result."""
    has = {
        "section": result.section is not None,
        "density": result.density is not None,
        "statistics": result.statistics is not None,
        "invariants": result.snapshots is not None,
    }
    if not any(has.values()):
        raise InputError(
            f"{result.source} has nothing to draw (it has neither section points nor statistics or snapshots). "
            "Run with a [section], with [statistics] or with record.snapshots."
        )
    return next(name for name in has if has[name])


def check_asked(name: str, view: str, dashes: str = "") -> None:
    """Raises InputError where a view cannot be asked for that. dashes: before the name on a command line."""
    if view not in VIEWS_WITH.get(name, (view,)):
        *others, last = VIEWS_WITH[name]
        views = f"{', '.join(others)} and {last} have" if others else f"{last} has"
        raise InputError(f"cannot use {dashes}{name} with the view {view} ({views} it). Leave it out.")


def picture_of(
    results: Sequence[Result], view: str | None, wanted: Wanted, paper: Paper, colour: Any = None, dashes: str = ""
) -> Picture:
    """The picture of results in one of VIEWS, or COMPARED_VIEWS if they are several, or in the one that suits them; raises
    InputError, with dashes before the names of options."""
    asked = {"axes": wanted.axes, "range": wanted.range, "side": wanted.sign, "trajectories": wanted.trajectories,
             "colour": colour, "dots": paper.dots, "labels": paper.labels}  # fmt: skip
    view = view or (view_of(results[0]) if len(results) == 1 else next(iter(COMPARED_VIEWS)))
    for name, value in asked.items():
        if value is not None and not (isinstance(value, tuple) and not value):
            check_asked(name, view, dashes)
    if len(results) > 1:
        if colour is not None:
            raise InputError("cannot colour several results by a quantity (each has a colour of its own). Draw one.")
        function = function_of(*COMPARED_VIEWS[view])
        return function(results, wanted, paper) if view == "section" else function(results, paper)
    more = {} if colour is None else {"colour": colour}
    return function_of(*VIEWS[view])(results[0], wanted, paper, **more)
