"""The same work by polhode, numba, JAX and diffrax on one GPU; see README.md beside this file."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

import agreement
import report
from contender import Contender, Times, Unusable, measure
from gpu_verify import machine
from lorenz import Lorenz, ensemble
from lorenz_library import Library, library
from lorenz_library import lorenz as library_contender
from top import H, Polhode, Top

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / "bin" if (ROOT / "bin").is_dir() else ROOT / "build/release"  # of a portable directory, or a checkout
PROBLEMS = ("heavy-top", "lorenz")
PEERS = ("numba", "jax", "diffrax")


@dataclass(frozen=True)
class Sizes:
    top: tuple[int, ...]  # trajectories
    top_steps: int
    lorenz: tuple[int, ...]
    lorenz_steps: int


# The published sizes of the Lorenz ensemble are 8 to 2^23, by factors of 4.
SIZES = {
    "cuda": Sizes((10**5, 10**6, 10**7), 1000, tuple(2**k for k in range(3, 25, 3)), 1000),
    "cpu": Sizes((1000, 10_000), 1000, (8, 512, 8192), 1000),
    "simulator": Sizes((4,), 20, (8,), 20),
}
QUICK = {
    "cuda": Sizes((1000,), 100, (8, 512), 1000),
    "cpu": Sizes((200,), 100, (8,), 1000),
    "simulator": Sizes((2,), 5, (2,), 5),
}


class Notes(list[str]):
    """What a reader of the results must know, each said once."""

    def add(self, text: str) -> None:
        if text not in self:
            self.append(text)
            print(f"note: {text}", flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="compare", description="Compares polhode with others on one GPU.")
    parser.add_argument("problem", nargs="*", help=f"any of {', '.join(PROBLEMS)}; default: both")
    parser.add_argument("--device", choices=SIZES, default="cuda", help="cpu: the same comparisons on small ensembles; "
                        "simulator: numba's kernels by its simulator, alone; default: %(default)s")
    parser.add_argument("--bin", type=Path, default=BIN, help="where polhode is; default: %(default)s")
    parser.add_argument("--out", type=Path, default=ROOT / "build/gpu-results", help="default: %(default)s")
    parser.add_argument("--repeat", type=int, default=20, help="of each figure, fewer where that takes more than 20 s; "
                        "default: %(default)s")
    parser.add_argument("--largest", type=int, default=10**9, metavar="N", help="leave out larger ensembles")
    parser.add_argument("--quick", action="store_true", help="small ensembles; shows that it works, and nothing else")
    options = parser.parse_args()
    unknown = set(options.problem) - set(PROBLEMS)
    if unknown:
        parser.error(f"no problem {', '.join(unknown)}. There are {', '.join(PROBLEMS)}.")
    if options.repeat < 1:
        parser.error(f"--repeat is {options.repeat}. It must be positive.")
    return options


def available_peers(device: str, notes: Notes) -> dict[str, ModuleType]:
    """Modules of the peers that can be used."""
    if device == "simulator":
        os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
    if device == "cpu":
        os.environ["JAX_PLATFORMS"] = "cpu"
    modules = {}
    for name in PEERS if device != "simulator" else PEERS[:1]:
        try:
            module = importlib.import_module(f"{name}_contender")
            if name == "jax":
                module.check_device(device)
            if name == "diffrax" and "jax" not in modules:
                raise ImportError("it needs jax")
            modules[name] = module
        except ImportError as error:
            notes.add(f"{name} is left out ({error})")
    return modules


class Comparison:
    def __init__(self, options: argparse.Namespace, polhode: Polhode, peers: dict[str, ModuleType], notes: Notes):
        self.options, self.polhode, self.peers, self.notes = options, polhode, peers, notes
        self.rows: list[dict] = []
        self.failures: list[str] = []  # of polhode, without which there is nothing to compare with

    def of_top(self, n: int, steps: int) -> None:
        facts = {"problem": "heavy-top", "precision": "double", "trajectories": n, "steps": steps}
        try:
            problem = self.polhode.top(n, steps)
            if self.options.device != "simulator":
                loop, whole = self.polhode.bench(n, steps, self.options.repeat)
                self.add(facts, "polhode", "RATTLE, Cayley", None, loop, whole, {"is_reference": True})
        except Exception as error:
            self.failures.append(f"polhode on {in_words(facts)}: {reason(error)}")
            return
        for name, module in self.peers.items():
            self.compare(name, lambda: module.top(problem, self.options.device), facts,
                         lambda states: agreement.report(states, problem.ends, problem.of_shift))

    def of_lorenz(self, problem: Lorenz, made: Library) -> None:
        n = len(problem.rho)
        facts = {"problem": "lorenz", "precision": problem.precision, "trajectories": n, "steps": problem.steps}
        try:
            ours = library_contender(problem, made)
            moved = library_contender(dataclasses.replace(problem, rho=agreement.shifted(problem.rho)), made)
            ends = states_of(ours)
            of_shift = agreement.distances(states_of(moved), ends)
        except Exception as error:
            self.failures.append(f"polhode's scalars on {in_words(facts)}: {reason(error)}")
            return
        self.compare(ours.name, lambda: ours, facts, lambda states: {"is_reference": True})
        for name, module in self.peers.items():
            if hasattr(module, "lorenz"):
                self.compare(name, lambda: module.lorenz(problem, self.options.device), facts,
                             lambda states: agreement.report(states, ends, of_shift))

    def compare(self, name: str, make: Callable, facts: dict, judge: Callable[[np.ndarray], dict]) -> None:
        """One contender and size. Whatever goes wrong in a library, such as too little memory of the device for the
        largest ensemble, is no reason to lose the others. make() may bring a judge of its own, of other steps."""
        try:
            made = make()
            contender, judge = made if isinstance(made, tuple) else (made, judge)
            found = measure(contender, self.options.repeat)
            self.add(facts, contender.name, contender.setting, found.compile_seconds, found.kernel, found.end_to_end,
                     judge(found.states))
        except Exception as error:
            self.notes.add(f"{name} is left out on {in_words(facts)}: {reason(error)}")

    def add(self, facts: dict, name: str, setting: str, compile_seconds, kernel: Times, whole: Times, extra: dict):
        work = facts["trajectories"] * facts["steps"]
        self.rows.append({**facts, "contender": name, "setting": setting, "compile_seconds": compile_seconds,
                          "kernel": report.rates(kernel, work), "end_to_end": report.rates(whole, work), **extra})
        print("  ".join(report.cells(self.rows[-1])), flush=True)

    def disagreeing(self) -> list[str]:
        return [f"{row['contender']} on {in_words(row)}" for row in self.rows if not row.get("agrees", True)]


def in_words(facts: dict) -> str:
    return f"{facts['problem']}, {facts['precision']}, {facts['trajectories']} trajectories"


def reason(error: Exception) -> str:
    """Its first line, and what it is where a library made it."""
    first = (str(error).strip() or "no reason given").splitlines()[0]
    return first if isinstance(error, (Unusable, OSError)) else f"{type(error).__name__}: {first}"


def up_to(largest: int, sizes: tuple[int, ...]) -> Iterator[int]:
    return (n for n in sizes if n <= largest)


def states_of(contender: Contender) -> np.ndarray:
    placed = contender.place()
    states = contender.fetch(contender.loop(placed))
    contender.drop(placed)
    return states


def facts_of(options: argparse.Namespace, comparison: Comparison) -> dict:
    gpu = machine.gpu() if options.device == "cuda" else None
    return {
        "device": gpu["name"] if gpu else options.device,
        "processor": machine.host()["processor"],
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "versions": [comparison.polhode.version(), *(module.VERSION for module in comparison.peers.values())],
        "step_of_top": H,
        "repetitions": options.repeat,
        "quick": options.quick,
        "notes": comparison.notes,
    }


def compare_all(options: argparse.Namespace, comparison: Comparison) -> Iterator[None]:
    """An ensemble at a time."""
    sizes = (QUICK if options.quick else SIZES)[options.device]
    polhode = comparison.polhode
    if "heavy-top" in (options.problem or PROBLEMS):
        for n in up_to(options.largest, sizes.top):
            yield comparison.of_top(n, sizes.top_steps)
    if "lorenz" in (options.problem or PROBLEMS):
        try:
            made = library(polhode.backend, polhode.program.parent, polhode.folder)
        except Unusable as error:
            yield comparison.notes.add(f"lorenz is left out: {error}")
            return
        for dtype in (np.float64, np.float32):
            for n in up_to(options.largest, sizes.lorenz):
                problem = dataclasses.replace(ensemble(n, dtype), steps=sizes.lorenz_steps)
                yield comparison.of_lorenz(problem, made)


def main() -> int:
    options = arguments()
    notes = Notes()
    options.out.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    with tempfile.TemporaryDirectory(prefix="polhode-gpu-") as name:
        backend = "cuda" if options.device == "cuda" else "cpu"
        polhode = Polhode(options.bin.resolve() / "polhode", Path(name), backend)
        comparison = Comparison(options, polhode, available_peers(options.device, notes), notes)
        try:
            facts = facts_of(options, comparison)
            for _ in compare_all(options, comparison):  # what there is stays, if it is stopped
                written = report.write(options.out, facts, comparison.rows, notes)
        except (Unusable, OSError) as error:
            print(f"compare: {error}", file=sys.stderr)
            return 2
    for path in written:
        print(f"wrote {path}", flush=True)
    problems = comparison.failures + [f"other states than polhode's: {which}" for which in comparison.disagreeing()]
    if not comparison.rows:
        problems.append("nothing was compared")
    for problem in problems:
        print(f"compare: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
