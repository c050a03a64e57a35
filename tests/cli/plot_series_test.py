#!/usr/bin/env python3
"""Snapshots and statistics against time in python/polhode, titles, labels, and how results are read."""

from __future__ import annotations

import unittest
import unittest.mock

import h5py
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from pictures import Picture
from plot_support import (
    HEAVY_TOP,
    MOMENTS,
    InTemporaryFolder,
    write_density,
    write_result,
    write_statistics,
    write_top,
)

from polhode import (
    colours,
    density_plot,
    heading,
    invariants_plot,
    labels,
    polhode_plot,
    scale,
    section3d_plot,
    section_plot,
    snapshots,
    statistics_plot,
    steps_plot,
    stored,
    trajectories,
)
from polhode.wanted import Wanted


class AgainstTime(InTemporaryFolder):
    """Changes of invariants, without pictures."""

    def test_changes_begin_at_the_start(self) -> None:
        states = write_top(self.file, n=4)
        with stored.open_result(self.file) as result:
            changes = invariants_plot.read_changes(result, np.arange(4))
            start = result.initial_state[:]
        energy = [np.sum(s[..., :3] ** 2 / MOMENTS, axis=-1) / 2 + s[..., 5] for s in (states, start)]
        panels = invariants_plot.panels_of(changes)
        self.assertEqual(changes.names, ("gamma_squared", "energy", "pi_dot_gamma"))
        self.assertEqual(changes.units, ("1", "c", "c^1/2 I^1/2"))
        self.assertEqual([panel.name for panel in panels], ["energy", "gamma_squared", "pi_dot_gamma"])
        self.assertEqual([panel.unit for panel in panels], ["c", "1", "c^1/2 I^1/2"])
        np.testing.assert_allclose(changes.time, 0.1 * np.arange(41))
        np.testing.assert_array_equal(changes.values[:, 0], 0)
        np.testing.assert_allclose(changes.values[:, 1:, 1], energy[0] - energy[1][:, None], atol=1e-14)

    def test_a_first_snapshot_at_the_start_is_not_doubled(self) -> None:
        write_top(self.file)
        with h5py.File(self.file, "a") as file:
            file["snapshots/time"][...] = 0.1 * np.arange(40)
        with stored.open_result(self.file) as result:
            self.assertEqual(len(invariants_plot.read_changes(result, np.arange(3)).time), 40)

    def test_states_tell_what_was_not_recorded(self) -> None:
        changes = []
        for recorded in (True, False):
            write_top(self.file, recorded=recorded)
            with stored.open_result(self.file) as result:
                changes.append(invariants_plot.read_changes(result, np.arange(3)))
        order = [changes[0].names.index(name) for name in changes[1].names]
        np.testing.assert_allclose(changes[0].values[..., order], changes[1].values, atol=1e-14)

    def test_a_trajectory_that_ended_is_not_drawn_on(self) -> None:
        write_top(self.file, n=2)
        with h5py.File(self.file, "a") as file:
            file["final/time"][0] = 2.0
        with stored.open_result(self.file) as result:
            values = invariants_plot.read_changes(result, np.arange(2)).values
        np.testing.assert_array_equal(np.isnan(values[0]).all(axis=1), np.arange(41) > 20)
        self.assertFalse(np.isnan(values[1]).any())

    def test_blocks_and_choice_keep_trajectories_together(self) -> None:
        write_top(self.file, n=50)
        with stored.open_result(self.file) as result:
            rows = trajectories.thinned(np.arange(50), 7)
            whole = snapshots.changes_of(result, np.arange(50)).values
            with unittest.mock.patch.object(snapshots, "BLOCK_NUMBERS", 500):
                parts = snapshots.changes_of(result, rows).values
            strided = snapshots.changes_of(result, rows, 3).values
        self.assertEqual(len(set(rows)), 7)
        np.testing.assert_array_equal(parts, whole[rows])
        np.testing.assert_array_equal(strided[:, 1:], whole[rows, 1::3])

    def test_very_many_snapshots_are_thinned(self) -> None:
        write_top(self.file, n=9, steps=100)
        with stored.open_result(self.file) as result, unittest.mock.patch.object(invariants_plot, "MOST_TIMES", 40):
            changes = invariants_plot.read_changes(result, np.arange(9))
            self.assertEqual(len(changes.time), 1 + 34)
            self.assertIn("every 3 snapshots", invariants_plot.title(result, np.arange(9))[1])

    def test_growth_over_decades_is_logarithmic(self) -> None:
        time = np.linspace(0, 20, 200)
        self.assertTrue(invariants_plot.is_growing(np.stack([1e-15 * np.exp(time), np.zeros(200)])))
        self.assertFalse(invariants_plot.is_growing(np.stack([np.sin(time), 1e-3 * time])))
        self.assertFalse(invariants_plot.is_growing(np.zeros((2, 5))))
        self.assertFalse(invariants_plot.is_growing(np.full((2, 5), np.nan)))

    def test_percentiles_leave_out_what_ended(self) -> None:
        values = np.array([[1.0, 1, np.nan], [2, np.nan, np.nan], [3, 3, np.nan]])
        bands = invariants_plot.percentiles(values)
        np.testing.assert_array_equal(bands[[0, 2, 4]].T, [[1, 2, 3], [1, 2, 3], [np.nan] * 3])

    def test_scaled_errors_of_order_two_coincide(self) -> None:
        curves = []
        for step in (0.02, 0.01):
            write_top(self.file, n=1, step=step, steps=round(4 / step))
            with stored.open_result(self.file) as result:
                curves.append(steps_plot.curve_of(result))
        self.assertEqual([curve.step for curve in curves], [0.02, 0.01])
        np.testing.assert_allclose(curves[0].time, curves[1].time[::2])
        largest = np.abs(curves[1].error).max()
        self.assertGreater(largest, 0.005)
        np.testing.assert_allclose(curves[0].error, curves[1].error[::2], atol=0.1 * largest)


