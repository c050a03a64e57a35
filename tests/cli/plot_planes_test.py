#!/usr/bin/env python3
"""Sections and densities of python/polhode in the plane: the points that are drawn, branches, axes."""

from __future__ import annotations

import os
import subprocess
import unittest
import unittest.mock
from dataclasses import replace

import h5py
import numpy as np
from pictures import Picture
from plot_support import (
    MOMENTS,
    PYTHON_FOLDER,
    InTemporaryFolder,
    write_density,
    write_result,
    write_top,
)

from polhode import (
    branches,
    chart,
    colours,
    density_plot,
    errors,
    section_plot,
    section_points,
    stored,
)
from polhode.wanted import Wanted

WHOLE = Wanted()
BOX, CELLS = ((-9.0, 9.0), (-9.0, 9.0)), (60, 60)


class Selection(InTemporaryFolder):
    """What is drawn, without drawing."""

    def test_heavy_top_shows_the_half_with_positive_pi1(self) -> None:
        state = write_result(self.file, 5000)
        shown = state[state[:, 0] > 0]
        with stored.open_result(self.file) as result:
            plane = chart.chart_of_section(result, WHOLE)
            points = section_points.join(list(section_points.blocks(result, plane, WHOLE)))
            axes = section_plot.draw_section(result).figure.axes[0]
            self.assertEqual(axes.get_xlabel(), r"$m_{13}$ = $\Pi_{2}$")
            self.assertEqual(axes.get_ylabel(), "$m_{12}$ = \N{MINUS SIGN}$\\Pi_{3}$")
            trajectory = result.section.trajectory[:][state[:, 0] > 0]
        np.testing.assert_array_equal(points.x, shown[:, 1])
        np.testing.assert_array_equal(points.y, -shown[:, 2])
        np.testing.assert_array_equal(points.trajectory, trajectory)
        np.testing.assert_array_equal(axes.collections[0].get_offsets(), np.stack([points.x, points.y], axis=1))
        self.assertEqual(axes.get_aspect(), 1)
        for part in ("heavy-top", "gamma3 = 0, up", "step 0.05", "pi1 > 0", f"{len(shown):,} of 5,000 points"):
            self.assertIn(part, axes.figure._suptitle.get_text())

    def test_blocks_do_not_change_what_is_drawn(self) -> None:
        write_result(self.file, 1000)
        with stored.open_result(self.file) as result:
            plane = chart.chart_of_section(result, WHOLE)
            whole = section_points.join(list(section_points.blocks(result, plane, WHOLE)))
            extent = section_points.extent_of(result, plane, WHOLE)
            whole_density = section_points.density(result, plane, BOX, CELLS, WHOLE, 0)
            with unittest.mock.patch.object(section_points, "BLOCK_ROWS", 77):
                parts = list(section_points.blocks(result, plane, WHOLE))
                block_extent = section_points.extent_of(result, plane, WHOLE)
                block_density = section_points.density(result, plane, BOX, CELLS, WHOLE, 0)
        self.assertEqual(len(parts), 13)
        np.testing.assert_array_equal(section_points.join(parts).x, whole.x)
        np.testing.assert_array_equal(block_density[0], whole_density[0])
        self.assertEqual(extent.count, len(whole.x))
        np.testing.assert_array_equal(block_extent.low, [whole.x.min(), whole.y.min()])
        np.testing.assert_array_equal(block_extent.high, [whole.x.max(), whole.y.max()])

    def test_density_counts_every_shown_point_in_its_cell(self) -> None:
        state = write_result(self.file, 20_000)
        shown = state[state[:, 0] > 0]
        with stored.open_result(self.file) as result:
            plane = chart.chart_of_section(result, WHOLE)
            counts, x_edges, y_edges = section_points.density(result, plane, BOX, CELLS, WHOLE, 0)
        self.assertEqual(counts.sum(), len(shown))
        self.assertEqual(counts.shape, (len(x_edges) - 1, len(y_edges) - 1))
        self.assertAlmostEqual((x_edges[1] - x_edges[0]) / (y_edges[1] - y_edges[0]), 1, delta=0.02)
        i, j = np.unravel_index(counts.argmax(), counts.shape)
        x, y = shown[:, 1], -shown[:, 2]
        inside = (x >= x_edges[i]) & (x < x_edges[i + 1]) & (y >= y_edges[j]) & (y < y_edges[j + 1])
        self.assertEqual(counts[i, j], inside.sum())

    def test_a_range_without_points_does_not_show_the_other_side(self) -> None:
        state = write_result(self.file, 400)
        state[:, 1] = np.sign(state[:, 0])
        with h5py.File(self.file, "a") as file:
            file["section/state"][...] = state
        there = Wanted(range=((-2, 0), (-9, 9)))
        with stored.open_result(self.file) as result:
            with self.assertRaisesRegex(errors.InputError, "no section point with pi1 > 0"):
                section_plot.draw_section(result, there)
        with h5py.File(self.file, "a") as file:
            file["section/state"][:, :2] = -1
        with stored.open_result(self.file) as result:
            self.assertIn("pi1 < 0", section_plot.draw_section(result, there).figure._suptitle.get_text())

    def test_many_points_are_drawn_as_density(self) -> None:
        write_result(self.file, 400)
        with stored.open_result(self.file) as result:
            count = section_points.extent_of(result, chart.chart_of_section(result, WHOLE), WHOLE).count
            for most_dots, density_images in ((count, 0), (count - 1, 1)):
                with unittest.mock.patch.object(section_plot, "MOST_DOTS", most_dots):
                    axes = section_plot.draw_section(result).figure.axes[0]
                self.assertEqual((len(axes.images), len(axes.collections)), (density_images, 1 - density_images))

    def test_points_on_a_line_have_a_density(self) -> None:
        write_result(self.file, 400)
        with h5py.File(self.file, "a") as file:
            file["section/state"][:, 0:3] = 1
        with stored.open_result(self.file) as result:
            plane = chart.chart_of_section(result, WHOLE)
            counts = section_points.density(result, plane, BOX, CELLS, WHOLE, 0)[0]
        self.assertEqual(counts.sum(), 400)

    def test_orbits_have_their_own_colours_up_to_a_limit(self) -> None:
        for orbits, different in ((1, 1), (12, 12), (13, 13), (200, 200), (201, 1)):
            with self.subTest(orbits=orbits):
                numbers = 7 * np.arange(orbits)  # orbits without points leave gaps
                drawn = colours.orbit_colours(np.repeat(numbers, 3))
                self.assertEqual(drawn.shape, (3 * orbits, 3))
                self.assertEqual(len(np.unique(drawn, axis=0)), different)
                np.testing.assert_array_equal(drawn[0::3], drawn[2::3])

    def test_an_unknown_system_shows_its_first_free_columns(self) -> None:
        columns = ("q1", "q2", "p1", "p2")
        cases = {"q1 = 0, up": ("q2", "p1"), "p1 = 0.5, both": ("q1", "q2"), "energy = 1, up": ("q1", "q2")}
        for section, expected in cases.items():
            attributes = {"program": "polhode", "system": "unheard-of", "section": section}
            state = write_result(self.file, 100, columns=columns, attributes=attributes)
            with stored.open_result(self.file) as result:
                plane = chart.chart_of_section(result, WHOLE)
                points = section_points.join(list(section_points.blocks(result, plane, WHOLE)))
            self.assertEqual((plane.horizontal.column, plane.vertical.column), expected)
            np.testing.assert_array_equal(points.x, state[:, columns.index(expected[0])])
            np.testing.assert_array_equal(points.y, state[:, columns.index(expected[1])])

    def test_an_angle_without_bound_is_drawn_modulo_2_pi(self) -> None:
        columns = ("theta", "r", "p1", "p2")
        state = write_result(self.file, 500, columns=columns, attributes={"program": "polhode", "section": "p1 = 0, up"})
        state[:, 0] *= 100
        with h5py.File(self.file, "a") as file:
            file["section/state"][:, 0] = state[:, 0]
            file["final/state"].attrs.create("angle", ["unbounded", "wrapped", "", ""], dtype=h5py.string_dtype())
        for wanted, low in ((WHOLE, -np.pi), (Wanted(range=((1, 1 + 2 * np.pi), (-9, 9))), 1)):
            with stored.open_result(self.file) as result:
                plane = chart.chart_of_section(result, wanted)
                points = section_points.join(list(section_points.blocks(result, plane, wanted)))
            self.assertEqual((len(points.x), result.turning), (500, {"theta"}))
            self.assertTrue(((points.x >= low) & (points.x < low + 2 * np.pi)).all())
            turns = (state[:, 0] - points.x) / (2 * np.pi)
            np.testing.assert_allclose(turns, np.round(turns), atol=1e-12)  # of up to 50
            self.assertGreater(abs(turns).max(), 20)
            np.testing.assert_array_equal(points.y, state[:, 1])

    def test_a_heavy_top_cut_elsewhere_is_drawn_whole(self) -> None:
        write_result(
            self.file,
            100,
            attributes={"program": "polhode", "system": "heavy-top", "section": "pi1 = 0, up"},
            chart=False,
        )
        with stored.open_result(self.file) as result:
            plane = chart.chart_of_section(result, WHOLE)
            self.assertEqual((plane.horizontal.column, plane.vertical.column), ("pi2", "pi3"))
            self.assertEqual(section_points.extent_of(result, plane, WHOLE).count, 100)


