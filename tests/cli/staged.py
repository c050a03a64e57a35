"""polhode installed into a folder of a test's own.

POLHODE_BUILD is the folder in which polhode was built."""

import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ["POLHODE_BUILD"]


class Stage:
    """CMake finds the package through the path. Nothing but what is installed may be used."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self._folder.name)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", self.path / "polhode"], check=True, stdout=subprocess.DEVNULL)
        self.environment = os.environ | {
            "PATH": f"{self.path}/polhode/bin:{os.environ['PATH']}",
            "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count()),
        }

    def remove(self):
        self._folder.cleanup()

    def run(self, *command, cwd, **keywords):
        return subprocess.run(list(map(str, command)), cwd=cwd, env=self.environment, text=True, capture_output=True, **keywords)

    def must(self, *command, cwd):
        """What a command printed that must succeed."""
        done = self.run(*command, cwd=cwd)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        return done.stdout
