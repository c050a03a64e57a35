"""The command `polhode` of a wheel: the program's command line in the extension."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Runs the command line of this process, and returns its exit code."""
    from polhode import _core

    os.environ.setdefault("POLHODE_PYTHON", sys.executable)  # draws
    for number in (signal.SIGINT, signal.SIGPIPE):  # as in a program
        signal.signal(number, signal.SIG_DFL)
    return _core.command(["polhode", *sys.argv[1:]])
