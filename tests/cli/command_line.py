"""Runs the program as a user does, in a folder of its own, for the tests of the command line."""

import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
from random import Random

import h5py
import numpy

PROGRAM = os.environ["POLHODE"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

# For measurements of memory: the address sanitizer, where there is one, keeps freed memory back, which is not the
# program's.
WITHOUT_QUARANTINE = os.environ | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0"}

CONFIG = """
[system]
name = "heavy-top"
alpha = [0.44, 0.5, 1.0]
[method]
name = "rattle"
step = 0.05
[ensemble]
from = "section"
grid = [6, 6]
energy = 1.0
[run]
steps = 600
[section]
name = "gamma3"
[output]
file = "out.h5"
"""


def everything(snapshots, every):
    """Tables of all that a file of tops can hold."""
    return f"""
[record]
snapshots = {snapshots}
[density]
axes = ["pi2", "pi3"]
bins = [30, 20]
range = [[-1, 1], [-2, 2]]
[statistics]
every = {every}
observables = ["pi1", "energy"]
bins = 10
range = [[-2, 2], [0.9, 1.1]]
"""


def is_name_only(dataset):
    """Whether this is a dimension without coordinates."""
    return dataset.attrs.get("NAME", b"").startswith(b"This is a netCDF dimension but not a netCDF variable.")


def paths_with_content(file):
    """Paths of the datasets of an open file, without dimensions that have no coordinates."""
    paths = []
    file.visititems(lambda name, node: paths.append(name) if isinstance(node, h5py.Dataset) and not is_name_only(node) else None)
    return paths


def datasets(path):
    """Every dataset of a file by its path, as bytes with shape, type and names of dimensions."""
    found = {}

    def visit(name, node):
        if isinstance(node, h5py.Dataset) and not is_name_only(node):
            value = node[()]
            # Text is stored by reference: compare what it says, and numbers by their bits.
            numeric = isinstance(value, numpy.ndarray) and value.dtype != object
            names = [[scale.name for scale in dimension.values()] for dimension in node.dims]
            found[name] = (node.shape, str(node.dtype), value.tobytes() if numeric else repr(value), names)

    with h5py.File(path, "r") as file:
        file.visititems(visit)
    return found


def without_notices(errors):
    """What a program said on standard error, but for the kernels that it compiles, which depend on what ran before."""
    return "".join(line for line in errors.splitlines(keepends=True) if not line.startswith(("polhode: compiled ", "polhode: still compiling ")))


def wait_until(condition, awaited, pause=0.005, seconds=300):
    """Until the condition holds; fails after so many seconds, with what was awaited."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain: {awaited}")
        time.sleep(pause)


def wait_for_handler(process, number):
    """Until the program handles the signal, which would end it by itself before; or until it has ended."""

    def handles():
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(re.search(r"SigCgt:\s*([0-9a-f]+)", status)[1], 16) >> (number - 1) & 1

    wait_until(lambda: process.poll() is not None or handles(), f"a handler of signal {number}")


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, text=CONFIG, name="config.toml"):
        (self.path / name).write_text(text)
        return name

    def assert_same_datasets(self, name, expected, what):
        found = datasets(self.path / name)
        self.assertEqual(found.keys(), expected.keys(), what)
        for key, value in expected.items():
            self.assertTrue(found[key] == value, f"{key} differs: {what}")

    def polhode(self, *arguments, **keywords):
        result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.path, capture_output=True, text=True, timeout=300, **keywords)
        result.stderr = without_notices(result.stderr)
        return result

    def compiled_alone(self, name):
        """Environment in which the kernel of a configuration is there, for the best instruction set, and no other can be."""
        environment = os.environ | {"POLHODE_CACHE": str(self.path / "alone")}
        result = self.polhode("compile", name, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return environment | {"POLHODE_NO_COMPILE": "1"}

    def run_with(self, name, output, *options):
        """A run that must succeed; what it prints."""
        result = self.polhode("run", name, "-o", output, "--force", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def begun(self):
        """Whether the run of out.h5 has begun, and can be interrupted."""
        return (self.path / "out.h5.part" / "lock").exists()

    def has_checkpoint(self):
        """Whether there is one in the middle of the run of out.h5: the first is of its start."""
        try:
            header = (self.path / "out.h5.part" / "checkpoint").read_bytes()
        except FileNotFoundError:
            return False
        first, step = struct.unpack_from("<q8xq", header, 24)  # src/output/checkpoint.cpp
        return first > 0 or step > 0

    def run_until(self, condition, *arguments, send=signal.SIGKILL, delay=0):
        """Starts the program and sends it a signal `delay` seconds after the condition holds. Its exit code and errors."""
        process = subprocess.Popen([PROGRAM, "run", *map(str, arguments)], cwd=self.path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)  # which does nothing to one that has ended
        wait_until(lambda: process.poll() is not None or condition(), "that a run can be interrupted")
        time.sleep(delay)
        process.send_signal(send)
        _, errors = process.communicate(timeout=300)
        return process.returncode, without_notices(errors)

    def expect_same_after_kills(self, kills, name, options, resume, signals=(signal.SIGKILL,), kill_again=False):
        """Runs that are killed at random moments and resumed with the options `resume` have the datasets of whole.h5, a
        run that was not. What the resumed runs printed."""
        begin = time.monotonic()
        self.run_with(name, "whole.h5", *options)
        duration = time.monotonic() - begin
        expected = datasets(self.path / "whole.h5")
        random, reports = Random(20), []
        output, part = self.path / "out.h5", self.path / "out.h5.part"
        for _ in range(20 * kills):
            delay = random.uniform(0, 1) * duration
            self.run_until(lambda: True, name, "-o", "out.h5", *options, send=random.choice(signals), delay=delay)
            if output.exists():  # it was faster this time
                duration *= 0.9
                output.unlink()
                shutil.rmtree(part, ignore_errors=True)
                continue
            if not part.exists():  # it had not begun
                continue
            if kill_again:
                self.run_until(lambda: True, name, "-o", "out.h5", "--resume", *options, delay=0.2 * duration)
            if not output.exists():
                result = self.polhode("run", name, "-o", "out.h5", "--resume", *resume)
                self.assertEqual(result.returncode, 0, result.stderr)
                reports.append(result.stdout)
                self.assertFalse(part.exists())
            # Otherwise it was killed a second time, between the last two things that it does.
            self.assert_same_datasets("out.h5", expected, f"killed after {delay:.2f} s")
            shutil.rmtree(part, ignore_errors=True)
            output.unlink()
            if len(reports) == kills:
                return reports
        self.fail("most runs ended before they were killed, or had not begun")

    def expect_error(self, result, code, *words):
        """One line on stderr in the program's grammar, the exit code, and the words in it."""
        self.assertEqual(result.returncode, code, result.stderr)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertRegex(lines[0], r"^polhode: .+ \(.+\)\. .+\.$")
        for word in words:
            self.assertIn(word, lines[0])

    def expect_rejected(self, code, *words, config=CONFIG, arguments=()):
        name = self.write(config)
        before = sorted(self.path.rglob("*"))
        self.expect_error(self.polhode("run", name, *arguments), code, *words)
        self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")

    def expect_message(self, message, code=2, config=CONFIG, arguments=()):
        """A run whose only output is the message, and which leaves nothing behind."""
        name = self.write(config)
        self.expect_printed(["run", name, *arguments], message, code)

    def expect_printed(self, arguments, message, code=2):
        before = sorted(self.path.rglob("*"))
        done = self.polhode(*arguments)
        self.assertEqual((done.stderr, done.stdout, done.returncode), (f"polhode: {message}\n", "", code))
        self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")
