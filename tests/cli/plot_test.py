"""Tests of python/polhode: python3 tests/cli/plot_test.py, with a Python that has numpy, h5py and matplotlib."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import h5py
import numpy as np

PYTHON_FOLDER = Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, str(PYTHON_FOLDER))

from polhode import (  # noqa: E402
    colours,
    invariants_plot,
    labels,
    plot,
    polhode_plot,
    results,
    section3d_plot,
    section_plot,
    snapshots,
    space,
    steps_plot,
    tops,
)

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
) -> np.ndarray:
    """Writes snapshots of every step, integrated by the explicit midpoint rule; returns them [n, steps, 6].

    A rigid body's quaternions are random, not integrated. Recorded: with invariants along the snapshots.
    """
    random, chi = np.random.default_rng(seed), np.array([0.0, 0.0, 1.0])
    state = random.normal(size=(n, 6))
    state[:, 3:] /= np.linalg.norm(state[:, 3:], axis=1)[:, None]
    states = [state]
    for _ in range(steps):
        states.append(states[-1] + step * flow(states[-1] + step / 2 * flow(states[-1], chi, c), chi, c))
    states = np.stack(states, axis=1)
    values = np.stack(
        [
            np.sum(states[..., :3] ** 2 / MOMENTS, axis=-1) / 2 + c * states[..., 5],
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
        file["final/state"].attrs["units"] = ["c^1/2 I^1/2"] * 3 + ["1"] * (len(columns) - 3)
        file["final/time"], file["status/code"] = np.full(n, steps * step), np.zeros(n, "u1")
        file["snapshots/time"], file["snapshots/state"] = step * np.arange(1, steps + 1), written[:, 1:]
        file["parameters/inertia"], file["parameters/chi"], file["parameters/c"] = MOMENTS, chi, c
        file["invariants/names"] = ["gamma_squared", "energy", "pi_dot_gamma"]
        file["invariants/names"].attrs["units"] = ["1", "c", "c^1/2 I^1/2"]
        file["invariants/initial"] = values[:, 0, [1, 0, 2]]
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


class InTemporaryFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "run.h5"


class WithCommand(InTemporaryFolder):
    def plot(self, *arguments: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, *python, "-m", "polhode.plot", *arguments],
            env={**os.environ, "PYTHONPATH": str(PYTHON_FOLDER)},
            cwd=self.folder,
            capture_output=True,
            text=True,
        )

    def check_drawn(self, *arguments: str, picture: str = "run.png", size: tuple[int, int] = (1400, 1400)) -> None:
        before = set(self.folder.iterdir())
        done = self.plot(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(set(self.folder.iterdir()) - before, {self.folder / picture})
        content = (self.folder / picture).read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", content[16:24]), size)

    def check_refused(self, code: int, problem: str, *arguments: str, python: tuple[str, ...] = ()) -> None:
        before = set(self.folder.rglob("*"))
        done = self.plot(*arguments, python=python)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Apolhode: [^\n]+ \([^\n]+\)\. [A-Z][^\n]+\.\n\Z")
        self.assertIn(problem, done.stderr)
        self.assertEqual(set(self.folder.rglob("*")), before, "a failure leaves nothing behind")


class Command(WithCommand):
    def test_draws_a_few_points(self) -> None:
        write_result(self.file, 10)
        self.check_drawn("run.h5")

    def test_draws_one_point(self) -> None:
        write_result(self.file, 1, columns=("a", "b", "c"), attributes={"program": "polhode"})
        self.check_drawn("run.h5")

    def test_draws_many_orbits(self) -> None:
        write_result(self.file, 50_000, orbits=150)
        self.check_drawn("run.h5")

    def test_draws_a_million_points(self) -> None:
        write_result(self.file, 1_000_000, orbits=1000)
        self.check_drawn("run.h5")

    def test_draws_where_told(self) -> None:
        write_result(self.file, 10)
        self.check_drawn("run.h5", "-o", "other.png", picture="other.png")

    def test_replaces_an_older_picture(self) -> None:
        write_result(self.file, 10)
        (self.folder / "run.png").write_text("old")
        self.assertEqual(self.plot("run.h5").returncode, 0)
        self.assertEqual((self.folder / "run.png").read_bytes()[1:4], b"PNG")

    def test_explains_itself(self) -> None:
        done = self.plot("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("polhode plot", done.stdout)

    def test_refuses_a_file_without_section(self) -> None:
        write_result(self.file, None)
        self.check_refused(2, "has nothing to draw", "run.h5")
        self.check_refused(2, "has no section points", "run.h5", "--view", "section")
        self.check_refused(2, "has no section points", "run.h5", "--view", "section3d")

    def test_refuses_snapshots_that_tell_no_invariants(self) -> None:
        write_result(self.file, None, snapshots=True)
        self.check_refused(2, "no invariants along its snapshots", "run.h5")

    def test_refuses_an_empty_section(self) -> None:
        write_result(self.file, 0)
        self.check_refused(2, "has no section points", "run.h5")

    def test_draws_the_other_half_where_the_section_is_there_alone(self) -> None:
        write_result(self.file, 10)
        with h5py.File(self.file, "a") as file:
            file["section/state"][:, 0] = -1
        self.check_drawn("run.h5")

    def test_refuses_a_foreign_hdf5_file(self) -> None:
        with h5py.File(self.file, "w") as file:
            file["data"] = np.zeros(3)
        self.check_refused(2, "not written by polhode", "run.h5")

    def test_refuses_another_layout(self) -> None:
        write_result(self.file, 10)
        with h5py.File(self.file, "a") as file:
            del file["section/trajectory"]
        self.check_refused(2, "unexpected layout", "run.h5")

    def test_refuses_arrays_that_do_not_match(self) -> None:
        write_result(self.file, 10)
        with h5py.File(self.file, "a") as file:
            del file["section/time"]
            file["section/time"] = np.zeros(9)
        self.check_refused(2, "/section/time has shape (9,) instead of (10,)", "run.h5")

    def test_refuses_a_text_file(self) -> None:
        self.file.write_text("[system]\n")
        self.check_refused(2, "not an HDF5 file", "run.h5")

    def test_refuses_a_truncated_file(self) -> None:
        write_result(self.file, 1000)
        os.truncate(self.file, self.file.stat().st_size // 2)
        self.check_refused(2, "truncated", "run.h5")

    def test_refuses_damaged_points(self) -> None:
        write_result(self.file, 1000)
        with h5py.File(self.file, "a") as file:
            points = file["section/state"][:]
            del file["section/state"]
            file.create_dataset("section/state", data=points, chunks=points.shape, fletcher32=True)
            chunk = file["section/state"].id.get_chunk_info(0)
        with self.file.open("r+b") as stream:
            stream.seek(chunk.byte_offset)
            stream.write(b"damage")
        self.check_refused(2, "Check that it is complete", "run.h5")

    def test_refuses_a_missing_file(self) -> None:
        self.check_refused(2, "No such file", "run.h5")

    def test_refuses_a_bad_command_line(self) -> None:
        write_result(self.file, 10)
        self.check_refused(2, "command line")
        self.check_refused(2, "command line", "run.h5", "--density")
        self.check_refused(2, "empty", "")
        self.check_refused(2, "PNG", "run.h5", "-o", "run.pdf")
        self.check_refused(2, "PNG", "run.h5", "-o", "run.h5")
        self.file.rename(self.folder / "run.png")
        self.check_refused(2, "it is the input", "run.png")

    def test_reports_a_place_that_cannot_be_written(self) -> None:
        write_result(self.file, 10)
        (self.folder / "taken.png").mkdir()
        self.check_refused(4, "No such file or directory", "run.h5", "-o", "missing/run.png")
        self.check_refused(4, "Not a directory", "run.h5", "-o", "run.h5/run.png")
        self.check_refused(4, "Is a directory", "run.h5", "-o", "taken.png")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_reports_a_folder_without_permission(self) -> None:
        write_result(self.file, 10)
        locked = self.folder / "locked"
        locked.mkdir(mode=0o500)
        self.check_refused(4, "Permission denied", "run.h5", "-o", "locked/run.png")

    def test_reports_missing_modules(self) -> None:
        write_result(self.file, 10)
        without_packages = ("-S",)
        self.check_refused(3, "No module named", "run.h5", python=without_packages)


class Views(WithCommand):
    """The command with each view."""

    def test_draws_a_section_in_space(self) -> None:
        write_top(self.file, section=np.concatenate([on_ellipsoid(400), on_ellipsoid(400)]))
        self.check_drawn("run.h5", "--view", "section3d")

    def test_draws_a_million_points_in_space(self) -> None:
        write_top(self.file, section=on_ellipsoid(1_000_000))
        self.check_drawn("run.h5", "--view", "section3d")

    def test_draws_points_beside_any_ellipsoid(self) -> None:
        for state in (np.random.default_rng(1).normal(size=(500, 6)), np.zeros((1, 6)), np.ones((3, 6))):
            write_top(self.file, section=state)
            self.check_drawn("run.h5", "--view", "section3d")
            (self.folder / "run.png").unlink()

    def test_draws_invariants_where_there_is_no_section(self) -> None:
        for n in (1, 8, 9, 40):
            write_top(self.file, n=n)
            self.check_drawn("run.h5", size=(1600, 1520))
            (self.folder / "run.png").unlink()
        write_top(self.file, section=on_ellipsoid(10))
        self.check_drawn("run.h5")
        self.check_drawn("run.h5", "--view", "invariants", "-o", "other.png", picture="other.png", size=(1600, 1520))

    def test_draws_invariants_of_trajectories_that_ended(self) -> None:
        for n in (2, 20):
            write_top(self.file, n=n)
            with h5py.File(self.file, "a") as file:
                file["final/time"][:] = 0.3
            self.check_drawn("run.h5", size=(1600, 1520))
            (self.folder / "run.png").unlink()

    def test_draws_a_rigid_body_without_recorded_invariants(self) -> None:
        write_top(self.file, columns=RIGID_BODY, recorded=False)
        self.check_drawn("run.h5", size=(1600, 1520))

    def test_compares_steps(self) -> None:
        for step in (0.2, 0.1, 0.05):
            write_top(self.folder / f"{step}.h5", step=step)
        self.check_drawn("0.2.h5", "0.05.h5", "0.1.h5", "-o", "run.png", size=(1600, 1000))
        self.check_drawn("0.2.h5", "0.05.h5", picture="0.2.png", size=(1600, 1000))
        self.check_drawn("0.2.h5", "0.1.h5", "--view=invariants", "-o", "3.png", picture="3.png", size=(1600, 1000))

    def test_refuses_files_that_cannot_be_compared(self) -> None:
        other = self.folder / "other.h5"
        write_top(self.file)
        self.check_refused(2, "both have step 0.1", "run.h5", "run.h5")
        for change, reason in (
            ({"step": 0.1}, "both have step 0.1"),
            ({"c": 0.5}, "other parameters"),
            ({"columns": RIGID_BODY}, "other columns"),
            ({"seed": 2}, "start from different states"),
        ):
            write_top(other, **{"step": 0.2, **change})
            self.check_refused(2, reason, "run.h5", "other.h5", "-o", "both.png")
        write_top(other, step=0.2)
        with h5py.File(other, "a") as file:
            file.attrs["system"] = "henon-heiles"
        self.check_refused(2, "system heavy-top and henon-heiles", "run.h5", "other.h5")
        self.check_refused(2, "2 files as polhodes", "run.h5", "other.h5", "--view", "polhodes")
        self.check_refused(2, "No such file", "run.h5", "missing.h5")
        other.rename(self.folder / "other.png")
        self.check_refused(2, "it is the input", "run.h5", "other.png", "-o", "other.png")

    def test_draws_polhodes(self) -> None:
        for columns in (HEAVY_TOP, RIGID_BODY):
            write_top(self.file, n=12, c=0.0, columns=columns)
            self.check_drawn("run.h5", "--view", "polhodes")
            (self.folder / "run.png").unlink()

    def test_refuses_polhodes_where_there_are_none(self) -> None:
        write_top(self.file, c=1.0)
        self.check_refused(2, "with c = 1 gravity", "run.h5", "--view", "polhodes")
        write_result(self.file, 10)
        self.check_refused(2, "has no snapshots", "run.h5", "--view", "polhodes")
        self.check_refused(2, "has no snapshots", "run.h5", "--view", "invariants")
        write_result(self.file, None, snapshots=True)
        self.check_refused(2, "no parameter inertia", "run.h5", "--view", "polhodes")
        write_result(self.file, 10, snapshots=True, columns=("q1", "q2", "p1", "p2"))
        self.check_refused(2, "no columns pi1, pi2, pi3", "run.h5", "--view", "polhodes")
        self.check_refused(2, "no columns pi1, pi2, pi3", "run.h5", "--view", "section3d")
        write_top(self.file, c=0.0)
        with h5py.File(self.file, "a") as file:
            file["snapshots/state"][:] = 0
        self.check_refused(2, "at rest", "run.h5", "--view", "polhodes")
        with h5py.File(self.file, "a") as file:
            file["snapshots/state"][0, 3, 0] = np.inf
        self.check_refused(2, "not finite", "run.h5", "--view", "polhodes")

    def test_names_the_views(self) -> None:
        write_result(self.file, 10)
        self.check_refused(2, ", ".join(plot.VIEWS), "run.h5", "--view", "phase portrait")
        self.check_refused(2, "unknown view ''", "run.h5", "--view", "")
        self.assertIn(", ".join(plot.VIEWS), " ".join(self.plot("--help").stdout.split()))

    def test_refuses_a_chart_that_does_not_fit(self) -> None:
        for name, value in (("axis_columns", ["pi2", "pi9"]), ("side", "pi0"), ("axes", ["m13"])):
            write_result(self.file, 10)
            with h5py.File(self.file, "a") as file:
                file["section"].attrs[name] = value
            self.check_refused(2, "unexpected layout", "run.h5")
        write_result(self.file, 10)
        with h5py.File(self.file, "a") as file:
            del file["section"].attrs["axis_signs"]
        self.check_refused(2, "axis_signs", "run.h5")


class Selection(InTemporaryFolder):
    """What is drawn, without drawing."""

    def test_heavy_top_shows_the_half_with_positive_pi1(self) -> None:
        state = write_result(self.file, 5000)
        shown = state[state[:, 0] > 0]
        with results.open_result(self.file) as result:
            chart = section_plot.chart_of(result)
            points = section_plot.join(list(section_plot.blocks(result, chart)))
            axes = section_plot.draw_section(result).axes[0]
            self.assertEqual(axes.get_xlabel(), r"$m_{13}$ = $\Pi_{2}$")
            self.assertEqual(axes.get_ylabel(), "$m_{12}$ = \N{MINUS SIGN}$\\Pi_{3}$")
            trajectory = result.section.trajectory[:][state[:, 0] > 0]
        np.testing.assert_array_equal(points.x, shown[:, 1])
        np.testing.assert_array_equal(points.y, -shown[:, 2])
        np.testing.assert_array_equal(points.trajectory, trajectory)
        np.testing.assert_array_equal(axes.collections[0].get_offsets(), np.stack([points.x, points.y], axis=1))
        self.assertEqual(axes.get_aspect(), 1)
        for part in ("heavy-top", "gamma3 = 0, up", "step 0.05", "pi1 > 0", f"{len(shown):,} points"):
            self.assertIn(part, axes.get_title())

    def test_blocks_do_not_change_what_is_drawn(self) -> None:
        write_result(self.file, 1000)
        with results.open_result(self.file) as result:
            chart = section_plot.chart_of(result)
            whole = section_plot.join(list(section_plot.blocks(result, chart)))
            extent = section_plot.extent_of(result, chart)
            whole_density = section_plot.density(result, chart, extent)
            with unittest.mock.patch.object(section_plot, "BLOCK_ROWS", 77):
                parts = list(section_plot.blocks(result, chart))
                block_extent = section_plot.extent_of(result, chart)
                block_density = section_plot.density(result, chart, block_extent)
        self.assertEqual(len(parts), 13)
        np.testing.assert_array_equal(section_plot.join(parts).x, whole.x)
        np.testing.assert_array_equal(block_density[0], whole_density[0])
        self.assertEqual(extent.count, len(whole.x))
        np.testing.assert_array_equal(block_extent.low, [whole.x.min(), whole.y.min()])
        np.testing.assert_array_equal(block_extent.high, [whole.x.max(), whole.y.max()])

    def test_density_counts_every_shown_point_in_its_cell(self) -> None:
        state = write_result(self.file, 20_000)
        shown = state[state[:, 0] > 0]
        with results.open_result(self.file) as result:
            chart = section_plot.chart_of(result)
            counts, x_edges, y_edges = section_plot.density(result, chart, section_plot.extent_of(result, chart))
        self.assertEqual(counts.sum(), len(shown))
        self.assertEqual(counts.shape, (len(x_edges) - 1, len(y_edges) - 1))
        self.assertAlmostEqual((x_edges[1] - x_edges[0]) / (y_edges[1] - y_edges[0]), 1, delta=0.02)
        i, j = np.unravel_index(counts.argmax(), counts.shape)
        x, y = shown[:, 1], -shown[:, 2]
        inside = (x >= x_edges[i]) & (x < x_edges[i + 1]) & (y >= y_edges[j]) & (y < y_edges[j + 1])
        self.assertEqual(counts[i, j], inside.sum())

    def test_many_points_are_drawn_as_density(self) -> None:
        write_result(self.file, 400)
        with results.open_result(self.file) as result:
            count = section_plot.extent_of(result, section_plot.chart_of(result)).count
            for most_dots, density_images in ((count, 0), (count - 1, 1)):
                with unittest.mock.patch.object(section_plot, "MOST_DOTS", most_dots):
                    axes = section_plot.draw_section(result).axes[0]
                self.assertEqual((len(axes.images), len(axes.collections)), (density_images, 1 - density_images))

    def test_points_on_a_line_have_a_density(self) -> None:
        write_result(self.file, 400)
        with h5py.File(self.file, "a") as file:
            file["section/state"][:, 0:3] = 1
        with results.open_result(self.file) as result:
            chart = section_plot.chart_of(result)
            counts = section_plot.density(result, chart, section_plot.extent_of(result, chart))[0]
        self.assertEqual(counts.sum(), 400)

    def test_orbits_have_their_own_colours_up_to_a_limit(self) -> None:
        for orbits, different in ((1, 1), (12, 12), (13, 13), (200, 200), (201, 1)):
            with self.subTest(orbits=orbits):
                numbers = 7 * np.arange(orbits)  # orbits without points leave gaps
                drawn = colours.orbit_colours(np.repeat(numbers, 3))
                self.assertEqual(drawn.shape, (3 * orbits, 3))
                self.assertEqual(len(np.unique(drawn, axis=0)), different)
                np.testing.assert_array_equal(drawn[0::3], drawn[2::3])

    def test_an_unknown_system_shows_its_first_free_columns(self) -> None:
        columns = ("q1", "q2", "p1", "p2")
        cases = {"q1 = 0, up": ("q2", "p1"), "p1 = 0.5, both": ("q1", "q2"), "energy = 1, up": ("q1", "q2")}
        for section, expected in cases.items():
            attributes = {"program": "polhode", "system": "unheard-of", "section": section}
            state = write_result(self.file, 100, columns=columns, attributes=attributes)
            with results.open_result(self.file) as result:
                chart = section_plot.chart_of(result)
                points = section_plot.join(list(section_plot.blocks(result, chart)))
            self.assertEqual((chart.horizontal.column, chart.vertical.column), expected)
            np.testing.assert_array_equal(points.x, state[:, columns.index(expected[0])])
            np.testing.assert_array_equal(points.y, state[:, columns.index(expected[1])])

    def test_a_heavy_top_cut_elsewhere_is_drawn_whole(self) -> None:
        write_result(
            self.file,
            100,
            attributes={"program": "polhode", "system": "heavy-top", "section": "pi1 = 0, up"},
            chart=False,
        )
        with results.open_result(self.file) as result:
            chart = section_plot.chart_of(result)
            self.assertEqual((chart.horizontal.column, chart.vertical.column), ("pi2", "pi3"))
            self.assertEqual(section_plot.extent_of(result, chart).count, 100)


class InSpace(InTemporaryFolder):
    """Ellipsoids, points on them, and polhodes, without pictures."""

    def test_camera_is_a_frame(self) -> None:
        for camera in (section3d_plot.NEGATIVE_SIDE, section3d_plot.POSITIVE_SIDE, polhode_plot.CAMERA):
            np.testing.assert_allclose(camera.frame @ camera.frame.T, np.eye(3), atol=1e-15)
            self.assertAlmostEqual(np.linalg.det(camera.frame), 1)
            self.assertGreater(camera.project(np.array([0.0, 0.0, 1.0]))[1], 0, "z is up")
        self.assertGreater(section3d_plot.NEGATIVE_SIDE.depth(np.array([-1.0, 0, 0])), 0)
        self.assertGreater(section3d_plot.POSITIVE_SIDE.depth(np.array([1.0, 0, 0])), 0)

    def test_the_near_side_is_what_a_ray_meets_first(self) -> None:
        camera, body = polhode_plot.CAMERA, space.Ellipsoid(np.array([1.0, 0.7, 1.6]))
        points = on_ellipsoid(300, 1.0)[:, :3] / np.sqrt(MOMENTS) * body.semi_axes
        towards = camera.frame[2]
        other = -2 * ((points / body.semi_axes**2) @ towards) / np.sum((towards / body.semi_axes) ** 2)
        np.testing.assert_array_equal(body.facing(points, camera), other < 0)  # the ray's other point lies behind
        self.assertTrue(0.3 < body.facing(points, camera).mean() < 0.7)

    def test_the_outline_surrounds_the_ellipsoid(self) -> None:
        camera, body = polhode_plot.CAMERA, space.Ellipsoid(np.array([1.0, 0.7, 1.6]))
        points = on_ellipsoid(20_000, 1.0)[:, :3] / np.sqrt(MOMENTS) * body.semi_axes
        seen, outline = camera.project(points), body.outline(camera)
        np.testing.assert_allclose(outline.max(axis=0), np.abs(seen).max(axis=0), rtol=2e-3)
        right, up = (np.linspace(-size, size, 41) for size in outline.max(axis=0))
        light = body.shading(camera, right, up)
        self.assertTrue(np.isnan(light[0, 0]) and not np.isnan(light[20, 20]))
        self.assertLessEqual(np.nanmax(np.abs(light)), 1 + 1e-12)

    def test_section_has_its_ellipsoid(self) -> None:
        write_top(self.file, section=on_ellipsoid(1000))
        with results.open_result(self.file) as result:
            points = section3d_plot.read_points(result)
            body = section3d_plot.ellipsoid_of(result, points)
            state = result.section.state[:]
        np.testing.assert_array_equal(points.position, np.stack([-state[:, 0], state[:, 1], -state[:, 2]], axis=1))
        np.testing.assert_allclose(body.semi_axes, np.sqrt(2 * MOMENTS))
        np.testing.assert_allclose(np.sum((points.position / body.semi_axes) ** 2, axis=1), 1)

    def test_section_of_several_energies_has_no_ellipsoid(self) -> None:
        write_top(self.file, section=np.concatenate([on_ellipsoid(100), on_ellipsoid(100, 2.2)]))
        with results.open_result(self.file) as result:
            self.assertIsNone(section3d_plot.ellipsoid_of(result, section3d_plot.read_points(result)))

    def test_a_thinned_section_has_points_of_all_blocks(self) -> None:
        write_top(self.file, n=10, section=on_ellipsoid(1000))
        with results.open_result(self.file) as result:
            with unittest.mock.patch.object(section3d_plot, "MOST_POINTS", 200):
                whole = section3d_plot.read_points(result)
                with unittest.mock.patch.object(section3d_plot, "BLOCK_ROWS", 77):
                    parts = section3d_plot.read_points(result)
            momenta = {tuple(row) for row in section3d_plot.SIGNS * result.section.state[:, :3]}
        np.testing.assert_array_equal(whole.position, parts.position)
        np.testing.assert_array_equal(whole.trajectory, parts.trajectory)
        self.assertEqual(len(whole.trajectory), 200)
        self.assertEqual(set(whole.trajectory), set(range(10)))
        self.assertLessEqual({tuple(row) for row in whole.position}, momenta)

    def test_a_thinned_section_of_many_orbits_has_whole_ones(self) -> None:
        write_top(self.file, n=50, section=on_ellipsoid(1000))
        thinning = unittest.mock.patch.multiple(section3d_plot, MOST_POINTS=200, FEWEST_ORBITS=10, BLOCK_ROWS=77)
        with results.open_result(self.file) as result, thinning:
            points = section3d_plot.read_points(result)
        self.assertEqual(np.unique(points.trajectory, return_counts=True)[1].tolist(), [20] * 10)

    def test_polhodes_lie_on_their_ellipsoid(self) -> None:
        states = write_top(self.file, n=12, c=0.0, step=0.01)
        with results.open_result(self.file) as result:
            polhodes = polhode_plot.polhodes_of(result)
        self.assertTrue(polhodes.scaled and all(orbit.joined for orbit in polhodes.orbits))
        np.testing.assert_allclose(polhodes.body.semi_axes, 1 / np.sqrt(MOMENTS))
        for orbit, state in zip(polhodes.orbits, states):
            np.testing.assert_allclose(np.sum(MOMENTS * orbit.curve**2, axis=1), 1, atol=1e-4)
            middle = np.sum(state[0, :3] ** 2) < 2 * np.sum(state[0, :3] ** 2 / MOMENTS)
            self.assertEqual(orbit.family, polhode_plot.SMALLEST if middle else polhode_plot.LARGEST)
        self.assertEqual({orbit.family for orbit in polhodes.orbits}, {polhode_plot.SMALLEST, polhode_plot.LARGEST})

    def test_polhodes_of_one_energy_keep_their_size(self) -> None:
        write_top(self.file, n=1, c=0.0)
        with results.open_result(self.file) as result:
            polhodes = polhode_plot.polhodes_of(result)
            pi = result.snapshots.state[0, :, :3]
        self.assertFalse(polhodes.scaled)
        np.testing.assert_allclose(polhodes.orbits[0].curve[:: polhode_plot.SUBDIVISION], pi / MOMENTS)
        np.testing.assert_allclose(polhodes.body.semi_axes, np.sqrt(np.sum(pi[0] ** 2 / MOMENTS) / MOMENTS))

    def test_far_apart_snapshots_are_dots(self) -> None:
        write_top(self.file, n=2, c=0.0, step=0.01)
        with h5py.File(self.file, "a") as file:
            file["snapshots/state"][:, 1::2, :3] *= -1
        with results.open_result(self.file) as result:
            self.assertFalse(any(orbit.joined for orbit in polhode_plot.polhodes_of(result).orbits))

    def test_places_between_snapshots_are_those_of_a_cubic(self) -> None:
        time = np.array([0.0, 0.5, 2.0])
        fine = np.interp(np.arange(13) / 6, np.arange(3), time)
        place = lambda t: np.stack([t**3 - t, 2 * t**2, 1 - t], axis=1)  # noqa: E731
        velocity = np.stack([3 * time**2 - 1, 4 * time, -np.ones(3)], axis=1)
        np.testing.assert_allclose(polhode_plot.subdivided(time, place(time), velocity), place(fine), atol=1e-14)

    def test_the_separatrix_has_its_integrals(self) -> None:
        for moments in (np.array([1.0, 2.0, 3.0]), np.array([2.5, 0.8, 1.9])):
            body = space.Ellipsoid(1 / np.sqrt(moments))
            curves = polhode_plot.separatrix(moments, body)
            self.assertEqual(len(curves), 2)
            for curve in curves:
                np.testing.assert_allclose(np.sum(moments * curve**2, axis=1), 1)
                np.testing.assert_allclose(np.sum((moments * curve) ** 2, axis=1), np.sort(moments)[1])
        self.assertEqual(polhode_plot.separatrix(np.array([1.0, 1.0, 2.0]), space.Ellipsoid(np.ones(3))), [])

    def test_families_are_told_by_the_momentum(self) -> None:
        moments = np.array([3.0, 1.0, 2.0])
        cases = {1.2: polhode_plot.SMALLEST, 2.8: polhode_plot.LARGEST, 2.0005: polhode_plot.SEPARATRIX}
        for ratio, expected in cases.items():
            self.assertEqual(polhode_plot.family(ratio, moments), expected)

    def test_the_vertical_is_the_third_row_of_the_attitude(self) -> None:
        write_top(self.file, columns=RIGID_BODY)
        angle, turn = 0.3, lambda a: np.array([np.cos(a / 2), np.sin(a / 2), 0, 0])
        with results.open_result(self.file) as result:
            gamma = tops.vertical(result, np.concatenate([np.zeros(3), turn(angle)]))
        np.testing.assert_allclose(gamma, [0, np.sin(angle), np.cos(angle)])  # Q^T e3, Q the turn about axis 1


class AgainstTime(InTemporaryFolder):
    """Changes of invariants, without pictures."""

    def test_changes_begin_at_the_start(self) -> None:
        states = write_top(self.file, n=4)
        with results.open_result(self.file) as result:
            changes = invariants_plot.read_changes(result)
            start = result.initial_state[:]
        energy = [np.sum(s[..., :3] ** 2 / MOMENTS, axis=-1) / 2 + s[..., 5] for s in (states, start)]
        self.assertEqual(changes.names, ("energy", "gamma_squared", "pi_dot_gamma"))
        self.assertEqual(changes.units, ("c", "1", "c^1/2 I^1/2"))
        np.testing.assert_allclose(changes.time, 0.1 * np.arange(41))
        np.testing.assert_array_equal(changes.values[:, 0], 0)
        np.testing.assert_allclose(changes.values[:, 1:, 0], energy[0] - energy[1][:, None], atol=1e-14)

    def test_a_first_snapshot_at_the_start_is_not_doubled(self) -> None:
        write_top(self.file)
        with h5py.File(self.file, "a") as file:
            file["snapshots/time"][...] = 0.1 * np.arange(40)
        with results.open_result(self.file) as result:
            self.assertEqual(len(invariants_plot.read_changes(result).time), 40)

    def test_states_tell_what_was_not_recorded(self) -> None:
        changes = []
        for recorded in (True, False):
            write_top(self.file, recorded=recorded)
            with results.open_result(self.file) as result:
                changes.append(invariants_plot.read_changes(result))
        self.assertEqual(changes[0].names, changes[1].names)
        np.testing.assert_allclose(changes[0].values, changes[1].values, atol=1e-14)

    def test_a_trajectory_that_ended_is_not_drawn_on(self) -> None:
        write_top(self.file, n=2)
        with h5py.File(self.file, "a") as file:
            file["final/time"][0] = 2.0
        with results.open_result(self.file) as result:
            values = invariants_plot.read_changes(result).values
        np.testing.assert_array_equal(np.isnan(values[0]).all(axis=1), np.arange(41) > 20)
        self.assertFalse(np.isnan(values[1]).any())

    def test_blocks_and_choice_keep_trajectories_together(self) -> None:
        write_top(self.file, n=50)
        with results.open_result(self.file) as result:
            rows = snapshots.rows_of(result, 7)
            whole = snapshots.changes_of(result, np.arange(50)).values
            with unittest.mock.patch.object(snapshots, "BLOCK_NUMBERS", 500):
                parts = snapshots.changes_of(result, rows).values
            strided = snapshots.changes_of(result, rows, 3).values
        self.assertEqual(len(set(rows)), 7)
        np.testing.assert_array_equal(parts, whole[rows])
        np.testing.assert_array_equal(strided[:, 1:], whole[rows, 1::3])

    def test_very_many_snapshots_are_thinned(self) -> None:
        write_top(self.file, n=9, steps=100)
        with results.open_result(self.file) as result, unittest.mock.patch.object(invariants_plot, "MOST_TIMES", 40):
            changes = invariants_plot.read_changes(result)
            self.assertEqual(len(changes.time), 1 + 34)
            self.assertIn("every 3 snapshots", invariants_plot.title(result, changes))

    def test_growth_over_decades_is_logarithmic(self) -> None:
        time = np.linspace(0, 20, 200)
        self.assertTrue(invariants_plot.is_growing(np.stack([1e-15 * np.exp(time), np.zeros(200)])))
        self.assertFalse(invariants_plot.is_growing(np.stack([np.sin(time), 1e-3 * time])))
        self.assertFalse(invariants_plot.is_growing(np.zeros((2, 5))))
        self.assertFalse(invariants_plot.is_growing(np.full((2, 5), np.nan)))

    def test_percentiles_leave_out_what_ended(self) -> None:
        values = np.array([[1.0, 1, np.nan], [2, np.nan, np.nan], [3, 3, np.nan]])
        bands = invariants_plot.percentiles(values)
        np.testing.assert_array_equal(bands[[0, 2, 4]].T, [[1, 2, 3], [1, 2, 3], [np.nan] * 3])

    def test_scaled_errors_of_order_two_coincide(self) -> None:
        curves = []
        for step in (0.02, 0.01):
            write_top(self.file, n=1, step=step, steps=round(4 / step))
            with results.open_result(self.file) as result:
                curves.append(steps_plot.curve_of(result))
        self.assertEqual([curve.step for curve in curves], [0.02, 0.01])
        np.testing.assert_allclose(curves[0].time, curves[1].time[::2])
        largest = np.abs(curves[1].error).max()
        self.assertGreater(largest, 0.005)
        np.testing.assert_allclose(curves[0].error, curves[1].error[::2], atol=0.1 * largest)


class Labels(unittest.TestCase):
    def test_names_in_mathematical_type(self) -> None:
        expected = {"pi2": r"$\Pi_{2}$", "gamma3": r"$\Gamma_{3}$", "m13": "$m_{13}$", "q1x": "$q_{1x}$", "r": "$r$"}
        for name, text in {**expected, "phase": "phase", "cost$": r"cost\$"}.items():
            self.assertEqual(labels.symbol(name), text)

    def test_units_in_brackets(self) -> None:
        for unit, text in {"": "", "1": "", "c": " [c]", "c^1/2 I^-1": " [c$^{1/2}$ I$^{-1}$]"}.items():
            self.assertEqual(labels.unit(unit), text)


class Reading(InTemporaryFolder):
    def test_reads_what_the_file_says(self) -> None:
        state = write_result(self.file, 20, orbits=4, snapshots=True)
        with results.open_result(self.file) as result:
            self.assertEqual(result.attributes["system"], "heavy-top")
            self.assertEqual(result.attributes["step"], 0.05)
            self.assertEqual(result.columns, HEAVY_TOP)
            self.assertEqual(result.status_counts(), {0: 3, 1: 1})
            self.assertEqual((result.initial_state.shape, result.final_state.shape), ((4, 6), (4, 6)))
            self.assertEqual(result.snapshots.state.shape, (4, 3, 6))
            self.assertEqual(len(result.section), 20)
            np.testing.assert_array_equal(result.section.state[:], state)

    def test_reads_strings_of_fixed_length(self) -> None:
        write_result(self.file, 20)
        with h5py.File(self.file, "a") as file:
            file["final/state"].attrs["columns"] = np.array(HEAVY_TOP, dtype="S8")
            file.attrs["program"] = np.bytes_("polhode")
            file.attrs["system"] = np.bytes_("heavy-top")
        with results.open_result(self.file) as result:
            self.assertEqual(result.columns, HEAVY_TOP)
            self.assertEqual(result.attributes["system"], "heavy-top")

    def test_a_file_may_have_neither_section_nor_snapshots(self) -> None:
        write_result(self.file, None)
        with results.open_result(self.file) as result:
            self.assertIsNone(result.section)
            self.assertIsNone(result.snapshots)


if __name__ == "__main__":
    unittest.main()
