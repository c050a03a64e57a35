"""What every stage works with."""

import os
import pathlib
import typing

from gpu_verify.program import Program


class Context(typing.NamedTuple):
    program: Program
    folder: pathlib.Path  # the stage's own, gone afterwards
    root: pathlib.Path  # of the portable directory or the checkout
    size: str  # quick: only shows that a stage works; normal: all stages in twelve minutes of a GPU; full: as much as is kept

    @property
    def quick(self):
        return self.size == "quick"

    @property
    def full(self):
        return self.size == "full"

    @property
    def workers(self):
        """Processes at a time: most of each is its start. A GPU takes turns, and has memory for so many."""
        return max(2, min(12, len(os.sched_getaffinity(0))))

    def polhode(self, stage, text, output, *options, wrapper=()):
        """polhode run on a configuration, as the finished process; `wrapper` is a command to run it under."""
        configuration = output.with_suffix(".toml")
        configuration.write_text(text)
        return stage.run([*wrapper, self.program.path, "run", configuration, "-o", output, "--quiet", *options])
