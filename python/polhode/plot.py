"""Draws result files as a PNG: python -m polhode.plot FILE.h5... [-o FILE.png] [--view VIEW]. Run by `polhode plot`.

Exit codes: 0 drawn, 2 an input that cannot be drawn, 3 a Python module is missing, 4 the picture cannot be written,
130 interrupted. An error is one line on standard error, `polhode: PROBLEM (WHY). SUGGESTION.`
"""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:  # their packages may be missing
    from matplotlib.figure import Figure

    from polhode.results import Result

VIEWS = {  # module and function, imported when wanted
    "section": ("polhode.section_plot", "draw_section"),
    "density": ("polhode.density_plot", "draw_density_of_run"),
    "section3d": ("polhode.section3d_plot", "draw_section3d"),
    "invariants": ("polhode.invariants_plot", "draw_invariants"),
    "statistics": ("polhode.statistics_plot", "draw_statistics"),
    "polhodes": ("polhode.polhode_plot", "draw_polhodes"),
}
COMPARED_VIEWS = {  # of several files, the default first
    "invariants": ("polhode.steps_plot", "draw_steps"),
    "error": ("polhode.error_plot", "draw_errors"),
}

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
    axes: list[str] | None  # of a section: two columns


def parse(arguments: list[str]) -> Request:
    """The results to read and the picture to write."""
    parser = Parser(prog="polhode plot", description="Draws a result file, or compares the energy errors of several.")
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE.h5", help="result of polhode run; several: with different steps"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE.png", help="default: the first input's name with .png"
    )
    parser.add_argument(
        "--view",
        metavar="VIEW",
        help=f"{', '.join(VIEWS)}; default: the section, else its density, the statistics or the invariants; "
        f"of several files: {' (default), '.join(COMPARED_VIEWS)} (against the one of smallest step)",
    )
    parser.add_argument("--axes", metavar="A,B", help="two columns in whose plane the section is drawn")
    options = parser.parse_args(arguments)
    if not all(file.name for file in options.files):
        raise PlotError("no input (the file name is empty). Give the .h5 file of a finished run.", BAD_INPUT)
    if options.view is not None and options.view not in VIEWS | COMPARED_VIEWS:
        raise PlotError(
            f"unknown view {options.view!r} (there are {', '.join(VIEWS)}, and for several files "
            f"{' and '.join(COMPARED_VIEWS)}). "
            "Choose one of them.",
            BAD_INPUT,
        )
    if len(options.files) > 1 and options.view not in (None, *COMPARED_VIEWS):
        raise PlotError(
            f"cannot draw {len(options.files)} files as {options.view} (several are compared as "
            f"{' or '.join(COMPARED_VIEWS)}). Give one file, or no --view.",
            BAD_INPUT,
        )
    if len(options.files) == 1 and options.view == "error":
        raise PlotError("cannot draw the error of one file (it is compared with others). Give several files.", BAD_INPUT)
    axes = options.axes.split(",") if options.axes is not None else None
    if axes is not None and (len(axes) != 2 or options.view not in (None, "section") or len(options.files) > 1):
        raise PlotError(
            f"cannot use --axes {options.axes} (two columns of the section of one file are drawn). "
            "Give for example --axes q1z,p1z.",
            BAD_INPUT,
        )
    output = options.output or options.files[0].with_suffix(".png")
    if output.suffix.lower() != ".png":
        raise PlotError(f"cannot draw to '{output}' (pictures are PNG). Give a name that ends in .png.", BAD_INPUT)
    if os.path.realpath(output) in map(os.path.realpath, options.files):
        raise PlotError(f"cannot draw to '{output}' (it is the input). Give another name with -o.", BAD_INPUT)
    return Request(options.files, output, options.view, axes)


def function_of(module: str, function: str) -> Callable[..., Figure]:
    """What draws a view."""
    return getattr(importlib.import_module(module), function)


def figure_of(results: Sequence[Result], view: str | None, axes: list[str] | None) -> Figure:
    """The picture of open results in one of VIEWS, or in the one that suits them."""
    if len(results) > 1:
        return function_of(*COMPARED_VIEWS[view or next(iter(COMPARED_VIEWS))])(results)
    result = results[0]
    if axes:
        return function_of(*VIEWS["section"])(result, axes)
    if view is None:
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
        view = next(name for name in has if has[name])
    return function_of(*VIEWS[view])(result)


def draw(request: Request) -> None:
    """Reads the results and puts the picture in place, whole or not at all."""
    os.environ["MPLBACKEND"] = "Agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its notes on font caches are no news to the user
    try:
        import matplotlib  # noqa: F401

        from polhode.results import ResultError, open_result
    except ImportError as error:
        raise PlotError(
            f"cannot draw ({sys.executable}: {error}). "
            "Install numpy, h5py and matplotlib, or set POLHODE_PYTHON to a Python that has them.",
            MISSING_MODULE,
        ) from error

    try:
        with ExitStack() as stack:
            results = [stack.enter_context(open_result(source)) for source in request.sources]
            figure = figure_of(results, request.view, request.axes)
    except ResultError as error:
        raise PlotError(str(error), BAD_INPUT) from error

    output = request.output
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
        draw(parse(arguments))
    except PlotError as error:
        print(f"polhode: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
