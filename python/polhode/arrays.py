"""Arrays of a result with what is known of them, in memory or in a file, and groups of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from polhode.errors import ArrayError, InputError
from polhode.extras import imported
from polhode.names import nearest

if TYPE_CHECKING:
    import pandas

RECORDED = {  # by which a run has the arrays of a group
    "/section": "section=ph.Section(...)",
    "/snapshots": "record=ph.Record(snapshots=...)",
    "/statistics": "statistics=ph.Statistics(...)",
}
FIRST = ("trajectory", "step", "time")  # columns of a table, before those of the state


@dataclass(frozen=True, eq=False)
class Array:
    """An array of numbers or texts. `array[rows]` is a part of it, which alone is read where it is in a file."""

    path: str  # in the result, such as /section/state
    data: Any  # an array of numpy, a list of texts, or a polhode.stored.Stored
    attributes: Mapping[str, Any]  # unit, meaning, the columns of a state, ...
    dimensions: Sequence[str]  # the path of each; "" for one without a name

    @cached_property
    def values(self) -> Any:
        """All of it: an array of numpy that cannot be written to, or a list of texts."""
        return self.data if isinstance(self.data, (np.ndarray, list)) else self.data.whole()

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.data),) if isinstance(self.data, list) else self.data.shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> Any:
        return self.data[rows]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)


def advice_on(group: str, paths: Iterable[str]) -> str:
    """How to have the arrays of a group that a result with these paths lacks; or where all names are."""
    lacks = group in RECORDED and not any(path.startswith(f"{group}/") for path in paths)
    return f"Run with {RECORDED[group]}" if lacks else "Correct it, or take another of list(run)"


class Group(Mapping[str, Any]):
    """The arrays of a group of a result by name, as attributes, too: `run.section.state`. They cannot be written to."""

    def __init__(self, path: str, arrays: Mapping[str, Array], attributes: Mapping[str, Any]):
        self._path, self._arrays, self.attributes = path, arrays, dict(attributes)

    def __getitem__(self, name: str) -> Any:
        return self.array(name).values

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._arrays:
            return self[name]
        if name.startswith("_"):
            raise AttributeError(name)
        there = f"it has {', '.join(self._arrays)}" if self._arrays else f"it has none; run with {RECORDED.get(self._path, 'others')}"
        raise AttributeError(f"{self._path} has no array {name!r}; {there}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __repr__(self) -> str:
        return f"<{self._path}: {', '.join(f'{name} {array.shape}' for name, array in self._arrays.items())}>"

    def array(self, name: str) -> Array:
        """An array with what is known of it."""
        if name not in self._arrays:
            why = nearest(name, self._arrays) if self._arrays else "none were recorded"
            raise ArrayError(f"{self._path} has no array {name!r} ({why}). {self._advice}.")
        return self._arrays[name]

    @property
    def _advice(self) -> str:
        return "Correct it" if self._arrays else advice_on(self._path, ())

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each state: its columns by name, after what else is known of it, e.g. trajectory, step and time.

        They are the arrays of the run, which cannot be written to; `.copy()` can. Raises InputError where the states have
        more dimensions than rows and columns.
        """
        pandas = imported("pandas")
        if not self._arrays:
            raise InputError(f"cannot make a table of {self._path} (none were recorded). {self._advice}.")
        if "state" not in self and all(array.ndim == 1 for array in self._arrays.values()):
            return pandas.DataFrame(dict(self), copy=False)
        if "state" not in self or self._arrays["state"].ndim != 2:
            raise InputError(f"cannot make a table of {self._path} (it has no states in rows). Take its arrays, or run.to_xarray().")
        states = self._arrays["state"]
        frame = pandas.DataFrame(states.values, columns=states.attributes["columns"], copy=False)
        others = [
            name
            for name, array in self._arrays.items()
            if list(array.dimensions) == [states.dimensions[0]] and len(array) == len(states)
        ]
        for name in sorted(others, key=lambda name: (name in FIRST, -FIRST.index(name) if name in FIRST else 0)):
            frame.insert(0, name, self[name])
        return frame