class Panels(InTemporaryFolder):
    """What shares a panel, and what is in it."""

    def write_invariants(self, names: tuple[str, ...], values: np.ndarray, unit: str = "mass length^2/time") -> None:
        """A result with these invariants [n, t, i] along its snapshots; the first time is the start."""
        write_top(self.file, n=len(values), steps=values.shape[1] - 1)
        with h5py.File(self.file, "a") as file:
            for name in ("snapshots/invariants", "invariants/names", "invariants/initial"):
                del file[name]
            file["invariants/names"] = list(names)
            file["invariants/initial"] = values[:, 0]
            file["invariants/initial"].attrs["unit"] = [unit] * len(names)
            file["snapshots/invariants"] = values[:, 1:]

    def axes_of(self) -> list[Axes]:
        with stored.open_result(self.file) as result:
            return invariants_plot.draw_invariants(result).figure.axes

    def test_constraints_are_drawn_themselves(self) -> None:
        error = np.array([[4e-9, 1e-9, 3e-9, 2e-9]])
        self.write_invariants(("energy", "constraint"), np.stack([error, error], axis=-1))
        energy, constraint = self.axes_of()
        np.testing.assert_allclose(constraint.lines[-1].get_ydata(), error[0])
        np.testing.assert_allclose(energy.lines[-1].get_ydata(), error[0] - error[0, 0])
        self.assertIn("largest", constraint.get_ylabel())

    def test_the_components_of_a_vector_share_a_panel(self) -> None:
        names = ("momentum_z", "spin_x", "energy", "momentum_x", "momentum_y")
        for n in (1, 3, 12):
            self.write_invariants(names, np.random.default_rng(1).normal(size=(n, 6, 5)))
            axes = self.axes_of()
            self.assertEqual([each.get_ylabel().split("\n")[1] for each in axes[1:]], ["momentum", "spin x"])
            shown = {tuple(np.round(to_rgb(line.get_color()), 3)) for line in axes[1].lines}
            vector = {tuple(np.round(to_rgb(colour), 3)) for colour in colours.COMPONENTS}
            if n == 3:
                self.assertEqual(len({line.get_linestyle() for line in axes[1].lines[1:]}), 3)
            else:
                self.assertEqual(shown - {tuple(np.round(to_rgb(colours.GREY), 3))}, vector)
            self.assertEqual([text.get_text() for text in axes[1].get_legend().get_texts()], ["$x$", "$y$", "$z$"])

    def test_labels_fit_into_their_panels(self) -> None:
        names = ("energy", "angular_momentum_x", "angular_momentum_y", "a_very_long_name_of_an_invariant_of_a_header")
        unit = "mass length^2/time current^2 temperature^4"
        self.write_invariants(names, np.random.default_rng(1).normal(size=(2, 6, 4)), unit)
        axes = self.axes_of()
        axes[0].figure.draw_without_rendering()
        self.assertEqual(len(axes), 3)
        for each in axes:
            self.assertIn("[mass length$^{2}$/time current", each.get_ylabel())
            self.assertLess(each.yaxis.label.get_window_extent().height, each.get_window_extent().height)

    def test_chosen_trajectories_have_their_numbers(self) -> None:
        write_top(self.file, n=20)
        with stored.open_result(self.file) as result:
            axes = invariants_plot.draw_invariants(
                result, Wanted(trajectories=(range(3, 5), range(17, 18)))
            ).figure.axes
            lines = [line for line in axes[0].lines if len(line.get_xdata()) > 2]
            drawn = [line.get_ydata()[-1] for line in lines]
            change = result.snapshots.invariants[:, -1, 1] - result.invariants.initial[:, 1]
        self.assertEqual([line.get_label() for line in lines], ["trajectory 3", "trajectory 4", "trajectory 17"])
        np.testing.assert_allclose(drawn, change[[3, 4, 17]], atol=1e-14)


