"""Cross-checks and measurements of a configuration, what systems and methods there are, conversions and citations."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from os import PathLike, fsdecode
from pathlib import Path
from typing import Any

import numpy as np

from polhode import _core
from polhode.configuration import Configuration, configuration_of_text
from polhode.errors import FileError, InputError
from polhode.extras import imported
from polhode.progress import Count
from polhode.runs import Run
from polhode.vocabulary import System

ReportCount = Callable[[str, int, int], object]  # what is done, how much of it, and of how much
OUTCOMES = {"kept": "passed", "broken": "failed", "skipped": "skipped"}  # of a check
DRAWN = ("order", "work-precision")  # kinds that have a picture


class Measurement(Mapping[str, Any]):
    """What a command reports with --json: members by the same names."""

    def __init__(self, members: Mapping[str, Any]):
        self._members = dict(members)

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        what = verdict_of(self) if "findings" in self else ", ".join(self)
        return f"<{self.get('polhode', 'crosscheck')}: {what}>"

    def __str__(self) -> str:
        """The checks as `polhode crosscheck` prints them; of other measurements their members."""
        if "findings" not in self:
            return repr(self)
        told = [f"  {OUTCOMES[one['verdict']]:7}  {one['subject']}: {one['text']}" for one in self["findings"]]
        return "\n".join([self["subject"], *told, verdict_of(self)])

    def save(self, file: str | PathLike[str]) -> None:
        """Writes a file of JSON, which `polhode plot` draws. Raises FileError."""
        try:
            Path(fsdecode(file)).write_text(json.dumps(self._members, indent=2) + os.linesep)
        except OSError as error:
            raise FileError(f"cannot write '{fsdecode(file)}' ({error.strerror}). Choose another place.") from error

    def plot(self, ax: Any = None, *, methods: Sequence[str] = (), **how: Any) -> Any:
        """Draws an order on axes, or work and precision in a figure, new ones by default; returns the axes.

        Args:
            ax: axes, or of work and precision a figure or a part of one
            methods: names of those that are drawn of a measurement by workprec
            how: size, dpi, title and style as of run.plot
        """
        if self.get("polhode") not in DRAWN:
            raise InputError("cannot draw this (only an order and a work-precision have a picture). Take its members.")
        return imported("polhode.pictures").draw_measurement(self._members, ax, methods, **how)


def verdict_of(found: Mapping[str, Any]) -> str:
    """What a cross-check has found, in words."""
    if not found["kept"]:
        return "a check failed"
    if not found["compared"]:
        return "nothing compared: no trajectory completed a step"
    is_judged = any(one["verdict"] != "skipped" for one in found["findings"])
    return "all checks passed" if is_judged else "nothing compared: every check was skipped"


def crosscheck(
    configuration: Configuration | Run,
    *,
    backends: Sequence[str] = (),
    isas: Sequence[str] = (),
    trajectories: int = 32,
    steps: int = 2000,
    step_halving: bool = False,
    with_single: bool = False,
    progress: bool | ReportCount = True,
) -> Measurement:
    """Runs a configuration on several backends and compares the results, as `polhode crosscheck` does.

    Args:
        configuration: of which system, method and starts
        backends: "reference", "cpu", "cuda"; none: all that can be used
        isas: "scalar", "avx2", "avx512"; none: all that this machine has
        trajectories: at most so many
        steps: at most so many
        step_halving: also the order of the method
        with_single: also single precision
        progress: whether it shows what it does; or a function of what is done, how much of it and of how much

    Returns findings, whether all were kept ("kept"), and whether anything could be compared ("compared").
    """
    text, states = given(configuration)
    with counted(progress) as tell:
        return Measurement(json.loads(_core.crosscheck(text, states, names_of(backends), names_of(isas), positive("trajectories", trajectories), positive("steps", steps),
                                                       step_halving, with_single, tell)))  # fmt: skip


def order(
    configuration: Configuration | Run,
    *,
    trajectories: int = 64,
    steps: int = 2000,
    progress: bool | ReportCount = True,
) -> Measurement:
    """Measures the order of the method by halving its step, as `polhode order` does; "measured" is None where none can be
    seen."""
    text, states = given(configuration)
    with counted(progress) as tell:
        return Measurement(json.loads(_core.order(text, states, positive("trajectories", trajectories), positive("steps", steps), tell)))


def workprec(
    configuration: Configuration | Run,
    *,
    methods: Sequence[str] = (),
    trajectories: int = 64,
    steps: int = 2000,
    progress: bool | ReportCount = True,
) -> Measurement:
    """Compares the errors of methods on a configuration's orbits with their time and work, as `polhode workprec` does.

    Args:
        configuration: of which orbits
        methods: of the system, by name, with all their orders; none: all
        trajectories: at most so many
        steps: of the configuration's method, at most: the time over which orbits are compared
        progress: whether it shows what it does; or a function of what is done, how much of it and of how much
    """
    text, states = given(configuration)
    with counted(progress) as tell:
        return Measurement(json.loads(_core.workprec(text, states, names_of(methods), positive("trajectories", trajectories), positive("steps", steps), tell)))


def bench(
    configuration: Configuration | Run,
    *,
    backends: Sequence[str] = ("cpu",),
    repetitions: int = 7,
    steps: int = 0,
    progress: bool | ReportCount = True,
) -> Measurement:
    """Measures how fast a configuration runs, its time loop and whole runs, and what the hardware allows, as `polhode
    bench` does. steps: of whole runs, at most; 0: what takes half a second."""
    text, states = given(configuration)
    with counted(progress) as tell:
        return Measurement(json.loads(_core.bench(text, states, names_of(backends), positive("repetitions", repetitions), int(steps), tell)))


def convert(configuration: Configuration | Run, system: str) -> Configuration:
    """The configuration, with its starts, for another description of its system, as `polhode convert` makes it."""
    return configuration_of_text(_core.converted(*given(configuration), system), Path())


def cite(run: Run) -> str:
    """BibTeX of the publications behind a run, polhode's own first. Raises InputError where there is no result."""
    if not isinstance(run, Run):
        raise InputError(f"cannot cite a {type(run).__name__} (it is no polhode.Run). Give one, or polhode.open of a file.")
    if not run.arrays:
        raise InputError(f"cannot cite {run.source} (it was stopped, and has no result). Run it to its end.")
    attributes = {name: value for name, value in run.attributes.items() if isinstance(value, (str, int, float, list))}
    return _core.citation(attributes, "/snapshots/shadow_energy" in run.arrays, run.source)


