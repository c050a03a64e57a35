"""Warnings at the line of a user's that they are about."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

PACKAGE = f"{Path(__file__).parent}{os.sep}"


def warn(text: str) -> None:
    """Warns at the line from which the package was called."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, RuntimeWarning, stacklevel=level)
