#!/usr/bin/env python3
"""The known differences of scripts/compare-programs: each is allowed as an older program has it, and nothing beside it.

Copies of a file become what the older program would have written, or get a fault.

Run with POLHODE set to the program's path."""

import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

PROGRAM = pathlib.Path(os.environ["POLHODE"])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.dont_write_bytecode = True

from compare_programs import catalog_runs, feature_runs, files, known  # noqa: E402
from compare_programs.__main__ import compare_run, open_again  # noqa: E402
from compare_programs.run import Run, execute  # noqa: E402
from verification.polhode import Polhode  # noqa: E402

BEST = json.loads(subprocess.run([PROGRAM, "list", "backends", "--json"], capture_output=True).stdout)[1]["isa"][-1]
OF_POINTS = ("section/state", "section/time", "section/step", "section/trajectory")


def replace(file, name, values):
    attributes = dict(file[name].attrs)
    del file[name]
    file.create_dataset(name, data=values).attrs.update(
        {key: value for key, value in attributes.items() if key not in files.OF_DIMENSIONS})


def insert_points(file, trajectory, *steps):
    """Before all others, of which none may have an earlier trajectory."""
    for name in OF_POINTS:
        first = {"section/step": steps, "section/trajectory": [trajectory] * len(steps)}.get(
            name, numpy.repeat(file[name][:1], len(steps), axis=0))
        replace(file, name, numpy.concatenate([first, file[name][()]]).astype(file[name].dtype))
    replace(file, "section/point", numpy.zeros(len(file["section/step"]), file["section/point"].dtype))
    file["section/count"][trajectory] += len(steps)


def change(name, index, by):
    def plant(file):
        file[name][index] = file[name][index] + by
    return plant


def reword(name, key, texts):
    return lambda file: file[name].attrs.__setitem__(key, texts)


class KnownCase(unittest.TestCase):
    """Of one run: `whole` is its file."""

    NAME = ""

    @classmethod
    def setUpClass(cls):
        if not cls.NAME:
            raise unittest.SkipTest("what the others have in common")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)
        program = Polhode(PROGRAM)
        all_runs = [*feature_runs.runs(program), *catalog_runs.runs(program, cls.path)]
        (cls.run_of_all,) = [run for run in all_runs if run.name == f"{cls.NAME}, {BEST}"]
        cls.whole = execute(PROGRAM, cls.run_of_all, cls.path / "run").file

    def planted(self, name, plants):
        copy = self.path / name
        shutil.copy(self.whole, copy)
        with h5py.File(copy, "r+") as file:
            for plant in plants:
                plant(file)
        return copy

    def compare(self, old, new=(), expect=()):
        """Of files with what is planted in them."""
        again = lambda *options: open_again(PROGRAM, self.run_of_all, self.path, *options)
        return files.compare(self.planted("old.h5", old), self.planted("new.h5", new), expect, again)

    def expect_known(self, expect, *old):
        """A difference that is allowed, and is one."""
        self.assertNotEqual(self.compare(old).differences, [])
        comparison = self.compare(old, expect=[expect])
        self.assertEqual(comparison.differences, [])
        self.assertGreater(comparison.expected + comparison.texts, 0)
        others = set(known.MEANINGS) - {expect}
        self.assertNotEqual(self.compare(old, expect=others).differences, [])

    def expect_different(self, expect, old, new, *names):
        """Whatever is expected: something of these datasets is none of it."""
        found = self.compare(old, new, [expect]).differences
        for name in names:
            self.assertTrue(any(re.match(rf"(attribute \w+ of )?/{name}: ", words) for words in found), (name, found))


