"""The report: one JSON with everything, one Markdown page with its tables."""

import json
import re


def stem(facts):
    """DATE-DEVICE, the name of the files."""
    return f"{facts['date']}-{re.sub('[^a-z0-9]+', '-', facts['device'].lower()).strip('-')}"


def write(folder, facts, stages):
    """Writes both files. Stages that an earlier call of the same day reported, on the same device and for the same
    commit, stay in: the stages may be run one by one. Returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem(facts)}.json"
    if path.is_file():
        earlier = json.loads(path.read_text())
        if all(earlier[key] == facts[key] for key in ("commit", "device", "driver", "quick")):
            stages = {**earlier["stages"], **stages}
    record = {**facts, "stages": stages}
    page = path.with_suffix(".md")
    path.write_text(json.dumps(record, indent=1) + "\n")
    page.write_text(markdown(record))
    return path, page


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows] + [""]


def markdown(record):
    lines = [f"# polhode {record['commit']} on {record['device']}, {record['date']}", ""]
    if record["quick"]:
        lines += ["Made with --quick: the sizes are too small to verify or to measure anything.", ""]
    facts = [(key, record[key]) for key in ("device", "driver", "toolkit", "compiler", "commit")]
    lines += table(("", ""), facts + list(record["gpu"].items()) + list(record["host"].items()))
    lines += table(("stage", "result", "seconds"),
                   [(name, "passed" if stage["passed"] else "**failed**", stage["seconds"])
                    for name, stage in record["stages"].items()])
    for title, key in (("Wrong", "problems"), ("Skipped", "skipped")):
        notes = [f"* {name}: {note}" for name, stage in record["stages"].items() for note in stage[key]]
        if notes:
            lines += [f"## {title}", "", *notes, ""]
    for name, stage in record["stages"].items():
        if stage["results"]:
            lines += [f"## {name}", "", *SECTIONS[name](stage["results"])]
    return "\n".join(lines)


def tests(results):
    return table(("program", "passed", "failed", "skipped"),
                 [(r["program"], r["passed"], r["failed"], r["skipped"]) for r in results])


def bits(results):
    return table(("system method solver precision", "compared", "bits", "trajectories", "steps",
                  "failed, as meant to", "section points", "snapshots"),
                 [(r["name"], f"{r['expected']}, {r['found']}", "same" if r["same"] else "**differ**", r["trajectories"],
                   r["steps"], r["failed"], r["section_points"], r["snapshots"]) for r in results])


def examples(results):
    return table(("example", "datasets with the bits of cpu on cuda", "promises kept"),
                 [(r["name"], r["datasets"], r["promises"]) for r in results])


def sanitizer(results):
    return table(("system method solver precision tool", "on", "errors"),
                 [(r["name"], r["backend"], "none" if r["clean"] else "**some**") for r in results])


def throughput(results):
    return [line for r in results for line in ("```", *r["table"], "```", "")]


def files(results):
    return table(("trajectories", "steps", "section", "steps/s in all", "steps/s integrating", "seconds in all", "MB"),
                 [(r["trajectories"], r["steps"], "on" if r["section"] else "off", f"{r['steps_per_second']:.3g}",
                   f"{r['trajectories'] * r['steps'] / max(r['integration_seconds'], 0.01):.3g}",
                   r["wall_seconds"], f"{r['bytes'] / 1e6:.0f}") for r in results])


SECTIONS = {"tests": tests, "bits": bits, "examples": examples, "sanitizer": sanitizer, "throughput": throughput, "files": files}
