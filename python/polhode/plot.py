"""Draws a result file as a PNG: python -m polhode.plot FILE.h5 [-o FILE.png]. Run by `polhode plot`.

Exit codes: 0 drawn, 2 an input that cannot be drawn, 3 a Python module is missing, 4 the picture cannot be written,
130 interrupted. An error is one line on standard error, `polhode: PROBLEM (WHY). SUGGESTION.`
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

DONE, BAD_INPUT, MISSING_MODULE, NOT_WRITTEN, INTERRUPTED = 0, 2, 3, 4, 130


class PlotError(Exception):
    """An error for the user: the text `PROBLEM (WHY). SUGGESTION.` and the exit code."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class Parser(argparse.ArgumentParser):
    """Reports a bad command line the way the other errors are reported."""

    def error(self, message: str) -> NoReturn:
        raise PlotError(f"bad command line ({message}). Try 'polhode plot --help'.", BAD_INPUT)


def parse(arguments: list[str]) -> tuple[Path, Path]:
    """The result to read and the picture to write."""
    parser = Parser(prog="polhode plot", description="Draws the Poincare section of a result file.")
    parser.add_argument("file", type=Path, metavar="FILE.h5", help="result of polhode run")
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE.png", help="default: the input's name with .png")
    options = parser.parse_args(arguments)
    if not options.file.name:
        raise PlotError("no input (the file name is empty). Give the .h5 file of a finished run.", BAD_INPUT)
    output = options.output or options.file.with_suffix(".png")
    if output.suffix.lower() != ".png":
        raise PlotError(f"cannot draw to '{output}' (pictures are PNG). Give a name that ends in .png.", BAD_INPUT)
    if os.path.realpath(output) == os.path.realpath(options.file):
        raise PlotError(f"cannot draw to '{output}' (it is the input). Give another name with -o.", BAD_INPUT)
    return options.file, output


def draw(source: Path, output: Path) -> None:
    """Reads the result and puts the picture in place, whole or not at all."""
    os.environ["MPLBACKEND"] = "Agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its notes on font caches are no news to the user
    try:
        from polhode.results import ResultError, open_result
        from polhode.section_plot import draw_section
    except ImportError as error:
        raise PlotError(
            f"cannot draw ({sys.executable}: {error}). "
            "Install numpy, h5py and matplotlib, or set POLHODE_PYTHON to a Python that has them.",
            MISSING_MODULE,
        ) from error

    try:
        with open_result(source) as result:
            figure = draw_section(result)
    except ResultError as error:
        raise PlotError(str(error), BAD_INPUT) from error

    unfinished = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        figure.savefig(unfinished, format="png")
        unfinished.replace(output)
    except OSError as error:
        reason = error.strerror or error
        raise PlotError(f"cannot write '{output}' ({reason}). Choose another place with -o.", NOT_WRITTEN) from error
    finally:
        with suppress(OSError):  # also where there never was a folder for it
            unfinished.unlink()


def main(arguments: list[str]) -> int:
    """Runs the command and returns its exit code."""
    try:
        draw(*parse(arguments))
    except PlotError as error:
        print(f"polhode: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
