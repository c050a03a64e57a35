#!/usr/bin/env python3
"""The command line itself: help, lists, info for programs, --unset, progress, Ctrl-C. (shell_test.py: completion and manual.)

Run with POLHODE set to the program's path."""

import json
import re
import signal
import subprocess
import tomllib
import unittest

import h5py

from command_line import CONFIG, EXAMPLES, PROGRAM, CliTest, datasets, paths_with_content, wait_for_handler
from terminals import Terminal

COMMANDS = ["run", "convert", "crosscheck", "order", "workprec", "bench", "compile", "list", "info", "cite", "plot", "new-system", "help"]


class CommandTest(CliTest):
    def printed(self, *arguments):
        done = self.polhode(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def expect_refused(self, message, *arguments):
        done = self.polhode(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"polhode: {message}\n"), arguments)

    def options_in_help(self, command):
        """All spellings, as the help has them."""
        return set(re.findall(r"(?:^  |,)(--?[a-z][a-z-]*)", self.printed("help", command).split("Options:")[1].split("\n\n")[0], re.MULTILINE))


class Help(CommandTest):
    def test_is_what_the_option_prints(self):
        self.assertEqual(self.printed("help"), self.printed("--help"))
        for command in COMMANDS:
            self.assertEqual(self.printed("help", command), self.printed(command, "--help"))
            self.assertIn(f"\n  {command} ", self.printed("help"))

    def keys_in_help(self, *arguments):
        """Keys of each table, as the help of a configuration lists them."""
        text = self.printed(*arguments, "--help").split("polhode list keys):\n")[1]
        tables = re.findall(r"(?m)^\[(\w+)\].*\n((?:  .*\n)*)", text)
        return {table: re.findall(r"(?m)^  (\w+) ", keys) for table, keys in tables}

    def test_keys_go_with_the_configuration(self):
        self.assertLess(len(self.printed("run", "--help").splitlines()), 40)
        self.assertIn("\nKeys: polhode order FILE.toml --help ", self.printed("order", "--help"))
        name = self.write()
        keys = {"system": ["name", "header", "inertia", "chi", "c", "alpha"],
                "method": ["name", "solver", "step", "composition"],
                "ensemble": ["from", "grid", "window", "energy", "momentum", "branch", "axes", "solve", "base"]}
        for command in ("run", "convert", "crosscheck", "order", "workprec", "bench"):
            self.assertEqual(self.keys_in_help(command, name), keys)
        self.assertRegex(self.printed("run", "--help", name), r"(?s)\n\[system\] heavy-top\n.*\n\[method\] rattle\n.*\n\[ensemble\] with from = \"section\"\n")
        self.assertEqual(self.printed("run", "--help", name), self.printed("run", name, "--help"))
        # Of what the command line names in place of the file.
        changed = self.keys_in_help("run", name, "--set", "method.name=splitting", "--unset", "ensemble")
        self.assertEqual(changed, {"system": keys["system"], "method": keys["method"] + ["coefficients", "drift_order"]})
        # A beginning will do; what is not named is listed as `polhode list keys` does.
        begun = self.keys_in_help("run", self.write('[system]\nname = "henon-heiles"\n[ensemble]\nfrom = "random"\ndistribution = "cloud"'))
        self.assertEqual(begun["ensemble"], ["from", "distribution", "count", "seed", "at_rest", "state", "width"])
        self.assertLess({"composition", "final_projection", "lagrangian"}, set(begun["method"]))
        self.assertIn("and the system's parameters: polhode list systems NAME", self.printed("run", self.write(""), "--help"))
        self.expect_refused("cannot read none.toml (no such file or not readable). Check the path.", "run", "none.toml", "--help")

    def test_misspelt_commands_and_options(self):
        see = "See polhode --help."
        for arguments, message in (
            (["rnu"], f'unknown command rnu (polhode has no such command; nearest known: "run"). {see}'),
            (["rnu", "config.toml", "--quiet"], f'unknown command rnu (polhode has no such command; nearest known: "run"). {see}'),
            (["crosschek", "--json"], f'unknown command crosschek (polhode has no such command; nearest known: "crosscheck"). {see}'),
            (["help", "inof"], f'unknown command inof (polhode has no such command; nearest known: "info"). {see}'),
            (["--verison"], f'unknown option --verison (polhode has no such option; nearest known: "--version"). {see}'),
            (["run", "a.toml", "--fotce"], 'unknown option --fotce (polhode run has no such option; nearest known: "--force"). See polhode run --help.'),
            (["run", "--bakcend=cpu"], 'unknown option --bakcend (polhode run has no such option; nearest known: "--backend"). See polhode run --help.'),
            (["info", "a.h5", "--jsn"], 'unknown option --jsn (polhode info has no such option; nearest known: "--json"). See polhode info --help.'),
            (["list", "sytems"], 'cannot use these arguments (topic: unknown value "sytems"; nearest known: "systems"). See polhode list --help.'),
            (["crosscheck", "a.toml", "--isa", "axv2"], 'cannot use these arguments (--isa: unknown value "axv2"; nearest known: "avx2"). See polhode crosscheck --help.'),
        ):
            self.expect_refused(message, *arguments)


