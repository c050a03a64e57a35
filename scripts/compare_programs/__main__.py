"""Makes all runs with both programs. Exit code 0: equal, but for what is expected; 1: different; 2: bad usage."""

import argparse
import collections
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import sys
import tempfile
import typing

import h5py

from compare_programs import catalog_runs, example_runs, feature_runs, files, known, reference
from compare_programs.run import Run, execute
from verification.ensembles import UnknownSystem
from verification.polhode import Polhode, Unusable


def arguments():
    parser = argparse.ArgumentParser(prog="compare-programs", description="Compares the results of two builds of polhode.")
    parser.add_argument("old", metavar="OLD", help="the program that is right")
    parser.add_argument("new", metavar="NEW", help="the one to compare with it")
    parser.add_argument("--expect", action="append", default=[], choices=known.MEANINGS, metavar="KNOWN",
                        help="a known difference, may be repeated: " + "; ".join(map(": ".join, known.MEANINGS.items())))
    parser.add_argument("--only", type=re.compile, default="", metavar="REGEX", help="runs with such a name")
    parser.add_argument("--full", action="store_true", help="examples whole, which takes several times as long")
    return parser.parse_args()


class Result(typing.NamedTuple):
    run: Run
    differences: list
    comparison: files.Comparison
    of_allowed: typing.Optional[float] = None  # of a reference whose bytes differ


def compare_run(run, old, new, folder, expect):
    """With both programs; all differences in words."""
    of_old, of_new = execute_both(run, old, new, folder)
    if not all(outcome.file.exists() for outcome in (of_old, of_new)):
        return Result(run, compare_ends(run, of_old, of_new), files.Comparison())
    try:
        if known.PENDULUM_GRIDS in expect and (window := known.old_window(of_old.file, of_new.file)):
            return compare_old_grid(run, of_old, of_new, window, old, new, folder, expect)
        comparison = files.compare(of_old.file, of_new.file, expect, functools.partial(open_again, old, run, folder))
    except OSError as error:
        return Result(run, [*compare_ends(run, of_old, of_new), f"cannot be read ({error})"], files.Comparison())
    differences, of_allowed = comparison.differences, None
    if run.reference and reference.is_of_round_off(comparison):
        beside = execute(old, run._replace(configuration=run.reference.beside), folder / "beside").file
        differences, of_allowed = reference.judge(of_old.file, of_new.file, beside, run.reference.of_halves)
    if run.filled:
        differences = differences + [f"{name} is empty: there is nothing to compare" for name in comparison.empty]
    if known.is_known_end(expect, of_old, of_new):
        # What they leave in their folders is still compared.
        of_old, of_new = (outcome._replace(code=run.code, message="") for outcome in (of_old, of_new))
    return Result(run, compare_ends(run, of_old, of_new) + differences, comparison, of_allowed)


def execute_both(run, old, new, folder):
    return tuple(execute(program, run, folder / which) for program, which in ((old, "old"), (new, "new")))


def open_again(old, run, folder, *options):
    """The file of the old program's run with more options."""
    again = pathlib.Path(tempfile.mkdtemp(dir=folder))
    return h5py.File(execute(old, with_options(run._replace(interrupted=False), *options), again / "again").file)


def with_options(run, *options):
    return run._replace(options=(*run.options, *options))


def compare_old_grid(run, of_old, of_new, window, old, new, folder, expect):
    """With the grid that was the old program's, which has the same starts without being told of it."""
    again = folder / "window"
    again.mkdir()
    windowed = compare_run(with_options(run, "--set", window), old, new, again, set(expect) - {known.PENDULUM_GRIDS})
    not_the_same = [words for words in files.compare(of_old.file, again / "old" / "out.h5").differences
                    if not words.startswith("attribute config of /:")]
    windowed.comparison.starts = known.more_starts(of_old.file, of_new.file)
    return windowed._replace(
        run=run, differences=compare_ends(run, of_old, of_new) + not_the_same + windowed.differences)


def compare_ends(run, old, new):
    """Exit code, message, and what is left in the folder."""
    if old.code != new.code:
        return [f"exit code {old.code} ({old.message}) and {new.code} ({new.message})"]
    if old.code != run.code or (run.code == 0 and not old.file.exists()):
        return [f"nothing to compare: both end with {old.code} ({old.message})"]
    return [f"{what}: {a!r} and {b!r}" for what, a, b in (("message", old.message, new.message),
                                                          ("files", old.left, new.left)) if a != b]


def all_runs(options, old, new, folder):
    yield from example_runs.runs(old, folder, options.full)
    yield from feature_runs.runs(old)
    yield from catalog_runs.runs(old, folder, new)


def compare_all(runs, old, new, folder, expect):
    def one(numbered):
        number, run = numbered
        own = folder / str(number)
        own.mkdir()
        result = compare_run(run, old.path, new.path, own, expect)
        shutil.rmtree(own)
        return result

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        yield from pool.map(one, enumerate(runs))


def summary(results):
    comparisons = [result.comparison for result in results]
    total = lambda key: sum(getattr(comparison, key) for comparison in comparisons)
    yield f"{len(results)} runs with each program, {total('datasets')} datasets, {total('bytes')} bytes"
    if expected := total("expected"):
        yield f"{expected} numbers in {sum(c.expected > 0 for c in comparisons)} files differ as expected"
    if texts := total("texts"):
        yield f"{texts} attributes in {sum(c.texts > 0 for c in comparisons)} files differ as expected"
    if starts := total("starts"):
        yield f"{starts} starts of grids are only in the new files, as expected"
    for name, count in collections.Counter(name for c in comparisons for name in c.new).items():
        yield f"only in the new files: {name}, in {count} of them"
    if parted := [result.of_allowed for result in results if result.of_allowed is not None]:
        yield f"{len(parted)} runs of the reference differ by round-off, {max(parted):.2g} of what is allowed at most"
    differing = sum(bool(result.differences) for result in results)
    yield f"{differing} runs differ" if differing else "equal"


def main():
    options = arguments()
    old, new = Polhode(options.old), Polhode(options.new)
    with tempfile.TemporaryDirectory(prefix="compare-programs-") as name:
        folder = pathlib.Path(name)
        runs = [run for run in all_runs(options, old, new, folder) if re.search(options.only, run.name)]
        if not runs:
            raise Unusable(f"no run has a name with {options.only.pattern}. Give another --only.")
        results = []
        for result in compare_all(runs, old, new, folder, options.expect):
            for difference in result.differences:
                print(f"{result.run.name}: {difference}", flush=True)
            results.append(result)
    for name in sorted(set(catalog_runs.names(new)) - set(catalog_runs.names(old))):
        print(f"only in the new catalog: {name}")
    print("\n".join(summary(results)))
    return 1 if any(result.differences for result in results) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unusable, UnknownSystem, OSError) as error:
        print(f"compare-programs: {error}", file=sys.stderr)
        sys.exit(2)
