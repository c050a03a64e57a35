"""Tables of systems, methods and keys, which end the pages of those names: made with the site of what the program
$POLHODE says of itself."""

import functools
import json
import os
import re
import subprocess


PROPERTIES = {
    "symmetric": "symmetric",
    "Poisson": "Poisson or symplectic",
    "keeps Casimirs": "conserves Casimirs",
    "keeps momenta of symmetries": "conserves the momenta of symmetries",
    "keeps constraints": "satisfies the constraints",
    "keeps energy": "conserves energy",
}


@functools.cache
def listed(*what):
    """What the program lists."""
    done = subprocess.run([os.environ["POLHODE"], "list", *what], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def type_of(key):
    """In words, with what bounds it."""
    if "const" in key:
        return f'`"{key["const"]}"`'
    if "enum" in key:
        return ", ".join(f'`"{choice}"`' for choice in key["enum"])
    if "anyOf" in key:
        return " or ".join(type_of(choice) for choice in key["anyOf"])
    if key["type"] == "array":
        size = f"{key['minItems']} " if "minItems" in key else ""
        element = type_of(key["items"])
        return f"list of {size}{element}s" if element in ("number", "string") else f"list of {size}({element})"
    bounds = []
    if "minimum" in key and "maximum" in key:
        bounds.append(f"{number(key['minimum'])} to {number(key['maximum'])}")
    elif "minimum" in key:
        bounds.append(f"at least {number(key['minimum'])}")
    if "exclusiveMinimum" in key:
        bounds.append("positive")
    if "not" in key:
        bounds.append("not 0")
    return ", ".join([key["type"], *bounds])


def number(value):
    """Large powers of two as such."""
    power = int(value).bit_length() - 1
    return f"2^{power}" if power >= 20 and value == 2**power else f"{value:g}"


def cell(text):
    return str(text).replace("|", "\\|")


def table(head, rows):
    """Empty without rows."""
    if not rows:
        return []
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cell(text) for text in line) + " |" for line in lines] + [""]


def key_rows(keys):
    rows = []
    for name, key in keys["properties"].items():
        required = name in keys.get("required", ())
        default = "required" if required else f"`{json.dumps(key['default'])}`" if "default" in key else ""
        rows.append([f"`{name}`", type_of(key), default, key.get("x-unit", ""), key.get("description", "")])
    return table(["key", "type", "default", "unit", "meaning"], rows)


def configuration_tables():
    schema = listed("schema")
    lines = []
    for name, keys in schema["properties"].items():
        optional = "" if name in schema["required"] else ", optional"
        lines += [f"## [{name}]{optional}", ""]
        if name == "system":
            names = [system["properties"]["name"] for system in keys["oneOf"]]
            header = keys["oneOf"][0]["properties"]["header"]["description"]
            lines += [f"`name` is one of the systems below, and `header` the {header}. The other keys are the parameters"
                      " of the system.", ""]
            for entry, system in zip(names, keys["oneOf"]):
                rest = {key: row for key, row in system["properties"].items() if key not in ("name", "header")}
                lines += [f"### {type_of(entry).replace(', ', ', also as ')}", "", f"{entry['description']}", ""]
                lines += key_rows({**system, "properties": rest}) or ["No parameters.", ""]
        elif name == "ensemble":
            for kind in keys["oneOf"]:
                lines += [f"### {kind['description']}", "", *key_rows(kind)]
        else:
            lines += key_rows(keys)
    return "\n".join(lines).rstrip() + "\n"


def families(entries, alike):
    """Neighbouring entries that are alike, together."""
    groups = []
    for entry in entries:
        if groups and alike(groups[-1][0]) == alike(entry):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


def quantity_rows(quantities):
    """Neighbours of one unit and one meaning but for the axis share a row."""
    turns = lambda q: "; counts turns, in sections modulo 2 pi" if q.get("angle") == "unbounded" else ""
    meaning = lambda q: (q["unit"], re.sub(r", axis \d", "", q["meaning"]) + turns(q))
    return [[" ".join(f"`{q['name']}`" for q in group), *meaning(group[0])] for group in families(quantities, meaning)]


