#!/usr/bin/env python3
"""The command of python/polhode: pictures of every view, and what it refuses."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest

import h5py
import numpy as np
from plot_support import HEAVY_TOP, PYTHON_FOLDER, RIGID_BODY, WithCommand, on_ellipsoid, write_result, write_top

from polhode import (  # noqa: F401  what the command would import, once for all copies of this process
    density_plot,
    error_plot,
    invariants_plot,
    plot,
    polhode_plot,
    section3d_plot,
    section_plot,
    statistics_plot,
    steps_plot,
)


class Command(WithCommand):
    def test_draws_a_few_points(self) -> None:
        write_result(self.file, 10)
        self.check_drawn("run.h5", python=())

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
        done = self.plot("--help", python=())
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
        self.check_refused(2, "No such file", "run.h5", python=())

    def test_refuses_a_bad_command_line(self) -> None:
        write_result(self.file, 10)
        self.check_refused(2, "command line")
        self.check_refused(2, "command line", "run.h5", "--density")
        self.check_refused(2, "empty", "")
        self.check_refused(2, "pictures are PNG, PDF or SVG", "run.h5", "-o", "run.h5")
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


class Options(WithCommand):
    """Formats by the file's name, parts of a result, and the line that says what was written."""

    def lines_of(self, *arguments: str) -> str:
        done = self.plot(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_name_tells_the_format(self) -> None:
        write_result(self.file, 10)
        for name, first in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF-"), ("a.svg", b"<?xml"), ("B.PDF", b"%PDF-")):
            self.lines_of("run.h5", "-o", name)
            content = (self.folder / name).read_bytes()
            self.assertTrue(content.startswith(first), content[:20])
        self.assertIn(b"<svg", (self.folder / "a.svg").read_bytes())
        for name in ("a.jpeg", "a", "a.h5", "a.png.gz"):
            self.check_refused(2, "pictures are PNG, PDF or SVG", "run.h5", "-o", name)

    def test_the_same_picture_is_the_same_file(self) -> None:
        write_top(self.file)
        for ending in ("pdf", "svg"):
            contents = []
            for _ in range(2):
                self.lines_of("run.h5", "-o", f"a.{ending}")
                contents.append((self.folder / f"a.{ending}").read_bytes())
            self.assertEqual(*contents)
            self.assertNotRegex(contents[0], rb"CreationDate|<dc:date>")

    def test_very_many_dots_do_not_make_a_long_file(self) -> None:
        write_result(self.file, 40_000)
        for ending in ("pdf", "svg"):
            self.lines_of("run.h5", "-o", f"a.{ending}")
            self.assertLess((self.folder / f"a.{ending}").stat().st_size, 2_000_000)

    def test_says_what_was_written(self) -> None:
        state = write_result(self.file, 50)
        drawn = int((state[:, 0] > 0).sum())
        whole = f"section of 50 points, {drawn} of them drawn with pi1 > 0"
        self.assertEqual(self.lines_of("run.h5"), f"run.png: {whole}\n")
        self.assertEqual(self.lines_of("run.h5", "-o", "x.pdf"), f"x.pdf: {whole}\n")
        self.assertEqual(self.lines_of("run.h5", "--axes", "pi1,pi2"), "run.png: section of 50 points\n")
        write_top(self.file, n=1)
        self.assertEqual(self.lines_of("run.h5"), "run.png: 3 invariants of 1 trajectory at 41 times\n")
        write_top(self.folder / "other.h5", n=1, step=0.2)
        self.assertEqual(self.lines_of("run.h5", "other.h5"), "run.png: energy errors of 2 steps\n")
        write_top(self.file, n=3, c=0.0)
        self.assertEqual(self.lines_of("run.h5", "--view", "polhodes"), "run.png: 3 polhodes\n")
        write_top(self.file, section=on_ellipsoid(1))
        self.assertRegex(self.lines_of("run.h5", "--view", "section3d"), r"run.png: section in space of 1 point\b")

    def test_draws_a_range(self) -> None:
        state = write_result(self.file, 500)
        x, y = state[:, 1], -state[:, 2]
        inside = (state[:, 0] > 0) & (x >= -0.5) & (x <= 0.25) & (y >= 0) & (y <= 1)
        says = f"section of 500 points, {inside.sum()} of them drawn"
        self.check_drawn("run.h5", "--range=-0.5,0.25,0,1", says=says)
        self.check_refused(2, "no section point with pi1 > 0 is in the range", "run.h5", "--range=9,10,9,10")
        for text, reason in (
            ("0,1,0", "3 numbers in place of 4"),
            ("0,1,0,x", "'x' is not a number"),
            ("0,1,0,nan", "'nan' is not finite"),
            ("0,1,0,0", "0 is not less than 0"),
            ("1,-1,0,1", "1 is not less than -1"),
            ("", "1 numbers in place of 4"),
        ):
            self.check_refused(2, reason, "run.h5", f"--range={text}")
        self.check_refused(2, "with the view section3d", "run.h5", "--view", "section3d", "--range=0,1,0,1")
        write_top(self.file)
        self.check_refused(2, "with the view invariants", "run.h5", "--range=0,1,0,1")

    def test_draws_some_trajectories(self) -> None:
        state = write_result(self.file, 500, orbits=8)
        with h5py.File(self.file) as file:
            trajectory = file["section/trajectory"][:]
        drawn = int(((state[:, 0] > 0) & np.isin(trajectory, (0, 5, 6, 7))).sum())
        self.check_drawn("run.h5", "--trajectories", "5-7,0", says=f"section of 500 points, {drawn} of them drawn")
        for text, reason in (
            ("8", "it has 8, numbers 0 to 7"),
            ("0-99999999999999", "it has 8, numbers 0 to 7"),
            ("3-1", "ends before it begins"),
            ("", "'' is neither a number"),
            ("1,,2", "'' is neither a number"),
            ("-1", "'-1' is neither a number"),
            ("1.5", "'1.5' is neither a number"),
            ("99999999999999999999", "is neither a number"),
        ):
            self.check_refused(2, reason, "run.h5", f"--trajectories={text}")
        for view in ("density", "statistics"):
            self.check_refused(2, f"with the view {view}", "run.h5", "--view", view, "--trajectories", "0")
        write_top(self.file, n=12, c=0.0, section=on_ellipsoid(600))
        drawn = re.search(
            r"of 600 points, (\d+) of them", self.lines_of("run.h5", "--view=section3d", "--trajectories=3")
        )
        self.assertTrue(10 < int(drawn[1]) <= 50, drawn[1])  # of 50 those on the near side
        self.check_drawn(
            "run.h5", "--view=polhodes", "--trajectories=2,4", "-o", "p.png", picture="p.png", says=": 2 polhodes"
        )
        says = "3 invariants of 2 trajectories"
        self.check_drawn(
            "run.h5",
            "--view=invariants",
            "--trajectories=2,4",
            "-o",
            "i.png",
            picture="i.png",
            size=(1600, 1520),
            says=says,
        )
        self.check_refused(2, "it chooses a part of one file", "run.h5", "run.h5", "--trajectories=0")

    def test_reports_a_standard_output_that_is_full(self) -> None:
        write_result(self.file, 10)
        with open("/dev/full", "w") as full:
            command = [sys.executable, "-m", "polhode.plot", "run.h5"]
            environment = {**os.environ, "PYTHONPATH": str(PYTHON_FOLDER)}
            done = subprocess.run(
                command, env=environment, cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True
            )
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"\Apolhode: cannot write to standard output \([^\n]+\)\. [A-Z][^\n]+\.\n\Z")
        self.assertTrue((self.folder / "run.png").exists())


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


if __name__ == "__main__":
    unittest.main()
