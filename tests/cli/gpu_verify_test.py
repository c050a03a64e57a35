#!/usr/bin/env python3
"""scripts/gpu-verify: it finds one bit that differs, and its stages work, here on tiny sizes and mostly on the CPU.

Run with POLHODE set to the program's path, in a build directory."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

PROGRAM = pathlib.Path(os.environ["POLHODE"])
SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
sys.dont_write_bytecode = True

from gpu_verify import report  # noqa: E402
from verification import compare, ensembles  # noqa: E402

# A program that integrates like polhode, but for one bit of one number on one instruction set. It lists one method only,
# since the test is none of polhode.
PLANTED = f"""#!{sys.executable}
import json, subprocess, sys
if sys.argv[1:3] == ["list", "methods"]:
    methods = json.loads(subprocess.run(["{PROGRAM}", *sys.argv[1:]], stdout=subprocess.PIPE).stdout)
    methods[0]["solvers"] = methods[0]["solvers"][:1]
    print(json.dumps(methods[:1]))
    sys.exit()
code = subprocess.run(["{PROGRAM}", *sys.argv[1:]]).returncode
if "scalar" in sys.argv or "cuda" in sys.argv:
    import h5py, numpy
    with h5py.File(sys.argv[sys.argv.index("-o") + 1], "r+") as file:
        states = file["final/state"]
        row = states[100]
        row.view("uint64")[3] ^= numpy.uint64(1)
        states[100] = row
sys.exit(code)
"""


# Two methods of the first system of each kind, by two solvers, unless POLHODE_TEST_ALL is set: kernels are compiled for
# the test, and what it tests are the stages.
FEW = f"""#!{sys.executable}
import json, os, subprocess, sys
if sys.argv[1:3] != ["list", "methods"]:
    os.execv("{PROGRAM}", ["{PROGRAM}", *sys.argv[1:]])
methods = json.loads(subprocess.run(["{PROGRAM}", *sys.argv[1:]], stdout=subprocess.PIPE).stdout)
few = []
for system in "heavy-top", "rigid-body-matrix", "henon-heiles", "j2-satellite-reduced":
    of_system = [method for method in methods if method["system"] == system]
    few += [of_system[0], of_system[-1]]
for method in few:
    method["solvers"] = method["solvers"][:2]