def default_of(parameter):
    if "default" not in parameter:
        return ""
    numbers = ", ".join(f"{x:g}" for x in parameter["default"])
    return f"`[{numbers}]`" if parameter["size"] > 1 else f"`{numbers}`"


def systems_tables():
    methods = listed("methods", "--json")
    charts = {entry["system"]: entry["chart"] for entry in listed("sections", "--json") if "chart" in entry}
    lines = []
    for system in listed("systems", "--json"):
        name = system["name"]
        lines += [f"## {name}", "", f"A {system['kind']} system: {system['meaning']}.", ""]
        if system["equations"]:
            lines += ["```text", *system["equations"], "```", ""]
        lines += table(["state", "unit", "meaning"], quantity_rows(system["columns"]))
        lines += table(["parameter", "unit", "default", "bound", "meaning"],
                       [[f"`{p['name']}`", p.get("unit", ""), default_of(p), p["bound"], p["meaning"]]
                        for p in system["parameters"]])
        lines += table(["observable", "unit", "meaning"], quantity_rows(system["observables"]))
        lines += table(["invariant", "unit", "meaning"], quantity_rows(system["invariants"]))
        if name in charts:
            chart = charts[name]
            branches = ", ".join(f"`{branch}`" for branch in chart["branches"])
            lines += [f"Starts on a section: {chart['section']}, in the plane of `{chart['coordinates'][0]}` and"
                      f" `{chart['coordinates'][1]}`; branches {branches}.", ""]
        if "leaving" in system:
            kind = "result" if system["leaving"]["is_result"] else "failure"
            lines += [f"Leaving its domain is a {kind}, status 3: {system['leaving']['how']}.", ""]
        if system["other_descriptions"]:
            others = ", ".join(f"[`{other}`](#{other})" for other in system["other_descriptions"])
            lines += [f"Other descriptions of this system: {others}"
                      " ([Starts](guide/starts.md#in-another-description)).", ""]
        of_it = [f"[`{m['name']}`](methods.md#{m['name']})" for m in methods if m["system"] == name]
        lines += ["Methods: " + ", ".join(of_it) + ".", ""]
    return "\n".join(lines).rstrip() + "\n"


def methods_tables():
    methods = listed("methods", "--json")
    names = list(dict.fromkeys(method["name"] for method in methods))
    lines = []
    for name in names:
        lines += [f"## {name}", ""]
        of_name = [method for method in methods if method["name"] == name]
        what = lambda m: json.dumps([m[key] for key in ("meaning", "order", "properties", "solvers", "options")])
        for same in families(sorted(of_name, key=what), what):
            method = same[0]
            on = ", ".join(f"[`{m['system']}`](systems.md#{m['system']})" for m in same)
            declared = ", ".join(PROPERTIES[p] for p in method["properties"])
            properties = declared or "none of the properties that are tested"
            lines += [f"On {on}: {method['meaning']}.", "", f"Order {method['order']}; {properties}.", ""]
            lines += table(["solver", "what"],
                           [[f"`{s['name']}`", s["meaning"]] for s in method["solvers"] if s["name"]])
            lines += table(["option", "meaning"],
                           [[f"`{o['name']}`", o["meaning"]] for o in method["options"] if o["name"] != "composition"])
    return "\n".join(lines).rstrip() + "\n"


TABLES = {
    "configuration.md": configuration_tables,
    "systems.md": systems_tables,
    "methods.md": methods_tables,
}


def on_page_markdown(markdown, page, **_):
    """Hook of mkdocs: a page with what follows its introduction."""
    tables = TABLES.get(page.file.src_uri)
    return f"{markdown}\n\n{tables()}" if tables else markdown
