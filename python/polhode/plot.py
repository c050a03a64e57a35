"""Draws results as PNG, PDF or SVG: python -m polhode.plot FILE... [-o FILE.png]. Run by `polhode plot`.

A result is FILE.h5 of polhode run, or FILE.json of polhode order or workprec.

Says on standard output what it has written. Exit codes: 0 drawn, 2 an input that cannot be drawn, 3 a Python module is
missing, 4 the picture cannot be written, 130 interrupted. An error is one line on standard error,
`polhode: PROBLEM (WHY). SUGGESTION.`
"""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from polhode.wanted import Wanted, parse_axes, parse_range, parse_trajectories

if TYPE_CHECKING:  # their packages may be missing
    from polhode.picture import Picture
    from polhode.results import Result

VIEWS = {  # module and function, imported when wanted
    "section": ("polhode.section_plot", "draw_section"),
    "density": ("polhode.density_plot", "draw_density_of_run"),
    "section3d": ("polhode.section3d_plot", "draw_section3d"),
    "invariants": ("polhode.invariants_plot", "draw_invariants"),
    "shadow": ("polhode.invariants_plot", "draw_shadow"),
    "statistics": ("polhode.statistics_plot", "draw_statistics"),
    "polhodes": ("polhode.polhode_plot", "draw_polhodes"),
}
COMPARED_VIEWS = {  # of several files, the default first
    "invariants": ("polhode.steps_plot", "draw_steps"),
    "error": ("polhode.error_plot", "draw_errors"),
}
MEASUREMENTS = {  # JSON of polhode order and workprec
    "order": ("polhode.order_plot", "draw_order"),
    "work-precision": ("polhode.work_precision_plot", "draw_work_precision"),
}
VIEWS_WITH = {  # options that choose a part, and the views of one file that have it
    "axes": ("section",),
    "range": ("section", "density"),
    "trajectories": ("section", "section3d", "invariants", "shadow", "polhodes"),
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
    options.add_argument("--axes", metavar="A,B", help="two columns in whose plane the section is drawn")
    options.add_argument(
        "--range", metavar="LOW,HIGH,LOW,HIGH", help="bounds of both axes of a section or density, as in the picture"
    )
    options.add_argument(
        "--trajectories", metavar="LIST", help="the trajectories that are drawn, by number from 0, such as 0,5,10-20"
    )
    return options


def parse(arguments: list[str]) -> Request:
    """The results to read and the picture to write."""
    options = parser().parse_args(arguments)
    if not all(file.name for file in options.files):
        raise PlotError("no input (the file name is empty). Give the .h5 file of a finished run.", BAD_INPUT)
    check_measurement(options)
    check_view(options.view, len(options.files))
    wanted = Wanted(
        parse_part(options, "axes", parse_axes, "q1z,p1z"),
        parse_part(options, "range", parse_range, "-1,1,-0.5,0.5"),
        parse_part(options, "trajectories", parse_trajectories, "0,5,10-20") or (),
    )
    output = options.output or options.files[0].with_suffix(".png")
    if output.suffix.lower() not in FORMATS:
        raise PlotError(
            f"cannot draw to '{output}' (pictures are PNG, PDF or SVG). "
            f"Give a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.",
            BAD_INPUT,
        )
    if os.path.realpath(output) in map(os.path.realpath, options.files):
        raise PlotError(f"cannot draw to '{output}' (it is the input). Give another name with -o.", BAD_INPUT)
    return Request(options.files, output, options.view, wanted)


def is_measurement(file: Path) -> bool:
    """Whether it is a file of polhode order or workprec."""
    return file.suffix.lower() == ".json"


def check_measurement(options: argparse.Namespace) -> None:
    """Raises PlotError where a measurement is not alone, or has an option of results."""
    if not any(map(is_measurement, options.files)):
        return
    if len(options.files) > 1:
        raise PlotError("cannot draw several files of which one is a measurement (JSON). Give it alone.", BAD_INPUT)
    for name in ("view", *VIEWS_WITH):
        if getattr(options, name) is not None:
            raise PlotError(f"cannot use --{name} with a measurement (it has one picture). Leave it out.", BAD_INPUT)


def check_view(view: str | None, files: int) -> None:
    """Raises PlotError where there is no such view of this number of files."""
    if view is not None and view not in VIEWS | COMPARED_VIEWS:
        raise PlotError(
            f"unknown view {view!r} (there are {', '.join(VIEWS)}, and for several files "
            f"{' and '.join(COMPARED_VIEWS)}). "
            "Choose one of them.",
            BAD_INPUT,
        )
    if files > 1 and view not in (None, *COMPARED_VIEWS):
        raise PlotError(
            f"cannot draw {files} files as {view} (several are compared as {' or '.join(COMPARED_VIEWS)}). "
            "Give one file, or no --view.",
            BAD_INPUT,
        )
    if files == 1 and view == "error":
        raise PlotError(
            "cannot draw the error of one file (it is compared with others). Give several files.", BAD_INPUT
        )


def parse_part(options: argparse.Namespace, name: str, parse_text: Callable[[str], object], example: str) -> Any:
    """The value of an option that chooses a part of one file; None where it is not given."""
    text = getattr(options, name)
    if text is None:
        return None
    if len(options.files) > 1:
        raise PlotError(f"cannot use --{name} {text} (it chooses a part of one file). Give one file.", BAD_INPUT)
    if name == "axes" and options.view is None:
        options.view = "section"  # the only one that has them
    check_part(name, options.view)
    try:
        return parse_text(text)
    except ValueError as error:
        raise PlotError(
            f"cannot use --{name} {text} ({error}). Give for example --{name}={example}.", BAD_INPUT
        ) from None


def check_part(name: str, view: str | None) -> None:
    """Raises PlotError where a view does not have the option; one that is not known yet may have it."""
    if view is not None and view not in VIEWS_WITH[name]:
        *others, last = VIEWS_WITH[name]
        views = f"{', '.join(others)} and {last}" if others else last
        raise PlotError(f"cannot use --{name} with the view {view} (it is one of {views}). Leave it out.", BAD_INPUT)


def function_of(module: str, function: str) -> Callable[..., Picture]:
    """What draws a view."""
    return getattr(importlib.import_module(module), function)


def view_of(result: Result) -> str:
    """The view that suits a result."""
    has = {
        "section": result.section is not None,
        "density": result.density is not None,
        "statistics": result.statistics is not None,
        "invariants": result.snapshots is not None,
    }
    if not any(has.values()):
        raise PlotError(
            f"'{result.path}' has nothing to draw (it has neither section points nor statistics or snapshots). "
            "Run with a [section], with [statistics] or with record.snapshots.",
            BAD_INPUT,
        )
    return next(name for name in has if has[name])


def picture_of(results: Sequence[Result], view: str | None, wanted: Wanted) -> Picture:
    """The picture of open results in one of VIEWS, or in the one that suits them."""
    if len(results) > 1:
        return function_of(*COMPARED_VIEWS[view or next(iter(COMPARED_VIEWS))])(results)
    view = view or view_of(results[0])
    for name in VIEWS_WITH:
        if getattr(wanted, name):
            check_part(name, view)
    return function_of(*VIEWS[view])(results[0], wanted)


def draw(request: Request) -> str:
    """Reads the results, writes the picture, and returns what it shows."""
    os.environ["MPLBACKEND"] = "Agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its notes on font caches are no news to the user
    try:
        import matplotlib  # noqa: F401

        from polhode import picture
        from polhode.measurements import open_measurement
        from polhode.results import ResultError, open_result
    except ImportError as error:
        raise PlotError(
            f"cannot draw ({sys.executable}: {error}). "
            "Install numpy, h5py and matplotlib, or set POLHODE_PYTHON to a Python that has them.",
            MISSING_MODULE,
        ) from error

    try:
        if is_measurement(request.sources[0]):
            measured = open_measurement(request.sources[0])
            drawn = function_of(*MEASUREMENTS[measured["polhode"]])(measured)
        else:
            with ExitStack() as stack:
                results = [stack.enter_context(open_result(source)) for source in request.sources]
                drawn = picture_of(results, request.view, request.wanted)
    except ResultError as error:
        raise PlotError(str(error), BAD_INPUT) from error

    output = request.output
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