class Words(KnownCase):
    NAME = "heavy-top rattle cayley double"
    OLD_UNIT = ["c^1/2 I^1/2"] * 3 + ["1"] * 3

    def test_units(self):
        expect = known.UNITS_AND_MEANINGS
        self.expect_known(expect, reword("final/state", "unit", self.OLD_UNIT),
                          reword("parameters/c", "unit", "c"),
                          reword("statistics/variance", "unit", ["(c^1/2 I^1/2)^2", "1"]))
        for wrong in (["c"] * 3 + ["1"] * 3, ["c^1/2 I^1/2"] * 4 + ["1"] * 2, ["furlong"] * 6, self.OLD_UNIT[:5]):
            self.expect_different(expect, [reword("final/state", "unit", wrong)], [], "final/state")
        # They are no reason for other numbers or other attributes.
        self.expect_different(expect, [reword("final/state", "unit", self.OLD_UNIT)],
                              [change("final/state", (0, 0), 1e-15)], "final/state")
        self.expect_different(expect, [reword("final/state", "columns", self.OLD_UNIT)], [], "final/state")
        self.expect_different(expect, [lambda file: file.attrs.__setitem__("section", "c")], [], "")

    def test_meanings(self):
        expect = known.UNITS_AND_MEANINGS
        now = [reword("final/state", "meaning", ["position of the bob"] * 6),
               reword("section/cell_pi2", "meaning", "centres of the cells: momentum per mass")]
        before = [reword("final/state", "meaning", ["position"] * 6),
                  reword("section/cell_pi2", "meaning", "centres of the cells: momentum, per mass")]
        self.assertEqual(self.compare(before, now, [expect]).differences, [])
        self.assertEqual(len(self.compare(before, now).differences), 2)
        for wrong in (["conjugate momentum"] * 6, ["position"] * 5, ["position", "height", *["position"] * 4]):
            self.expect_different(expect, [reword("final/state", "meaning", wrong)], now[:1], "final/state")
        self.expect_different(expect, [reword("section/cell_pi2", "meaning", "momentum, per mass")], now[1:],
                              "section/cell_pi2")

    def test_statuses(self):
        expect = known.STATUS_MEANINGS
        with h5py.File(self.whole) as file:
            texts = list(file["status/code"].attrs["meaning"])
        old = texts[:3] + ["left the domain"] + texts[4:8]
        self.expect_known(expect, reword("status/code", "meaning", old))
        for wrong in (["fine"] + old[1:], old[:7], old + old[:2]):
            self.expect_different(expect, [reword("status/code", "meaning", wrong)], [], "status/code")
        self.expect_different(expect, [reword("status/code", "meaning", old)],
                              [reword("status/code", "meaning", texts[:8] + ["lost"])], "status/code")
        self.expect_different(expect, [reword("status/code", "meaning", old)], [change("status/code", 0, 1)],
                              "status/code")


class CircularMoments(KnownCase):
    NAME = "moments of an angle"
    OLD = [change("statistics/mean", (3, 0), 1.0), change("statistics/variance", (5, 0), 1.0)]

    def test_moments(self):
        plain = lambda file: [reword(name, "meaning", [text.split("; ")[0] for text in file[name].attrs["meaning"]])(file)
                              for name in ("statistics/mean", "statistics/variance")]
        self.expect_known(known.CIRCULAR_MOMENTS, *self.OLD, plain)

    def test_what_is_none(self):
        expect = known.CIRCULAR_MOMENTS
        self.expect_different(expect, self.OLD, [change("statistics/mean", (3, 0), 1e-12)], "statistics/mean")
        self.expect_different(expect, self.OLD, [change("statistics/variance", (5, 0), 1e-12)], "statistics/variance")
        self.expect_different(expect, self.OLD, [change("statistics/mean", (3, 1), 1e-15)], "statistics/mean")
        self.expect_different(expect, self.OLD, [change("statistics/maximum", (3, 0), 1e-15)], "statistics/maximum")
        self.expect_different(expect, [reword("statistics/mean", "meaning", ["angle", "height"])], [], "statistics/mean")


class RoundOff(KnownCase):
    NAME = "a section of round-off"
    OLD = [lambda file: insert_points(file, 0, 3, 7)]  # as many as the file says

    def test_points_of_round_off(self):
        with h5py.File(self.whole) as file:
            self.assertEqual(file["section/round_off"][()].tolist(), [2, 0])
        self.expect_known(known.ROUND_OFF_POINTS, *self.OLD)

    def test_what_is_none(self):
        expect = known.ROUND_OFF_POINTS
        for steps in ((3,), (3, 7, 9)):
            self.expect_different(expect, [lambda file: insert_points(file, 0, *steps)], [], "section/step",
                                  "section/count")
        last = lambda file: file["section/trajectory"].write_direct(
            numpy.array([1, 1, *file["section/trajectory"][2:]], file["section/trajectory"].dtype))
        self.expect_different(expect, [*self.OLD, last], [], "section/trajectory")
        self.expect_different(expect, self.OLD, [change("section/state", (0, 1), 1e-15)], "section/state")
        self.expect_different(expect, self.OLD, [change("section/count", 1, 1)], "section/count")
        # Of a trajectory that is not on the section, whatever the file says of it.
        elsewhere = [lambda file: insert_points(file, 1, 3, 7)]
        counted = lambda file: replace(file, "section/round_off", numpy.array([0, 2], file["section/round_off"].dtype))
        self.expect_different(expect, elsewhere, [counted], "section/step", "section/count")
        # Nor may there be others in their place, or more.
        self.expect_different(expect, self.OLD, [change("section/step", 0, 1)], "section/step")
        self.expect_different(expect, [], [lambda file: insert_points(file, 0, 3)], "section/step")


