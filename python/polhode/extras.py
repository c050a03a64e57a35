"""Packages that some things need, and that may be missing: the extras of pyproject.toml."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from polhode.errors import BackendUnavailable

EXTRAS = {"h5py": "plot", "matplotlib": "plot", "xarray": "plot", "pandas": "pandas"}


def imported(name: str) -> ModuleType:
    """A module; raises BackendUnavailable where a package of an extra that it needs is missing."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise
        raise BackendUnavailable(
            f"cannot do this without {missing} (it is not installed). Install it, or polhode with the extra "
            f"[{EXTRAS[missing]}]."
        ) from None
