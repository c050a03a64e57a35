"""The programs to verify, in a portable directory's bin or in a build directory, which are laid out alike."""

import json
import os
import pathlib
import subprocess


class Unusable(Exception):
    """The programs cannot be used at all; one line."""


class Program:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.polhode = self.folder / "polhode"
        if not self.polhode.is_file():
            raise Unusable(f"cannot verify {self.folder} (it holds no polhode). Give --bin DIR.")
        bench = self.folder / "bench" / "polhode-bench"
        self.bench = bench if bench.is_file() else None
        self.version = self._output("--version").strip()
        backends = {backend["name"]: backend for backend in self.list("backends")}
        self.isas = backends["cpu"]["isa"]
        self.has_gpu = backends["cuda"]["available"]
        self.why_no_gpu = "" if self.has_gpu else backends["cuda"]["meaning"]

    def _output(self, *arguments):
        try:
            process = subprocess.run([self.polhode, *arguments], capture_output=True, text=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise Unusable(f"cannot run {self.polhode} ({error}). Give --bin DIR.") from None
        return process.stdout

    def list(self, topic):
        return json.loads(self._output("list", topic, "--json"))

    def commit(self):
        """What git described when the program was built."""
        words = self.version.split(maxsplit=2)
        return words[2] if len(words) > 2 else "unknown"

    def toolkit(self):
        """The compilers, which a portable directory knows and a build directory does not."""
        try:
            return json.loads((self.folder.parent / "build.json").read_text())
        except FileNotFoundError:
            return {"compiler": "unknown", "cuda": "unknown"}

    def tests(self):
        """The GoogleTest programs."""
        folder = self.folder / "tests"
        found = sorted(folder.iterdir()) if folder.is_dir() else []
        return [file for file in found if file.is_file() and not file.suffix and os.access(file, os.X_OK)]
