#!/usr/bin/env python3
"""Pictures of runs in memory and in files: on axes and figures of the caller's, and in figures of their own."""

import unittest
import warnings
from contextlib import nullcontext
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from package_support import TOP, Package  # noqa: E402

import polhode as ph  # noqa: E402
import polhode.arrays  # noqa: E402


class Pictures(Package):
    def setUp(self):
        super().setUp()
        self.addCleanup(pyplot.close, "all")
        self.run_ = ph.run(**TOP, steps=2000, section=ph.Section("gamma3"), record=ph.Record(snapshots=100))

    def test_a_run_is_drawn_on_axes(self):
        figure, places = pyplot.subplots(1, 3)
        run = self.run_
        self.assertIs(run.plot(places[0]), places[0])
        run.plot.section(ax=places[1], colour=run.section.count, trajectories=numpy.arange(5), labels=("a", "b"))
        run.plot.section3d(places[2])
        drawn = places[1].collections[1]
        self.assertEqual(len(drawn.get_offsets()), ((run.section.trajectory < 5) & (run.section.state[:, 0] > 0)).sum())
        self.assertEqual(places[1].get_xlabel(), "a")
        self.assertEqual(len(pyplot.get_fignums()), 1)

    def test_a_file_is_drawn_as_the_run_in_memory(self):
        self.run_.save(self.path / "out.h5")
        with ph.open(self.path / "out.h5") as opened:
            mine, its = (run.plot.section(colour="drift") for run in (self.run_, opened))
        numpy.testing.assert_array_equal(mine.collections[1].get_offsets(), its.collections[1].get_offsets())
        numpy.testing.assert_array_equal(mine.collections[1].get_array(), its.collections[1].get_array())
        self.assertEqual(mine.figure._suptitle.get_text(), its.figure._suptitle.get_text())

    def test_sizes_and_titles(self):
        axes = self.run_.plot.section(size="column", title="mine", dpi=90)
        self.assertAlmostEqual(axes.figure.get_size_inches()[0], 8.6 / 2.54)
        self.assertEqual(axes.figure._suptitle.get_text(), "mine")
        self.assertEqual(axes.figure.dpi, 90)
        before = dict(matplotlib.rcParams)
        self.run_.plot.section(style="dark_background", size=3)
        self.assertEqual(dict(matplotlib.rcParams), before)

    def test_colours_of_a_quantity(self):
        axes = self.run_.plot.section(colour="count", cmap="plasma", label="how often")
        bar = axes.figure.axes[1]
        self.assertEqual((axes.collections[1].get_cmap().name, bar.get_xlabel()), ("plasma", "how often"))
        self.assertTrue(all(tick == round(tick) for tick in bar.get_xticks()))
        codes = self.run_.plot.section(colour="status").figure.axes[1]
        self.assertTrue(all(tick == round(tick) for tick in codes.get_xticks()))

    def test_labels_are_no_longer_than_their_axes(self):
        mixing = ph.run(TOP["system"], TOP["method"], ph.starts.Cloud(20, [1.0, 0.5, 0.2, 0, 0, 1], 0.01), 100,
                        statistics=ph.Statistics(10, ["gamma3", "pi1"], bins=10, range=[[-1, 1], [-3, 3]]))  # fmt: skip
        for axes in (self.run_.plot.section(size="8.6cm,5cm"), *mixing.plot.statistics(size="column")):
            axes.figure.draw_without_rendering()
            self.assertLess(axes.yaxis.label.get_window_extent().height, 1.03 * axes.get_window_extent().height)

    def test_a_bar_of_colours_leaves_room_for_the_names_of_axes(self):
        for layout in (None, "tight", "constrained"):
            figure, axes = pyplot.subplots(layout=layout)
            self.run_.plot.section(axes, colour="count")
            figure.draw_without_rendering()
            self.assertLess(figure.axes[1].get_window_extent().y1, axes.xaxis.label.get_window_extent().y0, layout)

    def test_panels_are_drawn_in_parts_of_a_figure(self):
        figure = pyplot.figure()
        left, right = figure.subfigures(1, 2)
        panels = self.run_.plot.invariants(left)
        self.assertEqual([panel.figure for panel in panels], [left] * len(panels))
        self.assertEqual(len(pyplot.get_fignums()), 1)
        with self.assertRaisesRegex(ph.InputError, "Give a figure"):
            self.run_.plot.invariants(right.subplots())

    def test_texts_are_read_as_on_the_command_line(self):
        of_names = self.run_.plot.section(axes="m13,m12", range="-1,1,-1,1", trajectories="0-3,5", side="both", labels="a,b")
        of_columns = self.run_.plot.section(axes=("pi2", "pi3"), range=((-1, 1), (-1, 1)), trajectories=[0, 1, 2, 3, 5], side="both")
        points, others = (axes.collections[0].get_offsets() for axes in (of_names, of_columns))
        numpy.testing.assert_array_equal(points[:, 0], others[:, 0])
        self.assertEqual(sorted(points[:, 1]), sorted(-others[:, 1]))  # m12 = -pi3
        self.assertEqual(of_names.get_xlabel(), "a")
        of_mask = self.run_.plot.section(trajectories=self.run_.section.count > 20)
        self.assertEqual(len(of_mask.collections[0].get_offsets()), ((self.run_.section.count > 20)[self.run_.section.trajectory] & (self.run_.section.state[:, 0] > 0)).sum())

    def test_axes_are_formulas_of_columns(self):
        state = self.run_.section.state
        of_texts = self.run_.plot.section(axes="pi1^2 - pi2/2, atan2(pi3, -pi1)", side="both").collections[0].get_offsets()
        numpy.testing.assert_array_equal(of_texts, numpy.stack([state[:, 0] ** 2 - state[:, 1] / 2, numpy.arctan2(state[:, 2], -state[:, 0])], axis=1))
        for axes, why in (("pi1 +,pi2", "it is no formula"), ("pi9*2,pi2", "there is no pi9"), ("foo(pi1),pi2", "there is no function foo"),
                          ("atan2(pi1),pi2", "atan2 has 2 arguments"), ("__import__('os'),pi2", "it is no formula"), ("__import__(pi1),pi2", "there is no function __import__"),
                          ("pi1.real,pi2", "over 'pi1.real'"), ("(" * 900 + ",pi2", "it has to be two"), ("2,pi1", "no column stands in it"), ("9" * 390 + "*pi1,pi2", "it is no formula"),
                          ("-" * 390 + "pi1**2.,pi2", None), ("-" * 900 + "pi1,pi2", "more than 400"), ("0x1f*pi1,pi2", "it is no formula"),
                          ("1_0*pi1,pi2", "it is no formula"), ("pi1#2,pi2", "it is no formula")):  # fmt: skip
            with self.subTest(axes[:20]), self.assertRaisesRegex(ph.InputError, why) if why else nullcontext():
                self.run_.plot.section(axes=axes)

    def test_axes_are_observables(self):
        """Of formulas with parameters, vectors and each other; those of a system that is built in, too."""
        vectors = {"q": "[x, y, 0.5]", "p": "[px, py, w2]"}
        observables = {"spin": "norm(cross(q, p))", "scaled": "spin*k + dot(w, [px, py])", "turn": "3*atan2(py, px)"}
        run = ph.run(
            system=ph.System(hamiltonian="(px^2 + py^2 + k*x^2 + w2*y^2)/2", coordinates=["x", "y"], momenta=["px", "py"], parameters={"k": 1.5, "w": [2, 3.0]},
                             let=vectors, observables=observables, unbounded_angles=["turn"]),
            method=ph.Method("splitting", step=0.05), ensemble=ph.starts.States([[0.1, 0.2, 0.3, 0.4], [0.3, 0.2, 0.1, 0]]), steps=400, section=ph.Section("x"))  # fmt: skip
        x, y, px, py = run.section.state.T
        spin = numpy.linalg.norm(numpy.cross(numpy.stack([x, y, 0 * x + 0.5], 1), numpy.stack([px, py, 0 * x + 3], 1)), axis=1)
        drawn = run.plot.section(axes="scaled - 1,turn").collections[0].get_offsets()
        numpy.testing.assert_allclose(drawn[:, 0], spin * 1.5 + 2 * px + 3 * py - 1, rtol=1e-14)
        numpy.testing.assert_allclose(drawn[:, 1], numpy.mod(3 * numpy.arctan2(py, px) + numpy.pi, 2 * numpy.pi) - numpy.pi, rtol=1e-13, atol=1e-13)
        for axes, why in (("x,tuurn", "observables are scaled, spin, turn"), ("q,x", "it is a vector"), ("norm(x),y", "a number stands where a vector"), ("x + q,y", "a vector stands"),
                          ("x^w,y", "a vector stands"), ("x/q,y", "a vector stands"), ("dot(w, q),y", "vectors of different lengths"), ("cross(w, w),y", "vectors of different lengths"),
                          ("dot(q),y", "dot has 2 arguments"), ("sin(q),y", "a vector stands")):  # fmt: skip
            with self.subTest(axes), self.assertRaisesRegex(ph.InputError, why):
                run.plot.section(axes=axes)
        for axes in ("[x],y", "x + 1/0,y", "(-8)^(1/3) + x,y"):  # a vector; values that are none
            with self.subTest(axes), self.assertRaisesRegex(ph.InputError, "it is a vector" if "[" in axes else "no section point is in the range"):
                run.plot.section(axes=axes)
        top = ph.run(system=ph.System("heavy-top", inertia=[1, 2, 3], observables={"size": "norm([pi1, pi2, pi3])*inertia2"}), method=ph.Method("rattle", step=0.05),
                     ensemble=ph.starts.States([[0.1, 0.2, 0.3, 0, 0, 1]]), steps=400, section=ph.Section("gamma3", value=0.9, direction="both"))  # fmt: skip
        drawn = top.plot.section(axes="size,pi1", side="both").collections[0].get_offsets()
        numpy.testing.assert_allclose(drawn[:, 0], numpy.linalg.norm(top.section.state[:, :3], axis=1) * 2, rtol=1e-14)

    def test_files_from_python_are_what_the_command_writes(self):
        self.run_.plot.section().figure.savefig(self.path / "top.pdf")
        content = (self.path / "top.pdf").read_bytes()
        self.assertNotIn(b"/Type3", content)
        self.assertIn(b"system = heavy-top", content)

    def test_far_points_are_told_of_where_no_title_is(self):
        starts = numpy.array([[1.0, 0.5, 0.2, 0, 0, 1]] * 600)
        run = ph.run(TOP["system"], TOP["method"], ph.starts.States(starts), 200, section=ph.Section("gamma3"))
        far = run.section.state.copy()
        far[0] = 1e3
        arrays = {**run.arrays, "/section/state": ph.arrays.Array("/section/state", far, run.arrays["/section/state"].attributes, run.arrays["/section/state"].dimensions)}
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            ph.Run(arrays, run.attributes_of_groups).plot.section(pyplot.figure().subplots())
        self.assertEqual([(Path(one.filename).name, "far from the others" in str(one.message)) for one in seen], [("pictures_test.py", True)])

    def test_runs_are_compared(self):
        other = self.run_.configuration.replace(**{"method.step": 0.1}).run()
        axes = ph.compare([self.run_, other])
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["step 0.05", "step 0.1"])
        self.assertEqual(len(ph.compare([self.run_, other], "invariants").lines), 3)  # and the line of zero
        self.run_.save(self.path / "out.h5")
        self.assertEqual(len(ph.compare([self.path / "out.h5", other]).get_legend().get_texts()), 2)
        for runs, words in ((self.run_, "a single run"), ([], "no runs"), ([self.run_, 3], "cannot compare a int")):
            with self.subTest(words), self.assertRaisesRegex(ph.InputError, words):
                ph.compare(runs)
        for runs, view in (([self.run_], "section"), ([self.run_, other], "density")):
            with self.assertRaises(ph.InputError):
                ph.compare(runs, view)

    def test_what_cannot_be_drawn(self):
        run = self.run_
        for draw, words in ((lambda: run.plot.statistics(), "the run has no statistics"), (lambda: run.plot.section(colour="x"), "cannot colour by 'x'"),
                            (lambda: run.plot.section(trajectories=[1000]), "has 32, numbers 0 to 31"), (lambda: run.plot.section(size="wide"), "cannot use the size"),
                            (lambda: run.plot.section(axes=("a", "b")), "over 'a'"), (lambda: run.plot.invariants(colour="drift"), "cannot use colour with the view invariants"),
                            (lambda: run.plot.section(trajectories=[-1]), "from 0 on"), (lambda: run.plot.section(range=(0, 1)), "cannot use range"), (lambda: run.plot.section(axes=("pi1",)), "cannot use axes"),
                            (lambda: run.plot.section(trajectories="a,b"), "from 0 on"), (lambda: run.plot.section(colour=["a"] * 32), "neither a quantity"), (lambda: run.plot.section(style="absent"), "cannot use the style"),
                            (lambda: run.plot.section(color="drift"), "unknown keyword 'color'.*Use colour"), (lambda: run.plot.section(dpi="fine"), "cannot use dpi"), (lambda: run.plot.section(dots=-1), "cannot use dots"),
                            (lambda: run.plot.section(title=3), "it is no text"), (lambda: run.plot.section(range=((1, 0), (0, 1))), "1 is not less than 0"), (lambda: run.plot.section(range=(0, 1, 0, 1)), "it has to be"),
                            (lambda: run.plot("out.png"), r"Write the picture with .figure.savefig\('out.png'\)"), (lambda: run.plot(view="section"), r"Use run.plot.section\(\)"),
                            (lambda: run.plot.section(pyplot.figure().subplots(), size=3), "cannot use size with axes"), (lambda: run.plot.section(trajectories=[]), "cannot draw no trajectories"),
                            (lambda: run.plot.section(trajectories=[True]), "their mask has the shape"), (lambda: run.plot.section(cmap="magma"), "Give colour"), (lambda: run.plot.section(colour="drift", cmap="absent"), "no colormap"),
                            (lambda: run.plot.section(numpy.array([1])), "neither axes nor a figure"), (lambda: run.plot.section(labels=("$x^$", "y")), "its mathematics"), (lambda: run.plot.section(side="left"), "cannot use side")):  # fmt: skip
            with self.subTest(words), self.assertRaisesRegex(ph.InputError, words):
                draw()


if __name__ == "__main__":
    unittest.main()
