"""Executes runs, in memory and into files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from os import PathLike, fsdecode
from types import SimpleNamespace
from typing import Any

from polhode import _core
from polhode.arrays import Array
from polhode.configuration import Configuration
from polhode.errors import InputError
from polhode.progress import Bar, Progress, Report
from polhode.runs import Run
from polhode.table import Table
from polhode.vocabulary import Density, Execution, Method, Record, Section, Statistics, System

MOST_BYTES = 1 << 62  # memory is the limit


def configure(
    system: System,
    method: Method,
    ensemble: Table,
    steps: int,
    *,
    section: Section | None = None,
    density: Density | None = None,
    statistics: Statistics | None = None,
    record: Record | None = None,
    **execution: Any,
) -> Configuration:
    """The configuration of these tables; see `run`. Raises InputError for a table in the wrong place."""
    parts = {
        "system": system,
        "method": method,
        "ensemble": ensemble,
        "run": Execution(steps, **execution),
        "section": section,
        "density": density,
        "statistics": statistics,
        "record": record,
    }
    given = {name: part for name, part in parts.items() if part is not None}
    for name, part in given.items():
        if not isinstance(part, Table) or part.table != name:
            of_polhode = "one of polhode.starts" if name == "ensemble" else f"a polhode.{name.title()}"
            raise InputError(f"cannot use {name} = {part!r} (it is not {of_polhode}). Give one.")
    return Configuration({name: part.keys for name, part in given.items()})


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
    parts = {"section": section, "density": density, "statistics": statistics, "record": record}
    return run_configuration(configure(system, method, ensemble, steps, **parts, **execution), progress)  # type: ignore[arg-type]


def run_configuration(configuration: Configuration, progress: bool | Report = True) -> Run:
    """Runs what a configuration describes, in memory; [output] is left out."""
    tables = {name: table for name, table in require(configuration).tables.items() if name != "output"}
    text, states = Configuration(tables).text_and_states()
    with told(progress) as tell:
        report, arrays, attributes = _core.run(text, states, tell, MOST_BYTES)
    warn_of_failures(report)
    of_run = {path: Array(path, *array) for path, array in arrays.items()}
    return Run(of_run, attributes, report=SimpleNamespace(**report), _configuration=configuration)


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
            warnings.warn(
                f"{ending['count']} of {report['trajectories']} trajectories failed (first: trajectory {ending['first']}, after "
                f"step {ending['step']}): {ending['meaning']}",
                RuntimeWarning,
                stacklevel=4,
            )


def require(configuration: Configuration) -> Configuration:
    if not isinstance(configuration, Configuration):
        raise InputError(
            f"cannot run a {type(configuration).__name__} (it is no polhode.Configuration). Use polhode.load for a "
            "file, and polhode.Configuration for tables."
        )
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