class Counts(InTemporaryFolder):
    """Colours of histograms and densities."""

    def test_an_equilibrium_has_more_than_one_colour(self) -> None:
        # Like that of a top's height, 100 trajectories in a cell, a fifth more at one end.
        expected = np.linspace(90, 110, 200)
        counts = np.random.default_rng(2).poisson(expected, size=(120, 200))
        write_statistics(self.file, counts)
        with stored.open_result(self.file) as result:
            statistics_plot.draw_statistics(result).figure.savefig(self.folder / "run.png")
        pixels = Picture(self.folder / "run.png")
        self.assertEqual(len(pixels.shades()), 2)
        self.assertGreater(min(pixels.shades()), 0.25)
        write_density(self.file, counts)
        with stored.open_result(self.file) as result:
            density_plot.draw_density_of_run(result).figure.savefig(self.folder / "run.png")
        self.assertGreater(Picture(self.folder / "run.png").shades()[0], 0.25)

    def test_scales_are_linear_where_counts_are_alike(self) -> None:
        alike, unlike = np.arange(20, 200).reshape(10, 18), 2 ** np.arange(180).reshape(10, 18).astype(float)
        for counts, kind in ((alike, "linear"), (unlike, "logarithmic")):
            write_density(self.file, counts)
            write_statistics(self.folder / "statistics.h5", counts)
            with stored.open_result(self.file) as result:
                labels_of = [axes.get_xlabel() for axes in density_plot.draw_density_of_run(result).figure.axes]
            self.assertEqual(labels_of[1], f"points per cell, {kind} scale")
            with stored.open_result(self.folder / "statistics.h5") as result:
                labels_of = [axes.get_ylabel() for axes in statistics_plot.draw_statistics(result).figure.axes]
            self.assertEqual([label.replace("\n", " ") for label in labels_of[2:]], [f"trajectories per cell, {kind} scale"] * 2)
        for counts in (np.full((3, 3), 7), np.zeros((3, 3)), np.array([[0, 1]])):
            norm = scale.norm_of(counts)
            self.assertLess(norm.vmin, norm.vmax)
            self.assertTrue(np.all((norm(counts[counts > 0]) > 0.2) & (norm(counts[counts > 0]) < 0.8)))

    def test_the_mean_is_seen_and_the_legend_is_beside_the_data(self) -> None:
        time = np.arange(120)[:, None]
        counts = 1 + np.round(1e4 * np.exp(-((np.linspace(-1, 1, 200) - 0.5 * np.sin(time / 20)) ** 2) / 0.02)).astype(
            int
        )
        write_statistics(self.file, counts)
        with stored.open_result(self.file) as result:
            figure = statistics_plot.draw_statistics(result).figure
        figure.savefig(self.folder / "run.png")
        axes = figure.axes[0]
        self.assertGreaterEqual(axes.get_legend().get_window_extent().y0, axes.get_window_extent().y1 - 1)
        self.assertEqual(len(axes.lines), 3)  # and one standard deviation to both sides
        pixels = Picture(self.folder / "run.png")
        width = pixels.frames()[0][1]
        self.assertGreater(
            pixels.near(to_rgb(colours.LIGHT)), 2 * (width.stop - width.start)
        )  # a pixel high in two panels


