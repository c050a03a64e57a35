"""Runs in memory and into files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from polhode import _core
from polhode.configuration import Configuration
from polhode.errors import InputError
from polhode.progress import Bar, Progress, Report
from polhode.table import Table
from polhode.vocabulary import Density, Execution, Method, Record, Section, Statistics, System

if TYPE_CHECKING:
    import pandas

MOST_BYTES = 1 << 62  # memory is the limit


class Group(Mapping[str, Any]):
    """The arrays of a group of a result by name, as attributes, too: `run.section.state`. Arrays cannot be written to."""

    def __init__(self, path: str, arrays: Mapping[str, tuple[Any, dict[str, Any], list[str]]], attributes: Mapping[str, Any]):
        self._path, self._arrays, self.attributes = path, arrays, dict(attributes)

    def __getitem__(self, name: str) -> Any:
        values, _, _ = self._arrays[name]
        return values

    def __getattr__(self, name: str) -> Any:
        if name in self._arrays:
            return self[name]
        raise AttributeError(f"{self._path} has no array {name!r}; it has {', '.join(self._arrays) or 'none'}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __repr__(self) -> str:
        return f"<{self._path}: {', '.join(f'{name} {np.shape(self[name])}' for name in self)}>"

    def attributes_of(self, name: str) -> dict[str, Any]:
        """What is known of an array, e.g. the columns of a state."""
        return self._arrays[name][1]

    def dimensions_of(self, name: str) -> list[str]:
        """The paths of an array's dimensions; "" for one without a name."""
        return self._arrays[name][2]

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each state: its columns by name, after what else is known of it, e.g. trajectory, step and time. Raises
        InputError where the states have more dimensions than rows and columns."""
        import pandas

        if "state" not in self or self.state.ndim != 2:
            raise InputError(f"cannot make a table of {self._path} (it has no states in rows). Take its arrays.")
        frame = pandas.DataFrame(self.state, columns=self.attributes_of("state")["columns"], copy=False)
        rows = self.dimensions_of("state")[0]
        others = [name for name in self if self.dimensions_of(name) == [rows]]
        for place, name in enumerate(sorted(others, key=("trajectory", "step", "time").index)):
            frame.insert(place, name, self[name])
        return frame


@dataclass(frozen=True)
class Run:
    """A run with its result: the arrays that its file would have, by the same paths and with the same bits."""

    configuration: Configuration
    report: SimpleNamespace  # what `polhode run` prints
    attributes: Mapping[str, Any] = field(repr=False)
    _arrays: Mapping[str, tuple[Any, dict[str, Any], list[str]]] = field(repr=False)
    _attributes: Mapping[str, Mapping[str, Any]] = field(repr=False)

    def __getitem__(self, path: str) -> Any:
        """The array of a path such as "/section/state"."""
        if path not in self._arrays:
            raise KeyError(f"{path}; the result has {', '.join(self._arrays) or 'none, since the run was stopped'}")
        return self._arrays[path][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def group(self, name: str) -> Group:
        """The arrays of /name."""
        prefix = f"/{name}/"
        arrays = {path.removeprefix(prefix): array for path, array in self._arrays.items() if path.startswith(prefix)}
        return Group(prefix[:-1], arrays, self._attributes.get(prefix[:-1], {}))

    initial = property(lambda self: self.group("initial"), doc="States at the start.")
    final = property(lambda self: self.group("final"), doc="States at the end.")
    section = property(lambda self: self.group("section"), doc="Section points.")
    density = property(lambda self: self.group("density"), doc="Counts of section points in cells.")
    snapshots = property(lambda self: self.group("snapshots"), doc="States and invariants in time.")
    statistics = property(lambda self: self.group("statistics"), doc="Moments and histograms in time.")
    invariants = property(lambda self: self.group("invariants"), doc="Conserved quantities and their drifts.")
    status = property(lambda self: self.group("status"), doc="How each trajectory ended.")


def run(
    system: System,
    method: Method,
    ensemble: Table,
    steps: int,
    *,
    section: Section | None = None,
    density: Density | None = None,
    statistics: Statistics | None = None,
    record: Record | None = None,
    progress: bool | Report = True,
    **execution: Any,
) -> Run:
    """Integrates all trajectories, and returns the run with its result.

    system, method, ensemble (polhode.starts), section, density, statistics, record: tables of a configuration
    steps, execution: keys of [run], e.g. backend="cpu" (polhode.Execution)
    progress: whether a run of more than a second shows how far it is; or a function of a polhode.Progress, which stops
        the run by returning False

    Raises InputError for what is wrong in the tables, BackendUnavailable where a backend or a kernel is, and whatever
    `progress` raises. KeyboardInterrupt stops the run.
    """
    parts = [system, method, ensemble, Execution(steps, **execution), section, density, statistics, record]
    return run_configuration(Configuration({part.table: part.keys for part in parts if part is not None}), progress)


def run_configuration(configuration: Configuration, progress: bool | Report = True) -> Run:
    """Runs what a configuration describes, in memory; [output] is left out."""
    tables = {name: table for name, table in configuration.tables.items() if name != "output"}
    text, states = Configuration(tables).text_and_states()
    with Bar() as bar:
        report, arrays, attributes = _core.run(text, states, told(progress, bar), MOST_BYTES)
    return Run(configuration, SimpleNamespace(**report), attributes.get("/", {}), arrays, attributes)


def run_to_file(
    configuration: Configuration,
    file: str | PathLike[str],
    *,
    compression: int = 0,
    resume: bool = False,
    force: bool = False,
    progress: bool | Report = True,
) -> SimpleNamespace:
    """Runs what a configuration describes into a file, as `polhode run` does, and returns the report."""
    text, states = configuration.text_and_states()
    with Bar() as bar:
        return SimpleNamespace(**_core.run_into_file(text, states, fspath(file), compression, resume, force, told(progress, bar)))


def told(progress: bool | Report, bar: Bar) -> Callable[[float, float, int, float, float], object] | None:
    """The function that `_core` calls now and then; None where nobody listens."""
    if progress is False:
        return None
    report = bar if progress is True else progress
    return lambda *now: report(Progress(*now))
