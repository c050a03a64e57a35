"""Configurations: what is run, as tables of keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fsdecode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from polhode.errors import InputError
from polhode.extras import imported
from polhode.table import are_same_keys, kept
from polhode.toml import tables_text

if TYPE_CHECKING:
    from polhode.progress import Report
    from polhode.runs import Run


@dataclass(frozen=True, eq=False)
class Configuration:
    """The tables of a configuration by name, each with its keys."""

    tables: Mapping[str, Mapping[str, Any]]

    def __post_init__(self) -> None:
        for name, table in self.tables.items():
            if not isinstance(table, Mapping):
                raise InputError(f"cannot use {name} (it is a {type(table).__name__}). Give its keys, {{name: value}}.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and self.tables.keys() == other.tables.keys() and all(
            are_same_keys(table, other.tables[name]) for name, table in self.tables.items())

    __hash__ = None  # type: ignore[assignment]

    def to_toml(self) -> str:
        """The text of a file that is read as the same configuration."""
        return tables_text(self.tables)

    def replace(self, **values: Any) -> Configuration:
        """The configuration with other values of keys, `**{"method.step": 0.1}`, or of parts of them,
        `**{"system.parameters.mu": 3}`; None takes a key away."""
        tables = {name: {key: kept(value) for key, value in table.items()} for name, table in self.tables.items()}
        for path, value in values.items():
            *names, last = path.split(".")
            if not (names and all(names) and last):
                raise InputError(f"cannot replace {path!r} (it is no TABLE.KEY). Write e.g. method.step.")
            table: dict[str, Any] = tables
            for name in names:
                table = table.get(name, {}) if value is None else table.setdefault(name, {})
                if not isinstance(table, dict):
                    raise InputError(f"cannot replace {path!r} ({name} is not a table). Replace it as a whole.")
            if value is None:
                table.pop(last, None)
            else:
                table[last] = value
        return Configuration(tables)

    def run(
        self,
        file: str | PathLike[str] | None = None,
        *,
        compression: int | None = None,
        resume: bool = False,
        force: bool = False,
        progress: bool | Report = True,
    ) -> Run:
        """Runs what it describes, in memory or into a file; see polhode.run."""
        from polhode.execution import run_in_memory, run_into_file

        if file is None:
            if resume or force or compression is not None:
                raise InputError("cannot use resume, force or compression without a file (they are a file's). Give one.")
            return run_in_memory(self, progress)
        return run_into_file(self, Path(fsdecode(file)), compression, resume, force, progress)

    def text_and_states(self) -> tuple[str, npt.NDArray[np.float64] | None]:
        """TOML for `_core`, and the states of the starts, if they are given, apart: TOML has the first of them alone."""
        ensemble = self.tables.get("ensemble", {})
        if ensemble.get("from") != "states" or "states" not in ensemble:
            return self.to_toml(), None
        try:
            if np.iscomplexobj(ensemble["states"]) or np.ma.isMaskedArray(ensemble["states"]):
                raise TypeError("they are complex, or some of them are masked")
            states = np.ascontiguousarray(ensemble["states"], dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"cannot use the states ({error}). Give numbers of the shape [trajectories, columns].") from None
        if states.ndim != 2 or not states.size:
            of_one = " Put a single state in brackets, [state]." if states.ndim == 1 and states.size else ""
            raise InputError(f"cannot use the states (their shape is {states.shape}). Give numbers of the shape "
                             f"[trajectories, columns], for one trajectory or more.{of_one}")
        tables = {**self.tables, "ensemble": {**ensemble, "states": states[:1]}}
        return tables_text(tables), states


FILES = (("system", "header"), ("ensemble", "path"))  # keys whose values are relative to the configuration's folder


def configuration_of_text(text: str, file: Path) -> Configuration:
    """The configuration in a text of TOML that stands in a file."""
    import tomllib  # of Python 3.11; pictures do without

    tables = tomllib.loads(text)
    for table, key in FILES:
        if key in tables.get(table, {}):
            path = tables[table][key]
            tables[table][key] = str(file.parent / path if path else file)  # an absolute one stays
    return Configuration(tables)


def load(file: str | PathLike[str]) -> Configuration:
    """The configuration in a TOML file, or the one that a result was made with."""
    path = Path(fsdecode(file))
    if "\n" in str(path):
        raise InputError("cannot read a text of several lines (it is the name of no file). Give one, or polhode.Configuration of tables.")
    if is_result(path):
        with imported("polhode.stored").open_run(path) as run:
            kept_by_run: Configuration = run.configuration
            return kept_by_run
    from polhode import _core

    return configuration_of_text(_core.configuration_in(str(path)), path.absolute())


def is_result(path: Path) -> bool:
    """Whether a file begins as HDF5 does."""
    try:
        with path.open("rb") as file:
            return file.read(8) == b"\x89HDF\r\n\x1a\n"
    except OSError:
        return False