class Jumps(KnownCase):
    NAME = "a section of an angle that jumps"
    OLD = [lambda file: insert_points(file, 0, 30, 61)]

    def test_points_at_jumps(self):
        self.expect_known(known.POINTS_AT_JUMPS, *self.OLD)

    def test_what_is_none(self):
        expect = known.POINTS_AT_JUMPS
        self.expect_different(expect, self.OLD, [change("section/state", (0, 0), 1e-15)], "section/state")
        self.expect_different(expect, [lambda file: insert_points(file, 2, 3)], [], "section/step")  # in space
        self.expect_different(expect, self.OLD, [lambda file: insert_points(file, 0, 30)], "section/step")  # not all
        for left in (1, 9):  # of a trajectory in space
            without = lambda file: [replace(file, name, file[name][left:]) for name in (*OF_POINTS, "section/point")]
            self.expect_different(expect, [], [without], "section/step")

    def test_round_off(self):
        expect, old = known.ROUNDED_ANGLES, change("section/state", (0, 1), 1e-15)
        self.expect_known(expect, old, change("section/time", 2, 1e-15))
        self.expect_different(expect, [change("section/state", (0, 1), 1e-14)], [], "section/state")
        self.expect_different(expect, [change("section/time", 2, 1e-12)], [], "section/time")
        self.expect_different(expect, [change("final/state", (0, 1), 1e-15)], [], "final/state")
        self.expect_different(expect, [change("section/step", 0, 1)], [], "section/step")


class OtherSection(KnownCase):
    NAME = "a terminal section"

    def test_only_of_angles(self):
        self.expect_different(known.ROUNDED_ANGLES, [change("section/state", (0, 1), 1e-15)], [], "section/state")
        # Of a trajectory that goes on after its first passage there is nothing to expect where none is earlier.
        self.expect_different(known.FIRST_PASSAGES, [change("section/step", 0, -1)], [], "section/step")


class FirstPassages(KnownCase):
    NAME = "a terminal section, crossed twice in a step"

    def old(self, file):
        """Trajectory 0 passes unseen, and ends later on."""
        for name in ("section/step", "status/step"):
            file[name][0] += 12
        for name in ("section/state", "section/time", "final/state", "final/time"):
            file[name][0] += 0.5
        file["invariants/max_drift"][0] = 1
        file["snapshots/state"][0, 2] = 7

    def test_first_passages(self):
        self.expect_known(known.FIRST_PASSAGES, self.old)

    def test_what_is_none(self):
        expect = known.FIRST_PASSAGES
        for name, index in (("section/state", (0, 0)), ("section/time", 0), ("final/state", (0, 1)), ("final/time", 0),
                            ("section/count", 0), ("status/code", 0), ("invariants/initial", (0, 0)),
                            ("snapshots/state", (0, 1, 0)), ("final/state", (2, 0)), ("section/state", (1, 1))):
            with self.subTest(name, index=index):
                by = 1 if name.split("/")[1] in ("count", "code") else 1e-15
                self.expect_different(expect, [self.old], [change(name, index, by)], name)
        self.expect_different(expect, [self.old], [change("status/step", 0, -1), change("section/step", 0, -1)],
                              "status/step", "section/step")


def end_with(code, k):
    return lambda file: file["status/code"].__setitem__(k, code)


class FailuresElsewhere(KnownCase):
    NAME = "j2-satellite-cylindrical gauss fixed-point double"

    def test_far_from_edges(self):
        with h5py.File(self.whole) as file:
            failed = numpy.flatnonzero(file["status/code"][()] == 1)
        self.assertGreater(failed.size, 0)
        for k in failed:
            self.expect_different(known.EDGES_OF_CHARTS, [], [end_with(3, k)], "status/code")


class EdgesOfCharts(FailuresElsewhere):
    NAME = "double-spherical-pendulum-cylindrical gauss fixed-point double"

    def test_edges(self):
        expect = known.EDGES_OF_CHARTS
        with h5py.File(self.whole) as file:
            codes = file["status/code"][()]
        at_edge, done = numpy.flatnonzero(codes == 3), numpy.flatnonzero(codes == 0)
        self.expect_known(expect, end_with(1, at_edge[0]), end_with(2, at_edge[-1]))
        # Where nothing had failed, or ended otherwise, and of other numbers.
        for code in (0, 4, 5):
            self.expect_different(expect, [end_with(code, at_edge[0])], [], "status/code")
        self.expect_different(expect, [end_with(1, done[0])], [end_with(3, done[0])], "status/code")
        first = end_with(1, at_edge[0])
        self.expect_different(expect, [first], [change("final/state", (at_edge[0], 0), 1e-15)], "final/state")
        self.expect_different(expect, [], [first], "status/code")


