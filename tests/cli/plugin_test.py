#!/usr/bin/env python3
"""A user's own system: the tutorial command by command, the example, and what is refused.

Plugins are built against a staged installation. Run with POLHODE_BUILD set to the folder in which polhode was built."""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import numpy

from staged import BUILD, ROOT, Stage

METHODS = ["rattle", "rattle-tn", "shake", "constraint-euler", "constraint-euler-adjoint"]
SOLVERS = ["newton", "newton-secant", "psi-form"]


def setUpModule():
    global installed, stage, environment
    installed = Stage()
    unittest.addModuleCleanup(installed.remove)
    stage, environment = installed.path, installed.environment
    build_plugins()


def run(*command, cwd, **keywords):
    return installed.run(*command, cwd=cwd, **keywords)


# Every plugin by itself is a project as a user writes one. Together they are configured once, share what they compile
# in common, and have two processors busy. What no test looks at is not compiled.
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(plugins LANGUAGES CXX)
set(POLHODE_PRECISIONS double)
add_subdirectory(example)
set(POLHODE_INSTRUCTION_SETS avx2)
add_subdirectory(charged)
add_subdirectory(gyrating)
add_subdirectory(rotor)
add_subdirectory(pendulum)
set(POLHODE_INSTRUCTION_SETS scalar)
add_subdirectory(wrong)
set(CMAKE_DISABLE_FIND_PACKAGE_Eigen3 ON)
add_subdirectory(two)
"""


def build_plugins():
    """Without nvcc, into plugins/build."""
    global plugins
    plugins = stage / "plugins"
    shutil.copytree(ROOT / "examples/own_system", plugins / "example")
    write_charged(plugins / "charged")
    write_gyrating(plugins / "gyrating")
    write_rotor(plugins / "rotor")
    write_pendulum(plugins / "pendulum")
    write_wrong(plugins / "wrong")
    commands = [["polhode-new-system", "neumann-2", plugins / "two"], ["cmake", "-B", "build"], ["cmake", "--build", "build"]]
    (plugins / "CMakeLists.txt").write_text(PROJECT)
    for command in commands:
        installed.must(*command, cwd=plugins)


def write_charged(folder):
    """The program's magnetic pendulum under another name."""
    folder.mkdir()
    header = (ROOT / "include/polhode/system/magnetic_pendulum.hpp").read_text()
    (folder / "charged.hpp").write_text(header.replace("MagneticPendulum", "Charged").replace("magnetic-pendulum", "charged"))
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(charged LANGUAGES CXX)\nfind_package(polhode REQUIRED)\n"
                                           "polhode_add_system(charged HEADER charged.hpp TYPE Charged MAP constraint_algorithm)\n")


GYRATING = """
#include "polhode/system/canonical_system.hpp"

// A charge in a plane, in a magnetic field across it and a harmonic well: no constraints, and no kinetic energy of p alone.
struct GyratingPhysics {
  static constexpr const char* name = "gyrating";
  static constexpr const char* meaning = "a charge in a magnetic field and a well";
  static constexpr int N = 2, D = 0;
  static constexpr std::array<polhode::Quantity, 4> columns{
      {{"q1", "1", "position"}, {"q2", "1", "position"}, {"p1", "1", "momentum"}, {"p2", "1", "momentum"}}};
  static constexpr std::array<double, 0> example_parameters{};
  static constexpr double example_step = 0.05;
  static void example_state(const double*, double* x) {
    constexpr double state[] = {0.6, -0.2, 0.3, 0.8};
    for (int i = 0; i < 4; ++i) x[i] = state[i];
  }
  template <class T>
  struct Equations {
    POLHODE_HD explicit Equations(const double*) {}
    POLHODE_HD T hamiltonian(const polhode::Vec<T, 2>& q, const polhode::Vec<T, 2>& p) const {
      const T half(polhode::Real<T>(0.5)), b(polhode::Real<T>(0.7));
      const polhode::Vec<T, 2> v{p[0] + b * q[1], p[1] - b * q[0]};
      return half * (dot(v, v) + dot(q, q));
    }
    POLHODE_HD T angular_momentum(const polhode::Vec<T, 2>& q, const polhode::Vec<T, 2>& p) const {
      return q[0] * p[1] - q[1] * p[0];
    }
    static constexpr polhode::ConservedRow<Equations, T, 2> conserved[1] = {
        {{"angular_momentum", "1", "q x p"}, &Equations::angular_momentum}};
  };
};
using Gyrating = polhode::CanonicalSystem<GyratingPhysics>;
"""


