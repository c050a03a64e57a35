"""What the result of a run has, for those who draw it.

n trajectories of a state of dim numbers. Arrays that grow with n are polhode.arrays.Array: of a run in a file they stay
there until they are sliced.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.arrays import Array
from polhode.errors import InputError
from polhode.runs import Run

STATES = ("/final/state", "/initial/state", "/section/state", "/snapshots/state")
CHART_ATTRIBUTES = ("axes", "axis_columns", "axis_signs")


@dataclass(frozen=True)
class SectionChart:
    """The plane in which a system's section is drawn: coordinate i is signs[i] times the column columns[i]."""

    names: tuple[str, str]  # of the coordinates, e.g. m13, m12
    columns: tuple[str, str]  # e.g. pi2, pi3
    signs: tuple[float, float]
    side: str | None  # the column whose sign tells the two halves of the section apart, e.g. pi1


@dataclass(frozen=True)
class Section:
    """The k points of a Poincare section, ordered by trajectory and then by step."""

    state: Array  # [k, number of its columns]
    columns: tuple[str, ...]  # of the state that the points have: all, or those of the key section.columns
    positions: tuple[int, ...]  # of these columns in a state
    dim: int  # columns of a state
    trajectory: Array  # [k], row of the initial state
    time: Array  # [k]
    step: Array  # [k], the step in which the section was crossed

    def __len__(self) -> int:
        return self.state.shape[0]

    def states(self, rows: slice) -> np.ndarray:
        """[rows, dim], NaN in the columns that the points lack."""
        if len(self.columns) == self.dim:
            return np.asarray(self.state[rows])
        some = self.state[rows]
        states = np.full((len(some), self.dim), np.nan)
        states[:, self.positions] = some
        return states


@dataclass(frozen=True)
class Density:
    """Section points counted in the cells of a plane."""

    counts: Array  # [nx, ny]
    axes: tuple[str, str]  # columns or observables
    low: tuple[float, float]
    high: tuple[float, float]
    outside: int  # points in no cell


@dataclass(frozen=True)
class Statistics:
    """Moments of o observables at t times, over the trajectories that came that far."""

    observables: tuple[str, ...]
    units: tuple[str, ...]  # of the observables; empty strings where the file has none
    wrapped: tuple[bool, ...]  # whether an observable is an angle in (-pi, pi], with circular moments
    time: Array  # [t]
    count: Array  # [t], trajectories
    mean: Array  # [t, o]
    variance: Array  # [t, o], with n - 1; of a wrapped angle the square of its circular standard deviation
    minimum: Array  # [t, o]
    maximum: Array  # [t, o]
    histogram: Array | None  # [t, o, cells] of equal width from low to high, where the file has them
    outside: Array | None  # [t, o, 2], below and above the cells
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Snapshots:
    """All trajectories at t common times."""

    time: Array  # [t]
    state: Array  # [n, t, dim]
    invariants: Array | None  # [n, t, i], where the file has them
    shadow_energy: Array | None  # [n, t], likewise


@dataclass(frozen=True)
class Invariants:
    """The i quantities that the flow conserves."""

    names: tuple[str, ...]
    units: tuple[str, ...]  # empty strings where the file has none
    initial: Array  # [n, i]
    drift: Array | None  # [n, i], largest changes


@dataclass(frozen=True)
class FirstSnapshots:
    """The states at the start where they were not recorded but with the snapshots: read where they are wanted."""

    snapshots: Array  # [n, s, dim]

    @property
    def shape(self) -> tuple[int, int]:
        return self.snapshots.shape[0], self.snapshots.shape[2]

    @property
    def path(self) -> str:
        return self.snapshots.path

    def __getitem__(self, rows: Any) -> np.ndarray:
        return np.asarray(self.snapshots[rows, 0])


@dataclass(frozen=True)
class Result:
    """The result of a run."""

    source: str  # what messages call it
    is_stored: bool  # in a file
    attributes: Mapping[str, Any]  # of the root: system, method, section, step, config, backend, ...
    columns: tuple[str, ...]  # names of the dim state columns
    units: tuple[str, ...]  # of the columns; empty strings where the file has none
    turning: frozenset[str]  # columns that are angles without bound
    parameters: Mapping[str, np.ndarray]  # of the system, e.g. inertia [3], c []
    initial_state: Array | FirstSnapshots | None  # [n, dim]; None where neither it nor snapshots were recorded
    final_state: Array | None  # [n, dim]; None where it was not recorded
    final_time: Array | np.ndarray  # [n]
    status_code: Array  # [n], 0 where the trajectory was completed
    section: Section | None
    section_chart: SectionChart | None  # also where the points were counted but not stored
    section_count: Array | None  # [n], section points of each trajectory, where the file has them
    density: Density | None  # of the section points
    statistics: Statistics | None
    snapshots: Snapshots | None
    invariants: Invariants | None

    def column_numbers(self, *names: str) -> list[int] | None:
        """Where the named columns are in a state, None if one of them is missing."""
        return [self.columns.index(name) for name in names] if set(names) <= set(self.columns) else None

    def status_counts(self) -> dict[int, int]:
        """Number of trajectories that ended with each status code that occurs."""
        codes, counts = np.unique(self.status_code[:], return_counts=True)
        return dict(zip(codes.tolist(), counts.tolist()))


