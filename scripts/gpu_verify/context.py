"""What every stage works with."""

import pathlib
import typing

from gpu_verify.program import Program


class Context(typing.NamedTuple):
    program: Program
    folder: pathlib.Path  # the stage's own, gone afterwards
    quick: bool

    def polhode(self, stage, text, output, *options, wrapper=()):
        """polhode run on a configuration, as the finished process; `wrapper` is a command to run it under."""
        configuration = self.folder / "run.toml"
        configuration.write_text(text)
        return stage.run([*wrapper, self.program.polhode, "run", configuration, "-o", output, "--quiet", *options])
