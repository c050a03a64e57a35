"""Shared by the tests of python/polhode: results to draw, and the command."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import tempfile
import traceback
import unittest
from pathlib import Path

import h5py
import numpy as np

PYTHON_FOLDER = Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, str(PYTHON_FOLDER))

from polhode import plot  # noqa: E402

HEAVY_TOP = ("pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3")
RIGID_BODY = ("pi1", "pi2", "pi3", "qw", "qx", "qy", "qz")
MS_CHART = {"axes": ["m13", "m12"], "axis_columns": ["pi2", "pi3"], "axis_signs": [1.0, -1.0], "side": "pi1"}
MOMENTS = np.array([1.0, 2.0, 3.0])


def write_result(
    path: Path,
    points: int | None,
    orbits: int = 5,
    columns: tuple[str, ...] = HEAVY_TOP,
    attributes: dict | None = None,
    snapshots: bool = False,
    chart: bool = True,
) -> np.ndarray:
    """Writes a result whose section states [points, dim] are random; returns them. points=None: no section.

    With the chart of the heavy top where it has its columns.
    """
    random = np.random.default_rng(1)
    section = random.normal(size=(points or 0, len(columns)))
    known = {"schema": "1", "program": "polhode", "system": "heavy-top", "method": "rattle", "step": 0.05}
    known["section"] = "gamma3 = 0, up"
    with h5py.File(path, "w") as file:
        for name, value in (known if attributes is None else attributes).items():
            file.attrs[name] = value
        for group in ("initial", "final"):
            file[f"{group}/state"] = random.normal(size=(orbits, len(columns)))
            file[f"{group}/state"].attrs.create("columns", columns, dtype=h5py.string_dtype())
        file["final/time"] = np.full(orbits, 1.0)
        file["status/code"] = np.where(np.arange(orbits) == 0, 1, 0).astype("u1")
        if points is not None:
            file.create_dataset("section/state", data=section, chunks=True if points else None)
            file["section/trajectory"] = np.sort(random.integers(orbits, size=points))
            file["section/time"] = random.random(points)
            file["section/step"] = random.integers(100, size=points)
            if chart and columns == HEAVY_TOP:
                for name, value in MS_CHART.items():
                    file["section"].attrs[name] = value
        if snapshots:
            file["snapshots/time"] = np.arange(3.0)
            file["snapshots/state"] = random.normal(size=(orbits, 3, len(columns)))
    return section


def flow(state: np.ndarray, chi: np.ndarray, c: float) -> np.ndarray:
    """Time derivative of states [n, 6] of a top with MOMENTS."""
    pi, gamma = state[:, :3], state[:, 3:]
    omega = pi / MOMENTS
    return np.concatenate([np.cross(pi, omega) + c * np.cross(gamma, chi), np.cross(gamma, omega)], axis=1)


def write_top(
    path: Path,
    n: int = 3,
    step: float = 0.1,
    steps: int = 40,
    c: float = 1.0,
    columns: tuple[str, ...] = HEAVY_TOP,
    recorded: bool = True,
    section: np.ndarray | None = None,
    seed: int = 1,
    chi: tuple[float, float, float] = (0.0, 0.0, 1.0),
) -> np.ndarray:
    """Writes snapshots of every step, integrated by the explicit midpoint rule; returns them [n, steps, 6].

    A rigid body's quaternions are random, not integrated. Recorded: with invariants along the snapshots.
    """
    random, chi = np.random.default_rng(seed), np.array(chi)
    state = random.normal(size=(n, 6))
    state[:, 3:] /= np.linalg.norm(state[:, 3:], axis=1)[:, None]
    states = [state]
    for _ in range(steps):
        states.append(states[-1] + step * flow(states[-1] + step / 2 * flow(states[-1], chi, c), chi, c))
    states = np.stack(states, axis=1)
    values = np.stack(
        [
            np.sum(states[..., :3] ** 2 / MOMENTS, axis=-1) / 2 + c * states[..., 3:] @ chi,
            np.sum(states[..., 3:] ** 2, axis=-1),
            np.sum(states[..., :3] * states[..., 3:], axis=-1),
        ],
        axis=-1,
    )
    written = states
    if columns == RIGID_BODY:
        written = np.concatenate([states[..., :3], random.normal(size=(n, steps + 1, 4))], axis=-1)
    known = {"program": "polhode", "system": "heavy-top", "method": "midpoint", "step": step}
    with h5py.File(path, "w") as file:
        file.attrs.update({**known, "section": "gamma3 = 0, up"} if section is not None else known)
        file["initial/state"], file["final/state"] = written[:, 0], written[:, -1]
        file["final/state"].attrs["columns"] = columns
        file["final/state"].attrs["unit"] = ["c^1/2 I^1/2"] * 3 + ["1"] * (len(columns) - 3)
        file["final/time"], file["status/code"] = np.full(n, steps * step), np.zeros(n, "u1")
        file["snapshots/time"], file["snapshots/state"] = step * np.arange(1, steps + 1), written[:, 1:]
        file["parameters/inertia"], file["parameters/chi"], file["parameters/c"] = MOMENTS, chi, c
        file["invariants/names"] = ["gamma_squared", "energy", "pi_dot_gamma"]
        file["invariants/initial"] = values[:, 0, [1, 0, 2]]
        file["invariants/initial"].attrs["unit"] = ["1", "c", "c^1/2 I^1/2"]
        if recorded:
            file["snapshots/invariants"] = values[:, 1:, [1, 0, 2]]
        if section is not None:
            file["section/state"] = section
            file["section/trajectory"] = np.arange(len(section)) * n // len(section)
            file["section/time"], file["section/step"] = np.zeros(len(section)), np.zeros(len(section), int)
            file["section"].attrs.update(MS_CHART)
    return states[:, 1:]


def on_ellipsoid(count: int, twice_energy: float = 2.0) -> np.ndarray:
    """Random section states [count, 6] with this kinetic energy for MOMENTS."""
    direction = np.random.default_rng(3).normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    return np.concatenate([direction * np.sqrt(twice_energy * MOMENTS), np.zeros((count, 3))], axis=1)


def write_statistics(path: Path, counts: np.ndarray) -> None:
    """Writes a result with statistics of two observables with these histograms [t, cells]."""
    write_result(path, None)
    times, cells = counts.shape
    middles = np.linspace(-1, 1, 2 * cells + 1)[1::2]
    total = counts.sum(axis=1)
    mean = counts @ middles / total
    moments = {
        "mean": mean,
        "variance": counts @ middles**2 / total - mean**2,
        "minimum": mean - 1,
        "maximum": mean + 1,
    }
    with h5py.File(path, "a") as file:
        group = file.create_group("statistics")
        group["observables"] = ["gamma3", "pi1"]
        group["time"], group["count"] = 0.5 * np.arange(times), total
        for name, values in moments.items():
            group[name] = np.stack([values, values], axis=1)
        group["mean"].attrs["unit"] = ["1", "c^1/2 I^1/2"]
        group["histogram"] = np.stack([counts, counts], axis=1)
        group["histogram"].attrs["low"], group["histogram"].attrs["high"] = [-1.0, -1.0], [1.0, 1.0]


def write_density(path: Path, counts: np.ndarray, section: str = "gamma3 = 0, up") -> None:
    """Writes a result with a density [nx, ny] over (pi2, pi3) in [-1, 3] x [-1, 1], and the chart of the heavy top."""
    write_result(path, None)
    with h5py.File(path, "a") as file:
        file.attrs["section"] = section
        file["section/density"] = counts
        file["section/density"].attrs.update(
            {"axes": ["pi2", "pi3"], "low": [-1.0, -1.0], "high": [3.0, 1.0], "outside": 0}
        )
        file["section"].attrs.update(MS_CHART)


class InTemporaryFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "run.h5"


class WithCommand(InTemporaryFolder):
    def plot(self, *arguments: str, python: tuple[str, ...] | None = None) -> subprocess.CompletedProcess:
        """What the command does, in a copy of this process: to import matplotlib takes longer than to draw.

        With options for Python, in a process of its own.
        """
        if python is None:
            return self.plot_in_copy(arguments)
        return subprocess.run(
            [sys.executable, *python, "-m", "polhode.plot", *arguments],
            env={**os.environ, "PYTHONPATH": str(PYTHON_FOLDER)},
            cwd=self.folder,
            capture_output=True,
            text=True,
        )

    def plot_in_copy(self, arguments: tuple[str, ...]) -> subprocess.CompletedProcess:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as error:
            sys.stdout.flush()
            sys.stderr.flush()
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    os.chdir(self.folder)
                    os.dup2(out.fileno(), 1)
                    os.dup2(error.fileno(), 2)
                    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)
                    code = plot.main(list(arguments))
                except SystemExit as exit_:
                    code = exit_.code or 0
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(code)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            texts = [stream.seek(0) or stream.read().decode() for stream in (out, error)]
        return subprocess.CompletedProcess(arguments, code, *texts)

    def check_drawn(
        self,
        *arguments: str,
        picture: str = "run.png",
        size: tuple[int, int] | None = None,
        python: tuple[str, ...] | None = None,
        says: str = "",
    ) -> None:
        """The command draws a PNG and says so in a line; of a size in pixels, or one of about 7 inches where it
        is as high as its axes need.
        """
        before = set(self.folder.iterdir())
        done = self.plot(*arguments, python=python)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, rf"\A{re.escape(picture)}: [^\n]+\n\Z")
        self.assertIn(says, done.stdout)
        self.assertEqual(set(self.folder.iterdir()) - before, {self.folder / picture})
        content = (self.folder / picture).read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", content[16:24])
        if size:
            self.assertEqual((width, height), size)
        else:
            self.assertTrue(900 <= width <= 1400, width)
            self.assertTrue(700 < height < 1700, height)

    def check_refused(self, code: int, problem: str, *arguments: str, python: tuple[str, ...] | None = None) -> None:
        before = set(self.folder.rglob("*"))
        done = self.plot(*arguments, python=python)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Apolhode: [^\n]+ \([^\n]+\)\. [A-Z][^\n]+\.\n\Z")
        self.assertIn(problem, done.stderr)
        self.assertEqual(set(self.folder.rglob("*")), before, "a failure leaves nothing behind")
