"""The report: one JSON with everything, one Markdown page that sums it up."""

import collections
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
        if all(earlier[key] == facts[key] for key in ("commit", "device", "driver", "size")):
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
    if record["size"] == "quick":
        lines += ["Made with --quick: the sizes are too small to verify or to measure anything.", ""]
    facts = [(key, record[key]) for key in ("device", "driver", "toolkit", "compiler", "commit")]
    lines += table(("", ""), facts + list(record["gpu"].items()) + list(record["host"].items()))
    lines += table(("stage", "result", "seconds"),
                   [(name, "passed" if stage["passed"] else "**failed**", stage["seconds"])
                    for name, stage in record["stages"].items()])
    for title, key in (("Wrong", "problems"), ("Skipped", "skipped")):
        notes = [f"* {name}: {note}" for name, stage in record["stages"].items()
                 for note in without_parameters(stage[key])]
        if notes:
            lines += [f"## {title}", "", *notes, ""]
    for name, stage in record["stages"].items():
        if stage["results"]:
            lines += [f"## {name}", "", *SECTIONS[name](stage["results"])]
    return "\n".join(lines)


def without_parameters(notes):
    """The same, with one note for all parameters of a test: SUITE.TEST/PARAMETER: ..."""
    tests = collections.Counter(re.sub(r"^(?:\w+/)?(\w+\.\w+)/\w+:", r"\1:", note) for note in notes)
    return [f"{note}, {count} times" if count > 1 else note for note, count in tests.items()]


def by_system(results):
    """(system, its results) in their order; every result has a name that begins with its system's."""
    systems = collections.defaultdict(list)
    for result in results:
        systems[result["name"].split()[0]].append(result)
    return systems.items()


def tests(results):
    return table(("program", "passed", "failed", "skipped"),
                 [(r["program"], r["passed"], r["failed"], r["skipped"]) for r in results])


def bits(results):
    rows = []
    for system, of_system in by_system(results):
        differing = sum(not r["same"] for r in of_system)
        total = lambda key: sum(r[key] for r in of_system)
        rows.append((system, f"{of_system[0]['expected']}, {of_system[0]['found']}", len(of_system),
                     f"**{differing} differ**" if differing else "same", of_system[0]["trajectories"],
                     max(r["steps"] for r in of_system), total("failed"), total("section_points"),
                     of_system[0]["snapshots"]))
    return ["A run for each method, solver and precision. In each three trajectories are meant to fail; others are so",
            "fast that they may. Both are compared too, as far as they come.", "",
            *table(("system", "compared", "runs", "bits", "trajectories", "steps", "failed, in all",
                    "section points, in all", "snapshots"), rows)]


def examples(results):
    return table(("example", "datasets with the bits of cpu on cuda", "promises kept"),
                 [(r["name"], r["datasets"], r["promises"]) for r in results])


def sanitizer(results):
    return table(("system", "on", "runs", "with errors"),
                 [(system, of_system[0]["backend"], len(of_system), sum(not r["clean"] for r in of_system) or "none")
                  for system, of_system in by_system(results)])


def throughput(results):
    return [line for r in results for line in ("```", *r["table"], "```", "")]


def files(results):
    return table(("trajectories", "steps", "section", "steps/s in all", "steps/s integrating", "seconds in all", "MB"),
                 [(r["trajectories"], r["steps"], "on" if r["section"] else "off", f"{r['steps_per_second']:.3g}",
                   f"{r['trajectories'] * r['steps'] / max(r['integration_seconds'], 0.01):.3g}",
                   r["wall_seconds"], f"{r['bytes'] / 1e6:.0f}") for r in results])


def shares(results):
    cell = lambda r, key: f"{r[key]:.3f}" if key in r else ""
    loops = [(r["trajectories"], f"{r['loop']['steps_per_second']['median']:.3g}",
              f"{r['loop']['share_of_limit']:.2f}") for r in results if r["name"] == "time loop"]
    rows = [(r["name"], r["trajectories"], r["steps"], f"{r['steps_per_second']:.3g}", cell(r, "share"),
             cell(r, "share_integrating"), cell(r, "share_of_process")) for r in results if r["name"] != "time loop"]
    return (table(("trajectories", "time loop, steps/s", "share of the limit"), loops) +
            ["Steps/s end to end in memory, from the draw of the starts to arrays, and shares of the time loop.", "",
             *table(("run", "trajectories", "steps", "steps/s", "share", "share integrating into a file",
                     "share of the whole process"), rows)])


def peers(results):
    rate = lambda r: f"{r['steps_per_second']:.3g} ({r['lower_quartile']:.3g} to {r['upper_quartile']:.3g})"
    said = lambda r: ("" if "same_bits" not in r else "same bits" if r["same_bits"] else
                      f"{r['distance']['largest']:.0e} apart")
    return table(("problem", "trajectories", "contender", "kernel, steps/s", "end to end, steps/s", "states"),
                 [(f"{r['problem']}, {r['precision']}", r["trajectories"], f"{r['contender']}: {r['setting']}",
                   rate(r["kernel"]), rate(r["end_to_end"]), said(r)) for r in results])


SECTIONS = {"tests": tests, "bits": bits, "examples": examples, "sanitizer": sanitizer, "throughput": throughput,
            "files": files, "shares": shares, "peers": peers}
