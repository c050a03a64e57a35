#!/usr/bin/env python3
"""The program as a user meets it: right and wrong input, exit codes, files, kill -9 and --resume.

Run with POLHODE set to the program's path."""

import fcntl
import json
import os
import pathlib
import pty
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

import h5py
import numpy

PROGRAM = os.environ["POLHODE"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

CONFIG = """
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "section"
grid = [6, 6]
energy = 1.0
[run]
steps = 600
[section]
name = "gamma3"
[output]
file = "out.h5"
"""


def datasets(path):
    """Every dataset of a file by its path, as bytes with shape and type."""
    found = {}

    def visit(name, node):
        if isinstance(node, h5py.Dataset):
            value = node[()]
            # Text is stored by reference: compare what it says, and numbers by their bits.
            numeric = isinstance(value, numpy.ndarray) and value.dtype != object
            found[name] = (node.shape, str(node.dtype), value.tobytes() if numeric else repr(value))

    with h5py.File(path, "r") as file:
        file.visititems(visit)
    return found


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, text=CONFIG, name="config.toml"):
        (self.path / name).write_text(text)
        return name

    def assert_same_datasets(self, name, expected, what):
        found = datasets(self.path / name)
        self.assertEqual(found.keys(), expected.keys(), what)
        for key, value in expected.items():
            self.assertTrue(found[key] == value, f"{key} differs: {what}")

    def polhode(self, *arguments, **keywords):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.path, capture_output=True, text=True, timeout=300, **keywords)

    def expect_error(self, result, code, *words):
        """One line on stderr in the program's grammar, the exit code, and the words in it."""
        self.assertEqual(result.returncode, code, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertRegex(lines[0], r"^polhode: .+ \(.+\)\. .+\.$")
        for word in words:
            self.assertIn(word, lines[0])

    def expect_rejected(self, code, *words, config=CONFIG, arguments=()):
        name = self.write(config)
        before = sorted(self.path.rglob("*"))
        self.expect_error(self.polhode("run", name, *arguments), code, *words)
        self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")


class GoodInput(CliTest):
    def test_run_writes_the_layout(self):
        result = self.polhode("run", self.write())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")  # no terminal, no progress
        self.assertIn("section points", result.stdout)
        self.assertFalse((self.path / "out.h5.part").exists())
        with h5py.File(self.path / "out.h5") as file:
            for name in ("schema", "program", "version", "git", "config", "backend", "device", "isa", "precision", "sweeps", "created"):
                self.assertIn(name, file.attrs)
            n = len(file["final/time"])
            self.assertEqual(n, 32)  # 6 x 6 cells less the 4 corners
            self.assertEqual(file["final/state"].shape, (n, 6))
            self.assertEqual(list(file["final/state"].attrs["columns"]), ["pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"])
            self.assertTrue((file["final/time"][:] == 600 * 0.05).all())
            self.assertEqual(file["status/code"].dtype, numpy.uint8)
            trajectory, step = file["section/trajectory"][:], file["section/step"][:]
            self.assertGreater(len(step), n)
            order = numpy.lexsort((step, trajectory))
            self.assertTrue((order == numpy.arange(len(step))).all())
            self.assertLess(abs(file["section/state"][:, 5]).max(), 1e-13)
            time_ = file["section/time"][:]
            self.assertTrue(((time_ > step * 0.05) & (time_ <= (step + 1) * 0.05 * (1 + 1e-15))).all())
            self.assertEqual(list(file["invariants/names"].asstr()), ["energy", "gamma_squared", "pi_dot_gamma"])
            self.assertLess(file["invariants/max_drift"][:, 1:].max(), 1e-12)

    def test_same_datasets_for_any_threads_segments_and_instruction_set(self):
        name = self.write()
        isas = json.loads(self.polhode("list", "backends", "--json").stdout)[1]["isa"]
        self.assertEqual(self.polhode("run", name, "--set", "record.snapshots=100").returncode, 0)
        expected = datasets(self.path / "out.h5")
        self.assertIn("snapshots/state", expected)
        variants = [("--isa", isa) for isa in isas] + [("--threads", "1"), ("--threads", "2")]
        variants += [("--set", f"run.segment={s}") for s in (1, 17, 1000)]
        for variant in variants:
            result = self.polhode("run", name, "--set", "record.snapshots=100", "-o", "again.h5", "--force", *variant)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assert_same_datasets("again.h5", expected, variant)

    def test_snapshots_agree_with_the_final_state(self):
        self.assertEqual(self.polhode("run", self.write(), "--set", "record.snapshots=50").returncode, 0)
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(file["snapshots/state"].shape, (32, 13, 6))
            self.assertTrue((file["snapshots/state"][:, 0] == file["initial/state"][:]).all())
            self.assertTrue((file["snapshots/state"][:, -1] == file["final/state"][:]).all())
            self.assertTrue(numpy.array_equal(file["snapshots/time"][:], numpy.arange(13) * 50 * 0.05))

    def test_a_file_continues_another(self):
        self.write()
        self.assertEqual(self.polhode("run", "config.toml").returncode, 0)
        second = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "file"\npath = "out.h5"').replace("out.h5\"\n\"", "x")
        second = second.replace('file = "out.h5"', 'file = "second.h5"')
        self.write(second, "second.toml")
        result = self.polhode("run", "second.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.polhode("run", "config.toml", "-o", "long.h5", "--set", "run.steps=1200").returncode, 0)
        with h5py.File(self.path / "second.h5") as second, h5py.File(self.path / "long.h5") as long:
            self.assertEqual(second["final/state"][:].tobytes(), long["final/state"][:].tobytes())

    def test_states_single_precision_and_solver(self):
        config = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0',
                                'from = "states"\nstates = [[1.8, 0.4, -0.9, 0, 0, 1], [0.5, 1, 0.2, 0.6, 0.8, 0]]')
        finals = {}
        for solver in ("cayley", "hadamard"):
            for precision in ("double", "single"):
                self.write(config)
                result = self.polhode("run", "config.toml", "--force", "--precision", precision, "--set", f"method.solver={solver}")
                self.assertEqual(result.returncode, 0, result.stderr)
                with h5py.File(self.path / "out.h5") as file:
                    finals[solver, precision] = file["final/state"][:]
                    self.assertEqual(file.attrs["precision"], precision)
        numpy.testing.assert_allclose(finals["cayley", "double"], finals["hadamard", "double"], atol=1e-11)
        difference = abs(finals["cayley", "double"] - finals["cayley", "single"]).max()
        self.assertTrue(1e-8 < difference < 1e-2, difference)  # the round-off of float, not of double

    def starts(self, *changes, top):
        """The report and the states of a short run from a section, with the check that they are what was asked for."""
        config = CONFIG.replace("alpha = [0.44, 0.5, 1.0]", top).replace("steps = 600", "steps = 1")
        name = self.write(config.replace("grid = [6, 6]", "grid = [60, 61]"))
        result = self.polhode("run", name, "--force", *(word for change in changes for word in ("--set", change)))
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(list(file["section"].attrs["axes"]), ["m13", "m12"])
            self.assertEqual(list(file["section"].attrs["axis_columns"]), ["pi2", "pi3"])
            self.assertEqual(list(file["section"].attrs["axis_signs"]), [1, -1])
            self.assertEqual(file["section"].attrs["side"], "pi1")
            state, invariants = file["initial/state"][:], file["invariants/initial"][:]
            inertia = file["parameters/inertia"][:]
        self.assertTrue((state[:, 5] == 0).all())
        self.assertTrue((state[:, 3] * state[:, 1] / inertia[1] > state[:, 4] * state[:, 0] / inertia[0]).all())
        return result.stdout, state, invariants

    def test_sections_of_other_tops(self):
        tops = {"Kowalevski": "inertia = [2, 2, 1]\nchi = [1, 0, 0]", "Lagrange": "inertia = [1.5, 1.5, 0.9]", "oblique": "alpha = [0.44, 0.5, 1.0]\nchi = [0.36, 0.48, 0.8]"}
        for name, top in tops.items():
            for momentum in (0, -0.4):
                for branch, sign in (("pi1+", 1), ("pi1-", -1)):
                    with self.subTest(top=name, momentum=momentum, branch=branch):
                        report, state, invariants = self.starts(f"ensemble.momentum={momentum}", f"ensemble.branch={branch}", top=top)
                        self.assertIn(f"{len(state)} of 3660 grid points have a start on branch {branch}, {3660 - len(state)} have none", report)
                        self.assertGreater(len(state), 1000)
                        self.assertTrue((sign * state[:, 0] > 0).all())
                        # A few roundings of terms of about 1, in the start and in the invariant.
                        self.assertLess(abs(invariants[:, :3] - [1, 1, momentum]).max(), 4e-15)

    def test_an_integral_of_one_level_is_recorded_there_only(self):
        example = EXAMPLES / "goryachev_chaplygin.toml"
        for momentum, kept in ((0, True), (0.5, False)):
            result = self.polhode("run", example, "-o", "out.h5", "--force", "--set", "run.steps=100", "--set", f"ensemble.momentum={momentum}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("goryachev_chaplygin:" in result.stdout, kept)
            with h5py.File(self.path / "out.h5") as file:
                self.assertEqual(b"goryachev_chaplygin" in file["invariants/names"][:], kept)

    def test_moser_veselov_is_for_free_bodies(self):
        config = CONFIG.replace('name = "rattle"', 'name = "moser-veselov"')
        self.expect_rejected(2, "moser-veselov", "c must be 0", config=config)
        self.assertEqual(self.polhode("run", self.write(config), "--set", "system.c=0").returncode, 0)

    def test_several_states_over_a_point(self):
        oblique = "alpha = [0.44, 0.5, 1.0]\nchi = [0.6, 0, 0.8]"
        # At momentum 0 and without gravity in the plane one state of each sign is all.
        self.assertNotIn("pi1+2", self.starts(top="alpha = [0.44, 0.5, 1.0]")[0])
        report, first, _ = self.starts(top=oblique)
        second_report, second, invariants = self.starts("ensemble.branch=pi1+2", top=oblique)
        self.assertGreater(len(second), 10)
        self.assertIn(f"; {len(second)} have a state on pi1+2\n", report)
        self.assertIn(f"{len(second)} of 3660 grid points have a start on branch pi1+2, {3660 - len(second)} have none; {len(first)} have a state on pi1+\n", second_report)
        self.assertLess(abs(invariants[:, :3] - [1, 1, 0]).max(), 4e-15)
        where = {(pi2, pi3): pi1 for pi1, pi2, pi3 in first[:, :3]}
        for pi1, pi2, pi3 in second[:, :3]:
            self.assertTrue(0 < pi1 < where[pi2, pi3])  # the order of the names at momentum 0

    def test_a_section_without_a_plane_has_no_axes(self):
        self.assertEqual(self.polhode("run", self.write(), "--set", "section.name=pi2").returncode, 0)
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(len(file["section"].attrs), 0)

    def test_where_keeps_part_of_the_section(self):
        self.write()
        self.polhode("run", "config.toml")
        self.polhode("run", "config.toml", "-o", "half.h5", "--set", "section.where=pi1 > 0 and gamma1 < 0.5")
        with h5py.File(self.path / "out.h5") as whole, h5py.File(self.path / "half.h5") as half:
            state = whole["section/state"][:]
            kept = state[(state[:, 0] > 0) & (state[:, 3] < 0.5)]
            self.assertTrue(0 < len(kept) < len(state))
            self.assertEqual(kept.tobytes(), half["section/state"][:].tobytes())

    def test_huge_but_allowed_intervals_record_nothing(self):
        self.write()
        result = self.polhode("run", "config.toml", "--set", f"record.snapshots={2**53}", "--set", f"record.invariants_every={2**53}")
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(file["snapshots/state"].shape[1], 1)
            self.assertGreater(file["invariants/max_drift"][:, 0].max(), 0)  # the last step is compared

    def test_configuration_from_a_pipe(self):
        result = self.polhode("run", "/dev/stdin", "-o", "out.h5", input=CONFIG)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_closed_standard_streams(self):
        self.write()
        result = subprocess.run(["bash", "-c", f"exec {PROGRAM} run config.toml <&- >&- 2>&-"], cwd=self.path)
        self.assertEqual(result.returncode, 0)
        self.polhode("run", "config.toml", "-o", "again.h5")
        self.assert_same_datasets("again.h5", datasets(self.path / "out.h5"), "closed streams")

    def test_progress_on_a_terminal(self):
        self.write(CONFIG.replace("steps = 600", "steps = 3000000"))
        try:
            leader, follower = pty.openpty()
        except OSError as error:  # e.g. in a chroot
            self.skipTest(f"no pseudo-terminal: {error}")
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        with subprocess.Popen([PROGRAM, "run", "config.toml"], cwd=self.path, stdout=subprocess.PIPE, stderr=follower) as process:
            os.close(follower)
            shown = b""
            while True:
                try:
                    piece = os.read(leader, 4096)
                except OSError:  # the other end is closed
                    break
                if not piece:
                    break
                shown += piece
            summary = process.stdout.read().decode()
        os.close(leader)
        self.assertEqual(process.returncode, 0)
        lines = [line for line in shown.decode().replace("\x1b[K", "").split("\r") if line.strip()]
        self.assertGreater(len(lines), 1)
        for line in lines:
            self.assertLess(len(line), 60)
            self.assertIn("trajectories", line)
        self.assertTrue(summary.startswith("out.h5: "))

    def test_reference_backend_agrees(self):
        self.write()
        self.polhode("run", "config.toml", "--set", "run.steps=100")
        self.polhode("run", "config.toml", "--set", "run.steps=100", "--backend", "reference", "-o", "reference.h5")
        with h5py.File(self.path / "out.h5") as cpu, h5py.File(self.path / "reference.h5") as reference:
            numpy.testing.assert_allclose(cpu["final/state"][:], reference["final/state"][:], atol=1e-11)
            self.assertEqual(reference.attrs["backend"], "reference")
            numpy.testing.assert_array_equal(cpu["section/step"][:], reference["section/step"][:])

    def test_list_info_help(self):
        for topic in ("systems", "methods", "sections", "backends"):
            text = self.polhode("list", topic)
            self.assertEqual(text.returncode, 0)
            self.assertTrue(text.stdout)
            self.assertTrue(json.loads(self.polhode("list", topic, "--json").stdout))
        self.polhode("run", self.write())
        info = self.polhode("info", "out.h5")
        self.assertEqual(info.returncode, 0, info.stderr)
        for word in ("heavy-top", "rattle", "/section/state", "ok", "alpha"):
            self.assertIn(word, info.stdout)
        self.assertEqual(self.polhode("--help").returncode, 0)
        self.assertIn("polhode", self.polhode("--version").stdout)

    def test_example_runs(self):
        result = self.polhode("run", EXAMPLES / "heavy_top_section.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "heavy_top.h5") as file:
            energy = file["invariants/max_drift"][:, 0].max()
            self.assertTrue(1.3e-3 < energy < 1.6e-3, energy)  # the band of theory: [-1.6e-3, 4e-4]


class Failures(CliTest):
    def test_a_step_far_too_large_ends_in_statuses(self):
        result = self.polhode("run", self.write(), "--set", "method.step=40")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("trajectories failed", result.stdout)
        with h5py.File(self.path / "out.h5") as file:
            code = file["status/code"][:]
            self.assertTrue((code == 1).any())
            self.assertTrue(numpy.isfinite(file["final/state"][:]).all())
            self.assertTrue((file["status/step"][:][code == 1] < 600).all())
            self.assertTrue(numpy.allclose(file["final/time"][:], file["status/step"][:] * 40))
        # Failed trajectories cannot be continued.
        second = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "file"\npath = "out.h5"')
        self.write(second, "second.toml")
        self.expect_error(self.polhode("run", "second.toml", "-o", "second.h5"), 2, "failed")


class BadInput(CliTest):
    def test_configuration(self):
        def change(old, new):
            self.assertIn(old, CONFIG)
            return CONFIG.replace(old, new)

        cases = [
            (change("steps = 600", "steps = 600\nstepz = 3"), ["stepz", 'nearest known: "steps"']),
            (CONFIG + "[sectoin]\nname = 'pi1'\n", ["sectoin", 'nearest known: "section"']),
            (change('"heavy-top"', '"heavy-topp"'), ["heavy-topp", '"heavy-top"']),
            (change('"rattle"', '"ratle"'), ["ratle", '"rattle"']),
            (change("step = 0.05", 'step = 0.05\nsolver = "caley"'), ["caley", '"cayley"']),
            (change("step = 0.05", 'step = "small"'), ["method.step", "number"]),
            (change("step = 0.05", "step = nan"), ["method.step", "finite"]),
            (change("step = 0.05", "step = 0"), ["method.step", "zero"]),
            (change("step = 0.05", ""), ["method.step", "missing"]),
            (change("steps = 600", "steps = 600.5"), ["run.steps", "integer"]),
            (change("steps = 600", "steps = 0"), ["run.steps"]),
            (change("steps = 600", "steps = -5"), ["run.steps"]),
            (change("steps = 600", "steps = 9223372036854775807"), ["run.steps"]),
            (change("steps = 600", "steps = 92233720368547758070"), ["config.toml"]),
            (change("steps = 600", "steps = true"), ["run.steps", "integer"]),
            (change("steps = 600", "steps = 600\nthreads = -1"), ["run.threads"]),
            (change("steps = 600", "steps = 600\nsegment = -1"), ["run.segment"]),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1, -1]"), ["inertia", "positive"]),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1, 0]"), ["inertia", "positive"]),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1]"), ["inertia", "3"]),
            (change("alpha = [0.44, 0.5, 1.0]", "inertia = [1, 1, nan]"), ["inertia", "finite"]),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [-3, 2, 2]"), ["inertia", "positive"]),
            (change("alpha = [0.44, 0.5, 1.0]", ""), ["inertia", "missing"]),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\ninertia = [1, 1, 1]"), ["alpha", "inertia"]),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\nchi = [0, 0, 2]"), ["chi", "unit vector"]),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\nc = inf"), ["c", "finite"]),
            (change("energy = 1.0", "energy = -1.0"), ["no state of the section", "energy -1", "the least is 0"]),
            (change("alpha = [0.44, 0.5, 1.0]", "alpha = [0.44, 0.5, 1.0]\nchi = [0.6, 0, 0.8]").replace("energy = 1.0", "energy = -0.61"), ["energy -0.61", "the least is -0.6"]),
            # Gamma = e1, the axis of the largest moment in the plane: sqrt(2 * 1.5 * 1).
            (change("energy = 1.0", "energy = 1.0\nmomentum = 50"), ["no state of the section", "momentum 50", "1.73205 at most"]),
            (change("energy = 1.0", "energy = 1.0\nmomentum = 1.7320"), ["6 x 6 grid", "momentum 1.732 on branch pi1+"]),
            (change("energy = 1.0", 'energy = 1.0\nbranch = "left"'), ["branch", "known: pi1+, pi1+2"]),
            (change("energy = 1.0", 'energy = 1.0\nbranch = "pi1_"'), ["branch", 'nearest known: "pi1+"']),
            (change("energy = 1.0", 'energy = 1.0\nbranch = "pi1-2"'), ["6 x 6 grid", "on branch pi1-2"]),
            (change("grid = [6, 6]", "grid = [0, 6]"), ["grid"]),
            (change("grid = [6, 6]", "grid = [6]"), ["grid"]),
            (change("grid = [6, 6]", "grid = [4000000000, 4000000000]"), ["grid"]),
            (change("grid = [6, 6]", "grid = [6, 6]\nstates = [[1,2,3,0,0,1]]"), ["states"]),
            (change('"gamma3"', '"gama3"'), ["gama3", '"gamma3"']),
            (change('"gamma3"', '"gamma3"\ndirection = "upp"'), ["upp", '"up"']),
            (change('"gamma3"', '"gamma3"\nwhere = "pi1 = 0"'), ["where"]),
            (change('"gamma3"', '"gamma3"\nwhere = "pi9 > 0"'), ["pi9", '"pi1"']),
            (change('"gamma3"', '"gamma3"\nwhere = "pi1 > 0 or pi2 > 0"'), ["where", "and"]),
            (CONFIG + "[record]\nsnapshots = -1\n", ["record.snapshots"]),
            (CONFIG + "[record]\ninvariants_every = 0\n", ["record.invariants_every"]),
            (CONFIG + "[record]\ninvariants = 1\n", ["record.invariants"]),
            (change("energy = 1.0", "energy = 1e308"), ["energy"]),
            (change("steps = 600", "steps = 600\nisa = 'mmx'"), ["mmx", "avx2"]),
            (change("steps = 600", 'steps = 600\n"a\\nb" = 1'), ["unknown key"]),
            ("[system\nname = 1", ["config.toml", "line"]),
            ("system = 3\n", ["system", "table"]),
            ("", ["system.name", "missing"]),
        ]
        for config, words in cases:
            with self.subTest(words=words):
                self.expect_rejected(2, *words, config=config)

    def test_huge_integers(self):
        for key in ("run.steps", "run.segment", "run.threads", "record.snapshots", "record.invariants_every"):
            for value in (2**62, 2**63 - 1, -(2**63)):
                with self.subTest(key=key, value=value):
                    self.expect_rejected(2, key, arguments=["--set", f"{key}={value}"])

    def test_states(self):
        def states(text):
            return CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "states"\nstates = ' + text)

        self.expect_rejected(2, "gamma", "unit vector", config=states("[[1, 2, 3, 0, 0, 1], [1, 2, 3, 0, 1, 1]]"))
        self.expect_rejected(2, "states", "5 numbers", config=states("[[1, 2, 3, 0, 0]]"))
        self.expect_rejected(2, "states", "finite", config=states("[[1, 2, nan, 0, 0, 1]]"))
        self.expect_rejected(2, "states", config=states("[1, 2, 3]"))
        self.expect_rejected(2, "empty", config=states("[]"))

    def test_files(self):
        def from_file(name, dataset="/final/state"):
            return CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', f'from = "file"\npath = "{name}"\ndataset = "{dataset}"')

        with h5py.File(self.path / "data.h5", "w") as file:
            file["wide"] = numpy.zeros((3, 7))
            file["flat"] = numpy.zeros(6)
            file["nan"] = numpy.full((2, 6), numpy.nan)
            file["text"] = "states"
            file["none"] = numpy.zeros((0, 6))
        (self.path / "foreign.h5").write_bytes(b"not HDF5" * 100)
        self.expect_rejected(2, "missing.h5", config=from_file("missing.h5"))
        self.expect_rejected(2, "foreign.h5", config=from_file("foreign.h5"))
        for dataset in ("wide", "flat", "nan", "text", "none", "absent"):
            with self.subTest(dataset=dataset):
                self.expect_rejected(2, config=from_file("data.h5", "/" + dataset))

    def test_arguments(self):
        self.write()
        for arguments in (["run"], ["run", "missing.toml"], ["run", "config.toml", "--bad"], ["walk"], [], ["list", "cats"],
                          ["run", "config.toml", "--isa", "mmx"], ["run", "config.toml", "--threads", "many"],
                          ["run", "config.toml", "--set", "step"], ["run", "config.toml", "--set", "step=3"],
                          ["run", "config.toml", "--backend", "gpu"], ["run", ".", "--quiet"],
                          ["run", "config.toml", "--resume"], ["run", "config.toml", "--resume", "--force"],
                          ["info", "missing.h5"], ["info", "config.toml"], ["plot", "config.toml"],
                          ["plot"], ["plot", "config.toml", "--view", "cats"], ["plot", "config.toml", "missing.h5"]):
            with self.subTest(arguments=arguments):
                result = self.polhode(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertEqual(sorted(p.name for p in self.path.iterdir()), ["config.toml"])

    def test_plot_hands_over_files_and_view(self):
        config = self.write(CONFIG + "[record]\nsnapshots = 10\n")
        for step in ("0.05", "0.1"):
            done = self.polhode("run", config, "-o", f"-{step}.h5", "--set", f"method.step={step}")
            self.assertEqual(done.returncode, 0, done.stderr)
        for options, picture in (([], "-0.05.png"), (["-o", "3d.png", "--view", "section3d"], "3d.png")):
            done = self.polhode("plot", *options, "--", "-0.05.h5")
            if done.returncode == 3:
                self.skipTest(done.stderr)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual((self.path / picture).read_bytes()[1:4], b"PNG")
        done = self.polhode("plot", "-o", "both.png", "--", "-0.05.h5", "-0.1.h5")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.path / "both.png").read_bytes()[1:4], b"PNG")

    def test_cuda_without_a_gpu(self):
        backends = json.loads(self.polhode("list", "backends", "--json").stdout)
        if backends[2]["available"]:
            self.skipTest("there is a GPU")
        self.expect_rejected(3, "cuda", arguments=["--backend", "cuda"])

    def test_existing_output(self):
        name = self.write()
        (self.path / "out.h5").write_text("precious")
        self.expect_error(self.polhode("run", name), 2, "out.h5", "--force")
        self.assertEqual((self.path / "out.h5").read_text(), "precious")
        self.assertEqual(self.polhode("run", name, "--force").returncode, 0)
        self.assertTrue(h5py.is_hdf5(self.path / "out.h5"))

    def test_output_must_not_be_an_input(self):
        name = self.write()
        self.expect_error(self.polhode("run", name, "-o", name, "--force"), 2, "input")
        self.assertEqual((self.path / name).read_text(), CONFIG)

    def test_file_size_limit(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 200000\ncheckpoint = 0"))
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5").returncode, 0)
        result = subprocess.run(["bash", "-c", f"ulimit -f 200; exec {PROGRAM} run {name}"], cwd=self.path, capture_output=True, text=True)
        self.expect_error(result, 4)
        self.assertEqual(self.polhode("run", name, "--resume").returncode, 0)  # with room again
        self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), "after a file size limit")

    def test_full_standard_output(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, "list", "systems"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.expect_error(result, 4, "standard output")

    def test_unwritable_output(self):
        self.expect_rejected(4, "absent", arguments=["-o", "absent/out.h5"])
        self.expect_rejected(4, "/proc", arguments=["-o", "/proc/out.h5"])


class Resume(CliTest):
    def run_until_killed(self, name, extra, delay):
        process = subprocess.Popen([PROGRAM, "run", name, *extra], cwd=self.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        return process.returncode

    def test_kill_and_resume_gives_the_same_datasets(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 200000\nsegment = 1000\ncheckpoint = 0").replace("grid = [6, 6]", "grid = [12, 12]"))
        extra = ["--threads", "1", "--set", "record.snapshots=10000"]
        begin = time.monotonic()
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5", *extra).returncode, 0)
        duration = time.monotonic() - begin
        expected = datasets(self.path / "whole.h5")
        kills = 0
        for fraction in (0.1, 0.3, 0.5, 0.7, 0.9):
            self.run_until_killed(name, extra, fraction * duration)
            if (self.path / "out.h5").exists():  # it was faster this time
                (self.path / "out.h5").unlink()
                shutil.rmtree(self.path / "out.h5.part", ignore_errors=True)
                continue
            kills += 1
            self.expect_error(self.polhode("run", name, *extra), 2, "--resume")
            # Again, sometimes killed while resuming, with other threads and segments.
            self.run_until_killed(name, ["--resume", *extra], 0.2 * duration)
            if not (self.path / "out.h5").exists():
                result = self.polhode("run", name, "--resume", "--set", "record.snapshots=10000", "--set", "run.segment=777")
                self.assertEqual(result.returncode, 0, result.stderr)
            self.assert_same_datasets("out.h5", expected, f"killed after {fraction} of the run")
            self.assertFalse((self.path / "out.h5.part").exists())
            (self.path / "out.h5").unlink()
        self.assertGreater(kills, 1)

    def test_resume_refuses_another_configuration(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 900000000\nsegment = 1000\ncheckpoint = 0"))
        self.run_until_killed(name, [], 1.0)
        for change, word in (("method.step=0.04", "method.step"), ("run.steps=100", "run.steps"), ("system.c=2", "parameters"),
                             ("ensemble.grid=[5, 5]", "initial states"), ("section.value=0.1", "section")):
            self.expect_error(self.polhode("run", name, "--resume", "--set", change), 2, "cannot resume", word)
        checkpoint = self.path / "out.h5.part" / "checkpoint"
        content = bytearray(checkpoint.read_bytes())
        content[len(content) // 2] ^= 1
        checkpoint.write_bytes(content)
        self.expect_error(self.polhode("run", name, "--resume"), 2, "checkpoint")

    def test_a_forced_run_can_be_resumed(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 6000000\ncheckpoint = 0"))
        self.assertEqual(self.polhode("run", name, "-o", "whole.h5").returncode, 0)
        (self.path / "out.h5").write_text("old")
        self.run_until_killed(name, ["--force"], 0.15)
        self.assertEqual((self.path / "out.h5").read_text(), "old")  # replaced only at the end
        result = self.polhode("run", name, "--resume")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), "forced, killed and resumed")

    def test_interrupt_leaves_a_checkpoint(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 900000000\nsegment = 1000"))
        process = subprocess.Popen([PROGRAM, "run", name], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertIn("--resume", stderr)
        self.assertEqual(len(stderr.splitlines()), 1)
        self.assertTrue((self.path / "out.h5.part" / "checkpoint").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
