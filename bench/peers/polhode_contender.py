"""polhode, a process for each run: `polhode run` on one thread, starts from a file, section points into one."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from contender import AT_START, Contender, Outcome, Unusable
from problems import Problem, Starts

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WHOLE_BATCHES = 16  # a multiple of every batch and block of lanes


@dataclass(frozen=True)
class Polhode:
    program: Path
    folder: Path  # of its files

    def version(self) -> str:
        return subprocess.run([self.program, "--version"], capture_output=True, text=True, check=True).stdout.strip()

    def starts(self, problem: Problem) -> Starts:
        """Of the problem's example; contenders and fine_solution need that they have been written."""
        self._run(problem, [], {**problem.settings, "run.steps": "1"}, self.folder / "example.h5")
        with h5py.File(self.folder / "example.h5") as file:
            states = file["initial/state"][:]
            parameters = {name: data[()] for name, data in file["parameters"].items()}
        states = states[: len(states) // WHOLE_BATCHES * WHOLE_BATCHES]
        with h5py.File(self.folder / "starts.h5", "w") as file:
            file["states"] = states
        return Starts(states, parameters)

    def contenders(self, problem: Problem) -> list[Contender]:
        return [
            Contender(
                "polhode", name, f"h = {h:g}", lambda spans, keys=keys, h=h: self._outcome(problem, keys, h, spans)
            )
            for name, keys, steps in problem.methods
            for h in steps
        ]

    def fine_solution(self, problem: Problem) -> tuple[np.ndarray, int]:
        """States [n, dim] after a span, and the number of section points, by the method and step for a reference."""
        outcome = self._outcome(problem, *problem.fine, spans=1)
        return outcome.states, outcome.points

    def _outcome(self, problem: Problem, keys: Mapping[str, str], h: float, spans: int) -> Outcome:
        method = {f"method.{key}": value for key, value in keys.items()}
        ensemble = {"from": "file", "path": str(self.folder / "starts.h5"), "dataset": "/states"}
        settings = {
            **{key: value for key, value in problem.settings.items() if not key.startswith("ensemble.")},
            **{f"ensemble.{key}": value for key, value in ensemble.items()},
            **method,
            "method.step": repr(h),
            "run.steps": str(spans * problem.steps(h)),
            "record.invariants": "false",  # the peers compare none, either
        }
        output = self.folder / "result.h5"
        seconds = self._run(problem, ["ensemble", "method"], settings, output)
        with h5py.File(output) as file:
            failed = np.count_nonzero(file["status/code"][:])
            if failed:
                raise Unusable(f"{failed} orbits did not reach the end with h = {h:g}")
            points = int(np.count_nonzero(file["section/time"][:] > AT_START))
            return Outcome(file["final/state"][:], points, seconds)

    def _run(self, problem: Problem, unset: list[str], settings: Mapping[str, str], output: Path) -> float:
        """Seconds of the processor, of the process as a whole."""
        words = [word for table in {*problem.replaced, *unset} for word in ("--unset", table)]
        words += [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        command = [self.program, "run", EXAMPLES / problem.example, "-o", output, *words]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, "--backend", "cpu", "--threads", "1", "--quiet", "--force"],
                              capture_output=True, text=True)  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise Unusable(done.stderr.strip())
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
