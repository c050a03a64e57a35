"""The configurations in examples/, and the states that some of them read from a file."""

import pathlib
import subprocess
import sys

from verification.polhode import Unusable, last_line

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples"  # of a portable directory or a checkout
FROM_FILE = ("water", "butane")


def files():
    return sorted(FOLDER.glob("*.toml"))


def write_states(example, folder, count):
    """The options with which an example runs anywhere: where it reads its states from a file, on `count` of them."""
    if example.stem not in FROM_FILE:
        return []
    states = folder / f"{example.stem}-states.h5"
    writer = FOLDER / "molecule_states.py"
    process = subprocess.run([sys.executable, writer, example.stem, str(count), states], capture_output=True, text=True)
    if process.returncode != 0:
        raise Unusable(f"{writer}: {last_line(process)}")
    return ["--set", f"ensemble.path={states}"]
