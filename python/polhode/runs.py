"""Runs in memory and into files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from os import PathLike, fsdecode
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
FIRST = ("trajectory", "step", "time")  # columns of a table, before those of the state


class Group(Mapping[str, Any]):
    """The arrays of a group of a result by name, as attributes, too: `run.section.state`. Arrays cannot be written to."""

    def __init__(self, path: str, arrays: Mapping[str, tuple[Any, dict[str, Any], list[str]]], attributes: Mapping[str, Any]):
        self._path, self._arrays, self.attributes = path, arrays, dict(attributes)

    def __getitem__(self, name: str) -> Any:
        values, _, _ = self._arrays[name]
        return values

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._arrays:
            return self[name]
        if name.startswith("_"):
            raise AttributeError(name)
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
        """A row for each state: its columns by name, after what else is known of it, e.g. trajectory, step and time.

        They are the arrays of the run, which cannot be written to; `.copy()` can. Raises InputError where the states have
        more dimensions than rows and columns.
        """
        import pandas

        if "state" not in self or self.state.ndim != 2:
            raise InputError(f"cannot make a table of {self._path} (it has no states in rows). Take its arrays.")
        frame = pandas.DataFrame(self.state, columns=self.attributes_of("state")["columns"], copy=False)
        rows = self.dimensions_of("state")[0]
        others = [name for name in self if self.dimensions_of(name) == [rows]]
        for name in sorted(others, key=lambda name: (name in FIRST, -FIRST.index(name) if name in FIRST else 0)):
            frame.insert(0, name, self[name])
        return frame


@dataclass(frozen=True, eq=False)
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
    section = property(lambda self: self.group("section"), doc="Section points, and their density.")
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
        the run by returning what is false and not None

    Raises InputError for what is wrong in the tables, BackendUnavailable where a backend or a kernel is, and whatever
    `progress` raises. KeyboardInterrupt stops the run.
    """
    parts = {"system": system, "method": method, "ensemble": ensemble, "run": Execution(steps, **execution), "section": section,
             "density": density, "statistics": statistics, "record": record}
    given = {name: part for name, part in parts.items() if part is not None}
    for name, part in given.items():
        if not isinstance(part, Table) or part.table != name:
            of_polhode = "one of polhode.starts" if name == "ensemble" else f"a polhode.{name.title()}"
            raise InputError(f"cannot use {name} = {part!r} (it is not {of_polhode}). Give one.")
    return run_configuration(Configuration({name: part.keys for name, part in given.items()}), progress)


def run_configuration(configuration: Configuration, progress: bool | Report = True) -> Run:
    """Runs what a configuration describes, in memory; [output] is left out."""
    tables = {name: table for name, table in require(configuration).tables.items() if name != "output"}
    text, states = Configuration(tables).text_and_states()
    with told(progress) as tell:
        report, arrays, attributes = _core.run(text, states, tell, MOST_BYTES)
    warn_of_failures(report)
    return Run(configuration, SimpleNamespace(**report), attributes.get("/", {}), arrays, attributes)


def run_to_file(
    configuration: Configuration,
    file: str | PathLike[str],
    *,
    compression: int | None = None,
    resume: bool = False,
    force: bool = False,
    progress: bool | Report = True,
) -> SimpleNamespace:
    """Runs what a configuration describes into a file, as `polhode run` does, and returns the report. compression: that of
    [output] where it is not given."""
    text, states = require(configuration).text_and_states()
    level = configuration.tables.get("output", {}).get("compression", 0) if compression is None else compression
    with told(progress) as tell:
        report = _core.run_into_file(text, states, fsdecode(file), int(level), resume, force, tell)
    warn_of_failures(report)
    return SimpleNamespace(**report)


def warn_of_failures(report: Mapping[str, Any]) -> None:
    """Warns of trajectories that have failed, since a report is easily not read."""
    for ending in report["endings"]:
        if not ending["is_result"]:
            warnings.warn(f"{ending['count']} of {report['trajectories']} trajectories failed (first: trajectory {ending['first']}, after "
                          f"step {ending['step']}): {ending['meaning']}", RuntimeWarning, stacklevel=4)


def require(configuration: Configuration) -> Configuration:
    if not isinstance(configuration, Configuration):
        raise InputError(f"cannot run a {type(configuration).__name__} (it is no polhode.Configuration). Use polhode.load for a "
                         "file, and polhode.Configuration for tables.")
    return configuration


@contextmanager
def told(progress: bool | Report) -> Iterator[Callable[[float, float, int, float, float], bool] | None]:
    """The function that `_core` calls now and then, and whose False stops a run; None where nobody listens."""
    if not progress:
        yield None
        return
    with Bar() if progress is True else nullcontext(progress) as report:

        def tell(*now: Any) -> bool:
            answer = report(Progress(*now))
            return answer is None or bool(answer)

        yield tell
