#!/usr/bin/env python3
"""--resume with more run.steps: a finished run goes on from its end to the bytes of the longer one.

Run with POLHODE set to the program's path."""

import shutil
import signal
import unittest
from random import Random

import h5py
import numpy

from command_line import CONFIG, CliTest, datasets, everything

EVERYTHING = everything(25, 20)
# Of 3420 trajectories in four slices some fail: before the first comparison of invariants, and after it.
MANY = CONFIG.replace("grid = [6, 6]", "grid = [66, 66]").replace("step = 0.05", "step = 0.6").replace("steps = 600", "slice = 1024") + EVERYTHING
FEW = CONFIG.replace("steps = 600\n", "") + EVERYTHING
COMET = """
[system]
name = "kepler"
radius = 1e-6
[method]
name = "rk4"
step = 0.02
[ensemble]
from = "states"
states = [[1, 0, 0, 0.01], [1, 0, 0, 0.02], [1, 0, 0, 1], [1, 0, 0, 0.9]]
[run]
energy_limit = 0.1
[section]
name = "r"
value = 0.95
direction = "both"
[output]
file = "out.h5"
"""


def attributes(path):
    """All attributes of a file but those that name the file, its time and its threads, as text."""
    found = {}

    def visit(name, node):
        for key, value in node.attrs.items():
            if key not in ("created", "config", "device", "DIMENSION_LIST", "REFERENCE_LIST"):
                found[name, key] = repr(value.tolist() if isinstance(value, numpy.ndarray) else value)

    with h5py.File(path, "r") as file:
        visit("/", file)
        file.visititems(visit)
    return found