print(json.dumps(few))
"""


class InTemporaryFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def verify(self, bin, *options):
        environment = dict(os.environ)
        if not has_gpu():
            environment["CUDA_VISIBLE_DEVICES"] = ""  # a build without CUDA may be tested beside a GPU
        command = [SCRIPTS / "gpu-verify", "--quick", "--limit", "100000", "--bin", bin, "--out", self.path, *options]
        return subprocess.run(command, capture_output=True, text=True, env=environment)  # ctest has the limit of time

    def record(self):
        return json.loads(next(self.path.glob("*.json")).read_text())


def listed(topic, program=PROGRAM):
    process = subprocess.run([program, "list", topic, "--json"], capture_output=True, text=True, check=True)
    return json.loads(process.stdout)


def has_gpu():
    return {backend["name"]: backend["available"] for backend in listed("backends")}["cuda"]


class ComparisonTest(InTemporaryFolder):
    def files(self, a, b):
        for name, content in (("a", a), ("b", b)):
            with h5py.File(self.path / name, "w") as file:
                file["group/x"] = content
        return compare.differences(self.path / "a", self.path / "b")

    def test_equal_bits_agree_also_in_nan(self):
        values = numpy.array([[1.0, numpy.nan], [-0.0, 1e-320]])
        self.assertEqual(self.files(values, values), [])

    def test_one_bit_is_seen(self):
        for kind in ("float64", "float32", "int64", "uint8"):
            a = numpy.arange(24).astype(kind).reshape(8, 3)
            b = a.copy()
            b.view("uint8").reshape(-1)[a.itemsize * 7] ^= 1
            (line,) = self.files(a, b)
            self.assertRegex(line, r"^/group/x: 1 of 24 elements, first at 7: ")

    def test_the_sign_of_zero_is_seen(self):
        self.assertEqual(len(self.files(numpy.array([0.0]), numpy.array([-0.0]))), 1)

    def test_shape_type_text_and_absence_are_seen(self):
        self.assertEqual(self.files(numpy.zeros(2), numpy.zeros(3)), ["/group/x: float64[2] and float64[3]"])
        self.assertEqual(len(self.files(numpy.zeros(2), numpy.zeros(2, "float32"))), 1)
        self.assertEqual(self.files(["a", "b"], ["a", "c"]), ["/group/x: text differs"])
        with h5py.File(self.path / "a", "w") as file:
            file["y"] = 1.0
        self.assertEqual(compare.differences(self.path / "a", self.path / "b"),
                         ["/group/x is in one file only", "/y is in one file only"])

    def test_empty_datasets_agree(self):
        self.assertEqual(self.files(numpy.zeros((0, 6)), numpy.zeros((0, 6))), [])


class EnsembleTest(unittest.TestCase):
    ROD = {"name": "rod", "kind": "constrained", "columns": [{"name": name} for name in ("x", "y", "u", "v")],
           "layout": [{"form": "position", "first": 0, "size": 2}, {"form": "momentum", "first": 2, "size": 2}],
           "example": {"parameters": {"m": 2.0, "l": [3.0, 4.0]}, "state": [3.0, 4.0, -8.0, 6.0], "step": 0.1}}
    WHEEL = {"name": "wheel", "kind": "Lie-Poisson", "columns": [{"name": name} for name in ("p", "r", "c", "s")],
             "layout": [{"form": "momentum", "first": 0, "size": 2}, {"form": "unit vector", "first": 2, "size": 2}],
             "example": {"parameters": {"c": 2.0}, "state": [3.0, 4.0, 0.6, 0.8], "step": 0.1}}

    def expect_spread(self, states, example, columns, spread):
        # To within five standard errors.
        numpy.testing.assert_allclose(states[:, columns].std(axis=0), spread, rtol=0.04)
        numpy.testing.assert_allclose(states[:, columns].mean(axis=0), example[columns], atol=0.05 * spread)

    def test_an_unknown_system_is_not_passed_over(self):
        gyroscope = {name: value for name, value in self.ROD.items() if name != "layout"} | {"name": "gyroscope"}
        with self.assertRaisesRegex(ensembles.UnknownSystem, "system gyroscope has no layout"):
            ensembles.draw_states(gyroscope, 4)

    def test_positions_and_momenta_are_about_the_example(self):
        states = ensembles.draw_states(self.ROD, 10000)
        # Of the size of the components, sqrt(25 / 2) and sqrt(100 / 2).
        self.expect_spread(states, [3.0, 4.0, -8.0, 6.0], slice(0, 2), 1e-3 * 12.5**0.5)
        self.expect_spread(states, [3.0, 4.0, -8.0, 6.0], slice(2, 4), 0.5 * 50**0.5)

    def test_unit_vectors_are_of_length_one_and_the_first_momentum_is_on_the_section(self):
        states = ensembles.draw_states(self.WHEEL, 10000)
        self.expect_spread(states, [3.0, 4.0], slice(0, 1), 1e-3 * 12.5**0.5)
        self.expect_spread(states, [3.0, 4.0], slice(1, 2), 0.5 * 12.5**0.5)
        numpy.testing.assert_allclose(numpy.linalg.norm(states[:, 2:], axis=1), 1, rtol=1e-15)
        self.assertGreater(states[:, 2].std(), 0.2)

    def test_difficult_states_have_larger_momenta(self):
        for entry, momenta in ((self.ROD, slice(2, 4)), (self.WHEEL, slice(0, 2))):
            plain, difficult = (ensembles.draw_states(entry, 64, difficult) for difficult in (False, True))
            ratio = difficult / plain
            expected = numpy.ones((64, 4))
            expected[5::16, momenta] = 4
            expected[[7, 20, 33], momenta] = 3000
            numpy.testing.assert_allclose(ratio, expected, rtol=1e-15)

    def test_a_configuration_has_the_example_and_a_section_through_it(self):
        text = ensembles.configuration(self.ROD, "rattle", "newton", "states.h5", 10)
        for line in ("m = 2.0", "l = [3.0, 4.0]", "step = 0.1", 'name = "x"', "value = 3.0"):
            self.assertIn(f"\n{line}\n", text)
        self.assertIn("\nc = 2.0\n", ensembles.configuration(self.WHEEL, "rattle", "cayley", "states.h5", 10))
        self.assertIn("\nc = 0.0\n", ensembles.configuration(self.WHEEL, "moser-veselov", "cayley", "states.h5", 10))

    def test_an_older_program_is_described_by_a_newer_one(self):
        class Program:
            def __init__(self, systems):
                self.systems = systems

            def list(self, topic):
                method = {"name": "rattle", "solvers": [{"name": "newton"}]}
                return self.systems if topic == "systems" else [method | {"system": s["name"]} for s in self.systems]

        old = Program([{"name": "rod"}, {"name": "hoop"}])
        self.assertEqual(ensembles.pairs(old, described_by=Program([self.ROD])),
                         [(self.ROD, "rattle", "newton"), ({"name": "hoop"}, "rattle", "newton")])


class ReportTest(InTemporaryFolder):
    def test_stages_run_one_by_one_end_up_in_one_report(self):
        facts = {"date": "2026-01-02", "device": "NVIDIA H200", "driver": "1", "toolkit": "2", "compiler": "3",
                 "commit": "abc", "size": "normal", "gpu": {}, "host": {}}
        stage = {"passed": True, "seconds": 1, "problems": [], "skipped": [], "results": []}
        report.write(self.path, facts, {"tests": stage})
        path, page = report.write(self.path, facts, {"bits": {**stage, "passed": False}})
        self.assertEqual(path.name, "2026-01-02-nvidia-h200.json")
        self.assertEqual(json.loads(path.read_text())["stages"].keys(), {"tests", "bits"})
        self.assertIn("| bits | **failed** | 1 |", page.read_text())
        report.write(self.path, {**facts, "commit": "def"}, {"bits": stage})
        self.assertEqual(json.loads(path.read_text())["stages"].keys(), {"bits"})


    def test_the_page_sums_up(self):
        run = {"expected": "cpu", "found": "cuda", "trajectories": 10, "steps": 20, "failed": 3, "section_points": 40,
               "snapshots": 5}
        results = [{**run, "name": "a rattle newton double", "same": True}, {**run, "name": "b x y z", "same": True},
                   {**run, "name": "a rattle newton single", "same": False}]
        lines = report.bits(results)
        self.assertIn("| a | cpu, cuda | 2 | **1 differ** | 10 | 20 | 6 | 80 | 5 |", lines)
        self.assertIn("| b | cpu, cuda | 1 | same | 10 | 20 | 3 | 40 | 5 |", lines)
        notes = ["Every/Suite.Test/one: skipped (why)", "Every/Suite.Test/two: skipped (why)", "cuda: skipped (other)"]
        self.assertEqual(report.without_parameters(notes), ["Suite.Test: skipped (why), 2 times", "cuda: skipped (other)"])


class GpuVerifyTest(InTemporaryFolder):
    def bin_with_few(self):
        """A folder like the program's, in which it lists few methods."""
        folder = self.path / "bin"
        folder.mkdir()
        for entry in PROGRAM.parent.iterdir():
            if entry.name != "polhode":
                (folder / entry.name).symlink_to(entry)
        (folder / "polhode").write_text(FEW)
        (folder / "polhode").chmod(0o755)
        return folder

    def test_every_stage_runs(self):
        bin = PROGRAM.parent if "POLHODE_TEST_ALL" in os.environ else self.bin_with_few()
        process = self.verify(bin)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        record = self.record()
        self.assertEqual(list(record["stages"]),
                         ["bits", "examples", "tests", "sanitizer", "throughput", "shares", "peers", "files"])
        methods = listed("methods", bin / "polhode")
        runs = {result["name"] for result in record["stages"]["bits"]["results"]}
        self.assertEqual(runs, {f"{method['system']} {method['name']} {solver['name']} {precision}" for method in methods
                                for solver in method["solvers"] for precision in ("double", "single")})
        kinds = {system["name"]: system["kind"] for system in listed("systems")}
        looked_at = {result["name"].split()[0] for result in record["stages"]["sanitizer"]["results"]}
        self.assertEqual(sorted(kinds[system] for system in looked_at),
                         sorted({kinds[method["system"]] for method in methods}))
        if not has_gpu():
            skips = record["stages"]["bits"]["skipped"]
            self.assertTrue(any(skip.startswith("cuda: skipped (") for skip in skips), skips)
        self.assertIn("| bits | passed |", next(self.path.glob("*.md")).read_text())
        self.assertGreater(record["stages"]["examples"]["results"][0]["promises"], 0)

    def test_a_planted_bit_fails_its_stage_and_the_next_one_still_runs(self):
        planted = self.path / "bin" / "polhode"
        planted.parent.mkdir()
        planted.write_text(PLANTED)
        planted.chmod(0o755)
        process = self.verify(planted.parent, "--only", "bits", "--only", "sanitizer")
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        stages = self.record()["stages"]
        self.assertEqual(len(stages["bits"]["problems"]), 2)  # in double and in single precision
        for problem in stages["bits"]["problems"]:
            self.assertIn("differ in /final/state: 1 of 1542 elements, first at 603", problem)
        self.assertTrue(stages["sanitizer"]["results"])

    def test_what_cannot_begin_says_so_in_one_line(self):
        process = self.verify(self.path)
        self.assertEqual(process.returncode, 2)
        self.assertEqual(process.stderr, f"gpu-verify: cannot verify {self.path} (it holds no polhode). Give --bin DIR.\n")


if __name__ == "__main__":
    unittest.main()