class WrappedAngles(InTemporaryFolder):
    """Means of an angle on both sides of its cut."""

    def test_a_mean_that_passes_the_cut_leaves_and_comes_back(self) -> None:
        time = 0.1 * np.arange(200)
        mean = np.angle(np.exp(1j * time))
        for histogram in (True, False):
            write_statistics(self.file, np.full((200, 8), 5))
            with h5py.File(self.file, "a") as file:
                group = file["statistics"]
                group["time"][:], group["mean"][:, 0], group["variance"][:, 0] = time, mean, 0.04
                group["mean"].attrs["angle"] = ["wrapped", ""]
                group["histogram"].attrs["low"], group["histogram"].attrs["high"] = [-np.pi, -1.0], [np.pi, 1.0]
                if not histogram:
                    del group["histogram"]
            with stored.open_result(self.file) as result:
                axes = statistics_plot.draw_statistics(result).figure.axes[0]
            self.assertAlmostEqual(axes.get_ylim()[1], np.pi)
            lines = [line for line in axes.lines if line.get_label() == "mean"]
            self.assertEqual(len(lines), 1)
            at, drawn = lines[0].get_data()
            known = ~np.isnan(drawn)
            self.assertEqual(np.isnan(drawn).sum(), 3)  # 19.9 is three turns and a little
            self.assertLess(np.nanmax(abs(np.diff(drawn))), 0.11)  # nowhere across the picture
            self.assertLess(abs(np.angle(np.exp(1j * (drawn - at)))[known]).max(), 1e-12)
            self.assertEqual(len(axes.lines) - (0 if histogram else 2), 9 if histogram else 3)  # a turn up and down


class Titles(InTemporaryFolder):
    def told(self, rows: np.ndarray | None = None) -> list[str]:
        with stored.open_result(self.file) as result:
            return heading.constants(result, rows)

    def test_quantities_that_are_the_same_for_all_are_told(self) -> None:
        write_top(self.file, n=3)
        self.assertEqual(self.told(), [])
        energy = 1.25 + np.array([0, 4e-10, 9e-10])
        with h5py.File(self.file, "a") as file:
            file["invariants/initial"][:, 1] = energy
        self.assertEqual(self.told(), ["energy = 1.25"])
        with unittest.mock.patch.object(heading, "BLOCK_ROWS", 2):
            self.assertEqual(self.told(), ["energy = 1.25"])
        with h5py.File(self.file, "a") as file:
            file["invariants/initial"][2, 1] += 1e-8
            file["invariants/initial"][:, 2] = [1e-16, -1e-16, 0.5]
        self.assertEqual(self.told(), [])
        with unittest.mock.patch.object(heading, "BLOCK_ROWS", 2):
            self.assertEqual(self.told(), [])
        self.assertEqual(self.told(np.array([0, 1])), ["energy = 1.25", f"{heading.WRITTEN['pi_dot_gamma']} = 0"])

    def test_one_thing_is_singular(self) -> None:
        """Of everything that a title counts; the step has the digits that people read."""
        write_top(self.file, n=1, c=0.0, section=np.array([[1.0, 0, 0, 1, 0, 0]]))
        with h5py.File(self.file, "a") as file:
            file.attrs["step"] = 0.049577898493019815
        with stored.open_result(self.file) as result:
            titles = [
                picture.figure._suptitle.get_text()
                for picture in (
                    polhode_plot.draw_polhodes(result),
                    section_plot.draw_section(result),
                    section3d_plot.draw_section3d(result),
                )
            ]
        for title, thing in zip(titles, ("1 polhode", "1 point", "1 point")):
            self.assertRegex(title, rf"\b{thing}\b")
            self.assertIn("step 0.0495779 ", title.replace("\n", " ") + " ")
        self.assertEqual(labels.part_of(1, 1, "point"), "1 point")
        self.assertEqual(labels.part_of(1, 2000, "point"), "1 of 2,000 points")
        self.assertEqual(labels.part_of(2000, 2000, "trajectory", "trajectories"), "2,000 trajectories")

    def test_vectors_are_told_as_such(self) -> None:
        write_top(self.file, n=1)
        with h5py.File(self.file, "a") as file:
            del file["invariants/names"], file["invariants/initial"], file["snapshots/invariants"]
            names = [
                "energy",
                *(f"{name}_{axis}" for name in ("momentum", "angular_momentum") for axis in "xyz"),
                "q_squared",
            ]
            file["invariants/names"] = names
            file["invariants/initial"] = [[-2.0, 0, 0, 1e-17, 0, 0.5, -1, 1]]
        self.assertEqual(self.told(), ["energy = -2", "momentum = 0", "angular_momentum = (0, 0.5, -1)"])

    def test_a_long_where_is_wrapped(self) -> None:
        conditions = " and ".join(f"gamma{i} < 0.{i}" for i in range(1, 30))
        for long in (conditions, "x" * 300):
            write_result(self.file, 100)
            with h5py.File(self.file, "a") as file:
                file.attrs["section"] = f"gamma3 = 0, up, where {long}"
            with stored.open_result(self.file) as result:
                figure = section_plot.draw_section(result).figure
            figure.draw_without_rendering()
            box, (width, height) = figure._suptitle.get_window_extent(), figure.get_size_inches() * figure.dpi
            self.assertTrue(0 <= box.x0 and box.x1 <= width and box.y1 <= height, box)
            self.assertGreater(box.y0, figure.axes[0].get_window_extent().y1)
            self.assertEqual(
                figure._suptitle.get_text().replace("\n", "").replace(" ", "").count(long.replace(" ", "")), 1
            )
            self.assertGreater(figure.axes[0].get_window_extent().height, 0.5 * height)


