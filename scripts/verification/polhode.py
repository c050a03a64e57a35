"""A polhode program: its version and what it lists; and how a command that fails is reported."""

import json
import pathlib
import subprocess


class Unusable(Exception):
    """The program cannot be used at all; one line."""


def last_line(process):
    """What a failed command said last, for a message of one line."""
    lines = (process.stderr.strip() or process.stdout.strip()).splitlines()
    said = lines[-1] if lines else "no message"
    if process.returncode < 0:
        return f"ended by signal {-process.returncode}, {said}"
    return said if lines else f"exit code {process.returncode}, {said}"


class Polhode:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        self.version = self._output("--version").strip()
        backends = {backend["name"]: backend for backend in self.list("backends")}
        self.isas = backends["cpu"]["isa"]
        self.has_gpu = backends["cuda"]["available"]
        self.why_no_gpu = "" if self.has_gpu else backends["cuda"]["meaning"]

    def _output(self, *arguments):
        try:
            process = subprocess.run([self.path, *arguments], capture_output=True, text=True, timeout=60, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise Unusable(f"cannot run {self.path} ({error}). Give a polhode that runs here.") from None
        return process.stdout

    def list(self, topic):
        return json.loads(self._output("list", topic, "--json"))
