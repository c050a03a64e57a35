#!/usr/bin/env python3
"""Sections and polhodes of python/polhode in space."""

from __future__ import annotations

import unittest
import unittest.mock

import h5py
import numpy as np
from plot_support import MOMENTS, RIGID_BODY, InTemporaryFolder, on_ellipsoid, write_top

from polhode import polhode_plot, section3d_plot, space, stored, tops


class InSpace(InTemporaryFolder):
    """Ellipsoids, points on them, and polhodes, without pictures."""

    def test_camera_is_a_frame(self) -> None:
        for camera in (section3d_plot.NEGATIVE_SIDE, section3d_plot.POSITIVE_SIDE, polhode_plot.CAMERA):
            np.testing.assert_allclose(camera.frame @ camera.frame.T, np.eye(3), atol=1e-15)
            self.assertAlmostEqual(np.linalg.det(camera.frame), 1)
            self.assertGreater(camera.project(np.array([0.0, 0.0, 1.0]))[1], 0, "z is up")
        self.assertGreater(section3d_plot.NEGATIVE_SIDE.depth(np.array([-1.0, 0, 0])), 0)
        self.assertGreater(section3d_plot.POSITIVE_SIDE.depth(np.array([1.0, 0, 0])), 0)

    def test_the_near_side_is_what_a_ray_meets_first(self) -> None:
        camera, body = polhode_plot.CAMERA, space.Ellipsoid(np.array([1.0, 0.7, 1.6]))
        points = on_ellipsoid(300, 1.0)[:, :3] / np.sqrt(MOMENTS) * body.semi_axes
        towards = camera.frame[2]
        other = -2 * ((points / body.semi_axes**2) @ towards) / np.sum((towards / body.semi_axes) ** 2)
        np.testing.assert_array_equal(body.facing(points, camera), other < 0)  # the ray's other point lies behind
        self.assertTrue(0.3 < body.facing(points, camera).mean() < 0.7)

    def test_the_outline_surrounds_the_ellipsoid(self) -> None:
        camera, body = polhode_plot.CAMERA, space.Ellipsoid(np.array([1.0, 0.7, 1.6]))
        points = on_ellipsoid(20_000, 1.0)[:, :3] / np.sqrt(MOMENTS) * body.semi_axes
        seen, outline = camera.project(points), body.outline(camera)
        np.testing.assert_allclose(outline.max(axis=0), np.abs(seen).max(axis=0), rtol=2e-3)
        right, up = (np.linspace(-size, size, 41) for size in outline.max(axis=0))
        light = body.shading(camera, right, up)
        self.assertTrue(np.isnan(light[0, 0]) and not np.isnan(light[20, 20]))
        self.assertLessEqual(np.nanmax(np.abs(light)), 1 + 1e-12)

    def test_section_has_its_ellipsoid(self) -> None:
        write_top(self.file, section=on_ellipsoid(1000))
        with stored.open_result(self.file) as result:
            points = section3d_plot.read_points(result)
            body = section3d_plot.ellipsoid_of(result, points)
            state = result.section.state[:]
        np.testing.assert_array_equal(points.position, np.stack([-state[:, 0], state[:, 1], -state[:, 2]], axis=1))
        np.testing.assert_allclose(body.semi_axes, np.sqrt(2 * MOMENTS))
        np.testing.assert_allclose(np.sum((points.position / body.semi_axes) ** 2, axis=1), 1)

    def test_section_of_several_energies_has_no_ellipsoid(self) -> None:
        write_top(self.file, section=np.concatenate([on_ellipsoid(100), on_ellipsoid(100, 2.2)]))
        with stored.open_result(self.file) as result:
            self.assertIsNone(section3d_plot.ellipsoid_of(result, section3d_plot.read_points(result)))

    def test_a_thinned_section_has_points_of_all_blocks(self) -> None:
        write_top(self.file, n=10, section=on_ellipsoid(1000))
        with stored.open_result(self.file) as result:
            with unittest.mock.patch.object(section3d_plot, "MOST_POINTS", 200):
                whole = section3d_plot.read_points(result)
                with unittest.mock.patch.object(section3d_plot, "BLOCK_ROWS", 77):
                    parts = section3d_plot.read_points(result)
            momenta = {tuple(row) for row in section3d_plot.SIGNS * result.section.state[:, :3]}
        np.testing.assert_array_equal(whole.position, parts.position)
        np.testing.assert_array_equal(whole.trajectory, parts.trajectory)
        self.assertEqual(len(whole.trajectory), 200)
        self.assertEqual(set(whole.trajectory), set(range(10)))
        self.assertLessEqual({tuple(row) for row in whole.position}, momenta)

    def test_a_thinned_section_of_many_orbits_has_whole_ones(self) -> None:
        write_top(self.file, n=50, section=on_ellipsoid(1000))
        thinning = unittest.mock.patch.multiple(section3d_plot, MOST_POINTS=200, FEWEST_ORBITS=10, BLOCK_ROWS=77)
        with stored.open_result(self.file) as result, thinning:
            points = section3d_plot.read_points(result)
        self.assertEqual(np.unique(points.trajectory, return_counts=True)[1].tolist(), [20] * 10)

    def test_polhodes_lie_on_their_ellipsoid(self) -> None:
        states = write_top(self.file, n=12, c=0.0, step=0.01)
        with stored.open_result(self.file) as result:
            polhodes = polhode_plot.polhodes_of(result)
        self.assertTrue(polhodes.scaled and all(orbit.joined for orbit in polhodes.orbits))
        np.testing.assert_allclose(polhodes.body.semi_axes, 1 / np.sqrt(MOMENTS))
        for orbit, state in zip(polhodes.orbits, states):
            np.testing.assert_allclose(np.sum(MOMENTS * orbit.curve**2, axis=1), 1, atol=1e-4)
            middle = np.sum(state[0, :3] ** 2) < 2 * np.sum(state[0, :3] ** 2 / MOMENTS)
            self.assertEqual(orbit.family, polhode_plot.SMALLEST if middle else polhode_plot.LARGEST)
        self.assertEqual({orbit.family for orbit in polhodes.orbits}, {polhode_plot.SMALLEST, polhode_plot.LARGEST})

    def test_polhodes_of_one_energy_keep_their_size(self) -> None:
        write_top(self.file, n=1, c=0.0)
        with stored.open_result(self.file) as result:
            polhodes = polhode_plot.polhodes_of(result)
            pi = result.snapshots.state[0, :, :3]
        self.assertFalse(polhodes.scaled)
        np.testing.assert_allclose(polhodes.orbits[0].curve[:: polhode_plot.SUBDIVISION], pi / MOMENTS)
        np.testing.assert_allclose(polhodes.body.semi_axes, np.sqrt(np.sum(pi[0] ** 2 / MOMENTS) / MOMENTS))

    def test_polhodes_end_where_their_bodies_do(self) -> None:
        write_top(self.file, n=2, c=0.0)
        with stored.open_result(self.file) as result:
            whole = [orbit.curve for orbit in polhode_plot.polhodes_of(result).orbits]
        with h5py.File(self.file, "a") as file:
            file["final/time"][0] = file["snapshots/time"][9]
            file["snapshots/state"][0, 10:] = np.nan
        with stored.open_result(self.file) as result:
            ended = [orbit.curve for orbit in polhode_plot.polhodes_of(result).orbits]
        np.testing.assert_allclose(ended[0], whole[0][: 9 * polhode_plot.SUBDIVISION + 1])
        np.testing.assert_array_equal(ended[1], whole[1])

    def test_far_apart_snapshots_are_dots(self) -> None:
        write_top(self.file, n=2, c=0.0, step=0.01)
        with h5py.File(self.file, "a") as file:
            file["snapshots/state"][:, 1::2, :3] *= -1
        with stored.open_result(self.file) as result:
            self.assertFalse(any(orbit.joined for orbit in polhode_plot.polhodes_of(result).orbits))

    def test_places_between_snapshots_are_those_of_a_cubic(self) -> None:
        time = np.array([0.0, 0.5, 2.0])
        fine = np.interp(np.arange(13) / 6, np.arange(3), time)
        place = lambda t: np.stack([t**3 - t, 2 * t**2, 1 - t], axis=1)  # noqa: E731
        velocity = np.stack([3 * time**2 - 1, 4 * time, -np.ones(3)], axis=1)
        np.testing.assert_allclose(polhode_plot.subdivided(time, place(time), velocity), place(fine), atol=1e-14)

    def test_the_separatrix_has_its_integrals(self) -> None:
        for moments in (np.array([1.0, 2.0, 3.0]), np.array([2.5, 0.8, 1.9])):
            body = space.Ellipsoid(1 / np.sqrt(moments))
            curves = polhode_plot.separatrix(moments, body)
            self.assertEqual(len(curves), 2)
            for curve in curves:
                np.testing.assert_allclose(np.sum(moments * curve**2, axis=1), 1)
                np.testing.assert_allclose(np.sum((moments * curve) ** 2, axis=1), np.sort(moments)[1])
        self.assertEqual(polhode_plot.separatrix(np.array([1.0, 1.0, 2.0]), space.Ellipsoid(np.ones(3))), [])

    def test_families_are_told_by_the_momentum(self) -> None:
        moments = np.array([3.0, 1.0, 2.0])
        cases = {1.2: polhode_plot.SMALLEST, 2.8: polhode_plot.LARGEST, 2.0005: polhode_plot.SEPARATRIX}
        for ratio, expected in cases.items():
            self.assertEqual(polhode_plot.family(ratio, moments), expected)

    def test_the_vertical_is_the_third_row_of_the_attitude(self) -> None:
        write_top(self.file, columns=RIGID_BODY)
        angle, turn = 0.3, lambda a: np.array([np.cos(a / 2), np.sin(a / 2), 0, 0])
        with stored.open_result(self.file) as result:
            gamma = tops.vertical(result, np.concatenate([np.zeros(3), turn(angle)]))
        np.testing.assert_allclose(gamma, [0, np.sin(angle), np.cos(angle)])  # Q^T e3, Q the turn about axis 1


if __name__ == "__main__":
    unittest.main()