class Lists(CommandTest):
    def test_without_a_name_they_are_short(self):
        for topic, key in (("systems", "name"), ("methods", "name"), ("sections", "system")):
            entries = json.loads(self.printed("list", topic, "--json"))
            names = list(dict.fromkeys(entry[key] for entry in entries))
            lines = self.printed("list", topic).splitlines()
            self.assertEqual([line.split()[0] for line in lines], names)
            for line in lines:
                self.assertLess(len(line), 140)
            if key == "name":
                meanings = {entry["name"]: entry["meaning"] for entry in reversed(entries)}
                for line in lines:
                    self.assertTrue(line.endswith("  " + meanings[line.split()[0]]), line)

    def test_a_system_in_full(self):
        systems = {entry["name"]: entry for entry in json.loads(self.printed("list", "systems", "--json"))}
        for name, system in systems.items():
            text = self.printed("list", "systems", name)
            self.assertTrue(text.startswith(f"{name}: {system['meaning']}"))
            for key in ("parameters", "columns", "observables", "invariants"):
                for quantity in system[key]:
                    self.assertRegex(text, rf"\n    {re.escape(quantity['name'])} .*{re.escape(quantity['meaning'])}")
            for other in systems.keys() - {name}:
                self.assertNotRegex(text, rf"(?m)^{other}:")
            self.assertEqual(json.loads(self.printed("list", "systems", name, "--json")), [system])

    def test_numbers_as_people_write_them(self):
        text = self.printed("list", "systems", "heavy-top")
        self.assertIn("default [0, 0, 1]", text)
        self.assertIn("default 1)", text)
        self.assertIn("default 30)", self.printed("list", "keys"))

    def test_methods_and_sections_of_a_system(self):
        methods = json.loads(self.printed("list", "methods", "--json"))
        text = self.printed("list", "methods", "heavy-top")
        heads = re.findall(r"(?m)^(\S+) on (\S+):", text)
        self.assertEqual(heads, [(m["name"], "heavy-top") for m in methods if m["system"] == "heavy-top"])
        self.assertIn("cayley", text)
        heads = re.findall(r"(?m)^(\S+) on (\S+):", self.printed("list", "methods", "shake"))
        self.assertEqual(heads, [("shake", m["system"]) for m in methods if m["name"] == "shake"])
        # Of one without properties as of others.
        self.assertRegex(self.printed("list", "methods", "heun"), r"(?m)^heun on henon-heiles: .*\n  order 2\n  solvers$")
        self.assertRegex(self.printed("list", "methods", "rattle"), r"(?m)^  order 2; \w.*\n  solvers$")
        text = self.printed("list", "sections", "heavy-top")
        self.assertRegex(text, r"(?m)^    gamma3 .*axis 3$")
        self.assertIn('chart for from = "section": gamma3 = 0, up; coordinates m13, m12; branches pi1+,', text)
        # A family is all of its members.
        self.assertEqual(re.findall(r"(?m)^(rigid-body-\d)$", self.printed("list", "sections", "rigid-body-n")), [f"rigid-body-{n}" for n in (3, 4, 5, 6)])

    def test_names_in_part(self):
        """Beginnings, words and synonyms list all that they stand for, each once."""
        def heads(*arguments):
            return re.findall(r"(?m)^(\S+?)(?: on \S+)?:", self.printed("list", *arguments))

        self.assertEqual(heads("systems", "henon"), ["henon-heiles"])
        self.assertEqual(heads("systems", "satellite"), ["j2-satellite", "j2-satellite-cylindrical", "j2-satellite-reduced"])
        self.assertEqual(heads("systems", "Heavy_Top"), ["heavy-top", "heavy-top-matrix"])
        self.assertEqual(heads("systems", "gyroscope"), ["heavy-top", "heavy-top-matrix"])
        pendula = heads("systems", "pendulum")
        self.assertEqual(len(pendula), len(set(pendula)))
        self.assertLessEqual({"spherical-pendulum", "double-spherical-pendulum", "magnetic-pendulum", "pendulum-chain-3"}, set(pendula))
        self.assertEqual(heads("systems", "heavy-top"), ["heavy-top"])  # a name is that one
        self.assertEqual(set(heads("methods", "leapfrog")), {"stoermer-verlet", "rattle", "rattle-tn"})
        names = [entry["system"] for entry in json.loads(self.printed("list", "sections", "double-pendulum", "--json"))]
        self.assertEqual(names, [name for name in pendula if name.startswith("double-spherical-pendulum")])

    def test_wrong_names(self):
        self.expect_refused('unknown name heavy-topp (no system is called that; nearest known: "heavy-top"). See polhode list systems.', "list", "systems", "heavy-topp")
        self.expect_refused('unknown name shaek (no system or method is called that; nearest known: "shake"). See polhode list methods.', "list", "methods", "shaek")
        self.expect_refused('unknown name henon-hiles (no system is called that; nearest known: "henon-heiles"). See polhode list sections.', "list", "sections", "henon-hiles", "--json")
        self.expect_refused("cannot list backends of cpu (only systems, methods and sections are listed by name). Leave out the name.", "list", "backends", "cpu")


