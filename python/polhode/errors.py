"""Errors of polhode: each has the line of the command line, `PROBLEM (WHY). SUGGESTION.`, and the class of its exit code."""

from __future__ import annotations


class Error(Exception):
    """An error that a user can cause or meet; itself where a check failed or nothing could be compared."""


class InputError(Error, ValueError):
    """An error in what is given: a key, a value, a state, or a file that is read."""


class BackendUnavailable(Error, RuntimeError):
    """A backend, a kernel or a compiler that is missing or cannot be used."""


class FileError(Error, OSError):
    """A file that cannot be written or read, or memory or a disk that is full."""
