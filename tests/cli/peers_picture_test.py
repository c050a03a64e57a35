#!/usr/bin/env python3
"""The picture of bench/peers, of results that nobody has measured."""

import pathlib
import sys
import tempfile
import unittest

from matplotlib import image

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench" / "peers"), str(ROOT / "python")]
sys.dont_write_bytecode = True

import work_precision_plot  # noqa: E402
from measurement import Row  # noqa: E402

FACTS = {"problem": "double-pendulum", "processor": "a processor of $5 or $6", "date": "2026-11-28", "time": 10, "orbits": 4}
ROWS = [Row(program, method, f"h = {h}", True, {"median": error}, {}, 7, {"median": 1e3 / h})
        for program, method, order in (("polhode", "RATTLE", 2), ("polhode", "Verner 6", 6), ("heyoka", "Taylor", 9))
        for h, error in ((step, step**order) for step in (0.1, 0.05))]


class Picture(unittest.TestCase):
    def test_it_has_a_curve_for_each_method_and_is_written(self):
        figure = work_precision_plot.draw(FACTS, ROWS)
        self.assertEqual(" ".join(figure.texts[0].get_text().split()), "double-pendulum | one core | a processor of $5 or $6 | 2026-11-28")
        (axes,) = figure.axes
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["polhode, RATTLE", "polhode, Verner 6", "heyoka, Taylor"])
        self.assertEqual([list(line.get_ydata()) for line in axes.lines], [[1e4, 2e4]] * 3)
        with tempfile.TemporaryDirectory() as folder:
            work_precision_plot.write(stem := pathlib.Path(folder) / "picture", FACTS, ROWS)
            self.assertEqual(image.imread(stem.with_suffix(".png")).shape[:2], (1300, 1600))


if __name__ == "__main__":
    unittest.main()
