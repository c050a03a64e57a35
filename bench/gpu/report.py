"""The results as JSON, a Markdown page and, where there is matplotlib, a picture."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from contender import Times

HEAD = ("problem", "trajectories", "contender", "compile, s", "kernel, steps/s", "end to end, steps/s", "states")
PANELS = (  # of the picture
    ("heavy-top", "double", "kernel"),
    ("heavy-top", "double", "end_to_end"),
    ("lorenz", "double", "kernel"),
    ("lorenz", "single", "kernel"),
)


def rates(seconds: Times, work: int) -> dict:
    """With steps a second: of all trajectories together, of the problem; who takes other steps is as fast as these
    would have to be."""
    return {
        "steps_per_second": work / seconds.median,
        "lower_quartile": work / seconds.upper_quartile,
        "upper_quartile": work / seconds.lower_quartile,
        "seconds": asdict(seconds),
    }


def rate_text(rate: dict) -> str:
    return f"{rate['steps_per_second']:.3g} ({rate['lower_quartile']:.3g} to {rate['upper_quartile']:.3g})"


def states_text(row: dict) -> str:
    if "energy_error" in row:
        return ("" if row["agrees"] else "**differ** ") + f"energy error {row['energy_error']:.1e}, RATTLE {row['energy_error_of_rattle']:.1e}"
    if row.get("is_reference"):
        return "of the others' comparison"
    if row["same_bits"]:
        return "same bits"
    return ("" if row["agrees"] else "**differ** ") + f"up to {row['distance']['largest']:.0e} apart"


def cells(row: dict) -> list[str]:
    compile_seconds = row["compile_seconds"]
    return [
        f"{row['problem']}, {row['precision']}",
        str(row["trajectories"]),
        f"{row['contender']}: {row['setting']}",
        "" if compile_seconds is None else f"{compile_seconds:.2g}",
        rate_text(row["kernel"]),
        rate_text(row["end_to_end"]),
        states_text(row),
    ]


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def markdown(facts: dict, rows: list[dict], notes: list[str]) -> str:
    lines = [f"# The same work by polhode and others on {facts['device']}, {facts['date']}", ""]
    if facts["quick"]:
        lines += ["Made with --quick: the ensembles are too small to measure anything.", ""]
    lines += [f"{', '.join(facts['versions'])}; processor {facts['processor']}. Medians of up to "
              f"{facts['repetitions']}, quartiles in brackets.", ""]
    lines += [*(f"* {note}" for note in notes), ""] if notes else []
    return "\n".join(lines + table(HEAD, map(cells, rows)))


def picture(path: Path, facts: dict, rows: list[dict]) -> bool:
    """Whether there is matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(10, 7.5), constrained_layout=True)
    for axis, (problem, precision, what) in zip(axes.flat, PANELS):
        shown = [row for row in rows if (row["problem"], row["precision"]) == (problem, precision)]
        for name in dict.fromkeys(row["contender"] for row in shown):
            own = [row for row in shown if row["contender"] == name]
            axis.loglog([row["trajectories"] for row in own], [row[what]["steps_per_second"] for row in own], "o-",
                        label=name)
        axis.set_title(f"{problem}, {precision}: {what.replace('_', ' ')}", loc="left", fontsize=10)
        axis.set_xlabel("trajectories")
        axis.set_ylabel("steps/s")
        axis.grid(True, which="major", alpha=0.3)
        if shown:
            axis.legend(fontsize=8, frameon=False)
    figure.suptitle(f"{facts['device']}, {facts['date']}", fontsize=10)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
    return True


def write(folder: Path, facts: dict, rows: list[dict], notes: list[str]) -> list[Path]:
    """compare.json, .md and .png; the first is never there in part, whenever the program is stopped."""
    stem = folder / "compare"
    part = stem.with_suffix(".json.part")
    part.write_text(json.dumps({**facts, "rows": rows}, indent=1) + "\n")
    part.replace(stem.with_suffix(".json"))
    stem.with_suffix(".md").write_text(markdown(facts, rows, notes))
    written = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    if picture(stem.with_suffix(".png"), facts, rows):
        written.append(stem.with_suffix(".png"))
    return written