class Longer(CliTest):
    def go_on(self, name, *options):
        result = self.polhode("run", name, "-o", "out.h5", "--resume", *options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertFalse((self.path / "out.h5.part").exists())
        return result.stdout

    def expect_the_bytes_of(self, text, *steps, options=(), others=()):
        """A run to the first number of steps that goes on to each of the others in turn; from the second on with other
        options that change no bit."""
        name = self.write(text)
        self.run_with(name, "out.h5", "--set", f"run.steps={steps[0]}", *options)
        for longer in steps[1:]:
            set_steps = ("--set", f"run.steps={longer}")
            self.run_with(name, "whole.h5", *set_steps, *options)
            self.assertIn(", resumed at step ", self.go_on(name, *set_steps, *options, *others))
            self.assert_same_datasets("out.h5", datasets(self.path / "whole.h5"), f"{steps}, to {longer}")
            self.assertEqual(attributes(self.path / "out.h5"), attributes(self.path / "whole.h5"))

    def test_everything_that_is_recorded(self):
        """Ends that are multiples of the steps between comparisons, snapshots and statistics, and ends that are not."""
        self.expect_the_bytes_of(MANY, 100, 160, 175, others=("--threads", "1", "--set", "run.segment=7"))
        with h5py.File(self.path / "out.h5") as file:
            code, step = file["status/code"][:], file["status/step"][:]
            self.assertTrue((code == 0).any() and ((step > 0) & (step < 16)).any() and ((step > 16) & (step < 100)).any() and ((step > 100) & (step < 175)).any())
        self.expect_the_bytes_of(FEW, 1, 10, 16, 90, 640)
        self.expect_the_bytes_of(FEW, 599, 600, options=("--precision", "single"))
        self.expect_the_bytes_of(FEW, 30, 50, 1100, 1200, options=("--set", "record.invariants_every=1000"))

    def test_the_largest_change_is_not_that_of_an_end_in_between(self):
        """The comparison after the last step of the shorter run is none of the longer one: somewhere it is the largest."""
        self.expect_the_bytes_of(FEW, 10, 300, options=("--set", "record.invariants_every=300"))
        differs = 0
        for steps in range(17, 32):
            self.run_with("config.toml", "short.h5", "--set", f"run.steps={steps}")
            with h5py.File(self.path / "short.h5") as file:
                differs += (file["invariants/max_drift"][:] != file["invariants/drift_before_end"][:]).any()
        self.assertGreater(differs, 0)

    def test_sections(self):
        for options in (("--set", 'section.columns=["pi3", "pi1"]'), ("--set", "section.points=false"), ("--set", "method.step=-0.05"), ("--set", "method.name=\"splitting\"", "--set", "method.step=0.6"),
                        ("--set", "output.compression=4"), ("--set", "record.initial=false"), ("--set", 'section.where="pi1 > 0"')):
            self.expect_the_bytes_of(FEW, 90, 200, options=options)
        self.expect_the_bytes_of(CONFIG.replace("steps = 600\n", ""), 90, 200)
        self.expect_the_bytes_of(CONFIG.replace("steps = 600\n", "").replace('"gamma3"', '"gamma3"\nterminal = true'), 40, 200)
        self.expect_the_bytes_of(FEW.replace('[section]\nname = "gamma3"\n', "").replace(EVERYTHING[EVERYTHING.index("[density]"):EVERYTHING.index("[statistics]")], ""), 90, 200)

    def test_an_energy_that_only_the_shorter_run_compares(self):
        """The comparison after its last step ends a trajectory, which the longer one ends later, or not at all."""
        self.expect_the_bytes_of(COMET, 60, 100, 400)
        self.run_with("config.toml", "short.h5", "--set", "run.steps=60")
        with h5py.File(self.path / "short.h5") as file:
            self.assertEqual(list(file["status/code"][:]), [8, 8, 0, 0])
            self.assertEqual(list(file["status/step"][:]), [60] * 4)
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(list(file["status/step"][:]), [64, 64, 400, 400])

    def test_random_lengths(self):
        random = Random(43)
        for _ in range(12):
            lengths = sorted(random.sample(range(1, 300), 3))
            every = [random.randint(1, 60) for _ in range(3)]
            self.expect_the_bytes_of(FEW, *lengths, options=("--set", f"record.invariants_every={every[0]}", "--set", f"record.snapshots={every[1]}", "--set", f"statistics.every={every[2]}"),
                                     others=("--set", f"run.segment={random.randint(1, 100)}"))

    def test_killed_on_its_way(self):
        """At random moments, also while it takes over what there is, and by Ctrl-C."""
        text = MANY.replace("snapshots = 25", "snapshots = 500").replace("every = 20", "every = 300").replace("step = 0.6", "step = 0.3")
        name = self.write(text)
        first, longer = ("--set", "run.steps=2001"), ("--set", "run.steps=4003", "--set", "run.segment=100", "--set", "run.checkpoint=0", "--threads", "1")
        self.run_with(name, "short.h5", *first)
        self.run_with(name, "whole.h5", *longer)
        expected = datasets(self.path / "whole.h5")
        random, resumed = Random(7), 0
        for _ in range(40):
            shutil.copy(self.path / "short.h5", self.path / "out.h5")
            self.run_until(lambda: (self.path / "out.h5.part").exists(), name, "-o", "out.h5", "--resume", *longer, delay=random.uniform(0, 1.5), send=random.choice((signal.SIGKILL, signal.SIGINT)))
            if (self.path / "out.h5.part" / "checkpoint").exists():
                resumed += 1
                self.go_on(name, *longer)
            elif (self.path / "out.h5.part").exists():
                self.go_on(name, *longer)
            self.assert_same_datasets("out.h5", expected, "killed")
            if resumed == 6:
                return
        self.fail("most runs ended before they were killed, or had not begun")

    def test_what_cannot_go_on(self):
        name = self.write()
        self.run_with(name, "out.h5")
        before = (self.path / "out.h5").read_bytes()
        refusals = ((("it has finished, after 600 steps", "more run.steps"),), (("it has finished, after 600 steps",), "run.steps=599"),
                    (("method.step", "differs"), "run.steps=700", "method.step=0.04"), (("initial states", "differs"), "run.steps=700", "ensemble.grid=[5, 5]"),
                    (("record.snapshots",), "run.steps=700", "record.snapshots=10"), (("precision",), "run.steps=700", 'run.precision="single"'))
        for words, *options in refusals:
            result = self.polhode("run", name, "--resume", *(word for option in options for word in ("--set", option)))
            self.expect_error(result, 2, "cannot resume 'out.h5'", *words)
        for option in ("record.final=false", "record.invariants=false"):
            self.run_with(name, "other.h5", "--set", option)
            self.expect_error(self.polhode("run", name, "-o", "other.h5", "--resume", "--set", option, "--set", "run.steps=700"), 2, "cannot resume 'other.h5'", "invariants" if "invariants" in option else "final states")
        (self.path / "text.h5").write_text("old")
        self.expect_error(self.polhode("run", name, "-o", "text.h5", "--resume"), 2, "text.h5")
        self.assertEqual((self.path / "out.h5").read_bytes(), before)
        self.assertEqual((self.path / "text.h5").read_text(), "old")
        self.assertFalse(list(self.path.glob("*.part")))
        # Momenta that were projected at the end are not those that the steps go on from.
        pendulum = '[system]\nname = "spherical-pendulum"\nm = 1\nl = 1\n[method]\nname = "shake"\nfinal_projection = true\nstep = 0.01\n[ensemble]\nfrom = "states"\nstates = [[0.6, 0, -0.8, 0, 1, 0]]\n[run]\nsteps = 10\n[output]\nfile = "shake.h5"\n'
        self.assertEqual(self.polhode("run", self.write(pendulum, "shake.toml")).returncode, 0)
        self.expect_error(self.polhode("run", "shake.toml", "--resume", "--set", "run.steps=20"), 2, "final_projection")


if __name__ == "__main__":
    unittest.main()
