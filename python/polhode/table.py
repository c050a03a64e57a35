"""What the classes of polhode.vocabulary have in common: each is a table of a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class Table:
    """The keys of a table that were given, by name; others have their defaults."""

    table: ClassVar[str]  # its name in a configuration
    fixed: ClassVar[Mapping[str, str]] = {}  # keys by which its kind is told from others

    def __init__(self, keys: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
        self.keys = {**self.fixed, **{name: value for name, value in keys.items()
                                      if value is not None and not (name in defaults and is_same(value, defaults[name]))}}

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.keys.items() if name not in self.fixed)
        return f"{type(self).__name__}({given})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    __hash__ = None  # type: ignore[assignment]


def is_same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)
