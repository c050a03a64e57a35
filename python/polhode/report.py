"""What `polhode run` reports of a run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from polhode.labels import counted
from polhode.notes import warn

NEWS = re.compile(r"\d+ of \d+ [\w ]+ ha(s|ve) a start on branch |the starts lie on |the formulas are taken as ")  # remarks of which nobody is warned
OK, EVENT = 0, 4  # codes of /status


class RunReport(SimpleNamespace):
    """The report of a run: its numbers as members, and printed what `polhode run` prints."""

    resumed: bool  # whether it went on with one that was stopped

    def __str__(self) -> str:
        result = lines_of(self) if self.complete else ["stopped, without a result"]
        return "\n  ".join([subject_of(self), *self.remarks, *result])

    def warn(self) -> None:
        """Warns of doubts about the run and of trajectories that have failed, since a report is easily not read."""
        for remark in self.remarks:
            if not NEWS.match(remark):
                warn(remark)
        for ending in self.endings:
            if not ending["is_result"]:
                warn(
                    f"{ending['count']} of {self.trajectories} trajectories failed (first: trajectory {ending['first']}, "
                    f"after step {ending['step']}): {ending['meaning']}"
                )


def trajectories(count: int) -> str:
    return counted(count, "trajectory", "trajectories")


def subject_of(report: RunReport) -> str:
    """What was run, by which method and where."""
    how = (f"{report.table}; " if report.table else "") + ", ".join(filter(None, (report.solver, report.composition)))
    isa = f", {report.isa}" if report.backend == "cpu" else ""
    return (f"{trajectories(report.trajectories)} of {report.system} by {report.method} ({how}), {counted(report.steps, 'step')} "
            f"of {report.step:.15g} on {report.device}{isa}")  # fmt: skip


def lines_of(report: RunReport) -> Iterator[str]:
    """What has come of the run."""
    speed = report.trajectories * report.steps / max(report.seconds, 1e-9)
    is_known = not report.resumed and all(ending["code"] == OK for ending in report.endings)  # how many steps were taken
    yield f"{report.seconds:.2f} s" + (f", {speed:.3g} steps/s" if is_known else "")
    if report.section:
        yield f"{counted(report.points, 'section point')} ({report.section})"
    if report.unrefined:
        yield f"{counted(report.unrefined, 'crossing')} dropped: no valid step leads to them"
    if report.missed > 0:
        method = "" if report.long_steps else " or a method with long steps"
        yield f"about {counted(with_two_digits(report.missed), 'crossing')} may have been missed: use a shorter step{method}"
    if report.round_off:
        changes = counted(report.round_off, "change of sign", "changes of sign")
        yield f"{changes} of {trajectories(report.with_round_off)} dropped: round-off about the section at both ends of the step"
    yield from changes_of(report)
    yield from endings_of(report)


def with_two_digits(number: float) -> int:
    """A positive number, rounded to two digits and to a whole number, 1 at least."""
    digits = min(0, 1 - math.floor(math.log10(number)))
    return max(1, int(round(number, digits)))


def changes_of(report: RunReport) -> Iterator[str]:
    """The largest change of each invariant."""
    if report.unknown == report.trajectories:
        if report.drifts:
            yield f"changes of invariants are unknown: no trajectory reached step {report.first_compared}"
        return
    early = "of those that failed or left " if any(is_left(ending) for ending in report.endings) else "of those that failed "
    for drift in report.drifts:
        parts = [in_words(drift), in_words(drift["early"], early)]
        unknown = f"unknown in {trajectories(report.unknown)}" if report.unknown else ""
        yield f"largest change of {drift['invariant']}: {', '.join(filter(None, [*parts, unknown]))}"


def in_words(change: dict[str, Any], of: str = "") -> str:
    """A change and its trajectory; empty where there is none."""
    return f"{of}{change['largest']:.2e} (trajectory {change['trajectory']})" if change["trajectory"] >= 0 else ""


def endings_of(report: RunReport) -> Iterator[str]:
    """Trajectories that have not come to the last step."""
    for ending in report.endings:
        if ending["code"] == EVENT:
            yield f"{trajectories(ending['count'])} ended on the section"
        elif ending["code"] != OK:
            how = "left" if is_left(ending) else "failed"
            yield f"{trajectories(ending['count'])} {how} (first: trajectory {ending['first']}, after step {ending['step']}): {ending['meaning']}"


def is_left(ending: dict[str, Any]) -> bool:
    """Whether these trajectories left the domain of a system for which that is a result."""
    return bool(ending["is_result"]) and ending["code"] not in (OK, EVENT)