def write_gyrating(folder):
    """A canonical system with any H, and the step map for such."""
    folder.mkdir()
    (folder / "gyrating.hpp").write_text("#pragma once\n" + GYRATING)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(gyrating LANGUAGES CXX)\nfind_package(polhode REQUIRED)\n"
                                           "polhode_add_system(gyrating HEADER gyrating.hpp TYPE Gyrating MAP runge_kutta)\n")


ROTOR = """
[system]
name = "rotor"
k = 1.0

[method]
name = "stoermer-verlet"
step = 0.1

[ensemble]
from = "states"
states = [[0.3, 0.5, 2.1, 0.2], [0.3, 0.1, -2.5, 0.4], [20.0, -0.3, 0.5, 0.1], [-100.0, 0.3, 3.5, 0.0]]

[run]
steps = 2000

[section]
name = "x"
direction = "both"
"""
TURN = "[-3.141592653589793, 3.141592653589793]"


def write_rotor(folder):
    """A system with an angle that counts turns."""
    folder.mkdir()
    shutil.copy(ROOT / "tests/support/rotor.hpp", folder)
    (folder / "rotor.toml").write_text(ROTOR)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(rotor LANGUAGES CXX)\nfind_package(polhode REQUIRED)\n"
                                           "polhode_add_system(rotor HEADER rotor.hpp TYPE Rotor MAP kick_drift)\n")


PENDULUM = """
[system]
name = "own-pendulum"
weight = 1.0

[method]
name = "gauss"
stages = 3
step = 0.05

[ensemble]
from = "states"
states = [[0.8, 0.2, 0.1, 0.3], [0.8, -3.0, -0.4, 0.3]]   # tilt theta p_tilt mu

[run]
steps = 2000
"""


def write_pendulum(folder):
    """A cyclic coordinate: one description, a plugin on all coordinates and one that is reduced."""
    folder.mkdir()
    shutil.copy(ROOT / "tests/support/own_pendulum.hpp", folder)
    (folder / "own.toml").write_text(PENDULUM)
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(pendulum LANGUAGES CXX)\nfind_package(polhode REQUIRED)\n"
                                           "polhode_add_system(pendulum HEADER own_pendulum.hpp TYPE OwnPendulum MAP runge_kutta partitioned_collocation)\n"
                                           "polhode_add_system(pendulum_reduced HEADER own_pendulum.hpp TYPE OwnPendulumReduced MAP partitioned_collocation discrete_routh_map)\n")


def write_wrong(folder):
    """The example under another name, with a derivative that is wrong by a millionth."""
    shutil.copytree(ROOT / "examples/own_system", folder)
    for name, right, wrong in (("neumann.hpp", '"neumann"', '"neumann-wrong"'), ("neumann.toml", '"neumann"', '"neumann-wrong"'),
                               ("neumann.hpp", "return hadamard(a, q);", "return number(1 + 1e-6) * hadamard(a, q);"),
                               ("CMakeLists.txt", "polhode_add_system(neumann ", "polhode_add_system(neumann_wrong ")):
        text = (folder / name).read_text()
        assert text.count(right) == 1, (name, right)
        (folder / name).write_text(text.replace(right, wrong))


def results(path):
    """What a run has computed, as bytes."""
    with h5py.File(path) as file:
        return {name: file[name][()].tobytes() for name in ("final/state", "section/state", "section/time", "invariants/max_drift")}


