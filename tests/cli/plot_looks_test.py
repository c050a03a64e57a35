#!/usr/bin/env python3
"""How pictures of python/polhode look: colours by a quantity, far points, several results, axes of the caller's."""

from __future__ import annotations

import unittest
import unittest.mock
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from plot_support import InTemporaryFolder, write_result

from polhode import differences, errors, picture, section_plot, statistics_plot, stored, work_precision_plot
from polhode.paper import Paper, parameters_of, size_of
from polhode.wanted import Wanted


class Looks(InTemporaryFolder):
    """Colours by a quantity, far points, several results, and axes of the caller's."""

    def written(self, points: int = 4000, **content: np.ndarray) -> np.ndarray:
        """A result with five orbits of these energies and drifts; returns its section states."""
        state = write_result(self.file, points)
        energy = np.array([1.0, 2, 3, 4, np.nan])
        with h5py.File(self.file, "a") as file:
            file["invariants/names"] = ["energy"]
            file["invariants/initial"] = energy[:, None]
            file["invariants/max_drift"] = 10.0 ** -np.arange(2.0, 12, 2)[:, None]
        return state

    def test_points_have_the_colour_of_their_trajectory(self) -> None:
        state = self.written()
        shown = state[:, 0] > 0
        with stored.open_result(self.file) as result:
            number = result.section.trajectory[:][shown]
            axes = section_plot.draw_section(result, colour="energy").axes
            grey, dots = axes.collections[:2]
            self.assertEqual(len(grey.get_offsets()), (number == 4).sum())
            np.testing.assert_array_equal(dots.get_array(), 1.0 + number[number < 4])
            self.assertIn("energy, linear scale", axes.figure.axes[1].get_xlabel())
            for name, values, is_logarithmic in (("drift", 10.0 ** -np.arange(2.0, 12, 2), True), ("pi2", result.initial_state[:][:, 1], False),
                                                 ("trajectory", np.arange(5.0), False), (np.arange(5) * 7.0, np.arange(5) * 7.0, False)):  # fmt: skip
                dots = section_plot.draw_section(result, colour=name).axes.collections[1]
                np.testing.assert_array_equal(dots.get_array(), values[number])
                self.assertEqual(isinstance(dots.norm, LogNorm), is_logarithmic)
            with self.assertRaisesRegex(errors.InputError, "there is energy, drift.energy, drift, pi1"):
                section_plot.draw_section(result, colour="colour")
            with self.assertRaisesRegex(errors.InputError, "a number for each of the 5"):
                section_plot.draw_section(result, colour=np.arange(4.0))

    def test_a_side_is_drawn(self) -> None:
        state = self.written()
        with stored.open_result(self.file) as result:
            for sign, shown in ((None, state[:, 0] > 0), (1, state[:, 0] > 0), (-1, state[:, 0] < 0), (0, state[:, 0] != 0)):
                drawn = section_plot.draw_section(result, Wanted(sign=sign))
                self.assertIn(f"{shown.sum():,}", drawn.figure._suptitle.get_text())
                self.assertEqual(len(drawn.axes.collections[0].get_offsets()), shown.sum())
        write_result(self.file, 100, columns=("q1", "q2", "p1", "p2"))
        with stored.open_result(self.file) as result, self.assertRaisesRegex(errors.InputError, "has no sides"):
            section_plot.draw_section(result, Wanted(sign=1))

    def test_of_very_many_points_the_mean_is_drawn(self) -> None:
        state = self.written()
        with stored.open_result(self.file) as result, unittest.mock.patch.object(section_plot, "MOST_DOTS", 100):
            number = result.section.trajectory[:][state[:, 0] > 0]
            with unittest.mock.patch.object(section_plot, "cells_of", lambda axes: (1, 1)):
                unknown, mean = (image.get_array() for image in section_plot.draw_section(result, colour="energy").axes.images)
            self.assertAlmostEqual(float(mean[0, 0]), np.mean(1.0 + number[number < 4]), places=12)
            self.assertEqual(float(unknown[0, 0]), (number == 4).sum())
            self.assertEqual(len(section_plot.draw_section(result, colour="pi2").axes.images), 1)  # known of all

    def test_numbers_of_a_scale_differ(self) -> None:
        self.written()
        with stored.open_result(self.file) as result:
            for values in (np.linspace(1, 1 + 2e-8, 5), np.linspace(0.0011, 0.0015, 5)):
                figure = section_plot.draw_section(result, colour=values).figure
                figure.draw_without_rendering()
                numbers = [text.get_text() for text in figure.axes[1].get_xticklabels()]
                self.assertEqual(len(set(numbers)), len(numbers), numbers)

    def test_a_few_far_points_do_not_set_the_scale(self) -> None:
        for far, count in ((50.0, 3), (8.0, 3), (50.0, 100)):
            state = write_result(self.file, 5000)
            state[:count, 0], state[:count, 1] = 1, far
            with h5py.File(self.file, "a") as file:
                file["section/state"][...] = state
            with stored.open_result(self.file) as result:
                picture = section_plot.draw_section(result)
            hidden = far == 50 and count == 3
            self.assertEqual(picture.axes.get_xlim()[1] < 10, hidden or far < 10)
            shown = (state[:, 0] > 0).sum() - count * hidden
            self.assertEqual(len(picture.axes.collections[0].get_offsets()), shown)
            self.assertIn(f"{shown:,} of 5,000 points", picture.figure._suptitle.get_text())

    def test_several_results_have_a_colour_each(self) -> None:
        first, second = (write_result(self.folder / name, 300 + 100 * k) for k, name in enumerate(("a.h5", "b.h5")))
        with h5py.File(self.folder / "b.h5", "a") as file:
            file.attrs["step"] = 0.1
        with stored.open_result(self.folder / "a.h5") as a, stored.open_result(self.folder / "b.h5") as b:
            axes = section_plot.draw_sections([a, b]).axes
            self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["step 0.05", "step 0.1"])
            drawn = [dots for dots in axes.collections if len(dots.get_offsets())]
            self.assertEqual([len(dots.get_offsets()) for dots in drawn], [(state[:, 0] > 0).sum() for state in (first, second)])
            self.assertNotEqual(*(tuple(dots.get_facecolor()[0]) for dots in drawn))
            for size in ((8.6 / 2.54, None), (5.0, 4.0)):
                compared = section_plot.draw_sections([a, b], paper=Paper(size=size))
                compared.figure.draw_without_rendering()
                inside = compared.figure.bbox
                box = compared.axes.get_legend().get_window_extent()
                self.assertTrue(inside.x0 <= box.x0 and box.x1 <= inside.x1)
                self.assertGreater(compared.axes.get_window_extent().width, inside.width / 2)  # the legend leaves room
            with self.assertRaisesRegex(errors.InputError, "their axes are others"):
                with stored.open_result(self.file_of_other_columns()) as other:
                    section_plot.draw_sections([a, other])

    def file_of_other_columns(self) -> Path:
        write_result(self.file, 100, columns=("q1", "q2", "p1", "p2"))
        return self.file

    def test_names_of_results_tell_how_they_differ(self) -> None:
        for name in ("a.h5", "b.h5"):
            write_result(self.folder / name, 300)
        with stored.open_result(self.folder / "a.h5") as a, stored.open_result(self.folder / "b.h5") as b:
            heavier = replace(b, parameters={**b.parameters, "c": np.array(2.5)})
            longer = replace(b, attributes={**b.attributes, "steps": 123456})
            in_memory = [replace(result, source="the run", is_stored=False) for result in (a, b)]
            self.assertEqual(differences.names_of([a, b], ["", ""]), ["a", "b"])
            self.assertEqual(differences.names_of(in_memory, ["", ""]), ["run 1", "run 2"])
            self.assertEqual(differences.names_of([a, heavier], ["", ""])[1], "c = 2.5")
            self.assertEqual(differences.names_of([a, longer], ["", ""])[1], "123,456 steps")
            composed = replace(b, attributes={**b.attributes, "composition": "suzuki4"})
            self.assertEqual(differences.names_of([a, composed], ["", ""]), ["rattle", "rattle (suzuki4)"])
            same_stem = replace(b, source=f"'{self.folder / 'other' / 'a.h5'}'")
            self.assertEqual(differences.names_of([a, same_stem], ["", ""]), ["run 1", "run 2"])
            self.assertEqual(differences.names_of([a, a], ["pi1 > 0", "pi1 < 0"]), ["pi1 > 0", "pi1 < 0"])
            self.assertIn("of 600 points", section_plot.draw_sections([a, b]).figure._suptitle.get_text())

    def test_axes_of_the_callers_are_drawn_on(self) -> None:
        self.written()
        figure = Figure(figsize=(9, 3))
        before = figure.get_size_inches().copy()
        axes = figure.subplots(1, 3)
        with stored.open_result(self.file) as result:
            for panel, look in zip(axes, ({}, {"title": "mine"}, {"labels": ("a", "b"), "dots": 2.0})):
                self.assertIs(section_plot.draw_section(result, paper=Paper(on=panel, **look)).axes, panel)
            with self.assertRaisesRegex(errors.InputError, "Give a figure"):
                statistics_plot.draw_statistics(replace(result, statistics=unittest.mock.Mock(observables=("a", "b"))), paper=Paper(on=axes[0]))
        np.testing.assert_array_equal(figure.get_size_inches(), before)
        self.assertIsNone(figure._suptitle)
        self.assertEqual([panel.get_title() for panel in axes], ["", "mine", ""])
        self.assertEqual((axes[2].get_xlabel(), axes[2].get_ylabel()), ("a", "b"))
        self.assertEqual(axes[2].collections[0].get_sizes().tolist(), [4.0])

    def test_sizes_and_titles(self) -> None:
        write_result(self.file, 500)
        with stored.open_result(self.file) as result:
            for size, title in ((None, None), ((3.4, None), ""), ((5.0, 4.0), "of my own")):
                figure = section_plot.draw_section(result, paper=Paper(size=size, title=title, dpi=100)).figure
                if size:
                    self.assertAlmostEqual(figure.get_size_inches()[0], size[0])
                    self.assertAlmostEqual(figure.get_size_inches()[1], size[1] or figure.get_size_inches()[1])
                self.assertEqual(figure.dpi, 100)
                written = figure._suptitle.get_text() if figure._suptitle else ""
                self.assertTrue(written == title if title is not None else "heavy-top" in written)

    def test_sizes_in_words(self) -> None:
        for size, inches in ((None, None), ("column", (8.6 / 2.54, None)), (7, (7, None)), ((7, 5), (7, 5)), ("8.6cm,70mm", (8.6 / 2.54, 7 / 2.54)), ("3in", (3, None))):
            self.assertEqual(size_of(size) and tuple(side and round(side, 9) for side in size_of(size)), inches and tuple(side and round(side, 9) for side in inches))
        for size in ("", "wide", "-1", 0, "1,2,3", (1, -1), "1000", float("nan")):
            with self.subTest(size), self.assertRaisesRegex(errors.InputError, "cannot use the size"):
                size_of(size)
        self.assertEqual(parameters_of(size_of("column"))["font.size"], 8)
        self.assertEqual(parameters_of(size_of(7)), {})

    def test_styles(self) -> None:
        (self.folder / "own.mplstyle").write_text("font.size: 13\n")
        self.assertEqual(parameters_of(size_of("column"), self.folder / "own.mplstyle")["font.size"], 13)
        self.assertEqual(parameters_of(None, "dark_background")["axes.facecolor"], "black")
        with self.assertRaisesRegex(errors.InputError, "cannot use the style 'absent.*No such file"):
            parameters_of(None, "absent.mplstyle")
        (self.folder / "letter.txt").write_text("Dear Sir\n")
        with self.assertRaisesRegex(errors.InputError, "it sets nothing"):
            parameters_of(None, self.folder / "letter.txt")
        for wrong, words in (({"labels": ("$x", "$x^$")}, "its mathematics"), ({"title": 3}, "it is no text"), ({"dpi": 1e9}, "pixels"), ({"dpi": 0.1}, "pixels")):
            with self.subTest(wrong), self.assertRaisesRegex(errors.InputError, words):
                Paper(**wrong).figure(4, 3, 100)

    def test_dots_of_a_pdf_are_dots_and_its_letters_truetype(self) -> None:
        for points, is_image in ((1000, False), (420_000, True)):
            write_result(self.file, points)
            with stored.open_result(self.file) as result:
                drawn = section_plot.draw_section(result)
            drawn.figure.about = "system = heavy-top"
            picture.write(drawn.figure, self.folder / "dots.pdf")
            content = (self.folder / "dots.pdf").read_bytes()
            self.assertEqual(b"/Subtype /Image" in content, is_image)
            self.assertIn(b"/Subtype /TrueType" if b"/TrueType" in content else b"/CIDFontType2", content)
            self.assertNotIn(b"/Type3", content)
            self.assertIn(b"system = heavy-top", content)

    def test_the_front_is_of_what_nothing_beats(self) -> None:
        points = [(1e-3, 5.0), (1e-2, 1.0), (1e-4, 9.0), (1e-3, 4.0), (2e-3, 8.0), (1e-5, 9.0)]
        self.assertEqual(work_precision_plot.front_of(points), [(1e-2, 1.0), (1e-3, 4.0), (1e-5, 9.0)])


if __name__ == "__main__":
    unittest.main()