def list_systems(system: str | System | None = None) -> list[dict[str, Any]]:
    """Systems, or one, with their columns, parameters, observables, invariants and an example.

    A system of your own, by its header or its formulas, is compiled first. Raises InputError where there is none, as the
    two below do.
    """
    return entries_of(system, _core.systems, "name")


def list_methods(system: str | System | None = None) -> list[dict[str, Any]]:
    """Methods on each system, or on one, with their order, properties and options."""
    return entries_of(system, _core.methods, "system")


def list_sections(system: str | System | None = None) -> list[dict[str, Any]]:
    """What sections may be of, for each system, or for one."""
    return entries_of(system, _core.sections, "system")


def list_backends() -> list[dict[str, Any]]:
    """Backends, and which of them can be used here."""
    return listed(_core.backends())


def entries_of(system: str | System | None, make: Callable[[], str], key: str) -> list[dict[str, Any]]:
    """Entries of a list that are of a system or a family, all where it is None; entry[key] is the name of its system."""
    if system is None:
        return listed(make())
    keys = system.keys if isinstance(system, System) else {"name": system}
    names = _core.systems_in(Configuration({"system": keys}).to_toml())
    found = [entry for entry in listed(make()) if entry[key] in names]
    if not found:
        raise InputError(f"there is no system {keys.get('name')!r}. polhode.list_systems() has their names.")
    return found


def names_of(names: Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def positive(name: str, number: int) -> int:
    """A number of things; raises InputError."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 0 < number < 2**53:
        raise InputError(f"cannot use {name} = {number!r} (it has to be an integer above 0). Correct it.")
    return int(number)


def listed(text: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(text)
    return entries


def given(configuration: Configuration | Run) -> tuple[str, Any]:
    """Text and states of a configuration, or of a run's."""
    chosen = configuration.configuration if isinstance(configuration, Run) else configuration
    if not isinstance(chosen, Configuration):
        raise InputError(
            f"cannot use a {type(chosen).__name__} (it is no polhode.Configuration). Use polhode.load for a file, and "
            "polhode.configure for tables."
        )
    return Configuration({name: table for name, table in chosen.tables.items() if name != "output"}).text_and_states()


@contextmanager
def counted(progress: bool | ReportCount) -> Iterator[ReportCount | None]:
    """The function that `_core` tells what is done; None where nobody listens."""
    if not progress:
        yield None
        return
    with Count() if progress is True else nullcontext(progress) as tell:
        yield tell
