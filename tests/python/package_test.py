#!/usr/bin/env python3
"""`import polhode`: arrays are those of files, errors are lines of the command line, and the interpreter goes on.

Run with POLHODE set to the program's path and PYTHONPATH to the package with its extension."""

import copy
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import unittest
import warnings

import h5py
import numpy

import polhode as ph

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command_line import paths_with_content  # noqa: E402

PROGRAM = os.environ["POLHODE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TOP = {"system": ph.System("heavy-top", alpha=[0.44, 0.5, 1.0]), "method": ph.Method("rattle", step=0.05),
       "ensemble": ph.starts.Section(grid=(6, 6), energy=1.0)}
FOREVER = 10**9  # steps


def resident():
    """Bytes of memory of this process."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def assert_is_file(self, run, file):
        """Every dataset is an array with the same bits, and every array a dataset."""
        with h5py.File(file) as content:
            paths = ["/" + name for name in paths_with_content(content)]
            self.assertEqual(sorted(paths), sorted(run))
            for path in paths:
                values, is_text = content[path], h5py.check_string_dtype(content[path].dtype)
                values = values.asstr()[()] if is_text else values[()]
                self.assertEqual(numpy.asarray(run[path]).tolist() if is_text else run[path].tobytes(),
                                 values.tolist() if is_text else values.tobytes(), path)
                self.assertEqual(numpy.shape(run[path]), values.shape, path)
                self.assertTrue(is_text or run[path].dtype == values.dtype, path)


class Results(Package):
    def test_arrays_are_those_of_files(self):
        for name in ("heavy_top_section", "heavy_top_density", "heavy_top_mixing", "henon_heiles_section", "free_body", "goryachev_chaplygin", "fast_top"):
            with self.subTest(name):
                configuration = ph.load(EXAMPLES / f"{name}.toml").replace(**{"run.steps": 320})
                file, text = self.path / f"{name}.h5", self.path / f"{name}.toml"
                text.write_text(configuration.to_toml())
                subprocess.run([PROGRAM, "run", text, "-o", file, "--quiet"], check=True)
                run = ph.run_configuration(configuration)
                self.assert_is_file(run, file)
                self.assertEqual(run.report.complete, True)
                again = self.path / f"{name}-again.h5"
                ph.run_to_file(configuration, again)
                self.assert_is_file(run, again)

    def test_a_run_of_parts_is_that_of_a_configuration(self):
        run = ph.run(**TOP, steps=600, section=ph.Section("gamma3"))
        text = run.configuration.to_toml()
        (self.path / "top.toml").write_text(text)
        self.assertEqual(ph.load(self.path / "top.toml").tables["section"]["name"], "gamma3")
        numpy.testing.assert_array_equal(ph.run_configuration(ph.load(self.path / "top.toml")).section.state, run.section.state)
        self.assertGreater(len(run.section.state), 20)
        self.assertEqual(run.section.attributes_of("state")["columns"], ["pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"])
        self.assertEqual(run.attributes["system"], "heavy-top")

    def test_arrays_outlive_their_run_and_cannot_be_changed(self):
        states = ph.run(**TOP, steps=20).final.state
        kept = states.copy()
        for _ in range(50):
            ph.run(**TOP, steps=20)
        numpy.testing.assert_array_equal(states, kept)
        self.assertFalse(states.flags.writeable)
        with self.assertRaises(ValueError):
            states[0, 0] = 1

    def test_groups_name_their_arrays(self):
        run = ph.run(**TOP, steps=20)
        with self.assertRaisesRegex(AttributeError, "it has state, time"):
            run.final.states
        with self.assertRaisesRegex(KeyError, "/section/state"):
            run["/section/state"]
        self.assertIn("state", dir(run.final))
        self.assertEqual(set(pickle.loads(pickle.dumps(copy.copy(run.final)))), {"state", "time"})
        self.assertEqual(set(run.final), {"state", "time"})

    def test_states_are_arrays_of_any_strides(self):
        states = ph.run(**TOP, steps=20).final.state
        expected = ph.run(TOP["system"], TOP["method"], ph.starts.States(states.tolist()), 10).final.state
        spread = numpy.zeros((2 * len(states), 12))
        spread[::2, ::2] = states
        for given in (states, numpy.asfortranarray(states), spread[::2, ::2], states[::-1][::-1]):
            run = ph.run(TOP["system"], TOP["method"], ph.starts.States(given), 10)
            numpy.testing.assert_array_equal(run.initial.state, states)
            numpy.testing.assert_array_equal(run.final.state, expected)

    def test_tables(self):
        run = ph.run(**TOP, steps=600, section=ph.Section("gamma3"), record=ph.Record(snapshots=100))
        points = run.section.to_pandas()
        self.assertEqual(list(points), ["trajectory", "step", "time", "pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"])
        numpy.testing.assert_array_equal(points["pi2"], run.section.state[:, 1])
        numpy.testing.assert_array_equal(points["trajectory"], run.section.trajectory)
        self.assertEqual(list(run.final.to_pandas())[:2], ["time", "pi1"])
        with self.assertRaisesRegex(ph.InputError, "cannot make a table of /snapshots"):
            run.snapshots.to_pandas()

    def test_memory_stays_as_it_is(self):
        for _ in range(20):
            ph.run(**TOP, steps=60, section=ph.Section("gamma3"))
        before = resident()
        for _ in range(200):
            ph.run(**TOP, steps=60, section=ph.Section("gamma3"))
        self.assertLess(resident() - before, 4 << 20)  # 200 results have 10 MB


class Errors(Package):
    def refusal(self, **changes):
        configuration = ph.Configuration({part.table: part.keys for part in (*TOP.values(), ph.Execution(10))}).replace(**changes)
        (self.path / "run.toml").write_text(configuration.to_toml())
        done = subprocess.run([PROGRAM, "run", self.path / "run.toml"], cwd=self.path, capture_output=True, text=True)
        with self.assertRaises(ph.Error) as caught:
            ph.run_configuration(configuration)
        self.assertEqual(f"polhode: {caught.exception}\n", done.stderr)
        return caught.exception, done.returncode

    def test_they_are_the_lines_of_the_command_line(self):
        for key, value in (("method.step", 0), ("method.step", "small"), ("method.name", "ratle"), ("system.name", "heavy-topp"), ("run.steps", 0),
                           ("system.alfa", [1, 1, 1]), ("ensemble.energy", -10), ("ensemble.grid", [6]), ("run.stepz", 10), ("section.name", "gama3"),
                           ("table.key", 1), ("method.step", None)):
            with self.subTest(key=key, value=value):
                error, code = self.refusal(**{key: value})
                self.assertEqual(code, 2)
                self.assertIsInstance(error, ph.InputError)
                self.assertIsInstance(error, ValueError)

    def test_their_classes(self):
        backends = json.loads(subprocess.run([PROGRAM, "list", "backends", "--json"], capture_output=True, check=True).stdout)
        if not backends[2]["available"]:
            error, code = self.refusal(**{"run.backend": "cuda"})
            self.assertEqual((type(error), code), (ph.BackendUnavailable, 3))
        with self.assertRaises(ph.FileError) as caught:
            ph.run_to_file(ph.load(EXAMPLES / "free_body.toml"), "/proc/out.h5")
        self.assertIsInstance(caught.exception, OSError)
        with self.assertRaises(ph.InputError):
            ph.load(self.path / "absent.toml")

    def test_states_that_are_none(self):
        for states in ([1, 2, 3], [], [[1, 2], [3]], [["a"] * 6], numpy.zeros((2, 3, 4)), [[1, 2, 3]]):
            with self.subTest(states), self.assertRaises(ph.InputError):
                ph.run(TOP["system"], TOP["method"], ph.starts.States(states), 10)

        masked = numpy.ma.masked_array(numpy.ones((2, 6)), mask=numpy.eye(2, 6))
        for states in (numpy.ones((2, 6)) * 1j, masked):
            with self.subTest(states), self.assertRaisesRegex(ph.InputError, "complex, or some of them are masked"):
                ph.run(TOP["system"], TOP["method"], ph.starts.States(states), 10)

    def test_parts_in_the_wrong_place(self):
        for changed, words in (({"section": ph.starts.Section((2, 2), 1.0)}, "not a polhode.Section"), ({"system": "heavy-top"}, "not a polhode.System"),
                               ({"ensemble": numpy.ones((2, 6))}, "not one of polhode.starts"), ({"method": ph.Method}, "not a polhode.Method")):
            with self.subTest(words), self.assertRaisesRegex(ph.InputError, words):
                ph.run(**(TOP | {"steps": 10} | changed))
        for configuration in ("top.toml", {}):
            with self.assertRaisesRegex(ph.InputError, "no polhode.Configuration"):
                ph.run_configuration(configuration)
        with self.assertRaisesRegex(ph.InputError, "cannot use section"):
            ph.Configuration({"section": ph.Section("gamma3")})

    def test_odd_texts_and_numbers(self):
        def tops(**parameters):
            return ph.run(ph.System("heavy-top", **parameters), TOP["method"], TOP["ensemble"], 10)

        self.assertEqual(tops(alpha=[0.44, 0.5, 1], c=numpy.float32(0.5)).attributes["system"], "heavy-top")
        for parameters in ({"c": 10**400}, {"c": 10**20, "x y": 1}, {"\U0001d6fc": 1}, {"c": b"1"}, {"c": "\ud800"}, {"header": pathlib.Path("absent.hpp")}):
            with self.subTest(parameters), self.assertRaises((ph.InputError, OverflowError)):
                tops(**parameters)
        with self.assertRaises(ph.InputError):
            ph.load(b"absent.toml")

    def test_failures_are_warned_of(self):
        with self.assertWarnsRegex(RuntimeWarning, r"^12 of 12 trajectories failed \(first: trajectory 0, after step \d+\): the implicit equation"):
            run = ph.run(TOP["system"], ph.Method("rattle", step=1.0), ph.starts.Section(grid=(4, 4), energy=1.0), 60)
        self.assertEqual(set(run.status.code), {1})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ph.run(**TOP, steps=10)

    def test_values_that_have_no_place(self):
        with self.assertRaisesRegex(ph.InputError, "cannot use a dict"):
            ph.run(ph.System("heavy-top", alpha={}), TOP["method"], TOP["ensemble"], 10)


class Running(Package):
    def test_progress_is_told_and_stops_a_run(self):
        told = []

        def stop(now):
            told.append(now)
            return len(told) < 3

        run = ph.run(**TOP, steps=FOREVER, progress=stop)
        self.assertFalse(run.report.complete)
        self.assertEqual(len(told), 3)
        self.assertGreater(told[2].steps, told[1].steps)
        self.assertEqual(told[2].all, FOREVER * run.report.trajectories)
        with self.assertRaisesRegex(KeyError, "since the run was stopped"):
            run["/final/state"]

    def test_a_false_value_of_numpy_stops_a_run(self):
        self.assertFalse(ph.run(**TOP, steps=FOREVER, progress=lambda now: now.fraction < numpy.float64(0)).report.complete)
        self.assertTrue(ph.run(**TOP, steps=10, progress=None).report.complete)

    def test_what_progress_raises_is_raised(self):
        def fail(now):
            raise ZeroDivisionError("here")

        with self.assertRaisesRegex(ZeroDivisionError, "here"):
            ph.run(**TOP, steps=FOREVER, progress=fail)

    def test_an_interruption_stops_a_run(self):
        for progress in (False, True):
            timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
            begin = time.monotonic()
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                ph.run(**TOP, steps=FOREVER, progress=progress)
            self.assertLess(time.monotonic() - begin, 20)  # a segment is a tenth of a second

    def test_an_interruption_ends_a_compilation(self):
        cache = self.path / "cache"
        code = ("import polhode as ph; ph.run(ph.System('henon-heiles'), ph.Method('gauss', 0.1), ph.starts.Section((4, 4), 0.1), 10,"
                "section=ph.Section('q1'))")
        process = subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"POLHODE_CACHE": str(cache)}, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not list(cache.rglob("*.cpp")):
            time.sleep(0.01)
        time.sleep(0.2)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 5)
        self.assertTrue(errors.endswith("KeyboardInterrupt\n"), errors)
        self.assertEqual(list(cache.rglob("*.so")), [])
        self.assertEqual(subprocess.run(["pgrep", "-f", str(cache)], capture_output=True, text=True).stdout, "")

    def test_handlers_of_signals_raise_what_they_raise(self):
        """Also while kernels are compiled."""
        def late(*_):
            raise TimeoutError("mine")

        before = signal.signal(signal.SIGALRM, late)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        code = ("import signal, polhode as ph\ndef late(*_): raise TimeoutError('mine')\nsignal.signal(signal.SIGALRM, late)\nsignal.setitimer(signal.ITIMER_REAL, 1)\n"
                "ph.run(ph.System('henon-heiles'), ph.Method('gauss', 0.1), ph.starts.Section((4, 4), 0.1), 10)")
        done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"POLHODE_CACHE": str(self.path / "cache")}, capture_output=True, text=True)
        self.assertTrue(done.stderr.endswith("TimeoutError: mine\n"), done.stderr)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with self.assertRaisesRegex(TimeoutError, "mine"):
            ph.run(**TOP, steps=FOREVER)

    def test_an_interrupted_run_goes_on(self):
        configuration = ph.load(EXAMPLES / "heavy_top_section.toml").replace(**{"run.steps": 4000, "run.checkpoint": 0, "run.segment": 100})
        calls = []
        stopped = ph.run_to_file(configuration, self.path / "out.h5", progress=lambda now: calls.append(now) or len(calls) < 8)
        self.assertFalse(stopped.complete)
        self.assertTrue((self.path / "out.h5.part").exists())
        report = ph.run_to_file(configuration, self.path / "out.h5", resume=True)
        self.assertTrue(report.complete)
        self.assert_is_file(ph.run_configuration(configuration), self.path / "out.h5")

    def test_the_compression_of_a_configuration(self):
        configuration = ph.load(EXAMPLES / "heavy_top_section.toml").replace(**{"run.steps": 400, "output.compression": 6})
        for name, given in (("own.h5", {}), ("none.h5", {"compression": 0})):
            ph.run_to_file(configuration, self.path / name, **given)
            with h5py.File(self.path / name) as file:
                self.assertEqual(file["section/state"].compression_opts, None if given else 6)

    def test_other_threads_go_on(self):
        """Ticks of another thread come all the time; with the interpreter's lock held they would wait for the run's end."""
        ticks, ended = [], threading.Event()

        def tick():
            while not ended.wait(0.01):
                ticks.append(time.monotonic())

        ph.run(**TOP, steps=10)  # the kernel
        ticker = threading.Thread(target=tick)
        ticker.start()
        begin = time.monotonic()
        ph.run(**TOP, steps=1_500_000, threads=1, progress=False)
        end = time.monotonic()
        ended.set()
        ticker.join()
        self.assertLess(numpy.diff([begin, *ticks, end]).max(), (end - begin) / 2)

    def test_runs_side_by_side(self):
        runs = {}

        def integrate(k):
            runs[k] = ph.run(**TOP, steps=100_000 + k, threads=1, section=ph.Section("gamma3"))

        workers = [threading.Thread(target=integrate, args=(k,)) for k in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for k in range(4):
            numpy.testing.assert_array_equal(runs[k].section.state, ph.run(**TOP, steps=100_000 + k, section=ph.Section("gamma3")).section.state)


class Import(Package):
    def python(self, code):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    def test_it_needs_numpy_alone(self):
        loaded = self.python("import sys, polhode; polhode.System; polhode.run; polhode.starts; print(*sys.modules)").split()
        self.assertIn("numpy", loaded)
        for name in ("h5py", "matplotlib", "pandas", "xarray", "tqdm"):
            self.assertNotIn(name, loaded)

    def test_names_are_there(self):
        for name in ph.__all__:
            self.assertIsNotNone(getattr(ph, name), name)
        with self.assertRaisesRegex(AttributeError, "no attribute 'sistem'"):
            ph.sistem

    def test_it_has_the_version_of_the_program(self):
        self.assertIn(f"polhode {ph.__version__} ", subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout)

    def test_beside_h5py_in_either_order(self):
        code = ("import {}, {}; import polhode as ph, h5py; c = ph.load('{}').replace(**{{'run.steps': 20}}); ph.run_to_file(c, '{}');"
                "f = h5py.File('{}'); assert f['final/state'].shape[1] > 0")
        for k, order in enumerate((("h5py", "polhode"), ("polhode", "h5py"))):
            out = self.path / f"{k}.h5"
            self.python(code.format(*order, EXAMPLES / "free_body.toml", out, out))


class Vocabulary(Package):
    def test_it_is_that_of_the_schema(self):
        subprocess.run([sys.executable, ROOT / "scripts" / "python-vocabulary", PROGRAM, "--check"], check=True)

    def test_defaults_are_left_out(self):
        self.assertEqual(ph.Section("gamma3", direction="up", value=0.0).keys, {"name": "gamma3"})
        self.assertEqual(ph.Section("gamma3", direction="down").keys, {"name": "gamma3", "direction": "down"})
        self.assertEqual(ph.starts.Cloud(3, [1, 2], 0.1, seed=0), ph.starts.Cloud(3, [1, 2], 0.1))
        self.assertEqual(repr(ph.Method("rattle", 0.1)), "Method(name='rattle', step=0.1)")

    def test_every_example_goes_there_and_back(self):
        for file in sorted(EXAMPLES.glob("*.toml")):
            with self.subTest(file.name):
                tables = ph.load(file).tables
                self.assertEqual(tomllib.loads(ph.Configuration(tables).to_toml()), tables)
                expected = tomllib.loads(file.read_text())
                if "path" in expected["ensemble"]:  # relative to the configuration
                    expected["ensemble"]["path"] = str(EXAMPLES / expected["ensemble"]["path"])
                self.assertEqual(tables, expected)

    def test_a_header_beside_its_configuration(self):
        configuration = ph.load(EXAMPLES / "own_system" / "neumann.toml").replace(**{"run.steps": 20})
        self.assertEqual(ph.run_configuration(configuration).report.system, "neumann")

    def test_equality_is_of_all_numbers(self):
        many = numpy.arange(60000.0).reshape(-1, 6)
        other = many.copy()
        other[5000, 3] += 1e-9
        self.assertEqual(ph.starts.States(many), ph.starts.States(many.tolist()))
        self.assertNotEqual(ph.starts.States(many), ph.starts.States(other))
        starts = ph.starts.States(other)
        other[:] = 0
        self.assertNotEqual(starts, ph.starts.States(other))
        self.assertEqual(ph.Configuration({"ensemble": starts.keys}), ph.Configuration({"ensemble": starts.keys}))

    def test_other_values(self):
        configuration = ph.Configuration({"method": {"step": 0.1}})
        self.assertEqual(configuration.replace(**{"method.step": 0.2, "run.steps": 3}).tables, {"method": {"step": 0.2}, "run": {"steps": 3}})
        self.assertEqual(configuration.replace(**{"method.step": None}).tables, {"method": {}})
        self.assertEqual(configuration.tables, {"method": {"step": 0.1}})
        with self.assertRaisesRegex(ph.InputError, "no TABLE.KEY"):
            configuration.replace(step=1)


if __name__ == "__main__":
    unittest.main()
