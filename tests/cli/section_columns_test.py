#!/usr/bin/env python3
"""[section] columns: points with some columns of the state.

Run with POLHODE set to the program's path."""

import sys
import unittest
from pathlib import Path

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

from polhode.stored import open_result  # noqa: E402

# Three slices.
MANY = CONFIG.replace("grid = [6, 6]", "grid = [60, 60]").replace("[run]", "[run]\nslice = 1024")


def with_columns(*names, of=CONFIG):
    listed = ", ".join(f'"{name}"' for name in names)
    return of.replace('name = "gamma3"', f'name = "gamma3"\ncolumns = [{listed}]')


class SectionColumns(CliTest):
    def refusal(self, config):
        done = self.polhode("run", self.write(config))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(sorted(path.name for path in self.path.iterdir()), ["config.toml"])
        return done.stderr

    def test_keeps_those_columns_in_that_order(self):
        self.run_with(self.write(MANY), "all.h5")
        for names in (["pi2", "pi3"], ["gamma3", "pi1", "gamma1"], ["pi2"]):
            self.run_with(self.write(with_columns(*names, of=MANY)), "some.h5")
            everything, some = datasets(self.path / "all.h5"), datasets(self.path / "some.h5")
            self.assertEqual(set(some) - set(everything), {"section/column"})
            for name in everything:
                if name != "section/state":
                    self.assertEqual(some[name], everything[name], name)
            with h5py.File(self.path / "all.h5") as all_of_them, h5py.File(self.path / "some.h5") as file:
                states, full = file["section/state"], all_of_them["section/state"]
                self.assertEqual([name.decode() for name in file["section/column"][:]], names)
                self.assertEqual(states.attrs["columns"].tolist(), names)
                self.assertEqual([scales[0].name for scales in states.dims], ["/section/point", "/section/column"])
                places = [full.attrs["columns"].tolist().index(name) for name in names]
                for name in ("unit", "meaning"):
                    self.assertEqual(states.attrs[name].tolist(), full.attrs[name][places].tolist())
                self.assertGreater(len(states), 10_000)
                self.assertTrue(numpy.array_equal(states[:], full[:][:, places]))

    def test_all_of_them_are_as_if_none_were_given(self):
        self.run_with(self.write(), "all.h5")
        self.run_with(self.write(with_columns("pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3")), "given.h5")
        self.assertEqual(datasets(self.path / "given.h5"), datasets(self.path / "all.h5"))

    def test_goes_on_with_the_same_columns_only(self):
        config = with_columns("pi2", "pi3", of=MANY.replace("steps = 600", "steps = 20000"))
        name = self.write(config)
        self.expect_same_after_kills(3, name, ["--set", "run.checkpoint=0"], [])
        self.run_until(self.has_checkpoint, name, "-o", "out.h5", "--set", "run.checkpoint=0")
        other = self.polhode("run", self.write(config.replace('"pi3"]', '"pi1"]')), "-o", "out.h5", "--resume")
        self.assertEqual(other.returncode, 2)
        self.assertIn('section.columns = ["pi2", "pi3"]" there', other.stderr)

    def test_wrong_columns_are_refused(self):
        self.assertIn('unknown column "pi4"; nearest known: "pi1"', self.refusal(with_columns("pi4")))
        self.assertIn("unknown column", self.refusal(with_columns("energy")))  # an observable
        self.assertIn('"pi2" is there twice', self.refusal(with_columns("pi2", "pi3", "pi2")))
        self.assertIn("there are none", self.refusal(with_columns()))
        density = '[density]\naxes = ["pi2", "pi3"]\nbins = [6, 4]\nrange = [[-1, 1], [-1, 1]]\n'
        without = with_columns("pi2").replace('name = "gamma3"', 'name = "gamma3"\npoints = false') + density
        self.assertIn("section.points = false keeps no points", self.refusal(without))

    def test_is_read_by_name_and_takes_less_room(self):
        sizes = []
        for config in (MANY, with_columns("gamma1", "pi2", of=MANY)):
            text = self.polhode("run", self.write(config), "--dry-run").stdout
            sizes.append(text)
        self.assertNotEqual(*sizes)
        self.run_with("config.toml", "out.h5")
        with open_result(self.path / "out.h5") as result:
            self.assertEqual(result.section.columns, ("gamma1", "pi2"))
            states = result.section.states(slice(0, 5))
            self.assertEqual(states.shape, (5, 6))
            self.assertEqual(numpy.isnan(states).all(axis=0).tolist(), [True, False, True, False, True, True])
            self.assertTrue(numpy.array_equal(states[:, [3, 1]], result.section.state[:5]))
        info = self.polhode("info", "out.h5").stdout
        self.assertRegex(info, r"/section/state.*\[\d+, 2\]")

    def test_columns_of_states_are_known_without_states(self):
        """Where points with some columns are the only states."""
        config = with_columns("pi2") + "[record]\ninitial = false\nfinal = false\n"
        self.run_with(self.write(config), "out.h5")
        with open_result(self.path / "out.h5") as result:
            self.assertEqual(result.columns, ("pi1", "pi2", "pi3", "gamma1", "gamma2", "gamma3"))
            self.assertEqual(len(result.units), 6)

    def test_pictures_that_lack_a_column_are_refused(self):
        self.run_with(self.write(with_columns("gamma1", "pi2")), "out.h5")
        plot = lambda *options: self.polhode("plot", "out.h5", "-o", "out.png", *options)
        lacking = plot()
        self.assertEqual(lacking.returncode, 2, lacking.stderr)
        self.assertIn("section.columns left pi3, pi1 out of its points, which have gamma1, pi2", lacking.stderr)
        self.assertIn("Run with pi3, pi1 in section.columns, or choose two other axes.", lacking.stderr)
        self.assertIn("left gamma2 out", plot("--axes", "pi2,gamma2").stderr)
        self.assertIn("left pi1, pi3 out", plot("--view", "section3d").stderr)
        self.assertFalse((self.path / "out.png").exists())
        self.assertEqual(plot("--axes", "pi2,gamma1").returncode, 0)
        self.assertTrue((self.path / "out.png").exists())
        # Those that the picture needs are enough; branches are told apart by all of them.
        self.run_with(self.write(with_columns("pi1", "pi2", "pi3")), "out.h5")
        self.assertEqual(plot().returncode, 0)
        self.assertEqual(plot("--view", "section3d").returncode, 0)


if __name__ == "__main__":
    unittest.main()
