#!/usr/bin/env python3
"""Right input: what a run writes, says and shows, and that its bits do not depend on how it was run.

Run with POLHODE set to the program's path."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unittest

import h5py
import numpy

from command_line import CONFIG, EXAMPLES, PROGRAM, CliTest, datasets, is_name_only

sys.path.insert(0, str(EXAMPLES.parent / "python"))
from polhode import plot, stored  # noqa: E402


class FromAResult(CliTest):
    """A result in place of a configuration."""

    def test_it_runs_again(self):
        self.run_with(self.write(), "out.h5", "--set", "run.steps=400", "--set", "method.step=0.04")
        expected = datasets(self.path / "out.h5")
        self.run_with("out.h5", "again.h5")
        self.assert_same_datasets("again.h5", expected, "from the result")
        self.assert_same_datasets("out.h5", expected, "which is as it was")
        # Changes are those of its configuration.
        text = self.run_with("again.h5", "longer.h5", "--set", "run.steps=500", "--unset", "section")
        self.assertIn("500 steps of 0.04", text)
        self.assertNotIn("section", text)
        done = self.polhode("crosscheck", "out.h5", "--steps", "20", "--trajectories", "4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_it_is_never_overwritten(self):
        self.run_with(self.write(), "out.h5")
        whole = (self.path / "out.h5").read_bytes()
        for arguments in (("run", "out.h5"), ("run", "out.h5", "--force"), ("run", "out.h5", "-o", "./out.h5", "--force")):
            done = self.polhode(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"^polhode: cannot write (\./)?out\.h5 \(it is an input of this run\)\. Choose another output with -o\.\n$")
        self.assertEqual((self.path / "out.h5").read_bytes(), whole)

    def test_what_is_no_result(self):
        with h5py.File(self.path / "foreign.h5", "w") as file:
            file["x"] = 1
        self.expect_error(self.polhode("run", "foreign.h5", "-o", "out.h5"), 2, "foreign.h5", "not written by polhode")
        self.run_with(self.write(), "out.h5")
        with h5py.File(self.path / "out.h5", "r+") as file:
            del file.attrs["config"]
        self.expect_error(self.polhode("run", "out.h5", "-o", "again.h5"), 2, "out.h5", "has no configuration")
        with h5py.File(self.path / "out.h5", "r+") as file:
            file.attrs["config"] = "[system"
        self.expect_error(self.polhode("run", "out.h5", "-o", "again.h5"), 2, "out.h5", "line 1")
        self.assertFalse((self.path / "again.h5").exists())


class GoodInput(CliTest):
    def test_states_need_not_be_recorded(self):
        name = self.write(CONFIG + '[density]\naxes = ["pi2", "pi3"]\nbins = [10, 10]\nrange = [[-1, 1], [-1, 1]]\n')
        whole = ["--set", "record.snapshots=100"]
        self.run_with(name, "whole.h5", *whole)
        expected = datasets(self.path / "whole.h5")
        for without in (["initial"], ["final"], ["initial", "final"]):
            with self.subTest(without):
                self.run_with(name, "out.h5", *whole, *(word for group in without for word in ("--set", f"record.{group}=false")))
                left = {path: data for path, data in expected.items() if not path.startswith(tuple(f"{group}/" for group in without))}
                if "final" in without:  # from which a longer run would go on
                    del left["invariants/drift_before_end"]
                self.assertLess(len(left), len(expected))
                self.assert_same_datasets("out.h5", left, f"without {without}")
                self.assertEqual(self.polhode("info", "out.h5", "--columns").returncode, 0)
                for view in ("section", "density", "invariants"):
                    picture = self.polhode("plot", "out.h5", "--view", view)
                    self.assertEqual(picture.returncode, 0, picture.stderr)
        # Files without starts are compared by their first snapshots, and refused without any.
        for step in ("0.05", "0.025"):
            self.run_with(name, f"h{step}.h5", *whole, "--set", f"method.step={step}", "--set", "record.initial=false")
            self.run_with(name, f"s{step}.h5", "--set", f"method.step={step}", "--set", "record.initial=false")
        for view in ("invariants", "error"):
            drawn = self.polhode("plot", "h0.05.h5", "h0.025.h5", "--view", view)
            self.assertEqual(drawn.returncode, 0 if view == "invariants" else 2, drawn.stderr)  # a top has no positions
            result = self.polhode("plot", "s0.05.h5", "s0.025.h5", "--view", view)
            self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        # Without any states but those of the density, which has none.
        self.run_with(name, "out.h5", "--set", "record.initial=false", "--set", "record.final=false", "--set", "section.points=false")
        with stored.open_result(self.path / "out.h5") as result, stored.open_result(self.path / "whole.h5") as other:
            axes = [other.columns.index(name) for name in ("pi2", "pi3")]
            self.assertEqual([result.units[i] for i in axes], [other.units[i] for i in axes])
        self.assertEqual(self.polhode("plot", "out.h5").returncode, 0)
        self.assertEqual(self.polhode("info", "out.h5", "--columns", "--json").returncode, 0)
        text = CONFIG[: CONFIG.index("[ensemble]")] + '[ensemble]\nfrom = "file"\npath = "out.h5"\n' + CONFIG[CONFIG.index("[run]") :]
        result = self.polhode("run", self.write(text, "next.toml"), "-o", "next.h5")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertIn("it was run with record.final = false", result.stderr)
        self.assertFalse((self.path / "next.h5").exists())

    def test_run_writes_the_layout(self):
        result = self.polhode("run", self.write())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")  # no terminal, no progress
        self.assertIn("section points", result.stdout)
        self.assertFalse((self.path / "out.h5.part").exists())
        with h5py.File(self.path / "out.h5") as file:
            for name in ("schema", "program", "version", "git", "config", "backend", "device", "isa", "compiler", "precision", "sweeps", "created"):
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

    def test_every_dataset_says_what_it_is(self):
        """A unit and a meaning; for each column where the last dimension is that of the columns."""
        statistics = "[statistics]\nevery = 100\nobservables = ['pi1', 'energy']\nbins = 4\nrange = [[-1, 1], [0, 2]]\n"
        density = "[density]\naxes = ['pi2', 'pi3']\nbins = [5, 6]\nrange = [[-1, 1], [-1, 1]]\n"
        done = self.polhode("run", self.write(CONFIG + statistics + density), "--set", "record.snapshots=100")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        columns = {6: ["pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"], 3: ["energy", "gamma_squared", "pi_dot_gamma"], 2: ["pi1", "energy"]}
        seen = {}

        def visit(path, node):
            if not isinstance(node, h5py.Dataset) or is_name_only(node):
                return
            unit, meaning = node.attrs["unit"], node.attrs["meaning"]
            if "columns" in node.attrs:
                seen[path] = list(node.attrs["columns"])
                self.assertEqual(seen[path], columns[node.shape[-1]], path)
                self.assertEqual(len(unit), len(seen[path]), path)
                self.assertEqual(len(meaning), len(seen[path]), path)
            else:
                self.assertIsInstance(unit, str, path)
            self.assertTrue(all(unit) and all(meaning), path)

        with h5py.File(self.path / "out.h5") as file:
            file.visititems(visit)
            self.assertEqual(list(file["section/state"].attrs["unit"]), 3 * ["mass length^2/time"] + 3 * ["1"])
            self.assertEqual(list(file["statistics/variance"].attrs["unit"]), ["(mass length^2/time)^2", "(mass length^2/time^2)^2"])
        self.assertEqual(set(seen), {"initial/state", "final/state", "section/state", "snapshots/state", "invariants/initial",
                                     "invariants/max_drift", "invariants/drift_before_end", "snapshots/invariants", "statistics/mean", "statistics/variance",
                                     "statistics/minimum", "statistics/maximum"})

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

    def test_shake_with_one_final_projection_is_rattle(self):
        config = """