class Info(CommandTest):
    def setUp(self):
        super().setUp()
        statistics = "[statistics]\nevery = 300\nobservables = ['pi1', 'energy']\n[record]\nsnapshots = 300\n"
        self.run_with(self.write(CONFIG + statistics), "out.h5")

    def test_columns(self):
        text = self.printed("info", "--columns", "out.h5")
        blocks = dict(re.findall(r"(?m)^  (/\S+) .*\n((?:    .*\n)*)", text))
        with h5py.File(self.path / "out.h5") as file:
            found = ["/" + name for name in paths_with_content(file)]
        self.assertEqual(sorted(blocks), sorted(found))
        self.assertRegex(blocks["/section/state"], r"(?m)^    pi1 +\[mass length\^2/time\] body angular momentum, axis 1$")
        self.assertEqual(blocks["/snapshots/state"], blocks["/section/state"])
        self.assertRegex(blocks["/invariants/max_drift"], r"(?m)^    gamma_squared +\[1\] .*Casimir$")
        self.assertRegex(blocks["/statistics/variance"], r"(?m)^    energy +\[\(mass length\^2/time\^2\)\^2\] ")

    def test_columns_of_a_file_that_does_not_say(self):
        """As version 0.1 wrote it: names of the columns on two datasets, and no units."""
        said = self.printed("info", "--columns", "out.h5")
        with h5py.File(self.path / "out.h5", "r+") as file:
            def forget(name, node):
                if isinstance(node, h5py.Dataset) and not name.startswith("parameters"):
                    for attribute in ("columns", "unit", "meaning"):
                        if attribute in node.attrs and not (attribute == "columns" and name in ("final/state", "initial/state")) and name != "status/code":
                            del node.attrs[attribute]
            file.visititems(forget)
        known = self.printed("info", "--columns", "out.h5")
        columns = lambda text: re.findall(r"(?m)^    \w+ +\[.*$", text)
        self.assertGreater(len(columns(said)), 30)
        self.assertEqual(columns(known), columns(said))
        with h5py.File(self.path / "out.h5", "r+") as file:
            file.attrs["system"] = "unheard-of"
        self.assertRegex(self.printed("info", "--columns", "out.h5"), r"(?m)^    pi1 +$")

    def test_json_has_all_that_is_printed(self):
        text, info = self.printed("info", "out.h5"), json.loads(self.printed("info", "out.h5", "--json"))
        self.assertEqual(list(info), ["file", "attributes", "parameters", "datasets", "statuses", "invariants", "configuration"])
        for key in re.findall(r'"(\w+)":', json.dumps(info)):
            self.assertRegex(key, r"^[a-z0-9_]+$")
        with h5py.File(self.path / "out.h5") as file:
            self.assertEqual(set(info["attributes"]), set(file.attrs) - {"config", "identity"})
            for name, value in info["attributes"].items():
                self.assertEqual(value, file.attrs[name].item() if hasattr(file.attrs[name], "item") else file.attrs[name], name)
                self.assertRegex(text, rf"(?m)^  {name} +{re.escape(str(value))}$")
            for parameter in info["parameters"]:
                node = file["parameters"][parameter["name"]]
                self.assertEqual(parameter["value"], node[()].tolist())
                self.assertEqual((parameter["unit"], parameter["meaning"]), (node.attrs["unit"], node.attrs["meaning"]))
            for dataset in info["datasets"]:
                self.assertEqual(tuple(dataset["shape"]), file[dataset["path"]].shape)
                self.assertEqual([column["name"] for column in dataset["columns"]], list(file[dataset["path"]].attrs.get("columns", [])))
            drift = file["invariants/max_drift"][:]
            self.assertEqual([i["largest_change"] for i in info["invariants"]], drift.max(axis=0).tolist())
            self.assertEqual([i["trajectory"] for i in info["invariants"]], drift.argmax(axis=0).tolist())
            self.assertEqual(tomllib.loads(info["configuration"]), tomllib.loads(file.attrs["config"]))
        self.assertEqual(info["statuses"], [{"code": 0, "meaning": "ok", "count": 32}])
        self.assertTrue(text.endswith("configuration\n" + info["configuration"] + "\n"))

    def test_numbers_as_people_write_them(self):
        """0.05 where TOML was written with 17 digits, and 0.3 for the sum of 0.1 and 0.2. The data stay as they are."""
        where = "pi1 > 0.050000000000000003"
        config = self.write(CONFIG.replace("alpha = [0.44, 0.5, 1.0]", "alpha = [0.1, 0.2, 0.25]").replace("energy = 1.0", "energy = 0.30000000000000004")
                            .replace('name = "gamma3"', f'name = "gamma3"\nwhere = "{where}"'))
        self.run_with(config, "sum.h5")
        with h5py.File(self.path / "sum.h5") as file:
            self.assertIn(0.1 + 0.2, file["parameters/inertia"][:])
        text = self.printed("info", "sum.h5")
        self.assertRegex(text, r"(?m)^  inertia +\[0\.45, 0\.35, 0\.3\] mass length\^2$")
        self.assertIn("\nstep = 0.05\n", text)
        self.assertIn("\nalpha = [ 0.1, 0.2, 0.25 ]\n", text)
        self.assertIn("\nenergy = 0.30000000000000004\n", text)  # as it was given
        self.assertIn(f"\nwhere = '{where}'\n", text)
        values = {p["name"]: p["value"] for p in json.loads(self.printed("info", "sum.h5", "--json"))["parameters"]}
        self.assertIn(0.1 + 0.2, values["inertia"])
        step = "0.1234567891"
        self.assertIn(f"600 steps of {step} on", self.run_with(config, "step.h5", "--set", f"method.step={step}"))


    def test_long_lists_of_the_configuration_are_shortened(self):
        """For people; programs get all of it."""
        states = ", ".join(f"[{k}.5, 0, 0, 0, 0, 1]" for k in range(3000))
        config = CONFIG.replace('from = "section"\ngrid = [6, 6]\nenergy = 1.0', f'from = "states"\nstates = [{states}]').replace("steps = 600", "steps = 1")
        self.run_with(self.write(config), "many.h5")
        text = self.printed("info", "many.h5")
        self.assertLess(len(text), 5000)
        self.assertIn("[ 7.5, 0, 0, 0, 0, 1 ]", text)
        self.assertNotIn("[ 8.5, 0, 0, 0, 0, 1 ]", text)
        self.assertTrue(text.endswith("\n# ensemble.states: the first 8 of 3000; polhode info --json has all\n"), text[-200:])
        shown = tomllib.loads(text.split("configuration\n")[1])  # which is TOML all the same
        whole = tomllib.loads(json.loads(self.printed("info", "many.h5", "--json"))["configuration"])
        self.assertEqual(whole, tomllib.loads(config) | {"output": {"file": "many.h5"}})
        self.assertEqual(shown["ensemble"]["states"], whole["ensemble"]["states"][:8])
        shown["ensemble"]["states"] = whole["ensemble"]["states"]
        self.assertEqual(shown, whole)


