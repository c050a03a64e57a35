#!/usr/bin/env python3
"""Wrong input and full disks: one line, the exit code, and nothing left behind.

Run with POLHODE set to the program's path."""

import json
import subprocess
import unittest

import h5py
import numpy

from command_line import CONFIG, PROGRAM, CliTest, datasets


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


if __name__ == "__main__":
    unittest.main()
