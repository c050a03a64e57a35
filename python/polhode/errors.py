"""Errors of polhode: each has the line of the command line, `PROBLEM (WHY). SUGGESTION.`, and the class of its exit code."""

from __future__ import annotations

import re

IN_PYTHON: dict[str, str] = {  # words of a command line in a line of the libraries, and those of Python
    r"polhode list (systems|sections|backends)( [\w-]+)?": r"polhode.list_\1()",
    r"polhode list methods ([\w-]+)": r'polhode.list_methods("\1")',
    r"with --system or system\.header": "with header=",
    r"(Use|Add) --(backend|isa|precision) (\w+)": r'\1 \2="\3"',
    r"use --backend (\w+)": r'use backend="\1"',
    r"cannot use --methods \(": "cannot use methods (",
    r"cannot use --with-single \(": "cannot use with_single (",
    r"with --backends or --isa\.": "with backends or isas.",
    r"the limit is (\S+)\). Record less, or raise the limit\.": r"\1 are free). Record less, or run into a file.",
}


class Error(Exception):
    """An error that a user can cause or meet; itself where a check failed or nothing could be compared."""

    def __str__(self) -> str:
        text = str(self.args[0]) if len(self.args) == 1 else super().__str__()
        for words, in_python in IN_PYTHON.items():
            text = re.sub(words, in_python, text)
        return text


class InputError(Error, ValueError):
    """An error in what is given: a key, a value, a state, or a file that is read."""


class KeywordError(InputError, TypeError):
    """A keyword that a table or a function does not have, or that it lacks."""


class ArrayError(InputError, KeyError):
    """An array that a result does not have."""


class BackendUnavailable(Error, RuntimeError):
    """A backend, a kernel or a compiler that is missing or cannot be used."""


class FileError(Error, OSError):
    """A file that cannot be written or read, or memory or a disk that is full."""
