"""A run that both programs make, and what comes of it."""

import pathlib
import signal
import struct
import subprocess
import time
import typing

TIME_LIMIT = 3600.0  # seconds, of what hangs


class Reference(typing.NamedTuple):
    """What a run of the reference is judged by where its bytes differ."""

    beside: typing.Callable  # makes its configuration with states nearby
    of_halves: bool  # its states are positions and momenta


class Run(typing.NamedTuple):
    name: str
    configuration: typing.Union[str, typing.Callable]  # TOML, or what makes it once the run is made
    options: tuple = ()  # of polhode run
    code: int = 0  # exit code
    interrupted: bool = False  # by Ctrl-C, and resumed
    filled: bool = False  # no dataset may be empty, because nothing would be compared
    reference: typing.Optional[Reference] = None

    def text(self):
        return self.configuration() if callable(self.configuration) else self.configuration

    def on_each(self, isas):
        """The same on instruction sets of the processor."""
        for isa in isas:
            yield self._replace(name=f"{self.name}, {isa}", options=(*self.options, "--backend", "cpu", "--isa", isa))


class Outcome(typing.NamedTuple):
    code: int
    message: str  # on standard error
    left: tuple  # names of the files that are there afterwards
    file: pathlib.Path  # exists where the run has come to its end


def execute(program, run, folder):
    """The program's run in a folder of its own. All names are relative to it, so that both programs see the same."""
    folder.mkdir()
    (folder / "run.toml").write_text(run.text())
    command = [program, "run", "run.toml", "-o", "out.h5", "--quiet", *run.options]
    try:
        if run.interrupted and (code := interrupt(command, folder)) != 130:
            return Outcome(-1, f"it was to be interrupted, and ended with exit code {code}", (), folder / "out.h5")
        process = subprocess.run(command + ["--resume"] * run.interrupted, cwd=folder, capture_output=True, text=True,
                                 timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return Outcome(-1, f"it does not end within {TIME_LIMIT:.0f} s", (), folder / "out.h5")
    left = tuple(sorted(path.name for path in folder.iterdir()))
    return Outcome(process.returncode, process.stderr.strip(), left, folder / "out.h5")


def interrupt(command, folder):
    """Sends SIGINT once there is a checkpoint in the middle of a slice; the exit code."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + TIME_LIMIT
    try:
        while process.poll() is None and time.monotonic() < end and not step_of(folder / "out.h5.part" / "checkpoint"):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        return process.wait(timeout=end - time.monotonic())
    finally:
        process.kill()  # if it has not ended
        process.wait()


def step_of(checkpoint):
    """Of its slice, where it was written; 0 also where there is none yet. Another one replaces it as a whole."""
    try:
        header = checkpoint.read_bytes()
    except FileNotFoundError:
        return 0
    return struct.unpack_from("<8sQ4q", header)[-1]  # src/output/checkpoint.cpp