def vertical_of(pi1: np.ndarray, pi2: float, group: int, momentum: float) -> np.ndarray:
    """Gamma [k, 3] on the section Gamma3 = 0 for Pi1 [k], with Pi.Gamma and the sign of Gamma1 Pi2 - Gamma2 Pi1."""
    squared = pi1**2 + pi2**2
    turn = group * np.sqrt(squared - momentum**2)
    gamma = np.stack([momentum * pi1 + turn * pi2, momentum * pi2 - turn * pi1, np.zeros_like(pi1)], axis=-1)
    return gamma / squared[:, None]


def energy_of(pi1: np.ndarray, pi2: float, group: int, momentum: float, chi: np.ndarray) -> np.ndarray:
    """The energy [k], but for the constant part of Pi2 and Pi3."""
    return pi1**2 / MOMENTS[0] / 2 + vertical_of(pi1, pi2, group, momentum) @ chi


class Branches(InTemporaryFolder):
    """States over one point of the plane with the same sign of Pi1."""

    def states(self, chi: np.ndarray, count: int, momentum: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Random section states [k, 6] with the number of each one's branch, found from all states over its point."""
        random, found, numbers = np.random.default_rng(5), [], []
        sizes = np.geomspace(1e-3, 6, 4001)  # of Pi1
        while len(found) < count:
            sign, group = random.choice([1, -1], size=2)
            pi = np.array(
                [sign * 2 * random.uniform(0.1, 1) ** 2, 2 * random.uniform(-1, 1) ** 3, random.uniform(-2, 2)]
            )

            if pi[1] ** 2 < momentum**2:
                continue  # not every Pi1 has a vertical
            above = sign * sizes[sizes > abs(pi[0]) * 1.02]
            lower, here, higher = energy_of(pi[0] * np.array([0.999, 1, 1.001]), pi[1], group, momentum, chi)
            beyond = np.sign(energy_of(above, pi[1], group, momentum, chi) - here)
            if abs(higher - lower) < 1e-4 or np.sign(higher - lower) != beyond[0]:
                continue  # close to a fold, where the grid does not tell
            found.append(np.concatenate([pi, vertical_of(pi[:1], pi[1], group, momentum)[0]]))
            numbers.append((group < 0) * branches.RANKS + np.count_nonzero(np.diff(beyond)))
        return np.array(found), np.array(numbers)

    def test_the_number_is_the_rank_of_pi1(self) -> None:
        for chi, momentum, expected in (
            ((0.0, 0.0, 1.0), 0.0, {0, 3}),
            ((1.0, 0.0, 0.0), 0.0, {0, 1, 3, 4}),
            ((0.8, -0.6, 0.0), 0.0, {0, 1, 2, 3, 4, 5}),
            ((0.6, 0.0, 0.8), 0.3, {0, 1, 3, 4}),
        ):
            state, numbers = self.states(np.array(chi), 1000, momentum)
            write_top(self.file, chi=chi, section=state)
            for sign in (1, -1):
                with stored.open_result(self.file) as result:
                    plane = replace(chart.chart_of_section(result, WHOLE), sign=sign)
                    found = branches.numbers(result, plane, state)
                np.testing.assert_array_equal(found, numbers)
            self.assertEqual(set(numbers), expected)

    def test_they_are_those_of_the_starts(self) -> None:
        if "POLHODE" not in os.environ:
            self.skipTest("POLHODE is not set")
        example = PYTHON_FOLDER.parent / "examples" / "kowalevski_section.toml"
        for branch, number in (("pi1+", 0), ("pi1+2", 1)):
            settings = ("ensemble.grid=[60, 60]", "run.steps=1", f"ensemble.branch={branch}")
            words = [word for setting in settings for word in ("--set", setting)]
            command = [os.environ["POLHODE"], "run", example, "-o", self.file, "--force", "--quiet", *words]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            with stored.open_result(self.file) as result:
                plane, starts = chart.chart_of_section(result, WHOLE), result.initial_state[:]
                found = branches.numbers(result, plane, starts)
            self.assertGreater(len(starts), 20)
            self.assertEqual(set(found), {number})

    def test_they_are_drawn_in_different_colours(self) -> None:
        for orbits in (20, 300):
            for chi, told in (((1.0, 0.0, 0.0), True), ((0.0, 0.0, 1.0), False)):
                state, numbers = self.states(np.array([1.0, 0.0, 0.0]), 600)
                state = state[(numbers < branches.RANKS) & (state[:, 0] > 0)]
                write_top(self.file, n=orbits, chi=chi, section=state)
                with stored.open_result(self.file) as result:
                    drawn = section_plot.draw_section(result).figure
                drawn.savefig(self.folder / "run.png")
                pixels = Picture(self.folder / "run.png")
                seen = [pixels.hue(colours.branch_colour(place)) for place in (0, 1)]
                legend = drawn.axes[0].get_legend()
                if told:
                    texts = [text.get_text() for text in legend.get_texts()]
                    self.assertEqual(texts, [f"{word} {branches.SIZE}" for word in ("larger", "smaller")])
                    self.assertGreater(min(seen), 100)
                else:
                    self.assertIsNone(legend)
                    if orbits > colours.MOST_COLOURED_ORBITS:
                        self.assertEqual(seen[1], 0)

    def test_a_density_has_one_of_them_and_says_which(self) -> None:
        state, numbers = self.states(np.array([1.0, 0.0, 0.0]), 600)
        state, numbers = (part[(numbers < branches.RANKS) & (state[:, 0] > 0)] for part in (state, numbers))
        write_top(self.file, chi=(1.0, 0.0, 0.0), section=state)
        with stored.open_result(self.file) as result, unittest.mock.patch.object(section_plot, "MOST_DOTS", 100):
            picture = section_plot.draw_section(result)
        counts = int(picture.figure.axes[0].images[0].get_array().sum())
        self.assertEqual(counts, (numbers == 0).sum())
        self.assertIn(f"states of larger {branches.SIZE} only", picture.figure._suptitle.get_text())
        self.assertIn(f"{counts} of them drawn", picture.contents)


class Frames(InTemporaryFolder):
    """Axes, their scale and their size."""

    def test_components_of_a_vector_have_one_scale(self) -> None:
        alike = [("pi2", "pi3"), ("gamma1", "gamma2"), ("q1x", "q1y"), ("p2x", "p2z")]
        unlike = [("q1z", "q2z"), ("q1", "q2"), ("q2", "p2"), ("q1x", "p1x"), ("pi1", "gamma1"), ("pi1", "pi1")]
        self.assertTrue(all(chart.are_components(*pair) for pair in alike))
        self.assertFalse(any(chart.are_components(*pair) for pair in unlike))

    def test_axes_of_one_scale_fill_the_picture(self) -> None:
        for stretch in ((1, 1), (3, 1), (1, 1.8)):
            state = write_result(self.file, 2000)
            state[:, 1:3] = np.clip(state[:, 1:3], -2, 2) * stretch
            with h5py.File(self.file, "a") as file:
                file["section/state"][...] = state
            with stored.open_result(self.file) as result:
                figure = section_plot.draw_section(result).figure
            figure.savefig(self.folder / "run.png")
            axes, (width, height) = figure.axes[0], figure.get_size_inches()
            across, along = (size * inches for size, inches in zip(axes.get_position().size, (width, height)))
            self.assertAlmostEqual(along / across, stretch[1] / stretch[0], delta=0.03)
            self.assertLess(width - across, 1.2)  # labels and numbers
            self.assertLess(height - along, 1.2)  # and the title
            pixels = Picture(self.folder / "run.png").pixels
            rows, columns = (np.flatnonzero((pixels < 0.9).any(axis=(2, i))) for i in (1, 0))
            for used, inches in ((rows, height), (columns, width)):
                self.assertGreater(len(used), 0)
                self.assertLess(max(used[0], inches * figure.dpi - used[-1]), 0.15 * figure.dpi, "an empty margin")

    def test_a_very_long_range_has_two_scales(self) -> None:
        write_result(self.file, 5000)
        with stored.open_result(self.file) as result:
            figure = section_plot.draw_section(result, Wanted(range=((-1, 1), (-0.01, 0.01)))).figure
        self.assertEqual(figure.axes[0].get_aspect(), "auto")
        self.assertEqual((figure.axes[0].get_xlim(), figure.axes[0].get_ylim()), ((-1, 1), (-0.01, 0.01)))

    def test_a_density_of_points_has_the_pixels_of_the_picture(self) -> None:
        state = write_result(self.file, 20_000)
        with stored.open_result(self.file) as result, unittest.mock.patch.object(section_plot, "MOST_DOTS", 100):
            picture = section_plot.draw_section(result)
        axes = picture.axes
        image, box = axes.images[0], axes.get_window_extent()
        for cells, pixels in zip(image.get_array().shape, (box.height, box.width)):
            self.assertAlmostEqual(cells / pixels, 1, delta=0.2)  # axes are arranged anew when all is drawn
        self.assertEqual(tuple(image.get_extent()), (*axes.get_xlim(), *axes.get_ylim()))
        self.assertEqual(image.get_array().sum(), (state[:, 0] > 0).sum())

    def test_a_density_lies_as_the_section_does(self) -> None:
        counts = np.zeros((8, 4), int)
        counts[6, 1] = 7  # pi2 in 2 ... 2.5, pi3 in -0.5 ... 0
        counts[0, 0] = 1
        write_density(self.file, counts)
        with stored.open_result(self.file) as result:
            picture = density_plot.draw_density_of_run(result)
            part = density_plot.draw_density_of_run(result, Wanted(range=((1.6, 2.2), (-0.2, 0.3))))
        axes = picture.figure.axes[0]
        self.assertIn("m_{13}", axes.get_xlabel())
        self.assertIn("m_{12}", axes.get_ylabel())
        self.assertEqual(axes.get_aspect(), 1)
        image, (left, right, bottom, top) = axes.images[0].get_array(), axes.images[0].get_extent()
        (row,), (column,) = np.nonzero(image == 7)
        self.assertEqual(
            (left + (column + 0.5) / 8 * (right - left), bottom + (row + 0.5) / 4 * (top - bottom)), (2.25, 0.25)
        )
        self.assertIn("both signs of pi1", picture.figure._suptitle.get_text())
        self.assertEqual(picture.contents, "density of 8 points in 8 x 4 cells")
        self.assertEqual(part.contents, "density of 7 points in 2 x 2 cells")

    def test_a_density_of_one_side_does_not_name_both(self) -> None:
        write_density(self.file, np.ones((4, 4), int), section="gamma3 = 0, up, where pi1 > 0")
        with stored.open_result(self.file) as result:
            title = density_plot.draw_density_of_run(result).figure._suptitle.get_text()
        self.assertIn("where pi1 > 0", title)
        self.assertNotIn("both signs", title)


if __name__ == "__main__":
    unittest.main()
