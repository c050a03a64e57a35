#!/usr/bin/env python3
"""What users build on an installed polhode: polhode::core and polhode::files as they link them, with examples/ensemble.cpp,
and a package of a system of their own.

Run with POLHODE_BUILD set to the folder in which polhode was built, and POLHODE_HAVE_CORE to whether it has libraries."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import h5py

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from command_line import datasets, paths_with_content  # noqa: E402
from staged import ROOT, Stage  # noqa: E402

HAVE_CORE = os.environ["POLHODE_HAVE_CORE"] == "ON"
of_libraries = unittest.skipUnless(HAVE_CORE, "this build has no libraries")

# The run of files.cpp.
PENDULA = """
[system]
name = "spherical-pendulum"
m = 1.0
l = 1.5
[method]
name = "rattle"
step = 0.01
[ensemble]
from = "random"
distribution = "canonical"
count = 500
temperature = 0.7
[run]
steps = 300
[section]
name = "q1x"
where = "q1z < 0.5"
[record]
snapshots = 100
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


def run(*command, cwd, **keywords):
    return subprocess.run(list(map(str, command)), cwd=cwd, env=installed.environment, capture_output=True, check=True, **keywords).stdout


def setUpModule():
    """Builds the project."""
    global installed, project, build
    installed = Stage()
    unittest.addModuleCleanup(installed.remove)
    project = installed.path / "project"
    build = project / "build"
    shutil.copytree(ROOT / "examples/own_system", project)
    for source in (ROOT / "examples/ensemble.cpp", *(ROOT / "tests/installed" / name for name in ("CMakeLists.txt", "refusals.cpp", "files.cpp"))):
        shutil.copy(source, project)
    (project / "parts").mkdir()
    (project / "parts/part.hpp").write_text("#pragma once\n")
    header = project / "neumann.hpp"
    header.write_text('#include "parts/part.hpp"\n' + header.read_text())
    installed.must("cmake", "-B", build, f"-DCMAKE_PREFIX_PATH={installed.path}/polhode", f"-DLIBRARIES={'ON' if HAVE_CORE else 'OFF'}", cwd=project)
    done = subprocess.run(["cmake", "--build", build], env=with_cache("cache"), text=True, capture_output=True)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)


def with_cache(name, **changed):
    """The environment with a cache of kernels in the project."""
    environment = installed.environment | {"POLHODE_CACHE": str(project / name)} | changed
    environment.pop("POLHODE_NO_COMPILE", None)
    return environment


class Package(unittest.TestCase):
    def polhode(self, *arguments, **changed):
        return subprocess.run(["polhode", *map(str, arguments)], cwd=project, env=with_cache(**{"name": "cache"} | changed), text=True, capture_output=True)

    def result(self, *arguments, **changed):
        """What a run of the system has computed, as bytes."""
        done = self.polhode("run", "neumann.toml", "-o", "out.h5", "--force", "--backend", "cpu", "--isa", "scalar", "--set", "run.steps=100", *arguments, **changed)
        self.assertEqual(done.returncode, 0, done.stderr)
        if "--no-compile" in arguments:
            self.assertEqual(done.stderr, "")
        with h5py.File(project / "out.h5") as file:
            return {name: file[name][()].tobytes() for name in ("final/state", "section/state", "section/time", "invariants/max_drift")}

    def test_runs_without_a_compiler(self):
        methods = json.loads(self.polhode("list", "methods", "--json", "--system", "neumann.hpp").stdout)
        for method in ("rattle", "gauss"):
            self.assertIn(method, [entry["name"] for entry in methods if entry["system"] == "neumann"])
            choice = ("--set", f"method.name={method}")
            kept = self.result("--no-compile", "--system", build / "packaged/neumann.hpp", *choice, name="empty", POLHODE_COMPILER="/bin/false")
            self.assertEqual(self.result(*choice), kept)


