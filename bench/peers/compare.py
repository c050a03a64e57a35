"""Work and precision of polhode and its peers on one core; see README.md beside this file."""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import report
import work_precision_plot
from gpu_verify import machine
from measurement import Effort, distances, measure, spread_of
from polhode_contender import Polhode
from problems import PROBLEMS, Problem, Starts

ROOT = Path(__file__).resolve().parents[2]
PEERS = ("heyoka", "numba", "jax")
FULL, QUICK = Effort(rounds=5, seconds=0.2), Effort(rounds=2, seconds=0.05)


class Notes(list[str]):
    """What a reader of the results must know, each said once."""

    def add(self, text: str) -> None:
        if text not in self:
            self.append(text)
            print(f"note: {text}", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="compare", description="Compares polhode with heyoka, Numba and JAX on one core."
    )
    parser.add_argument("problem", nargs="*", help=f"any of {', '.join(PROBLEMS)}; default: all")
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/polhode", help="default: %(default)s")
    parser.add_argument("--out", type=Path, default=ROOT / "build/peers-results", help="default: %(default)s")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="default: the last one")
    parser.add_argument("--quick", action="store_true", help="few and short turns; times are rough")
    options = parser.parse_args()
    unknown = set(options.problem) - set(PROBLEMS)
    if unknown:
        parser.error(f"no problem {', '.join(unknown)}. There are {', '.join(PROBLEMS)}.")
    return options


def available_peers(notes: Notes) -> dict[str, ModuleType]:
    """Modules of the peers that are installed."""
    modules = {}
    for name in PEERS:
        try:
            modules[name] = importlib.import_module(f"{name}_peer")
        except ImportError as error:
            notes.add(f"{name} is left out ({error})")
    return modules


def reference_of(polhode: Polhode, problem: Problem, starts: Starts, peers: Mapping[str, ModuleType]):
    """States [n, dim] at the end of a span, and facts about them."""
    keys, h = problem.fine
    fine, points = polhode.fine_solution(problem)
    method = f"polhode, {', '.join(keys.values())}, h = {h:g}"
    if "heyoka" not in peers:
        return fine, {"reference": f"{method}, unconfirmed", "section points": points}
    states, points = peers["heyoka"].reference(problem, starts)
    apart = spread_of(distances(fine, states))
    distance = f"median {apart['median']:.1e}, largest {apart['highest']:.1e}"
    return states, {
        "reference": f"heyoka, extended precision; distance of {method}: {distance}",
        "section points": points,
    }


def compare(name: str, options: argparse.Namespace, peers: Mapping[str, ModuleType], notes: Notes) -> None:
    """Writes JSON, table and picture of a problem."""
    problem = PROBLEMS[name]
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        polhode = Polhode(options.program.resolve(), Path(folder))
        starts = polhode.starts(problem)
        contenders = polhode.contenders(problem)
        for peer in peers.values():
            contenders += peer.contenders(problem, starts)
        exact, reference = reference_of(polhode, problem, starts, peers)
        rows = measure(problem, starts, contenders, exact, QUICK if options.quick else FULL, notes.add)
        versions = [polhode.version(), *(f"{peer} {module.VERSION}" for peer, module in peers.items())]
    facts = {
        "problem": name,
        "processor": machine.host()["processor"],
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "versions": ", ".join(versions),
        "quick": options.quick,
        "orbits": len(starts.states),
        "time": problem.time,
        **reference,
        "notes": notes,
    }
    stem = options.out / name
    report.write(stem, facts, rows)
    work_precision_plot.write(stem, facts, rows)
    print(f"wrote {stem}.json, .md and .png", flush=True)


def main() -> None:
    options = arguments()
    os.sched_setaffinity(0, {options.core})  # before any peer starts threads; processes inherit it
    options.out.mkdir(parents=True, exist_ok=True)
    missing = Notes()
    peers = available_peers(missing)
    for name in options.problem or PROBLEMS:
        compare(name, options, peers, Notes(missing))


if __name__ == "__main__":
    main()