class Labels(unittest.TestCase):
    def test_names_in_mathematical_type(self) -> None:
        expected = {"pi2": r"$\Pi_{2}$", "gamma3": r"$\Gamma_{3}$", "m13": "$m_{13}$", "q1x": "$q_{1x}$", "r": "$r$"}
        for name, text in {**expected, "phase": "phase", "cost$": r"cost\$"}.items():
            self.assertEqual(labels.symbol(name), text)

    def test_units_in_brackets(self) -> None:
        expected = {
            "": "",
            "1": "",
            "of g": "",
            "c": " [c]",
            "c^1/2 I^-1": " [c$^{1/2}$ I$^{-1}$]",
            "mass length^2/time": " [mass length$^{2}$/time]",
        }
        for unit, text in expected.items():
            self.assertEqual(labels.unit(unit), text)
        self.assertEqual(labels.unit("time", "time"), "")


class Reading(InTemporaryFolder):
    def test_reads_what_the_file_says(self) -> None:
        state = write_result(self.file, 20, orbits=4, snapshots=True)
        with stored.open_result(self.file) as result:
            self.assertEqual(result.attributes["system"], "heavy-top")
            self.assertEqual(result.attributes["step"], 0.05)
            self.assertEqual(result.columns, HEAVY_TOP)
            self.assertEqual(result.status_counts(), {0: 3, 1: 1})
            self.assertEqual((result.initial_state.shape, result.final_state.shape), ((4, 6), (4, 6)))
            self.assertEqual(result.snapshots.state.shape, (4, 3, 6))
            self.assertEqual(len(result.section), 20)
            np.testing.assert_array_equal(result.section.state[:], state)

    def test_reads_strings_of_fixed_length(self) -> None:
        write_result(self.file, 20)
        with h5py.File(self.file, "a") as file:
            file["final/state"].attrs["columns"] = np.array(HEAVY_TOP, dtype="S8")
            file.attrs["program"] = np.bytes_("polhode")
            file.attrs["system"] = np.bytes_("heavy-top")
        with stored.open_result(self.file) as result:
            self.assertEqual(result.columns, HEAVY_TOP)
            self.assertEqual(result.attributes["system"], "heavy-top")

    def test_a_file_may_have_neither_section_nor_snapshots(self) -> None:
        write_result(self.file, None)
        with stored.open_result(self.file) as result:
            self.assertIsNone(result.section)
            self.assertIsNone(result.snapshots)


if __name__ == "__main__":
    unittest.main()
