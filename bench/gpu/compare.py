"""The same work by polhode, numba, JAX and diffrax on one GPU; see README.md beside this file."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
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

    def of_top(self, n: int, steps: int) -> None:
        problem = self.polhode.top(n, steps)
        facts = {"problem": "heavy-top", "precision": "double", "trajectories": n, "steps": steps}
        if self.options.device != "simulator":
            loop, whole = self.polhode.bench(n, steps, self.options.repeat)
            self.add(facts, "polhode", "RATTLE, Cayley", None, loop, whole, {"is_reference": True})
        for contender, extra in self.contenders_of_top(problem):
            self.compare(contender, facts, problem.ends, problem.of_shift, extra)

    def contenders_of_top(self, problem: Top) -> Iterator[tuple[Contender, dict]]:
        for name, module in self.peers.items():
            try:
                made = module.top(problem, self.options.device)
            except Unusable as error:
                self.notes.add(f"{name}: {error}")
                continue
            yield made if isinstance(made, tuple) else (made, {})

    def of_lorenz(self, problem: Lorenz, made: Library) -> None:
        n = len(problem.rho)
        facts = {"problem": "lorenz", "precision": problem.precision, "trajectories": n, "steps": problem.steps}
        ours = library_contender(problem, made)
        moved = library_contender(dataclasses.replace(problem, rho=agreement.shifted(problem.rho)), made)
        ends = states_of(ours)
        of_shift = agreement.distances(states_of(moved), ends)
        self.compare(ours, facts, ends, of_shift, {"is_reference": True})
        for module in self.peers.values():
            if hasattr(module, "lorenz"):
                self.compare(module.lorenz(problem, self.options.device), facts, ends, of_shift, {})

    def compare(self, contender: Contender, facts: dict, ends: np.ndarray, of_shift, extra: dict) -> None:
        """States first: no figure counts of another integration. diffrax takes other steps: only its energy error is
        RATTLE's."""
        try:
            found = measure(contender, self.options.repeat)
        except Unusable as error:
            self.notes.add(f"{contender.name}: {error}")
            return
        extra = extra or agreement.report(found.states, ends, of_shift)
        self.add(facts, contender.name, contender.setting, found.compile_seconds, found.kernel, found.end_to_end, extra)

    def add(self, facts: dict, name: str, setting: str, compile_seconds, kernel: Times, whole: Times, extra: dict):
        work = facts["trajectories"] * facts["steps"]
        self.rows.append({**facts, "contender": name, "setting": setting, "compile_seconds": compile_seconds,
                          "kernel": report.rates(kernel, work), "end_to_end": report.rates(whole, work), **extra})
        print("  ".join(report.cells(self.rows[-1])), flush=True)

    def disagreeing(self) -> list[str]:
        return [f"{row['contender']} on {row['problem']}, {row['precision']}, {row['trajectories']} trajectories"
                for row in self.rows if not row.get("agrees", True)]


def up_to(largest: int, sizes: tuple[int, ...]) -> Iterator[int]:
    return (n for n in sizes if n <= largest)


def states_of(contender: Contender) -> np.ndarray:
    placed = contender.place()
    states = contender.fetch(contender.loop(placed))
    contender.drop(placed)
    return states


def compare_all(options: argparse.Namespace, notes: Notes) -> Comparison:
    sizes = (QUICK if options.quick else SIZES)[options.device]
    backend = "cuda" if options.device == "cuda" else "cpu"
    peers = available_peers(options.device, notes)
    with tempfile.TemporaryDirectory(prefix="polhode-gpu-") as name:
        folder = Path(name)
        polhode = Polhode(options.bin.resolve() / "polhode", folder, backend)
        comparison = Comparison(options, polhode, peers, notes)
        if "heavy-top" in (options.problem or PROBLEMS):
            for n in up_to(options.largest, sizes.top):
                comparison.of_top(n, sizes.top_steps)
        if "lorenz" in (options.problem or PROBLEMS):
            try:
                made = library(backend, options.bin.resolve(), folder)
            except Unusable as error:
                notes.add(f"lorenz is left out: {error}")
                return comparison
            for dtype in (np.float64, np.float32):
                for n in up_to(options.largest, sizes.lorenz):
                    problem = dataclasses.replace(ensemble(n, dtype), steps=sizes.lorenz_steps)
                    comparison.of_lorenz(problem, made)
        return comparison


def main() -> int:
    options = arguments()
    notes = Notes()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        comparison = compare_all(options, notes)
    except (Unusable, OSError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    gpu = machine.gpu() if options.device == "cuda" else None
    facts = {
        "device": gpu["name"] if gpu else options.device,
        "processor": machine.host()["processor"],
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "versions": [comparison.polhode.version(), *(module.VERSION for module in comparison.peers.values())],
        "step_of_top": H,
        "repetitions": options.repeat,
        "quick": options.quick,
        "notes": notes,
    }
    for path in report.write(options.out, facts, comparison.rows, notes):
        print(f"wrote {path}", flush=True)
    for which in comparison.disagreeing():
        print(f"compare: other states than polhode's: {which}", file=sys.stderr)
    return 1 if comparison.disagreeing() or not comparison.rows else 0


if __name__ == "__main__":
    sys.exit(main())
