"""Draws results as PNG, PDF or SVG: python -m polhode.plot FILE... [-o FILE.png]. Run by `polhode plot`.

A result is FILE.h5 of polhode run, or FILE.json of polhode order or workprec.

Says on standard output what it has written. Exit codes: 0 drawn, 2 an input that cannot be drawn, 3 a Python module is
missing, 4 the picture cannot be written, 130 interrupted. An error is one line on standard error,
`polhode: PROBLEM (WHY). SUGGESTION.`
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from polhode.errors import InputError
from polhode.views import COMPARED_VIEWS, MEASUREMENTS, VIEWS, check_asked, function_of, picture_of
from polhode.wanted import (
    Wanted,
    parse_axes,
    parse_labels,
    parse_positive,
    parse_range,
    parse_side,
    parse_size,
    parse_trajectories,
)

if TYPE_CHECKING:  # its packages may be missing
    from polhode.picture import Picture

PARTS = {  # options that choose a part, how they are read, and an example
    "axes": (parse_axes, "q1z,p1z"),
    "range": (parse_range, "-1,1,-0.5,0.5"),
    "trajectories": (parse_trajectories, "0,5,10-20"),
    "side": (parse_side, "negative"),
}
LOOKS = {  # options of how a picture looks
    "size": (parse_size, "8.6cm,7cm"),
    "dpi": (parse_positive, "300"),
    "labels": (parse_labels, "x,y"),
    "dots": (parse_positive, "0.5"),
}
FORMATS = ".png", ".pdf", ".svg"

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


@dataclass(frozen=True)
class Request:
    """A good command line."""

    sources: list[Path]
    output: Path
    view: str | None
    wanted: Wanted
    looks: dict[str, Any]  # size, dpi, title, labels and dots of a polhode.paper.Paper
    colour: str | None
    style: str | None
    methods: tuple[str, ...]  # of a measurement


def parser() -> Parser:
    """The options of the command line."""
    options = Parser(prog="polhode plot", description="Draws a result file, or compares the energy errors of several.")
    options.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="result of polhode run, HDF5; several: with different steps; or JSON of polhode order or workprec",
    )
    options.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE.png",
        help="a name that ends in .png, .pdf or .svg; default: the first input's name with .png",
    )
    options.add_argument(
        "--view",
        metavar="VIEW",
        help=f"{', '.join(VIEWS)}; default: the section, else its density, the statistics or the invariants; "
        f"of several files: {' (default), '.join(COMPARED_VIEWS)} (against the one of smallest step)",
    )
    options.add_argument("--axes", metavar="A,B", help="two columns or observables, or formulas of them, in whose plane the section is drawn")
    options.add_argument(
        "--range", metavar="LOW,HIGH,LOW,HIGH", help="bounds of both axes of a section or density, as in the picture"
    )
    options.add_argument(
        "--trajectories", metavar="LIST", help="the trajectories that are drawn, by number from 0, such as 0,5,10-20"
    )
    options.add_argument("--side", metavar="SIDE", help="of a section that has two: positive, negative or both")
    options.add_argument(
        "--colour", metavar="QUANTITY", help="of each trajectory, by which section points are coloured"
    )
    options.add_argument(
        "--size", metavar="WIDTH[,HEIGHT]", help="inches, or with unit as 8.6cm; or column, as a journal's is wide"
    )
    options.add_argument("--dpi", metavar="NUMBER", help="pixels per inch")
    options.add_argument("--title", metavar="TEXT", help="in place of what the picture is of; empty: none")
    options.add_argument("--labels", metavar="X,Y", help="of the axes of a section or density")
    options.add_argument("--dots", metavar="POINTS", help="diameter of section points, 1/72 inch")
    options.add_argument("--style", metavar="STYLE", help="a style of matplotlib, or its file")
    options.add_argument(
        "--methods", metavar="LIST", help="those that are drawn of polhode workprec, such as gauss,rattle"
    )
    return options


def parse(arguments: list[str]) -> Request:
    """The results to read and the picture to write."""
    options = parser().parse_args(arguments)
    if not all(file.name for file in options.files):
        raise PlotError("no input (the file name is empty). Give the .h5 file of a finished run.", BAD_INPUT)
    check_measurement(options)
    check_view(options.view, len(options.files))
    parts = {name: value_of(options, name, *PARTS[name]) for name in PARTS}
    wanted = Wanted(parts["axes"], parts["range"], parts["trajectories"] or (), parts["side"])
    looks = {name: value_of(options, name, *LOOKS[name]) for name in LOOKS} | {"title": options.title}
    output = options.output or options.files[0].with_suffix(".png")
    if output.suffix.lower() not in FORMATS:
        raise PlotError(
            f"cannot draw to '{output}' (pictures are PNG, PDF or SVG). "
            f"Give a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.",
            BAD_INPUT,
        )
    if os.path.realpath(output) in map(os.path.realpath, options.files):
        raise PlotError(f"cannot draw to '{output}' (it is the input). Give another name with -o.", BAD_INPUT)
    methods = tuple(options.methods.split(",")) if options.methods else ()
    return Request(options.files, output, options.view, wanted, looks, options.colour, options.style, methods)


def is_measurement(file: Path) -> bool:
    """Whether it is a file of polhode order or workprec."""
    return file.suffix.lower() == ".json"


def check_measurement(options: argparse.Namespace) -> None:
    """Raises PlotError where a measurement is not alone, or has an option of results."""
    if not any(map(is_measurement, options.files)):
        return
    if len(options.files) > 1:
        raise PlotError("cannot draw several files of which one is a measurement (JSON). Give it alone.", BAD_INPUT)
    for name in ("view", "colour", "dots", "labels", *PARTS):
        if getattr(options, name) is not None:
            raise PlotError(f"cannot use --{name} with a measurement (it has one picture). Leave it out.", BAD_INPUT)


def check_view(view: str | None, files: int) -> None:
    """Raises PlotError where there is no such view of this number of files."""
    if view is not None and view not in VIEWS | COMPARED_VIEWS:
        raise PlotError(
            f"unknown view {view!r} (there are {', '.join(VIEWS)}, and for several files "
            f"{', '.join(COMPARED_VIEWS)}). "
            "Choose one of them.",
            BAD_INPUT,
        )
    if files > 1 and view not in (None, *COMPARED_VIEWS):
        raise PlotError(
            f"cannot draw {files} files as {view} (several are compared as {', '.join(COMPARED_VIEWS)}). "
            "Give one file, or no --view.",
            BAD_INPUT,
        )
    if files == 1 and view == "error":
        raise PlotError(
            "cannot draw the error of one file (it is compared with others). Give several files.", BAD_INPUT
        )


def value_of(options: argparse.Namespace, name: str, parse_text: Callable[[str], object], example: str) -> Any:
    """The value of an option; None where it is not given."""
    text = getattr(options, name)
    if text is None:
        return None
    if name in PARTS and len(options.files) > 1 and options.view != "section":
        raise PlotError(f"cannot use --{name} {text} (it chooses a part of one file). Give one file.", BAD_INPUT)
    if name == "axes" and options.view is None:
        options.view = "section"  # the only one that has them
    try:
        if options.view is not None:
            check_asked(name, options.view, "--")
        return parse_text(text)
    except InputError as error:
        raise PlotError(str(error), BAD_INPUT) from None
    except ValueError as error:
        raise PlotError(
            f"cannot use --{name} {text} ({error}). Give for example --{name}={example}.", BAD_INPUT
        ) from None


def draw(request: Request) -> str:
    """Reads the results, writes the picture, and returns what it shows."""
    os.environ["MPLBACKEND"] = "Agg"
    warnings.showwarning = lambda message, *_: print(f"polhode: {message}", file=sys.stderr)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its notes on font caches are no news to the user
    try:
        import matplotlib

        from polhode.heading import metadata_of
        from polhode.measurements import open_measurement
        from polhode.paper import Paper, parameters_of
        from polhode.picture import Page
        from polhode.stored import open_result
    except ImportError as error:
        raise PlotError(
            f"cannot draw ({sys.executable}: {error}). "
            "Install numpy, h5py and matplotlib, or set POLHODE_PYTHON to a Python that has them.",
            MISSING_MODULE,
        ) from error

    try:
        paper = Paper(**request.looks)
        with matplotlib.rc_context(parameters_of(paper.size, request.style)):
            if is_measurement(request.sources[0]):
                measured = open_measurement(request.sources[0])
                if request.methods and measured["polhode"] != "work-precision":
                    raise InputError("cannot use --methods with an order (it is of one method). Leave it out.")
                more = {"methods": request.methods} if request.methods else {}
                drawn = function_of(*MEASUREMENTS[measured["polhode"]])(measured, paper, **more)
            else:
                with ExitStack() as stack:
                    results = [stack.enter_context(open_result(source)) for source in request.sources]
                    drawn = picture_of(results, request.view, request.wanted, paper, request.colour, "--")
                    if isinstance(drawn.figure, Page):
                        drawn.figure.about = metadata_of(results)
            return written(drawn, request.output)
    except InputError as error:
        raise PlotError(str(error), BAD_INPUT) from error


def written(drawn: Picture, output: Path) -> str:
    """Writes a picture, and returns what it shows."""
    from polhode import picture

    try:
        picture.write(drawn.figure, output)
    except OSError as error:
        reason = error.strerror or error
        raise PlotError(f"cannot write '{output}' ({reason}). Choose another place with -o.", NOT_WRITTEN) from error
    return drawn.contents


def say(text: str) -> None:
    """Writes a line to standard output."""
    try:
        print(text, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left of the line goes there at the end
        raise PlotError(
            f"cannot write to standard output ({error.strerror}). The picture is complete.", NOT_WRITTEN
        ) from error


def main(arguments: list[str]) -> int:
    """Runs the command and returns its exit code."""
    try:
        request = parse(arguments)
        contents = draw(request)
        say(f"{request.output}: {contents}")
    except PlotError as error:
        print(f"polhode: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
