"""A picture and what it shows, and the files that it can be written to."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

# Without the time of writing, so that the same picture is the same file.
METADATA = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
MOST_VECTOR_DOTS = 5000  # in PDF and SVG; more are an image


@dataclass(frozen=True)
class Picture:
    """A figure, and in words for standard output what it is of, e.g. 'section of 252984 points'."""

    figure: Figure
    contents: str


def write(figure: Figure, output: Path) -> None:
    """Puts the picture in place, whole or not at all, in the format of its name; raises OSError."""
    name = output.suffix.lower()[1:]
    unfinished = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        with matplotlib.rc_context({"svg.hashsalt": "polhode"}):
            figure.savefig(unfinished, format=name, metadata=METADATA.get(name))
        unfinished.replace(output)
    finally:
        with suppress(OSError):  # also where there never was a folder for it
            unfinished.unlink()
