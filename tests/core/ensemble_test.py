#!/usr/bin/env python3
"""polhode::core as a user links it: examples/ensemble.cpp against a staged installation.

Run with POLHODE_BUILD set to the folder in which polhode was built."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import h5py

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["POLHODE_BUILD"])

# `inside` is what a Python module would be. Sources of a project see nothing but what is installed.
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(ensemble LANGUAGES CXX)
find_package(polhode REQUIRED)
add_executable(ensemble ensemble.cpp)
add_executable(refusals refusals.cpp)
add_library(inside SHARED ensemble.cpp)
foreach(target ensemble refusals inside)
  target_link_libraries(${target} PRIVATE polhode::core)
endforeach()
target_link_options(inside PRIVATE -Wl,-z,defs -Wl,-z,text)
"""

# The run of the example, as a configuration.
TOPS = """
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "random"
distribution = "microcanonical"
count = 10000
energy = 1.0
[run]
steps = 400
[section]
name = "gamma3"
[statistics]
every = 50
observables = ["gamma3"]
bins = 20
range = [[-1, 1]]
"""

# Those of refusals.cpp: keys that are set, in a good configuration.
GOOD = {"system.name": '"heavy-top"', "system.alpha": "[0.44, 0.5, 1.0]", "method.name": '"rattle"', "method.step": "0.05",
        "ensemble.from": '"states"', "ensemble.states": "[[1, 0.5, -0.64, 0.6, 0, 0.8]]", "run.steps": "10"}
BAD = [{"system.name": '"heavy-tap"'}, {"system.alpha": "[0.44, -0.5, 1.0]"}, {"method.name": '"verlet"'}, {"method.step": None}, {"run.steps": "0"},
       {"section.name": '"gamma4"'}, {"ensemble.states": "[[1, 0, 0, 0, 0, 5]]"}, {"run.backend": '"reference"', "run.precision": '"single"'},
       {"run.backend": '"cuda"'}]

TYPES = {"float64": "float64", "int64": "int64", "uint8": "uint8", "text": "object"}


def run(*command, **keywords):
    return subprocess.run(list(map(str, command)), capture_output=True, check=True, **keywords).stdout


def setUpModule():
    global stage
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    stage = pathlib.Path(folder.name)
    (stage / "CMakeLists.txt").write_text(PROJECT)
    for source in (ROOT / "examples/ensemble.cpp", ROOT / "tests/core/refusals.cpp"):
        (stage / source.name).write_bytes(source.read_bytes())
    for command in (["--install", BUILD, "--prefix", stage / "polhode"], ["-B", "build", f"-DCMAKE_PREFIX_PATH={stage}/polhode"], ["--build", "build"]):
        done = subprocess.run(["cmake", *map(str, command)], cwd=stage, text=True, capture_output=True)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)


class Libraries(unittest.TestCase):
    def test_no_library_of_files_or_machines_is_loaded(self):
        for name in ("ensemble", "libinside.so"):
            loaded = run("ldd", stage / "build" / name, text=True)
            self.assertIn("libc.so", loaded)
            self.assertNotRegex(loaded, "(?i)hdf5|mpi|toml")
        self.assertRegex(run("ldd", stage / "polhode/bin/polhode", text=True), "(?i)hdf5")

    def test_nothing_is_printed_and_no_signal_handled(self):
        archive = next((stage / "polhode").glob("lib*/**/libpolhode_core.a"))
        names = run("nm", "-C", "--undefined-only", archive, text=True)
        self.assertIn("realloc", names)
        # Broken contracts, of debug builds, are printed.
        self.assertNotRegex(names, r"(?m) U (H5\w+|MPI_\w+|sigaction|signal|isatty|puts|printf|fwrite|std::cout|std::cerr)(@|$)")


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = stage / "empty"
        cls.folder.mkdir()
        cls.lines = run(stage / "build/ensemble", cwd=cls.folder, text=True).splitlines()

    def test_runs_twice_with_the_same_bits(self):
        self.assertRegex(self.lines[0], "^10000 trajectories of heavy-top by rattle, 400 steps, on ")
        self.assertIn("again, with the same bits: yes", self.lines)

    def test_stops_where_it_is_told(self):
        found = re.search(r"^stopped at step (\d+) of 400, 0 arrays$", "\n".join(self.lines), re.M)
        self.assertTrue(found, self.lines)
        self.assertTrue(0 < int(found[1]) < 400)

    def test_refuses_with_an_exit_code(self):
        self.assertRegex(self.lines[-1], r"^refused, exit code 2: cannot use method\.step = ")

    def test_leaves_no_file(self):
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_arrays_are_those_of_the_file(self):
        (stage / "tops.toml").write_text(TOPS)
        run(stage / "polhode/bin/polhode", "run", "tops.toml", "--force", cwd=stage)
        arrays = dict(re.findall(r"^  (/\S+) (.+)$", "\n".join(self.lines), re.M))
        with h5py.File(stage / "tops.h5") as file:
            datasets = {}
            file.visititems(lambda name, node: datasets.update({f"/{name}": node[()]} if isinstance(node, h5py.Dataset) else {}))
        self.assertEqual(arrays.keys(), datasets.keys())
        self.assertGreater(datasets["/section/time"].size, 10000)
        for name, value in datasets.items():
            kind, *shape = arrays[name].split()
            self.assertEqual((TYPES[kind], tuple(map(int, shape))), (str(value.dtype), value.shape), name)
        expected = b"".join(value.tobytes() if value.dtype != object else b"".join(text + b"\n" for text in value) for value in datasets.values())
        self.assertTrue(run(stage / "build/ensemble", *datasets) == expected)


class Refusals(unittest.TestCase):
    def test_are_worded_as_on_the_command_line(self):
        refused = run(stage / "build/refusals", text=True).splitlines()
        self.assertEqual(len(refused), len(BAD))
        for keys, line in zip(BAD, refused):
            if line.startswith("0 ") and keys == {"run.backend": '"cuda"'}:
                continue  # there is a GPU
            (stage / "bad.toml").write_text("".join(f"{key} = {value}\n" for key, value in (GOOD | keys).items() if value is not None))
            done = subprocess.run([stage / "polhode/bin/polhode", "run", "bad.toml"], cwd=stage, text=True, capture_output=True)
            self.assertNotEqual(done.returncode, 0, line)
            self.assertEqual(f"polhode: {line.split(' ', 1)[1]}\n", done.stderr)
            self.assertEqual(int(line.split()[0]), done.returncode, line)


if __name__ == "__main__":
    unittest.main()