class Example(unittest.TestCase):
    """examples/own_system, built for every instruction set."""

    @classmethod
    def setUpClass(cls):
        cls.folder = plugins / "example"
        cls.plugin = plugins / "build/example/libneumann.so"

    def polhode(self, *arguments, **keywords):
        return run("polhode", *arguments, cwd=self.folder, **keywords)

    def example(self, name, *arguments, backend="cpu"):
        done = self.polhode("run", "--plugin", self.plugin, "neumann.toml", "-o", name, "--force", "--backend", backend, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("failed", done.stdout)
        return self.folder / name

    def expect_error(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertRegex(done.stderr, r"^polhode: .+ \(.+\)\. .+\.$")
        for word in words:
            self.assertIn(word, done.stderr)

    def expect_refused(self, plugin, *words, before=()):
        files = sorted(self.folder.rglob("*"))
        options = [word for file in (*before, plugin) for word in ("--plugin", file)]
        self.expect_error(self.polhode("run", *options, "neumann.toml", "-o", "none.h5"), 2, "plugin", *words)
        self.expect_error(self.polhode("list", "systems", *options), 2, "plugin", *words)
        self.assertEqual(sorted(self.folder.rglob("*")), files, "something was left behind")

    def test_same_bits_for_any_instruction_set_threads_and_segments(self):
        more = [("--threads", "1"), ("--threads", "3"), ("--set", "run.segment=17")]
        isas = json.loads(self.polhode("list", "backends", "--json").stdout)[1]["isa"]
        steps = ("--set", "run.steps=3000")
        for method in METHODS:
            for solver in SOLVERS:
                chosen = ("--set", f"method.name={method}", "--set", f"method.solver={solver}", *steps)
                if method == "shake":  # its momenta have no section
                    chosen += ("--set", "section.name=x")
                expected = results(self.example("bits.h5", *chosen))
                self.assertGreater(len(expected["section/time"]), 100)
                for i in range(max(len(isas), len(more))):  # each of both at least once
                    variant = ("--isa", isas[i % len(isas)], *more[i % len(more)])
                    self.assertEqual(results(self.example("again.h5", *chosen, *variant)), expected, (method, solver, variant))

    def test_reference_agrees_and_integrals_are_kept_to_second_order(self):
        steps = ("--set", "run.steps=200")
        with h5py.File(self.example("cpu.h5", *steps)) as fast, h5py.File(self.example("ref.h5", *steps, backend="reference")) as slow:
            self.assertEqual(slow.attrs["backend"], "reference")
            difference = abs(fast["final/state"][:] - slow["final/state"][:]).max()
            # Round-off of 200 steps, some 1e-16 each; 1.1e-14 measured.
            self.assertLess(difference, 2e-13)
            self.assertGreater(difference, 0)  # another computation
        drifts = []
        for h, n in ((0.02, 5000), (0.01, 10000)):
            with h5py.File(self.example("drift.h5", "--set", f"method.step={h}", "--set", f"run.steps={n}")) as file:
                names = [name.decode() for name in file["invariants/names"]]
                self.assertEqual(names, ["energy", "uhlenbeck_1", "uhlenbeck_2", "constraint"])
                drifts.append(file["invariants/max_drift"][:].max(axis=0))
        ratio = drifts[0][:3] / drifts[1][:3]
        self.assertTrue(((3.8 < ratio) & (ratio < 4.2)).all(), ratio)  # h^2, and terms of h^4 that are small here
        self.assertLess(drifts[0][3], 1e-14)

    def test_lists_and_files_say_where_a_system_comes_from(self):
        systems = json.loads(self.polhode("list", "systems", "--json", "--plugin", self.plugin).stdout)
        self.assertEqual([system["name"] for system in systems if "plugin" in system], ["neumann"])
        self.assertEqual(systems[-1]["plugin"], "libneumann.so")
        methods = json.loads(self.polhode("list", "methods", "--json", "--plugin", self.plugin).stdout)
        self.assertEqual([method["name"] for method in methods if method["system"] == "neumann"], METHODS)
        self.assertEqual({len(method["solvers"]) for method in methods if method["system"] == "neumann"}, {len(SOLVERS)})
        self.assertNotIn("neumann", self.polhode("list", "systems").stdout)
        path = self.example("info.h5", "--set", "run.steps=10")
        self.assertRegex(self.polhode("info", path).stdout, r"plugin +libneumann\.so, checksum [0-9a-f]{16}")

    def test_a_configuration_names_its_plugin(self):
        """Relative to its folder, for all commands; a result runs again as it says, and --plugin may name the same file."""
        steps = ("--set", "run.steps=100")
        expected = results(self.example("option.h5", *steps))
        library = f"../build/example/{self.plugin.name}"
        config = self.folder / "named.toml"
        config.write_text((self.folder / "neumann.toml").read_text().replace("[system]\n", f'[system]\nplugin = "{library}"\n'))
        for name, source, options in (("key.h5", config, ()), ("both.h5", config, ("--plugin", self.plugin)), ("again.h5", self.folder / "key.h5", ())):
            done = run("polhode", "run", source, *options, "-o", self.folder / name, "--force", "--backend", "cpu", *steps, cwd=stage)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(results(self.folder / name), expected, name)
        for command in (("crosscheck", config, "--steps", "20", "--trajectories", "2"), ("order", config, "--trajectories", "2", "--steps", "64")):
            done = run("polhode", *command, cwd=stage)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        missing = ("--set", "system.plugin=missing.so")
        self.expect_error(run("polhode", "run", config, *missing, cwd=stage), 2, "cannot use the plugin", "no such file")

    def test_without_its_plugin_a_configuration_says_what_is_missing(self):
        self.expect_error(self.polhode("run", "neumann.toml", "-o", "none.h5"), 2, 'unknown system "neumann"', "--plugin or system.plugin")

    def test_what_was_not_compiled_is_unavailable(self):
        done = self.polhode("run", "--plugin", self.plugin, "neumann.toml", "-o", "none.h5", "--backend", "cpu", "--precision", "single")
        self.expect_error(done, 3, "precision", "libneumann.so was built without it")
        done = self.polhode("crosscheck", "--plugin", self.plugin, "neumann.toml", "--with-single", "--steps", "10")
        self.expect_error(done, 3, "precision", "libneumann.so was built without it")
        self.expect_error(self.polhode("run", "--plugin", self.plugin, "neumann.toml", "-o", "none.h5", "--backend", "cuda"), 3, "cuda")
        self.assertFalse((self.folder / "none.h5").exists())

    def test_files_that_are_no_plugins_are_refused(self):
        self.expect_refused(self.folder / "missing.so", "no such file")
        self.expect_refused("libneumann.so", "no such file")  # not looked for among the system's libraries
        self.expect_refused(self.folder, "no file")
        self.expect_refused(self.folder / "neumann.toml", "neumann.toml")
        library = run("gcc", "-print-file-name=libm.so.6", cwd=self.folder).stdout.strip()
        self.expect_refused(library, "no plugin")
        self.expect_refused(self.plugin, "already", before=[self.plugin])

    def test_another_version_is_refused(self):
        header = (stage / "polhode/share/polhode/plugin/interface_hash.hpp").read_text()
        own = re.search(r'"([0-9a-f]{16})"', header)[1]
        other = self.folder / "other.so"
        code = self.plugin.read_bytes()
        self.assertEqual(code.count(own.encode()), 1)
        other.write_bytes(code.replace(own.encode(), b"0123456789abcdef"))
        self.addCleanup(other.unlink)
        self.expect_refused(other, "another version", own, "0123456789abcdef")

    def test_two_plugins(self):
        source = plugins / "two"
        both = ("--plugin", self.plugin, "--plugin", plugins / "build/two/libneumann_2.so")
        systems = json.loads(self.polhode("list", "systems", "--json", *both).stdout)
        self.assertEqual([system.get("plugin") for system in systems[-2:]], ["libneumann.so", "libneumann_2.so"])
        done = self.polhode("run", *both, source / "neumann_2.toml", "-o", "two.h5", "--set", "run.steps=100", "--backend", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("scalar", done.stdout)
        self.expect_error(self.polhode("run", *both, source / "neumann_2.toml", "-o", "none.h5", "--isa", "avx2", "--backend", "cpu"), 3, "avx2", "--isa scalar")
        self.expect_error(self.polhode("run", *both, source / "neumann_2.toml", "-o", "none.h5", "--backend", "reference"), 3, "libneumann_2.so was built without Eigen")

    def test_maps_with_a_method_in_common_are_refused(self):
        for maps, method in (("kick_drift kick_drift", "splitting"), ("constrained_motion constraint_algorithm", "rattle")):
            folder = plugins / "twice"
            write_charged(folder)
            self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
            project = folder / "CMakeLists.txt"
            project.write_text(project.read_text().replace("MAP constraint_algorithm", f"MAP {maps}"))
            done = run("cmake", "-B", "build", cwd=folder)
            self.assertNotEqual(done.returncode, 0)
            # CMake breaks lines where it likes.
            self.assertIn(f"polhode_add_system(charged MAP {maps}): {method} would be there twice. Leave out one of its maps.", " ".join(done.stderr.split()))
            shutil.rmtree(folder)

    def test_resume_needs_the_same_plugin(self):
        command = ["polhode", "run", "--plugin", str(self.plugin), "neumann.toml", "-o", "long.h5", "--backend", "cpu", "--set", "run.checkpoint=0"]
        command += ["--set", "run.steps=3000000"]
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = self.folder / "long.h5.part"
        deadline = time.time() + 60
        while not (part / "checkpoint").exists() and process.poll() is None and time.time() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertTrue((part / "checkpoint").exists(), "the run ended before it was killed")
        changed = self.folder / "changed/libneumann.so"
        changed.parent.mkdir()
        changed.write_bytes(self.plugin.read_bytes() + b"\0")  # bytes past the end of a library mean nothing
        arguments = command[4:] + ["--resume"]
        self.expect_error(run("polhode", "run", "--plugin", changed, *arguments, cwd=self.folder), 2, "cannot resume", "checksum")
        done = run("polhode", "run", "--plugin", self.plugin, *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        resumed = results(self.folder / "long.h5")
        self.assertEqual(results(self.example("whole.h5", "--set", "run.steps=3000000")), resumed)

    def test_a_plugin_shows_its_table_alone(self):
        symbols = run("nm", "--dynamic", "--defined-only", self.plugin, cwd=self.folder).stdout.split("\n")
        self.assertEqual([line.split()[-1] for line in symbols if line], ["polhode_plugin"])
        self.assertNotIn("UNIQUE", run("readelf", "--symbols", "--wide", self.plugin, cwd=self.folder).stdout)
        objects = list((plugins / "build/example").rglob("cpu_*.cpp.o"))
        self.assertEqual(len(objects), 3)
        archive = self.folder / "units.a"
        self.assertEqual(run("ar", "rc", archive, *objects, cwd=self.folder).returncode, 0)
        done = run(ROOT / "scripts/check-weak-symbols", archive, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Crosscheck(unittest.TestCase):
    """Of a derivative that was written against the values that it is one of."""

    def report(self, folder, plugin, code):
        command = ["polhode", "crosscheck", "--plugin", plugins / "build" / plugin, "neumann.toml", "--steps", "400", "--isa", "scalar"]
        text, json_text = run(*command, cwd=plugins / folder), run(*command, "--json", cwd=plugins / folder)
        self.assertEqual((text.returncode, text.stderr, json_text.returncode), (code, "", code), text.stdout)
        return text.stdout.splitlines(), {finding["promise"]: finding for finding in json.loads(json_text.stdout)["findings"] if finding["subject"] != "cuda"}

    def test_a_right_derivative_passes_every_check(self):
        lines, findings = self.report("example", "example/libneumann.so", 0)
        self.assertEqual(lines[-1], "all checks passed")
        self.assertEqual({promise: finding["verdict"] for promise, finding in findings.items()}, dict.fromkeys(("statuses", "step", "trajectories", "section"), "kept"))

    def test_a_wrong_derivative_fails_a_check(self):
        lines, findings = self.report("wrong", "wrong/libneumann_wrong.so", 1)
        self.assertEqual(lines[-1], "a check failed")
        broken = [line for line in lines if line.split()[0] == "failed"]
        self.assertRegex(broken[0], r"reference against cpu scalar: a step from common states: \S+ apart at most, \S+ of what is allowed$")
        self.assertEqual(findings["statuses"]["verdict"], "kept")
        self.assertEqual(findings["step"]["verdict"], "broken")
        # A millionth of the kick, h |a q| = 0.02 times up to 3.5, over momenta up to sqrt(3): by as much at most, and by
        # a tenth of it where it acts along the sphere.
        apart = findings["step"]["figures"]["largest"]
        self.assertLess(apart, 7e-8)
        self.assertGreater(apart, 2e-9)
        self.assertGreater(findings["step"]["figures"]["of_allowed"], 1000)


class AnyHamiltonian(unittest.TestCase):
    """The program's magnetic pendulum under another name, and a canonical system."""

    def test_canonical_systems_with_any_hamiltonian(self):
        folder = plugins / "gyrating"
        plugin = ("--plugin", plugins / "build/gyrating/libgyrating.so")
        methods = json.loads(run("polhode", "list", "methods", "--json", *plugin, cwd=folder).stdout)
        self.assertEqual([method["name"] for method in methods if method["system"] == "gyrating"], ["implicit-midpoint", "heun", "explicit-midpoint", "rk4"])
        (folder / "gyrating.toml").write_text('[system]\nname = "gyrating"\n[method]\nname = "implicit-midpoint"\nstep = 0.05\n[ensemble]\nfrom = "states"\n'
                                 "states = [[0.6, -0.2, 0.3, 0.8]]\n[run]\nsteps = 2000\n")
        ends = []
        for backend in ("cpu", "reference"):
            done = run("polhode", "run", *plugin, "gyrating.toml", "-o", "out.h5", "--force", "--backend", backend, "--set", "run.isa=avx2", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(folder / "out.h5") as file:
                ends.append(file["final/state"][0])
                # Quadratic, as the midpoint rule keeps them: roundings of 2000 steps, 2e-14 measured.
                self.assertLess(file["invariants/max_drift"][:].max(), 1e-12)
        self.assertLess(abs(ends[0] - ends[1]).max(), 1e-11)  # the same; 1e-13 measured
        # A linear system by the midpoint rule is Cayley's transform of its matrix.
        b, h = 0.7, 0.05
        matrix = numpy.array([[0, b, 1, 0], [-b, 0, 0, 1], [-1 - b * b, 0, 0, b], [0, -1 - b * b, -b, 0]])
        step = numpy.linalg.solve(numpy.eye(4) - h / 2 * matrix, numpy.eye(4) + h / 2 * matrix)
        exact = numpy.linalg.matrix_power(step, 2000) @ (0.6, -0.2, 0.3, 0.8)
        self.assertLess(abs(ends[0] - exact).max(), 1e-11)

    def test_is_the_system_of_the_program(self):
        folder = plugins / "charged"
        plugin = ("--plugin", plugins / "build/charged/libcharged.so")
        methods = json.loads(run("polhode", "list", "methods", "--json", *plugin, cwd=folder).stdout)
        self.assertEqual([method["name"] for method in methods if method["system"] == "charged"], ["rattle", "constraint-euler", "constraint-euler-adjoint"])
        config = ROOT / "examples/magnetic_pendulum.toml"
        found = []
        for options in ((), (*plugin, "--set", "system.name=charged"), (*plugin, "--set", "system.name=charged", "--backend", "reference")):
            done = run("polhode", "run", config, "-o", "out.h5", "--force", "--set", "run.steps=2000", "--set", "run.isa=avx2", *options, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(folder / "out.h5") as file:
                found.append((file["final/state"][:], file["section/state"][:]))
        for mine, own, reference in zip(*found):
            self.assertEqual(mine.tobytes(), own.tobytes())
            # Round-off of 2000 steps, some 1e-16 each, and the divergence of neighbours.
            self.assertLess(abs(own - reference).max(), 1e-10)


class AngleWithoutBound(unittest.TestCase):
    """The rotor of the backend tests, whose column theta counts turns."""

    @classmethod
    def setUpClass(cls):
        cls.folder = plugins / "rotor"
        cls.plugin = ("--plugin", plugins / "build/rotor/librotor.so")

    def polhode(self, *arguments):
        return run("polhode", *arguments, cwd=self.folder)

    def rotor(self, name, *settings):
        options = [word for setting in settings for word in ("--set", setting)]
        return self.polhode("run", *self.plugin, "rotor.toml", "-o", name, "--force", "--backend", "cpu", *options)

    def made(self, name, *settings):
        """The file of a run, and the angles of its points."""
        done = self.rotor(name, *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        file = h5py.File(self.folder / name)
        self.addCleanup(file.close)
        return file, file["section/state"][:, 0]

    def test_lists_and_files_say_so(self):
        systems = json.loads(self.polhode("list", "systems", "--json", *self.plugin).stdout)
        angles = {column["name"]: column["angle"] for column in systems[-1]["columns"] + systems[-1]["observables"] if "angle" in column}
        self.assertEqual(angles, {"theta": "unbounded"})
        self.assertIn("angle of the rotor; counts turns", self.polhode("list", "systems", "rotor", *self.plugin).stdout)
        file, _ = self.made("attributes.h5")
        for name in ("initial/state", "final/state", "section/state"):
            self.assertEqual(list(file[name].attrs["angle"]), ["unbounded", "", "", ""])

    def test_conditions_densities_and_statistics_are_modulo_2_pi(self):
        density = ('density.axes=["theta", "p1"]', "density.bins=[16, 4]", f"density.range=[{TURN}, [-5, 5]]")
        statistics = ("statistics.every=500", 'statistics.observables=["theta"]', "statistics.bins=4", f"statistics.range=[{TURN}]")
        file, theta = self.made("all.h5", *density, *statistics)
        self.assertGreater(abs(theta).max(), 100)  # points keep the turns
        angle = numpy.mod(theta + numpy.pi, 2 * numpy.pi) - numpy.pi
        counts = file["section/density"]
        self.assertEqual((counts.attrs["outside"], list(counts.attrs["angle"])), (0, ["unbounded", ""]))
        numpy.testing.assert_array_equal(counts[:].sum(axis=1), numpy.histogram(angle, 16, (-numpy.pi, numpy.pi))[0])
        self.assertTrue((file["statistics/histogram"][:].sum(axis=2) == 4).all())
        self.assertEqual(file["statistics/mean"][-1, 0], file["final/state"][:, 0].mean())
        _, some = self.made("some.h5", 'section.where="theta > -1 and theta < 1"')
        numpy.testing.assert_array_equal(some, theta[(angle > -1) & (angle < 1)])
        self.assertTrue(0 < len(some) < len(theta) / 2)

    def test_a_terminal_section_is_allowed(self):
        file, theta = self.made("terminal.h5", "section.name=theta", "section.value=1.0", "section.terminal=true")
        self.assertEqual(file["status/code"][:].tolist(), [4, 4, 4, 4])
        # Of the first, on the way up or down; the third one turns back. Round-off at 100 is 1e-14.
        numpy.testing.assert_allclose(theta, 1 + 2 * numpy.pi * numpy.array([0, -1, 3, -16]), rtol=0, atol=1e-13)

    def test_ranges_beyond_a_turn_are_refused(self):
        for settings in (('density.axes=["theta", "p1"]', "density.bins=[16, 4]", "density.range=[[0, 10], [-5, 5]]"),
                         ("statistics.every=500", 'statistics.observables=["theta"]', "statistics.bins=4", "statistics.range=[[0, 10]]")):
            done = self.rotor("none.h5", *settings)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"^polhode: cannot use \w+.range \(theta is counted modulo 2 pi, and its range is wider\)\. Give \[.*\] or less\.\n$")


class CyclicCoordinate(unittest.TestCase):
    """A pendulum by its tilt and azimuth, and reduced to the tilt."""

    @classmethod
    def setUpClass(cls):
        cls.folder = plugins / "pendulum"
        cls.plugins = [word for name in ("pendulum", "pendulum_reduced") for word in ("--plugin", plugins / f"build/pendulum/lib{name}.so")]

    def polhode(self, command, *arguments):
        done = run("polhode", command, *arguments, *self.plugins, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def final(self, config, backend="cpu"):
        self.polhode("run", config, "-o", "out.h5", "--force", "--quiet", "--backend", backend)
        with h5py.File(self.folder / "out.h5") as file:
            return file["final/state"][:]

    def test_is_listed_with_its_other_description(self):
        systems = {system["name"]: system for system in json.loads(self.polhode("list", "systems", "--json"))}
        self.assertEqual([(systems[name]["kind"], systems[name]["other_descriptions"]) for name in ("own-pendulum", "own-pendulum-reduced")],
                         [("canonical", ["own-pendulum-reduced"]), ("reduced", ["own-pendulum"])])
        methods = json.loads(self.polhode("list", "methods", "--json"))
        self.assertEqual([method["name"] for method in methods if method["system"] == "own-pendulum"],
                         ["implicit-midpoint", "heun", "explicit-midpoint", "rk4", "gauss", "lobatto"])
        self.assertEqual([method["name"] for method in methods if method["system"] == "own-pendulum-reduced"], ["gauss", "lobatto", "discrete-routh"])

    def test_converted_runs_have_the_same_end(self):
        self.polhode("convert", "own.toml", "--to", "own-pendulum-reduced", "-o", "reduced.toml", "--force")
        self.polhode("convert", "reduced.toml", "--to", "own-pendulum", "-o", "back.toml", "--force")
        whole, reduced = self.final("own.toml"), self.final("reduced.toml")
        # Gauss's methods commute with the reduction up to roundings of 2000 steps; 7e-14 measured, at an azimuth of 107.
        self.assertLess(abs(whole[:, (0, 2, 1)] - reduced).max(), 1e-11)
        self.assertEqual(self.final("back.toml").tobytes(), whole.tobytes())

    def test_reference_agrees_by_the_discrete_routh_equations(self):
        self.polhode("convert", "own.toml", "--to", "own-pendulum-reduced", "-o", "routh.toml", "--force", "--unset", "method.stages",
                     "--set", "method.name=discrete-routh", "--set", "run.steps=200")
        apart = abs(self.final("routh.toml") - self.final("routh.toml", "reference")).max()
        self.assertLess(apart, 1e-12)  # roundings of 200 steps; 1.1e-14 measured
        self.assertGreater(apart, 0)  # another computation
        for config in ("own.toml", "routh.toml"):
            self.assertTrue(self.polhode("crosscheck", config, "--steps", "200").endswith("all checks passed\n"), config)


class NewSystem(unittest.TestCase):
    def refused(self, *arguments, word):
        folder = stage / "refused"
        folder.mkdir(exist_ok=True)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        done = run("polhode-new-system", *arguments, cwd=folder)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertRegex(done.stderr, r"^new-system: .+ \(.+\)\. .+\.\n$")
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(word, done.stderr)
        self.assertEqual({path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}, before)

    def test_bad_names_are_refused(self):
        for name in ("", "Bowl", "1bowl", "a b", "a_b", "a-", "a--b", "../a", "a/b", "-a", "bowl\n", 'a"b', "a" * 61, "é"):
            self.refused(name, word="name")
        for name in ("test", "all", "edit-cache", "polhode"):
            self.refused(name, word="CMake" if name != "polhode" else "polhode")
        self.refused(word="arguments")
        self.refused("a", "b", "c", word="arguments")

    def test_nothing_is_overwritten(self):
        folder = stage / "refused"
        folder.mkdir(exist_ok=True)
        for name in ("CMakeLists.txt", "torus.hpp", "torus.toml"):
            (folder / name).write_text("mine")
            self.refused("torus", ".", word=name)
            (folder / name).unlink()
        (folder / "file").write_text("")
        self.refused("torus", "file", word="file")


class Tutorial(unittest.TestCase):
    def test_every_command(self):
        home = stage / "home"
        home.mkdir()
        # One instruction set and precision are enough to see that the commands work.
        restrict = "cmake -DPOLHODE_PRECISIONS=double -DPOLHODE_INSTRUCTION_SETS=scalar -B build"
        cwd, blocks = home, 0
        script = 'set -e\nexport PATH="$HOME/polhode/bin:$PATH"\n'
        for language, name, text in re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", (ROOT / "docs/tutorial.md").read_text(), re.M | re.S):
            if language == "sh":
                blocks += 1
                text = text.replace("build/release", BUILD).replace("cmake -B build", restrict)
                # scalar code takes its time
                text = text.replace("bowl.toml --force", "bowl.toml --force --set run.steps=20000 --backend cpu")
                done = subprocess.run(["bash", "-c", f"{script}{text}\npwd >'{home}/where'"], cwd=cwd, text=True, capture_output=True,
                                      env=environment | {"HOME": str(home)})
                self.assertEqual(done.returncode, 0, text + done.stdout + done.stderr)
                self.assertNotIn("failed", done.stdout)
                cwd = pathlib.Path((home / "where").read_text().strip())
            else:
                (cwd / name).write_text(text)
        self.assertEqual(blocks, 4)
        self.assertEqual(cwd, home / "bowl")
        self.assertEqual((cwd / "bowl.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        with h5py.File(cwd / "reference.h5") as reference, h5py.File(cwd / "bowl.h5") as bowl:
            self.assertEqual(reference.attrs["backend"], "reference")
            drift = dict(zip(bowl["invariants/names"].asstr(), bowl["invariants/max_drift"][:].max(axis=0)))
            self.assertLess(drift["constraint"], 1e-14)
            self.assertLess(drift["energy"], 2e-3)  # h^2 = 4e-4, times derivatives of the motion
            self.assertGreater(drift["energy"], 1e-6)
            # All starts are of one energy and on the section: some roundings of terms of about 1.
            self.assertLess(abs(bowl["invariants/initial"][:, 0] + 0.3).max(), 1e-14)
            self.assertLess(abs(bowl["initial/state"][:, 5]).max(), 1e-14)
            self.assertEqual(set(bowl["section/trajectory"][:]), set(range(12)))
            self.assertLess(abs(bowl["section/state"][:, 5]).max(), 1e-13)
            upper = bowl["initial/state"][:]

        def starts(*changes):
            """The report and the initial states of a short run, or what was said instead."""
            options = [word for change in ("run.steps=1", *changes) for word in ("--set", change)]
            done = run(home / "polhode/bin/polhode", "run", "--plugin", "build/libbowl.so", "bowl.toml", "-o", "starts.h5", "--force", *options, cwd=cwd)
            if done.returncode != 0:
                return done.stderr, None
            with h5py.File(cwd / "starts.h5") as file:
                return done.stdout, file["initial/state"][:]

        # The other root is the motion reversed: at the same lowest points, so that it crosses upwards, too.
        _, lower = starts('ensemble.branch="-"')
        numpy.testing.assert_allclose(lower, upper * [1, 1, 1, -1, -1, 1], atol=1e-14)
        # The bottom of the bowl turns into a top where the motion along it is slow: none of these crosses downwards.
        self.assertIn("12 do not cross it in its direction", starts('section.direction="down"')[0])
        # All of an energy below the potential: of the points on the bowl, those with z <= -0.9 have roots.
        report, low = starts("ensemble.energy=-0.9", 'section.direction="both"')
        x, y = numpy.linspace([0.0573, 0.0124], [0.75, 0.162], 12).T
        possible = int((-1.2 * numpy.sqrt(1 - x**2 - (y / 0.7) ** 2) <= -0.9).sum())
        self.assertTrue(0 < possible < 12)
        self.assertEqual(len(low), possible)
        self.assertIn(f"{possible} of 12 points of the line have a start on branch +, {12 - possible} have none", report)
        self.assertLess(low[:, 2].max(), -0.9 + 1e-14)


if __name__ == "__main__":
    unittest.main()
