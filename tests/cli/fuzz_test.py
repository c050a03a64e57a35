#!/usr/bin/env python3
"""Mutated configurations and mutated HDF5 inputs, from fixed seeds: a result, or one line and nothing left behind.

Run with POLHODE set to the program's path."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import unittest
from random import Random

import h5py
import numpy

from command_line import CONFIG, EXAMPLES, PROGRAM, CliTest

N_CONFIGURATIONS, N_FILES = 500, 200

# Keys that are there to be mutated: those of [section], and those of [output], with which CONFIG ends, and more tables.
SECTION = """
direction = "both"
value = 0.01
where = "pi1 > 0"
terminal = false
"""
FEATURES = """
compression = 6
[density]
axes = ["pi2", "pi3"]
bins = [7, 5]
range = [[-1, 1], [-2, 2]]
[statistics]
every = 4
observables = ["gamma3", "energy"]
bins = 9
range = [[-1, 1], [0, 2]]
[record]
snapshots = 6
invariants_every = 3
"""
CONFIG = CONFIG.replace('name = "gamma3"\n', 'name = "gamma3"' + SECTION)
RANDOM = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0',
                        'from = "random"\ndistribution = "canonical"\ntemperature = 0.3\ncount = 50\nseed = 1')
CLOUD = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0',
                       'from = "random"\ndistribution = "cloud"\nstate = [1.6, 0.5, 0.02, -0.3, 0.95, 0.0]\nwidth = 0.01\ncount = 50')

# Nothing between a thousand and a thousand million: that would be a long run, not a wrong one.
VALUES = ["0", "-1", "1", "3", "17", str(2**31), str(2**62), str(2**63), "0.5", "-0.0", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf",
          "true", '""', '"x"', '"pi1"', '"ö"', "[]", "[1]", "[[]]", "[[1, 2], [3]]", "{}", "1979-05-27", "'", '"', "\\", "=", "[", "]]"]


def mutate(text, random):
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        lines = text.split("\n")
        k = random.randrange(len(lines))
        kind = random.randrange(7)
        if kind <= 2:  # a number or a word becomes another value
            words = list(re.finditer(r'-?\d+\.?\d*(?:e-?\d+)?|"[^"]*"|\btrue\b', text))
            if words:
                word = random.choice(words)
                text = text[: word.start()] + random.choice(VALUES) + text[word.end() :]
        elif kind == 3:
            text = "\n".join(lines[:k] + lines[k + 1 :])
        elif kind == 4:
            text = "\n".join(lines[:k] + [random.choice(lines)] + lines[k:])
        elif kind == 5:  # a key with a letter less, or of another table
            text = "\n".join(lines[:k] + [re.sub(r"(\w)(\w)", r"\2", lines[k], count=1)] + lines[k + 1 :])
        else:
            place = random.randrange(len(text) + 1)
            text = text[:place] + random.choice(["\0", "\t", "#", "\r", "\x7f", "é", "0", "[", '"', "\n", "."]) + text[place + 1 :]
    return text


# With sanitizers: the HDF5 library does not release everything when it finds a damaged file.
SUPPRESSIONS = pathlib.Path(__file__).with_name("leaks_of_hdf5.supp")
WITHOUT_LEAKS_OF_HDF5 = os.environ | {"LSAN_OPTIONS": f"suppressions={SUPPRESSIONS}:print_suppressions=0"}


class Fuzz(CliTest):
    def run_one(self, *arguments, environment=None):
        """The exit code; fails on a crash, a hang, an error that is not one line, or files left behind by one. 1 is a run
        in which every trajectory failed: it has its file, and a line as well."""
        before = sorted(self.path.rglob("*"))
        try:
            done = subprocess.run([PROGRAM, *arguments], cwd=self.path, capture_output=True, timeout=60, env=environment)
        except subprocess.TimeoutExpired:
            self.fail("it hangs")
        self.assertIn(done.returncode, (0, 1, 2, 3, 4), done.stderr)
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").splitlines()
            self.assertEqual(len(lines), 1, done.stderr)
            self.assertTrue(lines[0].startswith("polhode: "), done.stderr)
            if done.returncode == 1:
                self.assertIn("every trajectory failed", lines[0])
                self.expect_all_failed(arguments[arguments.index("-o") + 1] if "-o" in arguments else "again.h5")
            else:
                self.assertEqual(sorted(self.path.rglob("*")), before)
        return done.returncode

    def expect_all_failed(self, name):
        with h5py.File(self.path / name) as file:
            self.assertTrue(numpy.isin(file["status/code"][:], (1, 2, 3, 5)).all())

    def test_configurations(self):
        random = Random(2026)
        sources = [CONFIG + FEATURES, RANDOM + FEATURES, CLOUD]
        sources += [re.sub(r"(?m)^(count|steps) = .*", r"\1 = 20", path.read_text()) for path in sorted(EXAMPLES.glob("*.toml"))]
        sources = [re.sub(r"(?m)^grid = .*", "grid = [3, 3]", text) for text in sources]
        codes = []
        for trial in range(N_CONFIGURATIONS):
            text = mutate(random.choice(sources), random)
            (self.path / "config.toml").write_text(text)
            with self.subTest(trial=trial, text=text):
                # Steps are no more than 20, and starts no more than a million, whatever else they have become.
                short = ["--set", "run.steps=20"] if "steps = 20" not in text else []
                count = re.search(r"(?m)^count = (\d{7,})", text)
                few = ["--set", "ensemble.count=1000000"] if count and int(count[1]) <= 2**32 else []
                codes.append(self.run_one("run", "config.toml", "--quiet", "-o", "out.h5", *short, *few))
            for path in self.path.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        # Both happen: most mutations are noticed, and some make another good configuration.
        self.assertGreater(codes.count(2), N_CONFIGURATIONS // 3)
        self.assertGreater(codes.count(0), N_CONFIGURATIONS // 10)

    def test_hdf5_inputs(self):
        random = Random(1995)
        (self.path / "config.toml").write_text(CONFIG.replace("grid = [6, 6]", "grid = [3, 3]").replace("steps = 600", "steps = 20") + FEATURES)
        wholes = []
        for compression in (0, 6):
            # Enough section points that there is something to compress.
            steps = 20 if compression == 0 else 4000
            self.assertEqual(self.run_one("run", "config.toml", "--force", "--set", f"output.compression={compression}", "--set", f"run.steps={steps}"), 0)
            wholes.append((self.path / "out.h5").read_bytes())
        (self.path / "again.toml").write_text(
            CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', 'from = "file"\npath = "in.h5"').replace("steps = 600", "steps = 3").replace("out.h5", "again.h5")
        )
        codes = []
        for trial in range(N_FILES):
            data = bytearray(wholes[trial % 2])
            kind = random.randrange(4)
            if kind == 0:
                del data[random.randrange(len(data)) :]
            elif kind == 1:
                for _ in range(random.choice((1, 3, 30))):
                    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            elif kind == 2:  # in the headers, which are at the beginning
                for _ in range(random.choice((1, 3))):
                    data[random.randrange(min(len(data), 4096))] = random.randrange(256)
            else:
                first = random.randrange(len(data))
                data[first : first + random.choice((1, 8, 100))] = bytes(random.choice((1, 8, 100)))
            (self.path / "in.h5").write_bytes(data)
            with self.subTest(trial=trial, kind=kind):
                codes += [self.run_one("info", "in.h5", *random.choice(([], ["--columns"], ["--json"])), environment=WITHOUT_LEAKS_OF_HDF5),
                          self.run_one("run", "again.toml", "--quiet", environment=WITHOUT_LEAKS_OF_HDF5)]
            (self.path / "again.h5").unlink(missing_ok=True)
        self.assertGreater(codes.count(2), N_FILES // 4)
        self.assertGreater(codes.count(0), N_FILES // 4)

    def test_texts_that_are_gone(self):
        """The library fails in closing a file in whose heap of texts an object is missing."""
        (self.path / "config.toml").write_text(CONFIG.replace("grid = [6, 6]", "grid = [3, 3]").replace("steps = 600", "steps = 20") + FEATURES)
        self.assertEqual(self.run_one("run", "config.toml", "--force", "--set", "output.compression=0"), 0)
        whole = (self.path / "out.h5").read_bytes()
        objects = [place for heap in re.finditer(rb"GCOL\x01\0\0\0", whole) for place in objects_of(whole, heap.start())]
        self.assertGreater(len(objects), 100)
        for place in objects[::3]:
            data = bytearray(whole)
            data[place : place + 8] = bytes(8)
            (self.path / "in.h5").write_bytes(data)
            with self.subTest(place=place):
                self.run_one("info", "in.h5", environment=WITHOUT_LEAKS_OF_HDF5)


def objects_of(data, heap):
    """Where the objects of a global heap begin (HDF5 File Format Specification, III.E)."""
    end = heap + struct.unpack_from("<Q", data, heap + 8)[0]
    place = heap + 16
    while place + 16 <= end and struct.unpack_from("<H", data, place)[0] != 0:
        yield place
        place += 16 + (struct.unpack_from("<Q", data, place + 8)[0] + 7) // 8 * 8


if __name__ == "__main__":
    unittest.main()
