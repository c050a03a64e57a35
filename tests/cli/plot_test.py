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

from polhode import results, section_plot  # noqa: E402

HEAVY_TOP = ("pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3")


def write_result(
    path: Path,
    points: int | None,
    orbits: int = 5,
    columns: tuple[str, ...] = HEAVY_TOP,
    attributes: dict | None = None,
    snapshots: bool = False,
) -> np.ndarray:
    """Writes a result whose section states [points, dim] are random; returns them. points=None: no section."""
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
        if snapshots:
            file["snapshots/time"] = np.arange(3.0)
            file["snapshots/state"] = random.normal(size=(orbits, 3, len(columns)))
    return section


class InTemporaryFolder(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "run.h5"


class Command(InTemporaryFolder):
    def plot(self, *arguments: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, *python, "-m", "polhode.plot", *arguments],
            env={**os.environ, "PYTHONPATH": str(PYTHON_FOLDER)},
            cwd=self.folder,
            capture_output=True,
            text=True,
        )

    def check_drawn(self, *arguments: str, picture: str = "run.png") -> None:
        before = set(self.folder.iterdir())
        done = self.plot(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(set(self.folder.iterdir()) - before, {self.folder / picture})
        content = (self.folder / picture).read_bytes()
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", content[16:24]), (1400, 1400))

    def check_refused(self, code: int, problem: str, *arguments: str, python: tuple[str, ...] = ()) -> None:
        before = set(self.folder.rglob("*"))
        done = self.plot(*arguments, python=python)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Apolhode: [^\n]+ \([^\n]+\)\. [A-Z][^\n]+\.\n\Z")
        self.assertIn(problem, done.stderr)
        self.assertEqual(set(self.folder.rglob("*")), before, "a failure leaves nothing behind")

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
        self.check_refused(2, "has no section points", "run.h5")

    def test_refuses_a_file_with_snapshots_only(self) -> None:
        write_result(self.file, None, snapshots=True)
        self.check_refused(2, "has no section points", "run.h5")

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


class Selection(InTemporaryFolder):
    """What is drawn, without drawing."""

    def test_heavy_top_shows_the_half_with_positive_pi1(self) -> None:
        state = write_result(self.file, 5000)
        shown = state[state[:, 0] > 0]
        with results.open_result(self.file) as result:
            chart = section_plot.chart_of(result)
            points = section_plot.join(list(section_plot.blocks(result, chart)))
            axes = section_plot.draw_section(result).axes[0]
            trajectory = result.section.trajectory[:][state[:, 0] > 0]
        np.testing.assert_array_equal(points.x, shown[:, 1])
        np.testing.assert_array_equal(points.y, -shown[:, 2])
        np.testing.assert_array_equal(points.trajectory, trajectory)
        np.testing.assert_array_equal(axes.collections[0].get_offsets(), np.stack([points.x, points.y], axis=1))
        self.assertEqual(axes.get_aspect(), 1)
        for part in ("heavy-top", "gamma3 = 0, up", "step 0.05", "m23 < 0", f"{len(shown):,} points"):
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
        for orbits, colours in ((1, 1), (12, 12), (13, 13), (200, 200), (201, 1)):
            with self.subTest(orbits=orbits):
                numbers = 7 * np.arange(orbits)  # orbits without points leave gaps
                drawn = section_plot.orbit_colours(np.repeat(numbers, 3))
                self.assertEqual(drawn.shape, (3 * orbits, 3))
                self.assertEqual(len(np.unique(drawn, axis=0)), colours)
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
            self.assertEqual((chart.horizontal.label, chart.vertical.label), expected)
            np.testing.assert_array_equal(points.x, state[:, columns.index(expected[0])])
            np.testing.assert_array_equal(points.y, state[:, columns.index(expected[1])])

    def test_a_heavy_top_cut_elsewhere_is_drawn_whole(self) -> None:
        write_result(self.file, 100, attributes={"program": "polhode", "system": "heavy-top", "section": "pi1 = 0, up"})
        with results.open_result(self.file) as result:
            chart = section_plot.chart_of(result)
            self.assertEqual((chart.horizontal.column, chart.vertical.column), ("pi2", "pi3"))
            self.assertEqual(section_plot.extent_of(result, chart).count, 100)


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