class Programs(unittest.TestCase):
    """Differences that are judged by more than files: an older program is this one, changed before or after a run."""

    OLDER = f"""#!{sys.executable}
import json, os, pathlib, subprocess, sys
import h5py
arguments = sys.argv[1:]
BEFORE
process = subprocess.run(["{PROGRAM}", *arguments], capture_output=True, text=True)
code, message = process.returncode, process.stderr
AFTER
print(message, end="", file=sys.stderr)
sys.exit(code)
"""
    COLLISION = Run("a collision", """
[system]
name = "kepler"
[method]
name = "stoermer-verlet"
step = 0.001
[ensemble]
from = "states"
states = [[0.02, 0, 0, 0]]
[run]
steps = 100
""")
    WINDOW = 'if not any("window" in text for text in arguments): arguments += ["--set", "ensemble.window=BOX"]'
    # The window that the older program took by itself is not in its configuration.
    WITHOUT_WINDOW = 'if not any("window" in text for text in sys.argv):\n' \
                     '    with h5py.File("out.h5", "r+") as file:\n' \
                     '        lines = file.attrs["config"].split("\\n")\n' \
                     '        file.attrs["config"] = "\\n".join(line for line in lines if "window" not in line)'

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def program(self, name, before="", after=""):
        program = self.path / name
        program.write_text(self.OLDER.replace("BEFORE", before).replace("AFTER", after))
        program.chmod(0o755)
        return program

    def differences(self, name, old, new, expect):
        runs = [*feature_runs.runs(Polhode(PROGRAM)), *self.COLLISION.on_each([BEST])]
        (run,) = [run for run in runs if run.name == f"{name}, {BEST}"]
        return compare_run(run, old, new, pathlib.Path(tempfile.mkdtemp(dir=self.path)), expect)

    def test_escapes(self):
        name, expect = "escapes from an open system", [known.ESCAPES]
        message = "polhode: every trajectory failed (why). Do.\\n"
        failing = self.program("failing", after=f'code, message = 1, "{message}"')
        self.assertEqual(self.differences(name, failing, PROGRAM, expect).differences, [])
        self.assertRegex(self.differences(name, failing, PROGRAM, []).differences[0], "^exit code 1 .* and 0 ")
        for what, old, new in (
                ("another message", self.program("a", after='code, message = 1, "polhode: no\\n"'), PROGRAM),
                ("another code", self.program("b", after=f'code, message = 4, "{message}"'), PROGRAM),
                ("a message still", failing, self.program("c", after='message = "polhode: a\\n"')),
                ("the other way round", PROGRAM, failing)):
            with self.subTest(what):
                self.assertTrue(self.differences(name, old, new, expect).differences)
        # Of a system that is not open, and where a trajectory has a result.
        silent = self.program("silent", after='code, message = 0, ""')
        found = self.differences("a collision", PROGRAM, silent, expect).differences
        self.assertRegex("\n".join(found), "^exit code 1 .* and 0 ")
        done = self.program("done", after=f'code, message = 1, "{message}"\n'
                                          'h5py.File("out.h5", "r+")["status/code"][0] = 0')
        self.assertTrue(self.differences(name, done, PROGRAM, expect).differences)

    def test_grids(self):
        name, expect = "a grid over a pendulum's section", [known.PENDULUM_GRIDS]
        older = lambda which, box: self.program(which, self.WINDOW.replace("BOX", box), self.WITHOUT_WINDOW)
        most = math.sqrt(2 * (9.81 - 0.5))  # of pz, where the pendulum hangs
        old = older("old", f"[[-1.0, 1.0], [-{most}, {most}]]")
        result = self.differences(name, old, PROGRAM, expect)
        self.assertEqual(result.differences, [])
        self.assertGreater(result.comparison.starts, 10)
        self.assertIn("/initial/state: [16, 6] and [58, 6] elements",
                      self.differences(name, old, PROGRAM, []).differences)
        # Another box, or other numbers on the old grid.
        wide = older("wide", f"[[-1.0, 1.0], [-{most + 0.1}, {most + 0.1}]]")
        self.assertTrue(self.differences(name, wide, PROGRAM, expect).differences)
        faulty = self.program("faulty", after='h5py.File("out.h5", "r+")["final/state"][0, 0] += 1e-15')
        found = self.differences(name, old, faulty, expect).differences
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], "^/final/state: trajectory 0, ")


if __name__ == "__main__":
    unittest.main()
