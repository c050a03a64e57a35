"""Compares results of one system by different methods or steps with the one of smallest step: how far the positions of
trajectory 0 are from its, and how far the constraints are from zero, or the energy from its first value where there are
no constraints.

R. I. McLachlan and C. Scovel, J. Nonlinear Sci. 5 (1995) 233, Figure 2; M. K. Pierce, Symplectic integrators (1994),
Figures 1 and 2.
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
from polhode.snapshots import CONSTRAINT, changes_of, start_alike

SAME_TIME = 1e-9  # relative
ROUND_OFF = np.finfo(float).eps / 8  # zero, on a logarithmic scale
WIDTH_INCHES, HEIGHT_INCHES, PIXELS_PER_INCH = 8.0, 6.5, 200


@dataclass(frozen=True)
class Curve:
    """Trajectory 0 of one file against the exact one."""

    label: str
    time: np.ndarray  # [t]
    error: np.ndarray  # [t], Euclidean distance of the positions
    invariant: np.ndarray  # [t], largest |g_i|, or H - H_0
    is_constrained: bool


def curve_of(result: Result, exact: Result) -> Curve:
    """Raises InputError where the files have no times, or no positions and invariants, in common."""
    positions = [k for k, column in enumerate(result.columns) if column.startswith("q")]
    changes = changes_of(result, np.array([0]))
    is_constrained = CONSTRAINT in changes.names
    name = CONSTRAINT if is_constrained else "energy"
    has_momenta = len(positions) > 0 and sum(column.startswith("p") for column in result.columns) == len(positions)
    same = changes.names == changes_of(exact, np.array([0])).names
    if not has_momenta or name not in changes.names or not same:
        raise InputError(
            f"cannot draw the errors of {result.source} (it has no positions and momenta). Choose another --view."
        )
    time, exact_time = (np.abs(snapshots_of(file).time[:]) for file in (result, exact))
    nearest = np.clip(np.searchsorted(exact_time, time * (1 - SAME_TIME)), 0, len(exact_time) - 1)
    common = np.abs(exact_time[nearest] - time) <= SAME_TIME * time
    if not common.any():
        raise InputError(
            f"cannot compare {result.source} with {exact.source} (they have no snapshot at the same time). "
            "Change record.snapshots."
        )
    state = snapshots_of(result).state[0][common][:, positions]
    error = np.linalg.norm(state - snapshots_of(exact).state[0][nearest[common]][:, positions], axis=1)
    change = changes.values[0, :, changes.names.index(name)][-len(time) :][common]
    return Curve(told(result, "{}, h = {:g}"), time[common], error, change, is_constrained)


def told(result: Result, wording: str) -> str:
    """Method and step of a result."""
    return wording.format(result.attributes.get("method"), abs(result.attributes["step"]))


def check_comparable(results: Sequence[Result]) -> None:
    """Raises InputError where the files are not of one motion."""
    first = results[0]
    for result in results:
        snapshots_of(result)
        same = (
            result.attributes.get("system") == first.attributes.get("system")
            and {k: v.tolist() for k, v in result.parameters.items()}
            == {k: v.tolist() for k, v in first.parameters.items()}
            and len(result.final_time) > 0
            and start_alike(result, first)
        )
        if not same:
            raise InputError(
                f"cannot compare {first.source} with {result.source} (other systems, parameters or starts). "
                "Give results that differ in their method or step."
            )


def draw_errors(results: Sequence[Result], paper: Paper = NEW) -> Picture:
    """The picture of two or more results, the one of smallest step taken as exact."""
    check_comparable(results)
    exact = min(results, key=lambda result: abs(result.attributes.get("step", np.inf)))
    curves = [curve_of(result, exact) for result in results if result is not exact]
    figure = paper.figure(WIDTH_INCHES, HEIGHT_INCHES, PIXELS_PER_INCH)
    upper, lower = figure.subplots(2, sharex=True)
    for curve, shade in zip(curves, colours.ordered(max(len(curves), 2))):
        upper.semilogy(curve.time, curve.error, color=shade, linewidth=1.2, label=curve.label)
        if curve.is_constrained:
            lower.semilogy(curve.time, np.maximum(np.abs(curve.invariant), ROUND_OFF), color=shade, linewidth=1.2)
        else:
            lower.plot(curve.time, curve.invariant, color=shade, linewidth=1)
            lower.ticklabel_format(axis="y", style="sci", scilimits=(-2, 3), useMathText=True)
    for axes in (upper, lower):
        axes.grid(color=colours.PALE, linewidth=0.3)
    position = next(i for i, column in enumerate(exact.columns) if column.startswith("q"))
    upper.set_ylabel("distance of the positions" + labels.unit(exact.units[position]))
    lower.set_ylabel("largest $|g_i|$" if curves[0].is_constrained else "$H_n - H_0$")
    lower.set_xlabel(labels.time(snapshots_of(results[0]).time))
    legend.put_above(upper, 3)
    known = heading.constants(results[0], np.array([0]))
    paper.put_title(figure, [[*heading.origin(results[0], "system"), *known, told(exact, "against {} with h = {:g}")]])
    return Picture((upper, lower), f"errors of {labels.counted(len(curves), 'result')} against {exact.source}")
