"""A stage's clock and findings: results, what was skipped and why, and what is wrong."""

import concurrent.futures
import subprocess
import time

LIMIT = 480.0  # seconds; a machine that is lent may allow no more than ten minutes a command


class OutOfTime(Exception):
    """The stage has used up its seconds."""


class Stage:
    def __init__(self, name, limit=LIMIT, begin=None):
        self.name = name
        self.limit = limit
        self.results = []
        self.skips = []
        self.problems = []
        self.begin = time.monotonic() if begin is None else begin

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
        left = self.limit - self.seconds()
        try:
            outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
            return subprocess.run([str(word) for word in command], timeout=max(left, 0.1), **{**outputs, **keywords})
        except subprocess.TimeoutExpired:
            raise OutOfTime(f"stopped after {self.limit:.0f} s in: {' '.join(map(str, command))}") from None

    def for_each(self, items, work, workers):
        """work(stage, item) for every item, several at a time: most of a short run is its start. What each adds to the
        stage that it is given is put together in the order of the items."""
        def one(item):
            part = Stage(self.name, self.limit, self.begin)
            work(part, item)
            return part

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for part in pool.map(one, items):
                self.results += part.results
                self.problems += part.problems
                self.skips += [skip for skip in part.skips if skip not in self.skips]

    def record(self):
        return {"passed": not self.problems, "seconds": round(self.seconds(), 1), "problems": self.problems,
                "skipped": self.skips, "results": self.results}
