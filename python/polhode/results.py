"""Reads polhode's HDF5 result files.

    with open_result("heavy_top.h5") as result:
        print(result.attributes["system"], result.columns, result.status_counts())
        last = result.final_state[:]                     # [n, dim]

n trajectories of a state of dim numbers. Arrays that grow with n are h5py datasets: they stay in the file until they
are sliced, and can be sliced only while it is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np

STATES = ("final/state", "initial/state", "section/state", "snapshots/state")
CHART_ATTRIBUTES = ("axes", "axis_columns", "axis_signs")


class ResultError(Exception):
    """A file that cannot be used; the text is the line for the user, `PROBLEM (WHY). SUGGESTION.`"""


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

    state: h5py.Dataset  # [k, number of its columns]
    columns: tuple[str, ...]  # of the state that the points have: all, or those of the key section.columns
    positions: tuple[int, ...]  # of these columns in a state
    dim: int  # columns of a state
    trajectory: h5py.Dataset  # [k], row of the initial state
    time: h5py.Dataset  # [k]
    step: h5py.Dataset  # [k], the step in which the section was crossed

    def __len__(self) -> int:
        return self.state.shape[0]

    def states(self, rows: slice) -> np.ndarray:
        """[rows, dim], NaN in the columns that the points lack."""
        if len(self.columns) == self.dim:
            return self.state[rows]
        some = self.state[rows]
        states = np.full((len(some), self.dim), np.nan)
        states[:, self.positions] = some
        return states


@dataclass(frozen=True)
class Density:
    """Section points counted in the cells of a plane."""

    counts: h5py.Dataset  # [nx, ny]
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
    time: h5py.Dataset  # [t]
    count: h5py.Dataset  # [t], trajectories
    mean: h5py.Dataset  # [t, o]
    variance: h5py.Dataset  # [t, o], with n - 1; of a wrapped angle the square of its circular standard deviation
    minimum: h5py.Dataset  # [t, o]
    maximum: h5py.Dataset  # [t, o]
    histogram: h5py.Dataset | None  # [t, o, cells] of equal width from low to high, where the file has them
    outside: h5py.Dataset | None  # [t, o, 2], below and above the cells
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Snapshots:
    """All trajectories at t common times."""

    time: h5py.Dataset  # [t]
    state: h5py.Dataset  # [n, t, dim]
    invariants: h5py.Dataset | None  # [n, t, i], where the file has them
    shadow_energy: h5py.Dataset | None  # [n, t], likewise


@dataclass(frozen=True)
class Invariants:
    """The i quantities that the flow conserves."""

    names: tuple[str, ...]
    units: tuple[str, ...]  # empty strings where the file has none
    initial: h5py.Dataset  # [n, i]


@dataclass(frozen=True)
class FirstSnapshots:
    """The states at the start where they were not recorded but with the snapshots: read where they are wanted."""

    snapshots: h5py.Dataset  # [n, s, dim]

    @property
    def shape(self) -> tuple[int, int]:
        return self.snapshots.shape[0], self.snapshots.shape[2]

    @property
    def name(self) -> str:
        return self.snapshots.name

    def __getitem__(self, rows: Any) -> np.ndarray:
        return self.snapshots[rows, 0]


@dataclass(frozen=True)
class Result:
    """An open result file."""

    path: Path
    attributes: dict[str, Any]  # of the root: system, method, section, step, config, backend, ...
    columns: tuple[str, ...]  # names of the dim state columns
    units: tuple[str, ...]  # of the columns; empty strings where the file has none
    turning: frozenset[str]  # columns that are angles without bound
    parameters: dict[str, np.ndarray]  # of the system, e.g. inertia [3], c []
    initial_state: h5py.Dataset | FirstSnapshots | None  # [n, dim]; None where neither it nor snapshots were recorded
    final_state: h5py.Dataset | None  # [n, dim]; None where it was not recorded
    final_time: h5py.Dataset | np.ndarray  # [n]
    status_code: h5py.Dataset  # [n], 0 where the trajectory was completed
    section: Section | None
    section_chart: SectionChart | None  # also where the points were counted but not stored
    section_count: h5py.Dataset | None  # [n], section points of each trajectory, where the file has them
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


@contextmanager
def open_result(path: Path | str) -> Iterator[Result]:
    """Opens a result file for reading; raises ResultError here and wherever the file later proves damaged."""
    path = Path(path)
    try:
        path.open("rb").close()
    except OSError as error:
        raise ResultError(f"cannot read '{path}' ({error.strerror}). Give the .h5 file of a finished run.") from error
    if not h5py.is_hdf5(path):
        raise ResultError(f"cannot read '{path}' (not an HDF5 file). Give the .h5 file of a finished run.")
    try:
        with h5py.File(path, "r") as file:
            yield _read_layout(file, path)
    except OSError as error:  # how h5py reports damage, on opening as on reading
        raise ResultError(f"cannot read '{path}' ({error}). Check that it is complete and not in use.") from error


def _read_layout(file: h5py.File, path: Path) -> Result:
    try:
        attributes = {name: _plain(value) for name, value in file.attrs.items()}
        if attributes.get("program") != "polhode":
            raise ResultError(f"cannot use '{path}' (not written by polhode). Give the .h5 file of a finished run.")
        states = _any_states(file)
        columns = tuple(_plain(states.attrs["columns"]) if states else _plain(file["column"][()]))
        result = Result(
            path=path,
            attributes=attributes,
            columns=columns,
            units=_units(states, len(columns)) if states else tuple(_unit_of(file, name) for name in columns),
            turning=_turning(file),
            parameters={name: data[()] for name, data in file.get("parameters", {}).items()},
            initial_state=_read_initial(file),
            final_state=file.get("final/state"),
            final_time=_read_final_time(file),
            status_code=file["status/code"],
            section=_read_section(file["section"], columns) if "section/state" in file else None,
            section_chart=_read_chart(file["section"], columns) if "section" in file else None,
            section_count=file.get("section/count"),
            density=_read_density(file["section/density"]) if "section/density" in file else None,
            statistics=_read_statistics(file["statistics"]) if "statistics" in file else None,
            snapshots=_read_snapshots(file["snapshots"]) if "snapshots" in file else None,
            invariants=_read_invariants(file["invariants"]) if "invariants" in file else None,
        )
        _check_shapes(result)
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError) as error:
        reason = str(error).strip("'\"")
        raise ResultError(f"cannot use '{path}' (unexpected layout: {reason}). Write it again with polhode.") from error
    return result


def _any_states(file: h5py.File) -> h5py.Dataset | None:
    """An array of states, whose attributes tell the columns; a run may record none but counts."""
    return next((file[name] for name in STATES if name in file and _has_all_columns(file[name], file)), None)


def _has_all_columns(states: h5py.Dataset, file: h5py.File) -> bool:
    """Whether an array of states has them; points of a section may have some."""
    return "column" not in file or states.shape[-1] == len(file["column"])


def _unit_of(file: h5py.File, column: str) -> str:
    """The unit of a column that section points have or whose cells a density counts; empty where there is none."""
    if (points := file.get("section/state")) is not None and column in (names := _plain(points.attrs["columns"])):
        return _units(points, len(names))[names.index(column)]
    cells = file.get(f"section/cell_{column}")
    return str(_plain(cells.attrs.get("unit", ""))) if cells is not None else ""


def _read_initial(file: h5py.File) -> h5py.Dataset | FirstSnapshots | None:
    """The states at the start, with which snapshots begin."""
    if "initial/state" in file:
        return file["initial/state"]
    return FirstSnapshots(file["snapshots/state"]) if "snapshots/state" in file else None


def _read_final_time(file: h5py.File) -> h5py.Dataset | np.ndarray:
    return file["final/time"] if "final/time" in file else file["status/step"][:] * _plain(file.attrs["step"])


def _read_section(group: h5py.Group, columns: tuple[str, ...]) -> Section:
    state = group["state"]
    kept = tuple(_plain(state.attrs["columns"])) if "columns" in state.attrs else columns
    if unknown := set(kept) - set(columns):
        raise ValueError(f"{state.name} has a column {unknown.pop()}, which is none of the state")
    return Section(
        columns=kept,
        positions=tuple(columns.index(name) for name in kept),
        dim=len(columns),
        **{name: group[name] for name in ("state", "trajectory", "time", "step")},
    )


def _read_chart(group: h5py.Group, columns: tuple[str, ...]) -> SectionChart | None:
    if "axes" not in group.attrs:
        return None
    names, axis_columns, signs = (tuple(_plain(group.attrs[name])) for name in CHART_ATTRIBUTES)
    if not len(names) == len(axis_columns) == len(signs) == 2:
        raise ValueError(f"{group.name} has attributes {', '.join(CHART_ATTRIBUTES)} that are not pairs")
    side = _plain(group.attrs["side"]) if "side" in group.attrs else None
    if unknown := {*axis_columns, side or columns[0]} - set(columns):
        raise ValueError(f"{group.name} has an axis along {unknown.pop()}, which is no column")
    return SectionChart(names, axis_columns, signs, side or None)


def _read_density(counts: h5py.Dataset) -> Density:
    axes, low, high = (tuple(_plain(counts.attrs[name])) for name in ("axes", "low", "high"))
    if not (len(axes) == len(low) == len(high) == counts.ndim == 2):
        raise ValueError(f"{counts.name} is not of a plane")
    return Density(counts, axes, low, high, int(counts.attrs["outside"]))


def _read_statistics(group: h5py.Group) -> Statistics:
    names = ("time", "count", "mean", "variance", "minimum", "maximum")
    histogram = group.get("histogram")
    bounds = {name: tuple(_plain(histogram.attrs[name])) for name in ("low", "high")} if histogram is not None else {}
    observables = tuple(_plain(group["observables"][()]))
    return Statistics(
        observables=observables,
        units=_units(group["mean"], len(observables)),
        wrapped=tuple(angle == "wrapped" for angle in _plain(group["mean"].attrs.get("angle", [""] * len(observables)))),
        **{name: group[name] for name in names},
        histogram=histogram,
        outside=group.get("outside"),
        **bounds,
    )


def _read_snapshots(group: h5py.Group) -> Snapshots:
    names = ("invariants", "shadow_energy")
    return Snapshots(time=group["time"], state=group["state"], **{name: group.get(name) for name in names})


def _read_invariants(group: h5py.Group) -> Invariants:
    names = tuple(_plain(group["names"][()]))
    return Invariants(names=names, units=_units(group["initial"], len(names)), initial=group["initial"])


def _units(data: h5py.Dataset, count: int) -> tuple[str, ...]:
    """Units of the columns of an array."""
    units = tuple(_plain(data.attrs["unit"])) if "unit" in data.attrs else ("",) * count
    if len(units) != count:
        raise ValueError(f"{data.name} has {len(units)} units for {count} names")
    return units


def _turning(file: h5py.File) -> frozenset[str]:
    """Columns that are angles without bound."""
    arrays = [file[name].attrs for name in STATES if name in file and "angle" in file[name].attrs]
    pairs = [pair for of in arrays for pair in zip(_plain(of["columns"]), _plain(of["angle"]))]
    return frozenset(name for name, angle in pairs if angle == "unbounded")


def _check_shapes(result: Result) -> None:
    n, dim = len(result.status_code), len(result.columns)
    expected = [(result.final_time, (n,)), (result.status_code, (n,))]
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
                raise ValueError(f"{statistics.histogram.name} has other bounds than observables")
            expected.append((statistics.histogram, (times, observables, *statistics.histogram.shape[2:3])))
    if result.invariants is not None:
        expected.append((result.invariants.initial, (n, len(result.invariants.names))))
    for data, shape in expected:
        if data.shape != shape:
            raise ValueError(f"{data.name} has shape {data.shape} instead of {shape}")


def _plain(value: Any) -> Any:
    """An attribute as Python's own str, int, float or list of these, however its strings were stored."""
    values = np.asarray(value).tolist()
    if isinstance(values, list):
        return [_plain(item) for item in values]
    return values.decode() if isinstance(values, bytes) else values
