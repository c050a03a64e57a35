"""Executes runs, in memory and into files."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from polhode import _core
from polhode.arrays import Array
from polhode.configuration import Configuration
from polhode.errors import InputError
from polhode.extras import imported
from polhode.names import check_keywords
from polhode.progress import Bar, Progress, Report, notice
from polhode.report import RunReport
from polhode.runs import Run
from polhode.table import Table
from polhode.vocabulary import Density, Execution, Method, Record, Section, Statistics, System

UNKNOWN_ROOM = 1 << 62  # bytes
LONGEST = 80  # letters of what is told of a wrong part


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
    check_keywords(execution, KEYWORDS, "polhode.run")
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
            raise InputError(refusal_of(name, part))
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
    file: str | PathLike[str] | None = None,
    compression: int | None = None,
    resume: bool = False,
    force: bool = False,
    progress: bool | Report = True,
    **execution: Any,
) -> Run:
    """Integrates all trajectories, and returns the run with its result.

    Args:
        system: the system with its parameters
        method: the method with its step
        ensemble: starts, one of polhode.starts
        steps: how many steps to take
        section: a Poincare section
        density: cells in which section points are counted
        statistics: moments and histograms in time
        record: what is recorded besides
        file: where the result is written, as `polhode run` does, and from which it is then read; None: it stays in memory
        compression: level of deflate of a file, 0 (none) to 9; by default that of [output], or none
        resume: go on with a run into the file that was stopped, or with a finished one to more steps
        force: replace a file that exists
        progress: whether a run of more than a second shows how far it is; or a function of a polhode.Progress, which
            stops the run by returning what is false and not None
        execution: other keys of [run], e.g. backend="cpu" (polhode.Execution)

    Raises InputError for what is wrong in the tables, BackendUnavailable where a backend or a kernel is, FileError where the
    file cannot be written, and whatever `progress` raises. KeyboardInterrupt stops the run, and SIGTERM a run into a
    file, unless the program handles it; such a file can be resumed.
    """
    parts = {"section": section, "density": density, "statistics": statistics, "record": record}
    configuration = configure(system, method, ensemble, steps, **parts, **execution)  # type: ignore[arg-type]
    return configuration.run(file, compression=compression, resume=resume, force=force, progress=progress)


KEYWORDS = list(dict.fromkeys([*signature(run).parameters, *signature(Execution).parameters]))


def refusal_of(name: str, part: Any) -> str:
    """The line about a part that is no table of this name."""
    of_polhode = "one of polhode.starts" if name == "ensemble" else f"a polhode.{name.title()}"
    is_array = name == "ensemble" and isinstance(part, (np.ndarray, list, tuple))
    what, advice = ("an array", "Give polhode.starts.States(array)") if is_array else (in_one_line(part), "Give one")
    return f"cannot use {name} = {what} (it is not {of_polhode}). {advice}."


def in_one_line(part: Any) -> str:
    text = " ".join(repr(part).split())
    return text if len(text) <= LONGEST else f"a {type(part).__name__}"


def free_bytes() -> int:
    """Bytes of memory that a result may take on this machine now."""
    try:
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        return int(lines["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return UNKNOWN_ROOM


def run_in_memory(configuration: Configuration, progress: bool | Report) -> Run:
    """Runs what a configuration describes; [output] is left out."""
    tables = {name: table for name, table in configuration.tables.items() if name != "output"}
    text, states = Configuration(tables).text_and_states()
    with told(progress) as tell:
        members, arrays, attributes = _core.run(text, states, tell, free_bytes())
    report = RunReport(**members, resumed=False)
    report.warn()
    if report.complete and states is None:
        attributes["/"]["config"] = configuration.to_toml()  # in the caller's words, with no more keys than were given
    of_run = {path: Array(path, *array) for path, array in arrays.items()}
    return Run(of_run, attributes, report=report, _configuration=configuration)


def run_into_file(
    configuration: Configuration, file: Path, compression: int | None, resume: bool, force: bool, progress: bool | Report
) -> Run:
    """Runs what a configuration describes into a file, as `polhode run` does; the result is in it."""
    open_run = imported("polhode.stored").open_run
    text, states = configuration.text_and_states()
    level = configuration.tables.get("output", {}).get("compression", 0) if compression is None else compression
    with termination_raised(), told(progress, file) as tell:
        members = _core.run_into_file(text, states, str(file), level_of(level), bool(resume), bool(force), tell)
    report = RunReport(**members, resumed=bool(resume))
    report.warn()
    opened = open_run(file) if report.complete else Run({}, {}, file)
    return replace(opened, report=report, _configuration=configuration)


def level_of(compression: Any) -> int:
    if isinstance(compression, bool) or not isinstance(compression, (int, np.integer)):
        raise InputError(f"cannot use compression = {compression!r} (it has to be 0 to 9). Correct it.")
    return int(compression)


@contextmanager
def told(progress: bool | Report, file: Path | None = None) -> Iterator[Callable[[float, float, int, float, float], bool] | None]:
    """The function that `_core` calls now and then, and whose False stops a run; None where nobody listens. An interruption
    of a run into a file has a note on how to go on."""
    if progress and progress is not True and not callable(progress):
        raise InputError(f"cannot use progress = {progress!r} (it is neither True, False nor a function). Correct it.")
    last: Progress | None = None
    with nullcontext(progress) if progress is not True else Bar() as report:

        def tell(*now: Any) -> bool:
            nonlocal last
            last = Progress(*now)
            answer = report(last) if report else None
            return answer is None or bool(answer)

        try:
            yield tell if report or file else None
        except (KeyboardInterrupt, SystemExit) as interruption:
            if file and Path(f"{file}.part").is_dir():
                tell_of(interruption, how_to_go_on(file, last))
            raise


@contextmanager
def termination_raised() -> Iterator[None]:
    """SIGTERM, with which machines end jobs, raises SystemExit, so that a run that it stops has a checkpoint. Where a
    program has a handler of its own, and in other threads than the main one, nothing is changed."""
    is_own = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if is_own:
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        if is_own:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def tell_of(interruption: BaseException, line: str) -> None:
    """Says a line with an exception that ends a run; of SystemExit Python prints no notes."""
    if isinstance(interruption, SystemExit):
        notice(line)
    else:
        interruption.add_note(f"polhode: {line}")


def how_to_go_on(file: Path, last: Progress | None) -> str:
    where = f" at {last.fraction:.0%} of its steps" if last else ""
    return f"interrupted{where} (a checkpoint is in '{file}.part'). Go on with resume=True."