[system]
name = "double-spherical-pendulum"
m = [1.0, 1.5]
l = [1.0, 1.5]
[ensemble]
from = "states"
variables = "velocity"
states = [[1, 0, 0, 0, 1.5, 0, 0, 0.6, 0.8, 0.7, 0, -0.5]]
[run]
steps = 100
[method]
step = 0.01
"""
        self.write(config)
        ends = {}
        for method, projected in (("rattle", False), ("shake", False), ("shake", True)):
            options = ["--set", f"method.name={method}"] + ["--set", "method.final_projection=true"] * projected
            result = self.polhode("run", "config.toml", "-o", "out.h5", "--force", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            with h5py.File(self.path / "out.h5") as file:
                ends[method, projected] = file["final/state"][0]
        # 100 steps of round-off; without the projection the momentum is off the constraints by the order of a kick.
        difference = abs(ends["shake", True] - ends["rattle", False])
        self.assertLess(difference.max(), 1e-12)
        self.assertEqual(list(ends["shake", True][:6]), list(ends["shake", False][:6]))
        self.assertGreater(abs(ends["shake", False] - ends["rattle", False]).max(), 1e-3)

        result = self.polhode("run", "config.toml", "-o", "no.h5", "--set", "method.name=rattle", "--set", "method.final_projection=true")
        self.assertEqual(result.returncode, 2)
        self.assertIn("method.final_projection", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertFalse((self.path / "no.h5").exists())

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

    def test_moser_veselov_is_for_free_bodies(self):
        config = CONFIG.replace('name = "rattle"', 'name = "moser-veselov"')
        self.expect_rejected(2, "moser-veselov", "c must be 0", config=config)
        self.assertEqual(self.polhode("run", self.write(config), "--set", "system.c=0").returncode, 0)

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

    def test_no_section_on_any_backend(self):
        self.write(CONFIG.replace('[section]\nname = "gamma3"\n', ""))
        for backend in ("cpu", "reference"):
            self.run_with("config.toml", "out.h5", "--set", "run.steps=100", "--backend", backend)
            with h5py.File(self.path / "out.h5") as file:
                self.assertNotIn("section", file)
                self.assertTrue((file["status/step"][:] == 100).all())

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
        help_of_plot = " ".join(self.polhode("plot", "--help").stdout.split())
        for view in plot.VIEWS | plot.COMPARED_VIEWS:
            self.assertRegex(help_of_plot, rf"--view.*\b{view}\b.*--axes")

    def test_a_list_of_known_systems_has_each_name_once(self):
        error = self.polhode("run", self.write(), "--set", f"system.name={'z' * 40}").stderr
        known = re.search(r"known: ([^)]*)\)", error).group(1).split(", ")
        self.assertEqual(sorted(known), sorted(set(known)))
        self.assertLess({"heavy-top", "rigid-body-n", "rigid-body-4", "molecule-chain"}, set(known))

    def test_example_runs(self):
        result = self.polhode("run", EXAMPLES / "heavy_top_section.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        with h5py.File(self.path / "heavy_top.h5") as file:
            energy = file["invariants/max_drift"][:, 0].max()
            self.assertTrue(1.3e-3 < energy < 1.6e-3, energy)  # the band of theory: [-1.6e-3, 4e-4]


if __name__ == "__main__":
    unittest.main()
