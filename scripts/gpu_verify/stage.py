"""A stage's clock and findings: results, what was skipped and why, and what is wrong."""

import subprocess
import time

LIMIT = 480.0  # seconds; a machine that is lent may allow no more than ten minutes a command


class OutOfTime(Exception):
    """The stage has used up its seconds."""


class Stage:
    def __init__(self, name):
        self.name = name
        self.results = []
        self.skips = []
        self.problems = []
        self.begin = time.monotonic()

    def seconds(self):
        return time.monotonic() - self.begin

    def add(self, line, **result):
        """Keeps a result; `line` says it to who watches."""
        self.results.append(result)
        print(f"  {line}", flush=True)

    def skip(self, what, why):
        self.skips.append(f"{what}: skipped ({why})")
        print(f"  {self.skips[-1]}", flush=True)

    def fail(self, problem):
        self.problems.append(problem)
        print(f"  FAILED: {problem}", flush=True)

    def run(self, command, **keywords):
        """Runs a command to its end within what is left of the stage's time."""
        left = LIMIT - self.seconds()
        try:
            return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, timeout=max(left, 0.1), **keywords)
        except subprocess.TimeoutExpired:
            raise OutOfTime(f"stopped after {LIMIT:.0f} s in: {' '.join(map(str, command))}") from None

    def record(self):
        return {"passed": not self.problems, "seconds": round(self.seconds(), 1), "problems": self.problems,
                "skipped": self.skips, "results": self.results}


def last_line(process):
    """What a failed command said last, for a message of one line."""
    lines = (process.stderr.strip() or process.stdout.strip()).splitlines()
    return lines[-1] if lines else f"exit code {process.returncode}, no message"