def result_of(run: Run) -> Result:
    """What a run has; raises InputError where it has no result, or its arrays do not fit together."""
    arrays = run.arrays
    if not arrays:
        raise InputError(f"cannot draw {run.source} (it was stopped, and has no result). Run it to its end.")
    try:
        states = _any_states(run)
        columns = tuple(states.attributes["columns"] if states else arrays["/column"].values)
        result = Result(
            source=run.source,
            is_stored=run.path is not None,
            attributes=run.attributes,
            columns=columns,
            units=_units(states, len(columns)) if states else tuple(_unit_of(run, name) for name in columns),
            turning=_turning(run),
            parameters=run.parameters,
            initial_state=_initial(run),
            final_state=arrays.get("/final/state"),
            final_time=_final_time(run),
            status_code=arrays["/status/code"],
            section=_section(run, columns) if "/section/state" in arrays else None,
            section_chart=_chart(run.attributes_of_groups.get("/section", {}), columns),
            section_count=arrays.get("/section/count"),
            density=_density(arrays["/section/density"]) if "/section/density" in arrays else None,
            statistics=_statistics(run) if "/statistics/mean" in arrays else None,
            snapshots=_snapshots(run) if "/snapshots/state" in arrays else None,
            invariants=_invariants(run) if "/invariants/initial" in arrays else None,
        )
        _check_shapes(result)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = str(error).strip("'\"")
        raise InputError(
            f"cannot use {run.source} (unexpected layout: {reason}). Write it again with polhode."
        ) from error
    return result


def section_of(result: Result) -> Section:
    """The section, which has points; raises InputError where the result has none."""
    if result.section is None or len(result.section) == 0:
        raise InputError(
            f"{result.source} has no section points (this view needs them). Run with a [section] that the orbits cross."
        )
    return result.section


def snapshots_of(result: Result) -> Snapshots:
    """The snapshots; raises InputError where there are none."""
    if result.snapshots is None or 0 in result.snapshots.state.shape:
        raise InputError(
            f"{result.source} has no snapshots (they are recorded only on request). Run with record.snapshots."
        )
    return result.snapshots


def _any_states(run: Run) -> Array | None:
    """An array of states, whose attributes tell the columns; a run may record none but counts."""
    return next((run.arrays[path] for path in STATES if path in run.arrays and _has_all_columns(run, path)), None)


def _has_all_columns(run: Run, path: str) -> bool:
    """Whether an array of states has them; points of a section may have some."""
    return "/column" not in run.arrays or run.arrays[path].shape[-1] == len(run.arrays["/column"])


def _unit_of(run: Run, column: str) -> str:
    """The unit of a column that section points have or whose cells a density counts; empty where there is none."""
    points = run.arrays.get("/section/state")
    if points is not None and column in (names := points.attributes["columns"]):
        return str(_units(points, len(names))[names.index(column)])
    cells = run.arrays.get(f"/section/cell_{column}")
    return str(cells.attributes.get("unit", "")) if cells is not None else ""


def _initial(run: Run) -> Array | FirstSnapshots | None:
    """The states at the start, with which snapshots begin."""
    if "/initial/state" in run.arrays:
        return run.arrays["/initial/state"]
    return FirstSnapshots(run.arrays["/snapshots/state"]) if "/snapshots/state" in run.arrays else None


def _final_time(run: Run) -> Array | np.ndarray:
    if "/final/time" in run.arrays:
        return run.arrays["/final/time"]
    return np.asarray(run.arrays["/status/step"][:] * run.attributes["step"])


def _section(run: Run, columns: tuple[str, ...]) -> Section:
    state = run.arrays["/section/state"]
    kept = tuple(state.attributes.get("columns", columns))
    if unknown := set(kept) - set(columns):
        raise ValueError(f"{state.path} has a column {unknown.pop()}, which is none of the state")
    return Section(
        columns=kept,
        positions=tuple(columns.index(name) for name in kept),
        dim=len(columns),
        **{name: run.arrays[f"/section/{name}"] for name in ("state", "trajectory", "time", "step")},
    )


