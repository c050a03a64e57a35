"""The results of a problem as JSON and as a Markdown page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np

from measurement import Row

GOALS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)


def curves_of(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """The rows of each (program, method), largest error first."""
    curves: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        curves.setdefault((row.program, row.method), []).append(row)
    return {key: sorted(curve, key=lambda row: -row.state_error["median"]) for key, curve in curves.items()}


def time_at(curve: list[Row], error: float) -> float:
    """Nanoseconds for an error, between two rows by a power law; infinite beyond the last one."""
    errors = np.array([row.state_error["median"] for row in curve])
    times = np.array([row.ns["median"] for row in curve])
    times = np.minimum.accumulate(times[::-1])[::-1]  # more accurate and faster is good enough
    if error < errors[-1]:
        return np.inf
    return float(np.exp(np.interp(-np.log(error), -np.log(errors), np.log(times))))


def fastest(curves: dict[tuple[str, str], list[Row]], error: float) -> tuple[str, float]:
    """Method and nanoseconds."""
    times = {f"{program}, {method}": time_at(curve, error) for (program, method), curve in curves.items()}
    name = min(times, key=times.get, default="")
    return (name, times[name]) if name and np.isfinite(times[name]) else ("none", np.inf)


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return [*lines, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows), ""]


def goals(rows: list[Row]) -> list[str]:
    """Who is fastest at which error, polhode and the peers, both with a section kept."""
    curves = curves_of(row for row in rows if row.keeps_section)
    ours = {key: curve for key, curve in curves.items() if key[0] == "polhode"}
    theirs = {key: curve for key, curve in curves.items() if key[0] != "polhode"}
    lines = []
    for goal in GOALS:
        (mine, time), (other, other_time) = fastest(ours, goal), fastest(theirs, goal)
        if np.isfinite(time) or np.isfinite(other_time):
            ratio = f"{other_time / time:.2f}" if np.isfinite(time) and np.isfinite(other_time) else ""
            lines.append((f"{goal:.0e}", mine, number(time), other, number(other_time), ratio))
    return table(("state error", "fastest method of polhode", "ns", "fastest peer", "ns", "peer / polhode"), lines)


def number(time: float) -> str:
    return f"{time:.0f}" if np.isfinite(time) else ""


def markdown(facts: dict, rows: list[Row]) -> str:
    lines = [f"# {facts['problem']}: polhode and its peers on one core", ""]
    shown = "processor", "date", "versions", "orbits", "time", "reference", "section points"
    lines += table(("", ""), [(key, facts[key]) for key in shown])
    if facts["notes"]:
        lines += [*(f"* {note}" for note in facts["notes"]), ""]
    lines += ["Errors are medians over the orbits; ns are for a unit of time of one orbit.", ""]
    lines += goals(rows)
    lines += table(
        ("contender", "setting", "state error", "energy error", "section points", "ns", "lowest to highest"),
        (
            (
                f"{row.program}, {row.method}",
                row.setting,
                f"{row.state_error['median']:.1e}",
                f"{row.energy_error['median']:.1e}",
                row.points if row.keeps_section else "",
                f"{row.ns['median']:.0f}",
                f"{row.ns['lowest']:.0f} to {row.ns['highest']:.0f}",
            )
            for row in rows
        ),
    )
    return "\n".join(lines)


def write(stem: Path, facts: dict, rows: list[Row]) -> None:
    """STEM.json and STEM.md."""
    record = {**facts, "rows": [asdict(row) for row in rows]}
    stem.with_suffix(".json").write_text(json.dumps(record, indent=1) + "\n")
    stem.with_suffix(".md").write_text(markdown(facts, rows))
