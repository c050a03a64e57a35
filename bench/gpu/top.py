"""The heavy top of examples/heavy_top_density.toml: random starts, 1000 steps of RATTLE, no section."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from agreement import Distances, distances, shifted
from contender import Times, Unusable

H = 0.05
SHIFTED = 100_000  # orbits, at most, whose starts are shifted

CONFIGURATION = """
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = {h}
[ensemble]
{ensemble}
[run]
steps = {steps}
backend = "{backend}"
[record]
invariants = false
"""
RANDOM = 'from = "random"\ndistribution = "microcanonical"\nenergy = 1.0\nmomentum = 0.0\ncount = {n}\nseed = 1'
FROM_FILE = 'from = "file"\npath = "{path}"\ndataset = "/states"'


@dataclass(frozen=True)
class Top:
    starts: np.ndarray  # [6, n]
    ends: np.ndarray  # [6, n], by polhode
    steps: int
    sweeps: int  # unconditional ones, of each step
    parameters: dict
    of_shift: Distances


@dataclass(frozen=True)
class Polhode:
    program: Path
    folder: Path  # of its files
    backend: str

    def version(self) -> str:
        return self._call("--version").strip()

    def _run(self, ensemble: str, steps: int) -> tuple[np.ndarray, np.ndarray, int, dict]:
        """Starts and ends [6, n], sweeps, parameters."""
        text = CONFIGURATION.format(h=H, ensemble=ensemble, steps=steps, backend=self.backend)
        (self.folder / "top.toml").write_text(text)
        output = self.folder / "top.h5"
        self._call("run", self.folder / "top.toml", "-o", output, "--quiet", "--force")
        with h5py.File(output) as file:
            if file["status/code"][:].any():
                raise Unusable("a trajectory failed")
            parameters = {name: data[()] for name, data in file["parameters"].items()}
            columns = [np.ascontiguousarray(file[name][:].T) for name in ("initial/state", "final/state")]
            return *columns, int(file.attrs["sweeps"]), parameters

    def top(self, n: int, steps: int) -> Top:
        starts, ends, sweeps, parameters = self._run(RANDOM.format(n=n), steps)
        moved = starts[:, :SHIFTED].copy()
        moved[0] = shifted(moved[0])  # Gamma stays a unit vector
        with h5py.File(self.folder / "shifted.h5", "w") as file:
            file["states"] = moved.T
        of_shift = self._run(FROM_FILE.format(path=self.folder / "shifted.h5"), steps)[1]
        return Top(starts, ends, steps, sweeps, parameters, distances(of_shift, ends[:, :SHIFTED]))

    def bench(self, n: int, steps: int, repetitions: int) -> tuple[Times, Times]:
        """Seconds of the loop, and of a whole run into memory with its starts drawn, from `polhode bench`."""
        text = CONFIGURATION.format(h=H, ensemble=RANDOM.format(n=n), steps=steps, backend=self.backend)
        (self.folder / "bench.toml").write_text(text)
        options = ["--backends", self.backend, "--steps", steps, "--repeat", repetitions, "--json"]
        (found,) = json.loads(self._call("bench", self.folder / "bench.toml", *options))["backends"]
        (whole,) = found["whole_runs"]
        if "problem" in whole:
            raise Unusable(whole["problem"])
        loop = found["time_loop"]
        return (
            seconds_of(loop["steps_per_second"], n * steps, loop["repetitions"]),
            seconds_of(whole["steps_per_second"], n * steps, whole["repetitions"]),
        )

    def _call(self, *words: object) -> str:
        done = subprocess.run([str(word) for word in (self.program, *words)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Unusable(done.stderr.strip())
        return done.stdout


def seconds_of(rate: dict, work: int, repetitions: int) -> Times:
    return Times(work / rate["median"], work / rate["upper_quartile"], work / rate["lower_quartile"], repetitions)