@of_libraries
class Libraries(unittest.TestCase):
    def test_no_library_of_files_or_machines_is_loaded(self):
        for name in ("ensemble", "libinside.so"):
            loaded = run("ldd", build / name, cwd=project, text=True)
            self.assertIn("libc.so", loaded)
            self.assertNotRegex(loaded, "(?i)hdf5|mpi|toml")
        self.assertRegex(run("ldd", installed.path / "polhode/bin/polhode", cwd=project, text=True), "(?i)hdf5")

    def test_nothing_is_printed_and_no_signal_handled(self):
        archives = sorted((installed.path / "polhode").glob("lib*/**/libpolhode_*.a"))
        archives = [archive for archive in archives if archive.name not in ("libpolhode_runs.a", "libpolhode_rank.a")]
        self.assertGreaterEqual(len(archives), 2)  # core, units
        names = "".join(run("nm", "-C", "--undefined-only", archive, cwd=project, text=True) for archive in archives)
        self.assertIn("operator new", names)
        # Broken contracts, of debug builds, are printed.
        self.assertNotRegex(names, r"(?m) U (H5\w+|MPI_\w+|sigaction|signal|isatty|f?puts|v?f?printf|fwrite|fputc|perror|fmt::v\d+::v?print\(.*|std::cout|std::cerr)(@|$)")


@of_libraries
class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = installed.path / "empty"
        cls.folder.mkdir()
        cls.lines = run(build / "ensemble", cwd=cls.folder, text=True).splitlines()

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
        (project / "tops.toml").write_text(TOPS)
        run("polhode", "run", "tops.toml", "--force", cwd=project)
        arrays = dict(re.findall(r"^  (/\S+) (.+)$", "\n".join(self.lines), re.M))
        with h5py.File(project / "tops.h5") as file:
            datasets = {f"/{name}": file[name][()] for name in paths_with_content(file)}
        self.assertEqual(arrays.keys(), datasets.keys())
        self.assertGreater(datasets["/section/time"].size, 10000)
        for name, value in datasets.items():
            kind, *shape = arrays[name].split()
            self.assertEqual((TYPES[kind], tuple(map(int, shape))), (str(value.dtype), value.shape), name)
        expected = b"".join(value.tobytes() if value.dtype != object else b"".join(text + b"\n" for text in value) for value in datasets.values())
        self.assertTrue(run(build / "ensemble", *datasets, cwd=project) == expected)


@of_libraries
class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = installed.path / "files"
        cls.folder.mkdir()
        cls.lines = run(build / "files", cwd=cls.folder, text=True).splitlines()
        (cls.folder / "pendula.toml").write_text(PENDULA)
        cls.polhode("pendula.toml", "-o", "command.h5")

    @classmethod
    def polhode(cls, *arguments):
        run("polhode", "run", *arguments, cwd=cls.folder)

    def expect_same(self, a, b):
        files = [datasets(self.folder / name) for name in (a, b)]
        self.assertGreater(len(files[0]["section/time"][2]), 1000)
        self.assertEqual(*files)

    def test_a_file_is_that_of_the_command(self):
        self.expect_same("whole.h5", "command.h5")

    def test_stops_and_goes_on(self):
        self.assertIn("stopped 1", self.lines)
        self.assertIn("resumed 1", self.lines)
        self.expect_same("resumed.h5", "command.h5")
        self.assertFalse((self.folder / "resumed.h5.part").exists())

    def test_what_a_caller_throws_is_the_callers(self):
        self.assertIn("thrown mine", self.lines)

    def test_an_existing_file_is_kept(self):
        self.assertIn("refused 2 ", "\n".join(self.lines))

    def test_states_without_a_shape_are_refused(self):
        self.assertIn("shapeless 2", self.lines)
        self.assertFalse((self.folder / "shapeless.h5.part").exists())

    def test_starts_are_read(self):
        self.assertIn("read 1", self.lines)

    def test_the_configuration_in_the_file_is_one_of_the_same_run(self):
        with h5py.File(self.folder / "whole.h5") as file:
            (self.folder / "again.toml").write_text(file.attrs["config"])
        self.polhode("again.toml")
        self.expect_same("again.h5", "command.h5")


@of_libraries
class Refusals(unittest.TestCase):
    def test_are_worded_as_on_the_command_line(self):
        refused = run(build / "refusals", cwd=project, text=True).splitlines()
        self.assertEqual(len(refused), len(BAD))
        for keys, line in zip(BAD, refused):
            if line.startswith("0 ") and keys == {"run.backend": '"cuda"'}:
                continue  # there is a GPU
            (project / "bad.toml").write_text("".join(f"{key} = {value}\n" for key, value in (GOOD | keys).items() if value is not None))
            done = installed.run("polhode", "run", "bad.toml", cwd=project)
            self.assertNotEqual(done.returncode, 0, line)
            self.assertEqual(f"polhode: {line.split(' ', 1)[1]}\n", done.stderr)
            self.assertEqual(int(line.split()[0]), done.returncode, line)


if __name__ == "__main__":
    unittest.main()
