#!/usr/bin/env python3
"""Cold starts that are killed at random moments, alone or with their compilers: a later run loads nothing wrong.

Run with POLHODE set to the program's path. Four of them, or with POLHODE_TEST_ALL set two hundred."""

import os
import random
import signal
import subprocess
import time
import unittest

from command_line import PROGRAM, CliTest, datasets

OSCILLATOR = """
[system]
name = "central"
k2 = 1.0
[method]
name = "splitting"
step = 0.1
[ensemble]
from = "states"
states = [[1.0, 0.0, 0.0, 0.7], [0.5, 0.2, 0.0, 1.0]]
[run]
steps = 400
[section]
name = "q1"
"""


class KilledCompilations(CliTest):
    def test_leave_nothing_that_is_loaded_wrongly(self):
        count = 200 if os.environ.get("POLHODE_TEST_ALL") else 4
        at = random.Random(20261127)
        self.cache = self.path / "cache"
        self.environment = os.environ | {"POLHODE_CACHE": str(self.cache)}
        self.environment.pop("POLHODE_NO_COMPILE", None)
        self.name = self.write(OSCILLATOR)
        begin = time.monotonic()
        self.run_well()
        longest = time.monotonic() - begin
        right = datasets(self.path / "out.h5")
        killed = left = 0
        for k in range(count):
            for module in self.cache.rglob("*.so"):
                module.unlink()
            process = self.start()
            time.sleep(at.uniform(0, longest))
            killed += process.poll() is None
            if at.random() < 0.5:
                process.kill()
            else:
                self.kill_with_compilers(process)
            process.communicate()
            left += len(self.leftovers())
            self.run_well()
            with self.subTest(kill=k):
                self.assert_same_datasets("out.h5", right, "after a kill")
        self.run_well()
        self.assertGreater(killed, count // 3)
        self.assertGreater(left, 0, "no kill has left anything")

    def start(self):
        return subprocess.Popen([PROGRAM, "run", self.name, "-o", "out.h5", "--force"], cwd=self.path,
                                env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run_well(self):
        process = self.start()
        _, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, errors)

    def leftovers(self):
        return [file for file in self.cache.rglob("*") if file.is_file() and file.suffix not in (".so", ".lock")]

    def kill_with_compilers(self, process):
        """Of all its descendants, which have process groups of their own."""
        listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        children = {}
        for line in listed.splitlines():
            pid, parent = map(int, line.split())
            children.setdefault(parent, []).append(pid)
        family = [process.pid]
        for pid in family:
            family += children.get(pid, [])
        for pid in family:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


if __name__ == "__main__":
    unittest.main()
