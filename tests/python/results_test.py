#!/usr/bin/env python3
"""Results in memory, as tables and in files: everywhere the arrays of the program's files."""

import copy
import pickle
import subprocess
import sys
import unittest
import unittest.mock
import warnings

import h5py
import numpy
from package_support import EXAMPLES, FOREVER, PROGRAM, TOP, Package, resident

import polhode as ph
import polhode.execution


class Results(Package):
    def test_arrays_are_those_of_files(self):
        for name in ("heavy_top_section", "heavy_top_density", "heavy_top_mixing", "henon_heiles_section", "free_body", "goryachev_chaplygin", "fast_top"):
            with self.subTest(name):
                configuration = ph.load(EXAMPLES / f"{name}.toml").replace(**{"run.steps": 320})
                file, text = self.path / f"{name}.h5", self.path / f"{name}.toml"
                text.write_text(configuration.to_toml())
                subprocess.run([PROGRAM, "run", text, "-o", file, "--quiet"], check=True)
                run = configuration.run()
                self.assert_is_file(run, file)
                self.assertEqual(run.report.complete, True)
                again = self.path / f"{name}-again.h5"
                configuration.run(again)
                self.assert_is_file(run, again)

    def test_a_run_of_parts_is_that_of_a_configuration(self):
        run = ph.run(**TOP, steps=600, section=ph.Section("gamma3"))
        text = run.configuration.to_toml()
        (self.path / "top.toml").write_text(text)
        self.assertEqual(ph.load(self.path / "top.toml").tables["section"]["name"], "gamma3")
        numpy.testing.assert_array_equal(ph.load(self.path / "top.toml").run().section.state, run.section.state)
        self.assertGreater(len(run.section.state), 20)
        self.assertEqual(run.section.array("state").attributes["columns"], ["pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"])
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
        for ask, words in ((lambda: run["final/stat"], "no array /final/stat in the run .nearest known: /final/state"), (lambda: run["/section/state"], r"Run with section=ph.Section"),
                           (lambda: run.final.array("states"), "nearest known: state"), (lambda: run.snapshots["state"], r"none were recorded\). Run with record=ph.Record")):
            with self.subTest(words), self.assertRaisesRegex(ph.InputError, words):
                ask()
        self.assertIs(run["final/state"], run["/final/state"])
        self.assertNotIn("states", run.final)
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

    def test_a_closed_run_has_a_representation(self):
        ph.run(**TOP, steps=10).save(self.path / "closed.h5")
        run = ph.open(self.path / "closed.h5")
        run.close()
        self.assertIn("closed", repr(run))

    def test_parts_of_files_are_those_of_arrays(self):
        run = ph.run(**TOP, steps=100)
        run.save(self.path / "parts.h5")
        with ph.open(self.path / "parts.h5") as opened:
            whole, part = run.final.state, opened.final.array("state")
            for rows in (slice(None, None, -1), slice(7, 2, -2), slice(2, 7, -1), slice(0, 9, 3), [1, 4], 3, (slice(2), 1)):
                numpy.testing.assert_array_equal(part[rows], whole[rows])
            with self.assertRaises(ValueError):
                part[:2][0] = 0
            numpy.testing.assert_array_equal(numpy.asarray(part), whole)

    def test_tables(self):
        run = ph.run(**TOP, steps=600, section=ph.Section("gamma3"), record=ph.Record(snapshots=100))
        points = run.section.to_pandas()
        self.assertEqual(list(points), ["trajectory", "step", "time", "pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"])
        numpy.testing.assert_array_equal(points["pi2"], run.section.state[:, 1])
        numpy.testing.assert_array_equal(points["trajectory"], run.section.trajectory)
        self.assertEqual(list(run.final.to_pandas())[:2], ["time", "pi1"])
        with self.assertRaisesRegex(ph.InputError, "cannot make a table of /snapshots"):
            run.snapshots.to_pandas()
        self.assertEqual(list(run.status.to_pandas())[0], "code")
        with self.assertRaisesRegex(ph.InputError, "none were recorded"):
            run.statistics.to_pandas()

    def test_reports_are_those_of_the_program(self):
        """But for the time taken."""
        for name in ("heavy_top_section", "goryachev_chaplygin"):
            configuration = ph.load(EXAMPLES / f"{name}.toml").replace(**{"run.steps": 320})
            text, file = self.path / "run.toml", self.path / "run.h5"
            text.write_text(configuration.to_toml())
            printed = subprocess.run([PROGRAM, "run", text, "-o", file, "--force"], capture_output=True, text=True, check=True).stdout
            its, mine = (report.strip().splitlines() for report in (printed.removeprefix(f"{file}: "), str(configuration.run().report)))
            timed = next(k for k, line in enumerate(its) if "steps/s" in line)
            self.assertRegex(mine[timed], r"^  \d+\.\d\d s, [\d.e+]+ steps/s$")
            self.assertEqual([*mine[:timed], *mine[timed + 1 :]], [*its[:timed], *its[timed + 1 :]])

    def test_memory_stays_as_it_is(self):
        for _ in range(20):
            ph.run(**TOP, steps=60, section=ph.Section("gamma3"))
        before = resident()
        for _ in range(200):
            ph.run(**TOP, steps=60, section=ph.Section("gamma3"))
        self.assertLess(resident() - before, 4 << 20)  # 200 results have 10 MB

    def test_a_result_that_does_not_fit_is_refused(self):
        with unittest.mock.patch("polhode.execution.free_bytes", lambda: 10**5):
            with self.assertRaisesRegex(ph.FileError, r"does not fit into memory \(it takes .* and 0.0001 are free\)\. Record less, or run into a file\.$"):
                ph.run(**TOP, steps=20, record=ph.Record(snapshots=1))
        self.assertGreater(polhode.execution.free_bytes(), 10**8)

    def test_memory_is_that_of_the_result(self):
        """Records of a run are given back while arrays are made of them. Some MB more are gathered at a time."""
        for ensemble, rest in (("ph.starts.Section(grid=(24, 24), energy=1.0)", 'steps=500_000, section=ph.Section("gamma3")'),
                               ("ph.starts.States(numpy.tile([[1.0, 0.5, 0.2, 0, 0, 1]], (20_000, 1)))", "steps=2000, record=ph.Record(snapshots=20)"),
                               ("ph.starts.States(numpy.tile([[1.0, 0.5, 0.2, 0, 0, 1]], (20, 1)))", "steps=200_000, record=ph.Record(snapshots=1)")):
            code = f"""
import resource, numpy, polhode as ph
most = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
how = dict(system=ph.System("heavy-top", alpha=[0.44, 0.5, 1.0]), method=ph.Method("rattle", step=0.05), ensemble={ensemble})
ph.run(**how, **dict(dict({rest}), steps=100))
before = most()
run = ph.run(**how, {rest})
print(most() - before, sum(array.data.nbytes for array in run.arrays.values() if isinstance(array.data, numpy.ndarray)))"""
            with self.subTest(rest):
                used, result = map(int, subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
                self.assertGreater(result, 140e6)
                self.assertLess(used, 1.1 * result + 30e6)


class Files(Package):
    def written(self, **changes):
        """A result of the program's with all groups, and the configuration."""
        mixing = ph.load(EXAMPLES / "heavy_top_mixing.toml").tables
        tables = {**ph.load(EXAMPLES / "heavy_top_section.toml").tables, "statistics": mixing["statistics"], "record": {"snapshots": 20}}
        configuration = ph.Configuration(tables).replace(**{"run.steps": 320, "statistics.every": 20} | changes)
        configuration.run(self.path / "of-program.h5")
        return configuration.run(), self.path / "of-program.h5"

    def assert_same(self, one, other):
        """Arrays and all that is known of them."""
        self.assertEqual(sorted(one), sorted(other))
        for path in one:
            self.assertEqual(numpy.asarray(one[path]).tobytes(), numpy.asarray(other[path]).tobytes(), path)
            self.assertEqual(numpy.asarray(one[path]).dtype, numpy.asarray(other[path]).dtype, path)
            a, b = one.arrays[path], other.arrays[path]
            self.assertEqual((a.path, a.shape, dict(a.attributes), list(a.dimensions)), (b.path, b.shape, dict(b.attributes), list(b.dimensions)))
        differ = {"config", "identity", "created", "git"}
        for path in {*one.attributes_of_groups, *other.attributes_of_groups}:
            a, b = (dict(run.attributes_of_groups.get(path, {})) for run in (one, other))
            self.assertEqual({k: v for k, v in a.items() if k not in differ}, {k: v for k, v in b.items() if k not in differ}, path)

    def test_an_opened_result_is_the_one_in_memory(self):
        for changes in ({}, {"output.compression": 4}, {"section.columns": ["pi2", "pi3"]}):
            with self.subTest(changes):
                run, file = self.written(**changes)
                with ph.open(file) as opened:
                    self.assert_same(run, opened)
                    self.assertEqual(opened.path, file)
                    self.assertEqual(opened.configuration.tables["method"]["step"], 0.05)
                    self.assertFalse(opened.final.state.flags.writeable)
                    numpy.testing.assert_array_equal(opened.section.array("state")[3:5], run.section.state[3:5])
                file.unlink()

    def test_a_saved_result_is_that_of_the_program(self):
        run, file = self.written()
        for compression in (0, 5):
            saved = self.path / f"saved-{compression}.h5"
            run.save(saved, compression=compression)
            self.assert_is_file(run, saved)
            with ph.open(saved) as opened, ph.open(file) as of_program:
                self.assert_same(opened, of_program)
                self.assertEqual(opened.configuration, run.configuration)
            with h5py.File(saved) as content, h5py.File(file) as expected:
                self.assertEqual(content["final/state"].compression_opts, compression or None)
                for path in ("/trajectory", "/section/point"):
                    self.assertEqual(content[path].attrs["NAME"], expected[path].attrs["NAME"])
            subprocess.run([PROGRAM, "info", saved], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([PROGRAM, "run", saved, "-o", self.path / f"again-{compression}.h5", "--quiet"], check=True, stdout=subprocess.DEVNULL)
            with ph.open(self.path / f"again-{compression}.h5") as again:
                self.assert_same(run, again)

    def test_many_given_states_are_in_the_result_once(self):
        self.enterContext(warnings.catch_warnings(action="ignore", category=RuntimeWarning))  # of starts that are moved
        position, velocity = numpy.array([0.6, 0.8, 0, -1.2, 0.9, 0]), numpy.array([-0.8, 0.6, 1, 0.9, 1.2, -2])
        states = numpy.hstack([numpy.tile(position, (1001, 1)), velocity * numpy.linspace(0.3, 0.7, 1001)[:, None]])
        states += 1e-4 * numpy.random.default_rng(4).normal(size=states.shape)  # they are moved to the constraints
        configuration = ph.configure(system=ph.System("double-spherical-pendulum", m=[1.0, 1.5], l=[1.0, 1.5]),
                                     method=ph.Method("rattle", step=0.01), steps=10,
                                     ensemble=ph.starts.States(states=states, variables="velocity"))
        run = configuration.run()
        self.assertGreater(abs(run.initial.state[:, :6] - states[:, :6]).max(), 1e-5)
        first = self.path / "first.h5"
        configuration.run(first)
        run.save(self.path / "saved.h5")
        for name in ("first.h5", "saved.h5"):
            with self.subTest(name):
                file = self.path / name
                self.assertLess(len(ph.open(file).attributes["config"]), 2000)
                self.assert_same(ph.open(file), run)
                self.assert_same(ph.open(file).configuration.run(), run)
                with self.assertRaisesRegex(ph.InputError, r"it is an input of this run"):
                    ph.load(file).run(file, force=True)
                subprocess.run([PROGRAM, "run", file, "-o", self.path / f"again-{name}", "--quiet"], check=True, stdout=subprocess.DEVNULL)
                self.assert_same(ph.open(self.path / f"again-{name}"), run)
        # It goes on from Python and from the command line, and its starts are found wherever it is moved to.
        ph.load(first).replace(**{"run.steps": 15}).run(first, resume=True)
        moved = first.rename(self.path / "moved.h5")
        subprocess.run([PROGRAM, "run", moved, "--set", "run.steps=20", "-o", moved, "--resume", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        moved = moved.rename(self.path / "again.h5")
        longer = configuration.replace(**{"run.steps": 20}).run()
        self.assert_same(ph.open(moved), longer)
        self.assert_same(ph.load(moved).run(), longer)
        # A list that can be read is listed, and one that is nowhere else must be.
        few = configuration.replace(**{"ensemble.states": states[:1000]}).run()
        unrecorded = configuration.replace(**{"record.initial": False}).run()
        for other, n in ((few, 1000), (unrecorded, 1001)):
            other.save(self.path / f"{n}.h5")
            with ph.open(self.path / f"{n}.h5") as opened:
                self.assertEqual(len(opened.configuration.tables["ensemble"]["states"]), n)
                self.assert_same(opened.configuration.run(), other)

    def test_a_saved_result_is_saved_again(self):
        run, file = self.written()
        with ph.open(file) as opened:
            opened.save(self.path / "copy.h5")
        with ph.open(self.path / "copy.h5") as copied, ph.open(file) as opened:
            self.assert_same(copied, opened)
            self.assertEqual(copied.attributes, opened.attributes)

    def test_arrays_outlive_their_file(self):
        run, file = self.written()
        opened = ph.open(file)
        states = opened.section.state
        self.assertIs(opened.section.state, states)  # read once
        opened.close()
        file.write_bytes(b"")
        numpy.testing.assert_array_equal(states, run.section.state)

    def test_what_cannot_be_saved_or_opened(self):
        run = ph.run(**TOP, steps=20)
        run.save(self.path / "out.h5")
        for changes, error, words in (({}, ph.InputError, "already exists"), ({"compression": 10, "force": True}, ph.InputError, "has to be 0 to 9")):
            with self.assertRaisesRegex(error, words):
                run.save(self.path / "out.h5", **changes)
        with self.assertRaisesRegex(ph.FileError, "cannot write '/proc/out.h5'"):
            run.save("/proc/out.h5")
        with self.assertRaisesRegex(ph.InputError, "it was stopped"):
            ph.run(**TOP, steps=FOREVER, progress=lambda now: False).save(self.path / "stopped.h5")
        whole = (self.path / "out.h5").read_bytes()
        (self.path / "half.h5").write_bytes(whole[: len(whole) // 2])
        (self.path / "text.h5").write_text("text")
        with h5py.File(self.path / "other.h5", "w") as other:
            other["x"] = 1
        for name, words in (("absent.h5", "No such file"), ("half.h5", "cannot read"), ("text.h5", "not an HDF5 file"), ("other.h5", "not written by polhode"), ("", "cannot read")):
            with self.subTest(name), self.assertRaisesRegex(ph.InputError, words):
                ph.open(self.path / name)
        opened = ph.open(self.path / "out.h5")
        opened.close()
        with self.assertRaisesRegex(ph.InputError, "it was closed"):
            opened.final.state
        self.assertEqual(sorted(file.name for file in self.path.iterdir()), ["half.h5", "other.h5", "out.h5", "text.h5"])

    def test_trees(self):
        for changes in ({}, {"section.columns": ["pi2", "pi3"]}):
            run, file = self.written(**changes)
            tree = run.to_xarray()
            self.assertEqual(dict(tree["snapshots/state"].sizes), {"trajectory": 448, "time": 17, "column": 6})
            numpy.testing.assert_array_equal(tree["snapshots/state"].sel(column="pi2", time=2.0), run.snapshots.state[:, 2, 1])
            self.assertEqual(tree["snapshots/time"].attrs["unit"], "time")
            self.assertEqual(tree.attrs["system"], "heavy-top")
            kept = changes.get("section.columns", ["pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"])
            self.assertEqual(tree["section/state"].coords[tree["section/state"].dims[1]].values.tolist(), kept)
            with ph.open(file) as opened:
                again = opened.to_xarray()
            tree.attrs = again.attrs = {}  # as assert_same compares them
            self.assertTrue(again.identical(tree))
            file.unlink()


if __name__ == "__main__":
    unittest.main()
