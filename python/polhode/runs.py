"""Runs with their results, in memory or in files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fsdecode
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from polhode.arrays import Array, Group, advice_on
from polhode.configuration import Configuration, configuration_of_text
from polhode.errors import ArrayError, InputError
from polhode.extras import imported
from polhode.names import nearest
from polhode.report import RunReport

if TYPE_CHECKING:
    import xarray

    from polhode.pictures import Pictures


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A run with its result: the arrays of its file, by the same paths and with the same bits, be they in memory, as
    polhode.run leaves them, or in a file that polhode.open has opened.

    Arrays of a file are read when they are asked for, whole, or in parts by `array`.
    """

    arrays: Mapping[str, Array]  # by path, such as /section/state
    attributes_of_groups: Mapping[str, Mapping[str, Any]]  # by path, such as /section
    path: Path | None = None  # of the file
    report: RunReport | None = None  # what `polhode run` prints; None for a run in a file
    _configuration: Configuration | None = None
    _close: Callable[[], None] | None = None

    @property
    def attributes(self) -> Mapping[str, Any]:
        """What the result says of the whole run: system, method, step, version, date, ..."""
        return self.attributes_of_groups.get("/", {})

    @cached_property
    def configuration(self) -> Configuration:
        """What the run was made of."""
        if self._configuration is not None:
            return self._configuration
        return configuration_of_text(self.attributes.get("config", ""), self.path.absolute() if self.path else Path())

    @property
    def source(self) -> str:
        """What messages call it."""
        return f"'{self.path}'" if self.path else "the run"

    def __getitem__(self, path: str) -> Any:
        """The array of a path such as "/section/state"; the first slash may be left out."""
        full = f"/{path.removeprefix('/')}"
        if full in self.arrays:
            return self.arrays[full].values
        if not self.arrays:
            raise ArrayError(f"there is no array {full} in {self.source} (it has none, since the run was stopped). Run it to its end.")
        advice = advice_on(full.rpartition("/")[0], self)
        raise ArrayError(f"there is no array {full} in {self.source} ({nearest(full, self.arrays)}). {advice}.")

    def __repr__(self) -> str:
        known = [str(self.attributes[name]) for name in ("system", "method") if name in self.attributes]
        if not self.arrays:
            known.append("stopped")
        counts = [("/status/code", "trajectories"), ("/section/trajectory", "section points")]
        try:
            known += [f"{len(self.arrays[path]):,} {things}" for path, things in counts if path in self.arrays]
        except InputError:
            known.append("closed")
        return f"<{'' if self.path is None else f'{self.source}: '}{', '.join(known)}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file, if it is in one: arrays that were not asked for until then cannot be read any more."""
        if self._close:
            self._close()

    def group(self, name: str) -> Group:
        """The arrays of /name; raises InputError for a run that was stopped."""
        if not self.arrays:
            raise InputError(f"cannot use {self.source} (it was stopped, and has no result). Run it to its end.")
        prefix = f"/{name}/"
        arrays = {path.removeprefix(prefix): array for path, array in self.arrays.items() if path.startswith(prefix)}
        return Group(prefix[:-1], arrays, self.attributes_of_groups.get(prefix[:-1], {}))

    @property
    def parameters(self) -> Group:
        """Parameters of the system."""
        return self.group("parameters")

    @property
    def initial(self) -> Group:
        """States at the start."""
        return self.group("initial")

    @property
    def final(self) -> Group:
        """States at the end."""
        return self.group("final")

    @property
    def section(self) -> Group:
        """Section points, and their density."""
        return self.group("section")

    @property
    def snapshots(self) -> Group:
        """States and invariants in time."""
        return self.group("snapshots")

    @property
    def statistics(self) -> Group:
        """Moments and histograms in time."""
        return self.group("statistics")

    @property
    def invariants(self) -> Group:
        """Conserved quantities and their drifts."""
        return self.group("invariants")

    @property
    def status(self) -> Group:
        """How each trajectory ended."""
        return self.group("status")

    def to_xarray(self) -> xarray.DataTree:
        """The result as a tree of datasets, with its dimensions, coordinates, units and meanings. Needs xarray."""
        tree: xarray.DataTree = imported("polhode.tree").tree_of(self)
        return tree

    @property
    def plot(self) -> Pictures:
        """Pictures of the run, on axes of matplotlib: `run.plot()`, `run.plot.section(ax, colour="drift")`, ..."""
        pictures: Pictures = imported("polhode.pictures").Pictures(self)
        return pictures

    def save(self, file: str | PathLike[str], *, compression: int = 0, force: bool = False) -> None:
        """Writes the result into a file, dataset by dataset what `polhode run` writes. Needs h5py.

        Args:
            file: its name
            compression: level of deflate, 0 (none) to 9
            force: replace a file that exists

        Raises FileError where it cannot be written. A result that was saved cannot be gone on with: run into a file for that.
        """
        imported("polhode.stored").save(self, Path(fsdecode(file)), compression, force)