class Unset(CommandTest):
    SWITCH = ["--unset", "ensemble", "--set", "ensemble.from=random", "--set", "ensemble.distribution=microcanonical",
              "--set", "ensemble.energy=1", "--set", "ensemble.count=20"]

    def test_an_ensemble_is_switched(self):
        name = self.write()
        done = self.polhode("run", name, *self.SWITCH[2:])
        self.expect_error(done, 2, "ensemble.grid")  # which it is for
        # Given before or after --set, it comes first.
        self.run_with(name, "switched.h5", *self.SWITCH)
        self.run_with(name, "after.h5", *self.SWITCH[2:], *self.SWITCH[:2])
        self.assert_same_datasets("after.h5", datasets(self.path / "switched.h5"), "--unset after --set")
        # What was run is recorded, and runs again.
        with h5py.File(self.path / "switched.h5") as file:
            config = file.attrs["config"]
            self.assertEqual(tomllib.loads(config)["ensemble"], {"from": "random", "distribution": "microcanonical", "energy": 1, "count": 20})
            self.assertEqual(file["final/state"].shape, (20, 6))
        self.run_with(self.write(config, "recorded.toml"), "again.h5")
        self.assert_same_datasets("again.h5", datasets(self.path / "switched.h5"), "from the recorded configuration")

    def test_keys_may_be_repeated(self):
        name = self.write(CONFIG + "[record]\nsnapshots = 10\n")
        self.run_with(name, "out.h5", "--unset", "record.snapshots", "--unset", "section")
        with h5py.File(self.path / "out.h5") as file:
            self.assertFalse({"snapshots", "section"} & set(file))
            self.assertNotIn("section", tomllib.loads(file.attrs["config"]))
        done = self.polhode("crosscheck", name, "--unset", "section", "--steps", "50", "--trajectories", "4", "--json")
        self.assertNotIn("section", [finding["promise"] for finding in json.loads(done.stdout)["findings"]])

    def test_unknown_keys(self):
        name = self.write()
        nothing = "(the configuration has no such table or key; "
        for key, nearest in (("ensembel", "ensemble"), ("ensemble.gird", "ensemble.grid"), ("output.file.name", "output.file")):
            self.expect_refused(f'cannot use --unset {key} {nothing}nearest known: "{nearest}"). Leave it out.', "run", name, "--unset", key)
        for key in ("", ".", "ensemble.", ".grid"):
            self.expect_error(self.polhode("run", name, "--unset", key), 2, "--unset")
        self.expect_refused("method.name is missing (which step map to use). Give it in [method].", "run", name, "--unset", "method")
        self.assertEqual(sorted(path.name for path in self.path.iterdir()), [name])