def _chart(attributes: Mapping[str, Any], columns: tuple[str, ...]) -> SectionChart | None:
    if "axes" not in attributes:
        return None
    names, axis_columns, signs = (tuple(attributes[name]) for name in CHART_ATTRIBUTES)
    if not len(names) == len(axis_columns) == len(signs) == 2:
        raise ValueError(f"/section has attributes {', '.join(CHART_ATTRIBUTES)} that are not pairs")
    side = attributes.get("side")
    if unknown := {*axis_columns, side or columns[0]} - set(columns):
        raise ValueError(f"/section has an axis along {unknown.pop()}, which is no column")
    return SectionChart(names, axis_columns, signs, side or None)


def _density(counts: Array) -> Density:
    axes, low, high = (tuple(counts.attributes[name]) for name in ("axes", "low", "high"))
    if not (len(axes) == len(low) == len(high) == counts.ndim == 2):
        raise ValueError(f"{counts.path} is not of a plane")
    return Density(counts, axes, low, high, int(counts.attributes["outside"]))


def _statistics(run: Run) -> Statistics:
    arrays: dict[str, Any] = {name: run.arrays.get(f"/statistics/{name}") for name in ("histogram", "outside")}
    needed: dict[str, Any] = {name: run.arrays[f"/statistics/{name}"]
              for name in ("observables", "time", "count", "mean", "variance", "minimum", "maximum")}  # fmt: skip
    observables, mean, histogram = tuple(needed.pop("observables").values), needed["mean"], arrays["histogram"]
    bounds: dict[str, Any] = {name: tuple(histogram.attributes[name]) for name in ("low", "high")} if histogram is not None else {}
    return Statistics(
        observables=observables,
        units=_units(mean, len(observables)),
        wrapped=tuple(angle == "wrapped" for angle in mean.attributes.get("angle", [""] * len(observables))),
        **needed,
        **arrays,
        **bounds,
    )


def _snapshots(run: Run) -> Snapshots:
    names = ("invariants", "shadow_energy")
    return Snapshots(time=run.arrays["/snapshots/time"], state=run.arrays["/snapshots/state"],
                     **{name: run.arrays.get(f"/snapshots/{name}") for name in names})  # fmt: skip


def _invariants(run: Run) -> Invariants:
    names, initial = tuple(run.arrays["/invariants/names"].values), run.arrays["/invariants/initial"]
    drift = run.arrays.get("/invariants/max_drift")
    return Invariants(names=names, units=_units(initial, len(names)), initial=initial, drift=drift)


def _units(array: Array, count: int) -> tuple[str, ...]:
    """Units of the columns of an array."""
    units = tuple(array.attributes.get("unit", ("",) * count))
    if len(units) != count:
        raise ValueError(f"{array.path} has {len(units)} units for {count} names")
    return units


def _turning(run: Run) -> frozenset[str]:
    """Columns that are angles without bound."""
    attributes = [run.arrays[path].attributes for path in STATES if path in run.arrays]
    pairs = [pair for of in attributes if "angle" in of for pair in zip(of["columns"], of["angle"])]
    return frozenset(name for name, angle in pairs if angle == "unbounded")


def _check_shapes(result: Result) -> None:
    n, dim = len(result.status_code), len(result.columns)
    expected: list[tuple[Any, tuple[int, ...]]] = [(result.final_time, (n,)), (result.status_code, (n,))]
    expected += [(data, (n, dim)) for data in (result.final_state, result.initial_state) if data is not None]
    if result.section is not None:
        k = len(result.section)
        expected.append((result.section.state, (k, len(result.section.columns))))
        expected += [(data, (k,)) for data in (result.section.trajectory, result.section.time, result.section.step)]
    if result.section_count is not None:
        expected.append((result.section_count, (n,)))
    if result.snapshots is not None:
        snapshots = (n, *result.snapshots.time.shape)
        expected.append((result.snapshots.state, (*snapshots, dim)))
        if result.snapshots.shadow_energy is not None:
            expected.append((result.snapshots.shadow_energy, snapshots))
        if result.snapshots.invariants is not None:
            if result.invariants is None:
                raise ValueError("/snapshots/invariants without /invariants/names")
            expected.append((result.snapshots.invariants, (*snapshots, len(result.invariants.names))))
    if (statistics := result.statistics) is not None:
        times, observables = len(statistics.time), len(statistics.observables)
        expected.append((statistics.count, (times,)))
        moments = (statistics.mean, statistics.variance, statistics.minimum, statistics.maximum)
        expected += [(data, (times, observables)) for data in moments]
        if statistics.histogram is not None:
            if not len(statistics.low) == len(statistics.high) == observables:
                raise ValueError(f"{statistics.histogram.path} has other bounds than observables")
            expected.append((statistics.histogram, (times, observables, *statistics.histogram.shape[2:3])))
    if result.invariants is not None:
        of_invariants = (result.invariants.initial, result.invariants.drift)
        expected += [(data, (n, len(result.invariants.names))) for data in of_invariants if data is not None]
    for data, shape in expected:
        if data.shape != shape:
            raise ValueError(f"{data.path} has shape {data.shape} instead of {shape}")
