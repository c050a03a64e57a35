"""Compares results of one system with different steps h: the scaled energy error (H_n - H_0) / h^2 against time.

For a symmetric method of order 2 with a modified Hamiltonian H + h^2 H_3 + ... the curves coincide up to O(h^2):
E. Hairer, Numer. Math. 95 (2003) 325, Figure 1, where smaller steps have thicker lines, as here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from polhode import colours, heading, labels, legend
from polhode.errors import InputError
from polhode.paper import NEW, Paper
from polhode.picture import Picture
from polhode.results import Result, snapshots_of
from polhode.snapshots import changes_of, start_alike

THINNEST, THICKEST = 0.9, 4.0
WIDTH_INCHES, HEIGHT_INCHES, PIXELS_PER_INCH = 8.0, 5.0, 200


@dataclass(frozen=True)
class Curve:
    """The scaled energy error of trajectory 0 of one file."""

    step: float
    time: np.ndarray  # [t]
    error: np.ndarray  # [t], (H_n - H_0) / h^2


def curve_of(result: Result) -> Curve:
    """Raises InputError where the file does not tell the energy along its snapshots."""
    step = result.attributes.get("step")
    if not isinstance(step, (int, float)) or step == 0:
        raise InputError(f"cannot use {result.source} (it does not tell its step). Write it again with polhode.")
    changes = changes_of(result, np.array([0]))
    if "energy" not in changes.names:
        raise InputError(
            f"{result.source} has no energy among its invariants (nothing to compare). Give another file."
        )
    error = changes.values[0, :, changes.names.index("energy")] / step**2
    return Curve(abs(step), abs(changes.time), error)


def check_comparable(results: Sequence[Result]) -> None:
    """Raises InputError where the files differ in more than the step, or have it in common."""
    first, seen = results[0], dict[float | None, Result]()
    for result in results:
        snapshots_of(result)
        for name in ("system", "method"):
            mine, others = (file.attributes.get(name) for file in (result, first))
            if mine != others:
                raise _incomparable(first, result, f"{name} {others} and {mine}")
        if {name: value.tolist() for name, value in result.parameters.items()} != {
            name: value.tolist() for name, value in first.parameters.items()
        }:
            raise _incomparable(first, result, "other parameters")
        if len(result.final_time) == 0:
            raise InputError(f"{result.source} has no trajectories (nothing to compare). Give another file.")
        if result.columns != first.columns:
            raise _incomparable(first, result, "other columns")
        if not start_alike(result, first):
            raise _incomparable(first, result, "their trajectories 0 start from different states")
        step = result.attributes.get("step")
        if step in seen:
            raise _incomparable(seen[step], result, f"both have step {step}")
        seen[step] = result


def _incomparable(first: Result, second: Result, reason: str) -> InputError:
    return InputError(
        f"cannot compare {first.source} with {second.source} ({reason}). "
        "Give results that differ in their step, or draw one at a time."
    )


def draw_steps(results: Sequence[Result], paper: Paper = NEW) -> Picture:
    """The picture of two or more results; raises InputError where they cannot be compared."""
    check_comparable(results)
    curves = sorted((curve_of(result) for result in results), key=lambda curve: curve.step)
    axes = paper.axes(WIDTH_INCHES, HEIGHT_INCHES, PIXELS_PER_INCH)
    shades = colours.ordered(len(curves))[::-1]
    widths = np.geomspace(THICKEST, THINNEST, len(curves))
    for curve, shade, width in zip(curves, shades, widths):  # the thin lines of long steps over the thick ones
        axes.plot(curve.time, curve.error, color=shade, linewidth=width, label=f"$h = {curve.step:g}$")
    axes.axhline(0, color=colours.GREY, linewidth=0.6, zorder=0)
    axes.grid(color=colours.PALE, linewidth=0.3)
    axes.set_xlim(0, max(curve.time[-1] for curve in curves))
    paper.name_axes(axes, labels.time(snapshots_of(results[0]).time), "$(H_n - H_0)\\,/\\,h^2$")
    legend.put_above(axes, 6)
    paper.put_title(axes, [title(results)])
    return Picture(axes, f"energy errors of {len(results)} steps")


def title(results: Sequence[Result]) -> list[str]:
    """System and method, the energy, and which trajectory if there are several."""
    several = any(len(result.final_time) > 1 for result in results)
    shown = "scaled energy error" + (" of trajectory 0" if several else "")
    return [*heading.origin(results[0], "system", "method"), *heading.constants(results[0], np.array([0])), shown]
