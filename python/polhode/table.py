"""What the classes of polhode.vocabulary have in common: each is a table of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import wraps
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from polhode.errors import KeywordError
from polhode.names import check_keywords


class Table:
    """The keys of a table that were given, by name; others have their defaults."""

    table: ClassVar[str]  # its name in a configuration
    fixed: ClassVar[Mapping[str, str]] = {}  # keys by which its kind is told from others

    def __init__(self, keys: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
        given = {name: kept(value) for name, value in keys.items()
                 if value is not None and not (name in defaults and is_same(value, defaults[name]))}
        self.keys = {**self.fixed, **given}

    def __init_subclass__(cls) -> None:
        setattr(cls, "__init__", checked(cls.__init__, cls.__name__))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.keys.items() if name not in self.fixed)
        return f"{type(self).__name__}({given})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.table == other.table and are_same_keys(self.keys, other.keys)

    __hash__ = None  # type: ignore[assignment]


def checked(make: Callable[..., None], name: str) -> Callable[..., None]:
    """The function that makes a table of this name, which raises KeywordError where its keywords are others."""
    parameters = signature(make).parameters
    takes_all = any(of.kind is of.VAR_KEYWORD for of in parameters.values())

    @wraps(make)
    def made(self: Table, *given: Any, **keywords: Any) -> None:
        if not takes_all:
            check_keywords(keywords, [key for key in parameters if key != "self"], name)
        try:
            signature(make).bind(self, *given, **keywords)
        except TypeError as error:
            raise KeywordError(f"cannot make a {name} ({error}). Correct it.") from None
        make(self, *given, **keywords)

    return made


def kept(value: Any) -> Any:
    """The value of a key as it is now: later changes of the caller's are none of a run's. An array is copied once."""
    if not isinstance(value, np.ndarray):
        return deepcopy(value)
    if value.base is None and not value.flags.writeable:
        return value
    copy = value.copy()
    copy.setflags(write=False)
    return copy


def is_same(a: Any, b: Any) -> bool:
    """Whether two values of a key are written alike; an array equals the list of its numbers."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(is_same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def are_same_keys(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return a.keys() == b.keys() and all(is_same(a[name], b[name]) for name in a)