class Progress(CommandTest):
    def test_json(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 6000000"))
        done = self.polhode("run", name, "--progress=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertGreater(len(lines), 2)
        for line in lines:
            self.assertEqual(list(line), ["trajectories", "steps", "fraction", "eta", "rate"])
            self.assertEqual(line["trajectories"], 32)
            self.assertAlmostEqual(line["fraction"], line["steps"] / (32 * 6000000), delta=1e-5)
            self.assertGreater(line["rate"], 1e4)
            # The time left is what is left at that rate.
            self.assertAlmostEqual(line["eta"] * line["rate"], 32 * 6000000 - line["steps"], delta=0.01 * 32 * 6000000)
        self.assertEqual(lines, sorted(lines, key=lambda line: line["steps"]))
        self.assertEqual((lines[-1]["fraction"], lines[-1]["eta"]), (1, 0))
        for word in lines[-1]:
            self.assertIn(f'"{word}"', self.printed("help", "run"))

    def test_forms(self):
        name = self.write()
        self.assertEqual(self.polhode("run", name, "--progress=line", "-o", "a.h5").stderr, "")  # no terminal
        self.expect_refused('cannot use these arguments (--progress: unknown value "jsn"; nearest known: "json"). See polhode run --help.', "run", name, "--progress=jsn")
        self.expect_error(self.polhode("run", name, "--quiet", "--progress=json"), 2, "--quiet excludes --progress")

    def test_crosscheck_on_a_terminal(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 20000"))
        # Long enough to be seen, and within the time of a program with sanitizers.
        terminal = Terminal([PROGRAM, "crosscheck", name, "--steps", "20000", "--trajectories", "2"], cwd=self.path)
        self.addCleanup(terminal.close)
        terminal.read(lambda text: "all checks passed" in text)
        self.assertRegex("\n".join(terminal.lines()), r"(?m)^reference: \d+ of 20000$")
        self.assertEqual(terminal.process.wait(), 0)


class Interruption(CommandTest):
    """Exit code 130, one line, and nothing left behind. (tests/cli/resume_test.py interrupts runs that have begun.)"""

    def interrupt(self, command, shown, message):
        """Sends the signals, each to a program that has shown what it does."""
        for number in (signal.SIGINT, signal.SIGTERM):
            before = sorted(self.path.rglob("*"))
            terminal = Terminal([PROGRAM, *command], cwd=self.path)
            self.addCleanup(terminal.close)
            terminal.read(lambda text: shown in text)
            wait_for_handler(terminal.process, number)
            self.assertIsNone(terminal.process.poll(), terminal.shown)
            terminal.process.send_signal(number)
            terminal.read(lambda text: False)
            self.assertEqual(terminal.process.wait(), 130, terminal.shown)
            self.assertEqual(terminal.lines()[-1], f"polhode: {message}")
            self.assertEqual(sorted(self.path.rglob("*")), before, "something was left behind")
        # Without a terminal it is that line alone.
        process = subprocess.Popen([PROGRAM, *command], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for_handler(process, signal.SIGINT)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out, errors), (130, "", f"polhode: {message}\n"))

    def test_crosscheck(self):
        name = self.write(CONFIG.replace("steps = 600", "steps = 1000000000"))
        self.interrupt(["crosscheck", name, "--steps", "1000000000"], "cpu ",
                       "interrupted (a cross-check writes no file). Start it again, with fewer --steps or --trajectories.")

    def test_while_starts_are_made(self):
        # Outside the energy surface: 10^9 points of the plane, none of which has a start.
        name = self.write(CONFIG.replace("grid = [6, 6]", "grid = [30000, 30000]\nwindow = [[50, 51], [50, 51]]"))
        message = "interrupted before the first step (nothing has been written). Start it again."
        self.interrupt(["run", name], "preparing the trajectories", message)
        self.interrupt(["run", name, "--dry-run", "--quiet"], "", message)


if __name__ == "__main__":
    unittest.main()
