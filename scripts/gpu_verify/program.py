"""The programs to verify, in a portable directory's bin or in a build directory, which are laid out alike."""

import json
import os
import pathlib

from verification.polhode import Polhode, Unusable


class Program(Polhode):
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        if not (self.folder / "polhode").is_file():
            raise Unusable(f"cannot verify {self.folder} (it holds no polhode). Give --bin DIR.")
        super().__init__(self.folder / "polhode")
        bench = self.folder / "bench" / "polhode-bench"
        self.bench = bench if bench.is_file() else None

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
