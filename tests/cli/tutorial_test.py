#!/usr/bin/env python3
"""The tutorial command by command, and what polhode new-system refuses.

Against a staged installation. Run with POLHODE_BUILD set to the folder in which polhode was built."""

import pathlib
import re
import subprocess
import unittest

import h5py
import numpy

from staged import BUILD, ROOT, Stage


def setUpModule():
    global installed, stage, environment
    installed = Stage()
    unittest.addModuleCleanup(installed.remove)
    stage, environment = installed.path, installed.environment


def run(*command, cwd, **keywords):
    return installed.run(*command, cwd=cwd, **keywords)


class NewSystem(unittest.TestCase):
    def refused(self, *arguments, word, code=2):
        folder = stage / "refused"
        folder.mkdir(exist_ok=True)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        done = run("polhode", "new-system", *arguments, cwd=folder)
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertRegex(done.stderr, r"^polhode: .+ \(.+\)\. .+\.\n$")
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(word, done.stderr)
        self.assertEqual({path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}, before)

    def test_bad_names_are_refused(self):
        for name in ("", "Bowl", "1bowl", "a b", "a_b", "a-", "a--b", "../a", "a/b", "bowl\n", 'a"b', "a" * 61, "é"):
            self.refused(name, word="name")
        self.refused("-a", word="option")
        self.refused(word="arguments")
        self.refused("a", "b", "c", word="arguments")

    def test_nothing_is_overwritten(self):
        folder = stage / "refused"
        folder.mkdir(exist_ok=True)
        for name in ("torus.hpp", "torus.toml"):
            (folder / name).write_text("mine")
            self.refused("torus", ".", "--header", word=name)
            (folder / name).unlink()
        (folder / "file").write_text("")
        self.refused("torus", "file", word="file", code=4)


class Tutorial(unittest.TestCase):
    def test_every_command(self):
        home = stage / "home"
        home.mkdir()
        cwd, blocks = home, 0
        script = 'set -e\nexport PATH="$HOME/polhode/bin:$PATH"\n'
        for language, name, text in re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", (ROOT / "docs/tutorial.md").read_text(), re.M | re.S):
            if language == "sh":
                blocks += 1
                text = text.replace("build/release", BUILD)
                done = subprocess.run(["bash", "-c", f"{script}{text}\npwd >'{home}/where'"], cwd=cwd, text=True, capture_output=True,
                                      env=environment | {"HOME": str(home)})
                self.assertEqual(done.returncode, 0, text + done.stdout + done.stderr)
                self.assertNotRegex(done.stdout, r"(?m)^  failed|^  \d+ trajector(y|ies) failed")
                cwd = pathlib.Path((home / "where").read_text().strip())
            else:
                (cwd / name).write_text(text)
        self.assertEqual(blocks, 5)
        self.assertEqual(cwd, home / "bowl" / "header")
        self.assertEqual((home / "bowl" / "bowl.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        with h5py.File(home / "bowl" / "bowl.h5") as formula, h5py.File(cwd / "bowl.h5") as header:
            numpy.testing.assert_allclose(formula["initial/state"], header["initial/state"], atol=1e-14)
            self.assertEqual(formula.attrs["system"], header.attrs["system"])
        with h5py.File(cwd / "reference.h5") as reference, h5py.File(cwd / "bowl.h5") as bowl:
            self.assertEqual(reference.attrs["backend"], "reference")
            drift = dict(zip(bowl["invariants/names"].asstr(), bowl["invariants/max_drift"][:].max(axis=0)))
            self.assertLess(drift["constraint"], 1e-14)
            self.assertLess(drift["energy"], 2e-3)  # h^2 = 4e-4, times derivatives of the motion
            self.assertGreater(drift["energy"], 1e-6)
            # All starts are of one energy and on the section: some roundings of terms of about 1.
            self.assertLess(abs(bowl["invariants/initial"][:, 0] + 0.3).max(), 1e-14)
            self.assertLess(abs(bowl["initial/state"][:, 5]).max(), 1e-14)
            self.assertEqual(set(bowl["section/trajectory"][:]), set(range(12)))
            self.assertLess(abs(bowl["section/state"][:, 5]).max(), 1e-13)
            upper = bowl["initial/state"][:]

        def starts(*changes):
            """The report and the initial states of a short run, or what was said instead."""
            options = [word for change in ("run.steps=1", *changes) for word in ("--set", change)]
            done = run(home / "polhode/bin/polhode", "run", "bowl.toml", "-o", "starts.h5", "--force", *options, cwd=cwd)
            if done.returncode != 0:
                return done.stderr, None
            with h5py.File(cwd / "starts.h5") as file:
                return done.stdout, file["initial/state"][:]

        # The other root is the motion reversed: at the same lowest points, so that it crosses upwards, too.
        _, lower = starts('ensemble.branch="-"')
        numpy.testing.assert_allclose(lower, upper * [1, 1, 1, -1, -1, 1], atol=1e-14)
        # The bottom of the bowl turns into a top where the motion along it is slow: none of these crosses downwards.
        self.assertIn("12 do not cross it in its direction", starts('section.direction="down"')[0])
        # All of an energy below the potential: of the points on the bowl, those with z <= -0.9 have roots.
        report, low = starts("ensemble.energy=-0.9", 'section.direction="both"')
        x, y = numpy.linspace([0.0573, 0.0124], [0.75, 0.162], 12).T
        possible = int((-1.2 * numpy.sqrt(1 - x**2 - (y / 0.7) ** 2) <= -0.9).sum())
        self.assertTrue(0 < possible < 12)
        self.assertEqual(len(low), possible)
        self.assertIn(f"{possible} of 12 points of the line have a start on branch +, {12 - possible} have none", report)
        self.assertLess(low[:, 2].max(), -0.9 + 1e-14)


if __name__ == "__main__":
    unittest.main()
