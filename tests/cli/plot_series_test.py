#!/usr/bin/env python3
"""Snapshots against time in python/polhode, labels, and how results are read."""

from __future__ import annotations

import unittest
import unittest.mock

import h5py
import numpy as np
from plot_support import HEAVY_TOP, MOMENTS, InTemporaryFolder, write_result, write_top

from polhode import invariants_plot, labels, results, snapshots, steps_plot


class AgainstTime(InTemporaryFolder):
    """Changes of invariants, without pictures."""

    def test_changes_begin_at_the_start(self) -> None:
        states = write_top(self.file, n=4)
        with results.open_result(self.file) as result:
            changes = invariants_plot.read_changes(result)
            start = result.initial_state[:]
        energy = [np.sum(s[..., :3] ** 2 / MOMENTS, axis=-1) / 2 + s[..., 5] for s in (states, start)]
        self.assertEqual(changes.names, ("energy", "gamma_squared", "pi_dot_gamma"))
        self.assertEqual(changes.units, ("c", "1", "c^1/2 I^1/2"))
        np.testing.assert_allclose(changes.time, 0.1 * np.arange(41))
        np.testing.assert_array_equal(changes.values[:, 0], 0)
        np.testing.assert_allclose(changes.values[:, 1:, 0], energy[0] - energy[1][:, None], atol=1e-14)

    def test_a_first_snapshot_at_the_start_is_not_doubled(self) -> None:
        write_top(self.file)
        with h5py.File(self.file, "a") as file:
            file["snapshots/time"][...] = 0.1 * np.arange(40)
        with results.open_result(self.file) as result:
            self.assertEqual(len(invariants_plot.read_changes(result).time), 40)

    def test_states_tell_what_was_not_recorded(self) -> None:
        changes = []
        for recorded in (True, False):
            write_top(self.file, recorded=recorded)
            with results.open_result(self.file) as result:
                changes.append(invariants_plot.read_changes(result))
        self.assertEqual(changes[0].names, changes[1].names)
        np.testing.assert_allclose(changes[0].values, changes[1].values, atol=1e-14)

    def test_a_trajectory_that_ended_is_not_drawn_on(self) -> None:
        write_top(self.file, n=2)
        with h5py.File(self.file, "a") as file:
            file["final/time"][0] = 2.0
        with results.open_result(self.file) as result:
            values = invariants_plot.read_changes(result).values
        np.testing.assert_array_equal(np.isnan(values[0]).all(axis=1), np.arange(41) > 20)
        self.assertFalse(np.isnan(values[1]).any())

    def test_blocks_and_choice_keep_trajectories_together(self) -> None:
        write_top(self.file, n=50)
        with results.open_result(self.file) as result:
            rows = snapshots.rows_of(result, 7)
            whole = snapshots.changes_of(result, np.arange(50)).values
            with unittest.mock.patch.object(snapshots, "BLOCK_NUMBERS", 500):
                parts = snapshots.changes_of(result, rows).values
            strided = snapshots.changes_of(result, rows, 3).values
        self.assertEqual(len(set(rows)), 7)
        np.testing.assert_array_equal(parts, whole[rows])
        np.testing.assert_array_equal(strided[:, 1:], whole[rows, 1::3])

    def test_very_many_snapshots_are_thinned(self) -> None:
        write_top(self.file, n=9, steps=100)
        with results.open_result(self.file) as result, unittest.mock.patch.object(invariants_plot, "MOST_TIMES", 40):
            changes = invariants_plot.read_changes(result)
            self.assertEqual(len(changes.time), 1 + 34)
            self.assertIn("every 3 snapshots", invariants_plot.title(result, changes))

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
            with results.open_result(self.file) as result:
                curves.append(steps_plot.curve_of(result))
        self.assertEqual([curve.step for curve in curves], [0.02, 0.01])
        np.testing.assert_allclose(curves[0].time, curves[1].time[::2])
        largest = np.abs(curves[1].error).max()
        self.assertGreater(largest, 0.005)
        np.testing.assert_allclose(curves[0].error, curves[1].error[::2], atol=0.1 * largest)


class Labels(unittest.TestCase):
    def test_names_in_mathematical_type(self) -> None:
        expected = {"pi2": r"$\Pi_{2}$", "gamma3": r"$\Gamma_{3}$", "m13": "$m_{13}$", "q1x": "$q_{1x}$", "r": "$r$"}
        for name, text in {**expected, "phase": "phase", "cost$": r"cost\$"}.items():
            self.assertEqual(labels.symbol(name), text)

    def test_units_in_brackets(self) -> None:
        for unit, text in {"": "", "1": "", "c": " [c]", "c^1/2 I^-1": " [c$^{1/2}$ I$^{-1}$]"}.items():
            self.assertEqual(labels.unit(unit), text)


class Reading(InTemporaryFolder):
    def test_reads_what_the_file_says(self) -> None:
        state = write_result(self.file, 20, orbits=4, snapshots=True)
        with results.open_result(self.file) as result:
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
        with results.open_result(self.file) as result:
            self.assertEqual(result.columns, HEAVY_TOP)
            self.assertEqual(result.attributes["system"], "heavy-top")

    def test_a_file_may_have_neither_section_nor_snapshots(self) -> None:
        write_result(self.file, None)
        with results.open_result(self.file) as result:
            self.assertIsNone(result.section)
            self.assertIsNone(result.snapshots)


if __name__ == "__main__":
    unittest.main()
