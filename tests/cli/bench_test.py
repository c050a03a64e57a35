#!/usr/bin/env python3
"""polhode bench: what it measures, that its figures fit together, and what it refuses. No test asks how fast anything is.

Run with POLHODE set to the program's path."""

import json
import signal
import subprocess
import unittest

import h5py

from command_line import CONFIG, EXAMPLES, PROGRAM, CliTest, wait_for_handler

DENSITY = "[density]\naxes = ['pi2', 'pi3']\nbins = [10, 10]\nrange = [[-2, 2], [-2, 2]]\n"
STATISTICS = "[statistics]\nevery = 100\nobservables = ['pi1', 'energy']\n"
QUICK = ["--repeat", "3", "--steps", "200", "--backends", "cpu"]


class Bench(CliTest):
    def bench(self, *arguments, code=0):
        result = self.polhode("bench", *arguments)
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def report(self, *arguments):
        return json.loads(self.bench(*arguments, "--json"))

    def expect_rate(self, rate):
        self.assertLess(0, rate["lower_quartile"])
        self.assertLessEqual(rate["lower_quartile"], rate["median"])
        self.assertLessEqual(rate["median"], rate["upper_quartile"])

    def test_figures_fit_together(self):
        self.write(CONFIG + DENSITY + STATISTICS)
        report = self.report("config.toml", *QUICK)
        self.assertEqual((report["polhode"], report["system"], report["solver"], report["step"], report["precision"], report["repetitions"]), ("bench", "heavy-top", "cayley", 0.05, "double", 3))
        (cpu,) = report["backends"]
        self.assertEqual((cpu["backend"], cpu["steps"]), ("cpu", 200))
        self.assertGreater(cpu["threads"], 0)
        loop = cpu["time_loop"]
        self.expect_rate(loop["steps_per_second"])
        self.assertEqual((loop["trajectories"], loop["repetitions"]), (cpu["trajectories"], 3))
        self.assertEqual([run["recorded"] for run in cpu["whole_runs"]], ["final states", "density", "statistics", "points"])
        points = {}
        for run in cpu["whole_runs"]:
            self.expect_rate(run["steps_per_second"])
            self.assertAlmostEqual(run["share_of_time_loop"], run["steps_per_second"]["median"] / loop["steps_per_second"]["median"])
            # A part of every run is below its whole, and so are medians.
            self.assertLess(run["seconds_of_starts"], run["seconds"])
            self.assertLess(run["seconds_of_integration"], run["seconds"])
            self.assertAlmostEqual(run["steps_per_second"]["median"] * run["seconds"], cpu["trajectories"] * 200, delta=1)
            points[run["recorded"]] = run["section_points"]
        self.assertEqual((points["final states"], points["statistics"]), (0, 0))
        self.assertEqual(points["density"], points["points"])
        self.run_with("config.toml", "out.h5", "--set", "run.steps=200")
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(points["points"], len(file["section/step"]))

    def test_limits(self):
        self.write()
        (cpu,) = self.report("config.toml", *QUICK)["backends"]
        limits, operations = cpu["limits"], cpu["operations_per_step"]
        self.assertEqual(limits["from"], "measured")
        self.assertGreater(limits["bytes_copied_per_second"], 0)
        # Counted by hand in kicked_rotation.hpp and discrete_rigid_body.hpp. fma: kicks 2 x 6, K sweeps of 6, their end 5,
        # |u|^2 + 1 3, rotations 2 x 12; others: load 3, K sweeps of 6, their end 5, rotations 2 x 3.
        self.run_with("config.toml", "out.h5", "--set", "run.steps=1")
        with h5py.File(self.path / "out.h5") as file:
            sweeps = int(file.attrs["sweeps"])
        self.assertEqual((operations["fma"], operations["other"], operations["divisions"]), (44 + 6 * sweeps, 14 + 6 * sweeps, 1))
        self.assertEqual(operations["flops"], 2 * operations["fma"] + operations["other"] + 1)
        if cpu["isa"] == "scalar":
            self.assertIsNone(limits["fmas_per_second"])
        else:
            self.assertGreater(limits["fmas_per_second_of_one_thread"], 0)
            most = limits["fmas_per_second"] / (operations["fma"] + operations["other"])
            self.assertAlmostEqual(cpu["time_loop"]["most_steps_per_second"], most, delta=1e-6 * most)
            self.assertAlmostEqual(cpu["time_loop"]["share_of_limit"], cpu["time_loop"]["steps_per_second"]["median"] / most)

    def test_operations_that_are_not_known_are_not_made_up(self):
        (cpu,) = self.report(EXAMPLES / "double_pendulum_section.toml", *QUICK)["backends"]
        self.assertIsNone(cpu["operations_per_step"])
        self.assertIsNone(cpu["time_loop"]["most_steps_per_second"])
        self.assertIsNone(cpu["time_loop"]["share_of_limit"])

    def test_without_a_vector_unit_there_is_no_limit(self):
        self.write()
        (cpu,) = self.report("config.toml", *QUICK, "--isa", "scalar", "--threads", "1")["backends"]
        self.assertEqual((cpu["isa"], cpu["threads"], cpu["limits"]["fmas_per_second"]), ("scalar", 1, None))
        table = self.bench("config.toml", *QUICK, "--isa", "scalar", "--threads", "1")
        self.assertNotIn("nan", table)
        self.assertRegex(table, r"\n  a step        [0-9]+ fma, [0-9]+ other operations, 1 div\n")

    def test_a_backend_that_is_named_twice_is_measured_once(self):
        self.write()
        self.assertEqual(len(self.report("config.toml", *QUICK, "--backends", "cpu,cpu")["backends"]), 1)

    def test_the_table(self):
        self.write(CONFIG + DENSITY)
        table = self.bench("config.toml", *QUICK, "-o", "figures.json")
        self.assertTrue(table.startswith("heavy-top by rattle (cayley), step 0.05, double precision; medians of 3, and quartiles\n"), table)
        self.assertEqual([line.split("  ")[1] for line in table.splitlines() if "steps/s, " in line], ["time loop", "final states", "density", "points"])
        self.assertEqual(json.loads((self.path / "figures.json").read_text())["polhode"], "bench")
        self.assertEqual(list(self.path.glob(".*.part")), [])

    def test_its_own_configuration_may_be_changed(self):
        report = self.report(*QUICK, "--set", "ensemble.count=64", "--set", "method.composition='yoshida4'", "--precision", "single")
        (cpu,) = report["backends"]
        self.assertEqual((report["method"], report["precision"], cpu["trajectories"]), ("rattle, yoshida4", "single", 64))
        # Of three stages.
        self.assertEqual(cpu["operations_per_step"]["divisions"], 3)

    def test_a_backend_that_is_not_there_says_why(self):
        backends = json.loads(self.polhode("list", "backends", "--json").stdout)
        if backends[2]["available"]:
            self.skipTest("there is a GPU")
        self.write()
        table = self.bench("config.toml", "--repeat", "3", "--steps", "10")
        self.assertEqual(table.splitlines()[-1], f"cuda: {backends[2]['meaning']}")
        report = self.report("config.toml", "--repeat", "3", "--steps", "10")
        self.assertEqual(report["backends"][1], {"backend": "cuda", "unavailable": backends[2]["meaning"]})
        result = self.polhode("bench", "config.toml", "--backends", "cuda", "-o", "none.json")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertEqual(result.stderr, f"polhode: backend cuda is unavailable ({backends[2]['meaning']}). Use --backends cpu.\n")
        self.assertFalse((self.path / "none.json").exists())

    def test_a_run_that_cannot_be_measured_is_named(self):
        many = STATISTICS.replace("100", "1") + "bins = 1000000\nrange = [[-2, 2], [0, 2]]\n"
        self.write(CONFIG + many)
        (cpu,) = self.report("config.toml", *QUICK)["backends"]
        statistics = cpu["whole_runs"][1]
        self.assertIn("does not fit into memory", statistics["problem"])
        self.assertEqual(set(statistics), {"recorded", "problem"})
        self.assertGreater(cpu["whole_runs"][2]["steps_per_second"]["median"], 0)

    def test_orbits_that_all_fail_have_no_speed(self):
        result = self.polhode("bench", *QUICK, "--set", "method.step=30", "--set", "ensemble.count=100", "-o", "none.json")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, "polhode: there is no speed to measure (no trajectory completes a step). Use a smaller step or other initial states.\n")
        self.assertEqual(list(self.path.iterdir()), [])

    def test_refusals_are_one_line_and_leave_nothing(self):
        self.write()
        (self.path / "there.json").write_text("mine")
        for arguments, words in (
            (["config.toml", "-o", "there.json"], "already exists"),
            (["-o", "bench.txt"], "ends in .json"),
            (["-o", "nowhere/bench.json"], "its folder does not exist or"),
            (["missing.toml"], "cannot read missing.toml"),
            (["--repeat", "0"], "not a positive integer"),
            (["--steps", "-1"], "not a positive integer"),
            (["--backends", "cud"], 'unknown value "cud"; nearest known: "cuda"'),
            (["--set", "method.step=0"], "method.step"),
            (["--set", "density.bins=[0, 1]"], "density.bins"),
            (["config.toml", "--unset", "density"], "cannot use --unset density"),
            (["--isa", "mmx"], "run.isa"),
        ):
            with self.subTest(arguments):
                result = self.polhode("bench", *arguments)
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertEqual((result.stdout, len(result.stderr.splitlines())), ("", 1), result.stderr)
                self.assertIn(words, result.stderr)
        self.assertEqual((self.path / "there.json").read_text(), "mine")
        self.assertEqual({path.name for path in self.path.iterdir()}, {"config.toml", "there.json"})

    def test_a_signal_ends_it_in_one_line(self):
        process = subprocess.Popen([PROGRAM, "bench", "--repeat", "1000", "-o", "figures.json"], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for_handler(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (130, ""))
        self.assertEqual(errors, "polhode: interrupted (a measurement writes its file at the end). Start it again, with a smaller --repeat.\n")
        self.assertEqual(list(self.path.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
