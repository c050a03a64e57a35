"""A picture and what it shows, and the files that it can be written to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import RcParams, rc_context
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure

# Without the time of writing, so that the same picture is the same file.
UNDATED = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
ABOUT = {"png": "Description", "pdf": "Subject", "svg": "Description"}  # where a format says what a picture is of
MOST_VECTOR_DOTS = {"pdf": 200_000, "svg": 5000}  # more are an image
FONTS = RcParams({"pdf.fonttype": 42, "svg.hashsalt": "polhode"})  # TrueType, which journals ask for


class Page(Figure):
    """A figure whose files have TrueType letters, images of dots that are very many, and what it is about as metadata."""

    about = ""

    def savefig(self, fname: Any, **how: Any) -> None:
        """Writes it, as figures of matplotlib are written."""
        kind = str(how.get("format") or (Path(fname).suffix[1:] if isinstance(fname, (str, os.PathLike)) else "")).lower()
        if kind in MOST_VECTOR_DOTS:
            for dots in self.findobj(PathCollection):
                dots.set_rasterized(len(np.asarray(dots.get_offsets())) > MOST_VECTOR_DOTS[kind])
        metadata = {**({ABOUT[kind]: self.about} if self.about and kind in ABOUT else {}), **(how.pop("metadata", None) or {})}
        if metadata:
            how["metadata"] = metadata
        with rc_context(FONTS):
            super().savefig(fname, **how)


@dataclass(frozen=True)
class Picture:
    """Axes, and in words for standard output what they are of, e.g. 'section of 252984 points'."""

    axes: Axes | Sequence[Axes] | np.ndarray
    contents: str

    @property
    def figure(self) -> Figure:
        first: Axes = np.ravel(np.asarray(self.axes))[0]
        return first.figure.figure  # a panel may be in a part of it


def write(figure: Figure, output: Path) -> None:
    """Puts the picture in place, whole or not at all, in the format of its name; raises OSError."""
    name = output.suffix.lower()[1:]
    unfinished = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        figure.savefig(unfinished, format=name, metadata=UNDATED.get(name, {}))
        unfinished.replace(output)
    finally:
        with suppress(OSError):  # also where there never was a folder for it
            unfinished.unlink()
