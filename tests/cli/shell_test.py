#!/usr/bin/env python3
"""What the program says of itself to a shell and a reader of manuals: completion, the manual page, what is installed.

Run with POLHODE set to the program's path. What is installed is looked at where that is in its build folder."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from command_line import EXAMPLES, PROGRAM
from command_test import COMMANDS, CommandTest
from terminals import Terminal

ROOT = EXAMPLES.parent


class Completion(CommandTest):
    def complete(self, *words):
        return self.printed("_complete", *words).splitlines()

    def test_commands_and_options_are_those_of_the_help(self):
        self.assertEqual(self.complete(""), COMMANDS)
        self.assertEqual(self.complete("c"), ["convert", "crosscheck", "compile", "cite"])
        self.assertEqual(self.complete("help", "c"), ["convert", "crosscheck", "compile", "cite"])
        for command in COMMANDS:
            options = self.options_in_help(command)
            self.assertIn("--help", options)
            self.assertEqual(set(self.complete(command, "-")), options)
        self.assertEqual(self.complete("run", "--pro"), ["--progress"])

    def test_values(self):
        for words, expected in (
            (["run", "--backend", ""], ["auto", "reference", "cpu", "cuda"]),
            (["run", "--backend=c"], ["--backend=cpu", "--backend=cuda"]),
            (["run", "--progress", ""], ["line", "json"]),
            (["crosscheck", "--isa", "avx2,s"], ["avx2,scalar"]),
            (["list", ""], ["systems", "methods", "sections", "keys", "backends", "schema"]),
            (["list", "--json", "systems", "heavy-top-"], ["heavy-top-matrix"]),
            (["plot", "a.h5", "--view", "sec"], ["section", "section3d"]),
            (["run", "--set", "run.ste"], ["run.steps="]),
            (["run", "--set", "system.iner"], ["system.inertia="]),
            (["run", "--set", "method.name=sh"], ["method.name=shake"]),
            (["run", "--set", "ensemble.as=j2-satellite-r"], ["ensemble.as=j2-satellite-reduced"]),
            (["convert", "--to", "j2-satellite-r"], ["j2-satellite-reduced"]),
            (["run", "--set", "ensemble.distribution=c"], ["ensemble.distribution=canonical", "ensemble.distribution=cloud"]),
            (["run", "--set", "record.invariants="], ["record.invariants=true", "record.invariants=false"]),
            (["run", "--unset", "sect"], ["section", "section.name", "section.value", "section.direction", "section.where", "section.points", "section.columns", "section.terminal"]),
            # Files are the shell's.
            (["run", "--quiet", ""], ["*.toml"]), (["crosscheck", "a"], ["*.toml"]), (["info", ""], ["*.h5"]),
            (["plot", "a.h5", "b"], ["*.h5"]), (["plot", "-o", ""], ["*.png"]), (["run", "--system", ""], ["*.hpp"]),
            (["run", "-o", "out"], ["*.h5"]), (["plot", "--", "-a"], ["*.h5"]),
            # There is nothing more to say.
            (["run", "a.toml", ""], []), (["walk", ""], []), (["run", "--threads", ""], []), ([], []),
        ):
            self.assertEqual(self.complete(*words), expected, words)

    def test_every_key_can_be_set(self):
        schema = json.loads(self.printed("list", "schema"))
        keys = {f"{name}.{key}=" for name, table in schema["properties"].items()
                for kind in table.get("oneOf", [table]) for key in kind["properties"]}
        self.assertEqual(set(self.complete("run", "--set", "")), keys)
        self.assertEqual(set(self.complete("run", "--unset", "")), {key[:-1] for key in keys} | set(schema["properties"]))

    def shell(self, command):
        environment = os.environ | {"PATH": f"{pathlib.Path(PROGRAM).parent}:{os.environ['PATH']}", "TERM": "dumb", "COLUMNS": "200", "HOME": str(self.path)}
        terminal = Terminal(command, typed=True, cwd=self.path, env=environment)
        self.addCleanup(terminal.close)
        return terminal

    CASES = (
        ("polhode cro\t", "polhode crosscheck"),
        ("polhode list systems hen\t", "polhode list systems henon-heiles"),
        ("polhode run --set method.comp\tyos\t", "polhode run --set method.composition=yoshida4"),
        ("polhode crosscheck --isa avx2,sc\t", "polhode crosscheck --isa avx2,scalar"),
        ("polhode run con\t", "polhode run config.toml"),
        ("polhode info con\t", "polhode info confer.h5"),
        ("polhode run --sys\t", "polhode run --system"),
    )

    def expect_completed(self, shell):
        for name in ("config.toml", "confer.h5", "conquest.txt"):
            (self.path / name).write_text("")
        for typed, wanted in self.CASES:
            with self.subTest(typed):
                shell.type(typed)
                clean = lambda text: re.sub(r"[\x07\x08]| \x08", "", text)
                shell.read(lambda text: wanted in clean(text), 20)
                shell.type("\x15")  # empties the line

    def test_bash(self):
        shell = self.shell(["bash", "--norc", "--noprofile", "-i"])
        shell.type(f"bind 'set enable-bracketed-paste off'; PS1='% '; source {ROOT}/completion/polhode.bash; echo re''ady\n")
        shell.read(lambda text: "ready" in text)
        self.expect_completed(shell)

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.skipTest("there is no zsh")
        shell = self.shell(["zsh", "-f", "-i"])
        shell.type(f"unsetopt zle_bracketed_paste 2>/dev/null; PS1='%% '; fpath=({ROOT}/completion $fpath); autoload -Uz compinit; compinit -u -D; echo re''ady\n")
        shell.read(lambda text: "ready" in text)
        self.expect_completed(shell)


class Manual(CommandTest):
    def test_has_no_warnings(self):
        page = self.path / "polhode.1"
        page.write_text(self.printed("_manual"))
        checkers = {"groff": ["groff", "-man", "-ww", "-z", "-Tutf8", page], "mandoc": ["mandoc", "-Tlint", "-Wwarning", page]}
        there = [name for name in checkers if shutil.which(name)]
        if not there:
            self.skipTest("there is neither groff nor mandoc")
        for name in there:
            done = subprocess.run(checkers[name], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), name)

    def test_has_every_command_option_key_and_exit_code(self):
        text = self.printed("_manual").replace("\\-", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")
        self.assertTrue(text.isascii())
        sections = dict(re.findall(r'(?ms)^\.SH (.*?)\n(.*?)(?=^\.SH |\Z)', text))
        self.assertEqual(list(sections), ["NAME", "SYNOPSIS", "OPTIONS", "COMMANDS", "CONFIGURATION", "EXIT STATUS", "ENVIRONMENT", "FILES"])
        for command in COMMANDS:
            own = re.search(rf'(?ms)^\.SS "polhode {command}"\n(.*?)(?=^\.SS |\Z)', sections["COMMANDS"])[1]
            for option in self.options_in_help(command):
                self.assertRegex(own, rf"(?m)^(.*, )?{option}[ ,\n]")
        schema = json.loads(self.printed("list", "schema"))
        for name, table in schema["properties"].items():
            for kind in table.get("oneOf", [table]):
                for key in kind["properties"] if name != "system" else ("name",):
                    self.assertRegex(sections["CONFIGURATION"], rf"(?m)^{key} \(")
        self.assertEqual(re.findall(r"(?m)^(\d+)$", sections["EXIT STATUS"]), ["0", "1", "2", "3", "4", "130"])


class Installed(CommandTest):
    def test_documents(self):
        build = pathlib.Path(PROGRAM).resolve().parent
        if not (build / "polhode.1").exists():
            self.skipTest(f"{build} is not the folder in which polhode was built")
        subprocess.run(["cmake", "--install", build, "--component", "documents", "--prefix", self.path], check=True, stdout=subprocess.DEVNULL)
        share = self.path / "share"
        dated = re.compile(r"\.TH POLHODE 1 \S+ ")
        self.assertEqual(dated.sub("", (share / "man/man1/polhode.1").read_text()), dated.sub("", self.printed("_manual")))
        for source, target in (("completion/polhode.bash", "bash-completion/completions/polhode"), ("completion/_polhode", "zsh/site-functions/_polhode"),
                               ("README.md", "doc/polhode/README.md")):
            self.assertEqual((share / target).read_bytes(), (ROOT / source).read_bytes())
        for folder, target, pattern in (("examples", "polhode/examples", "*.toml"), ("examples", "polhode/examples", "own_system/*"), ("docs", "doc/polhode/docs", "**/*.md")):
            names = [path.relative_to(ROOT / folder) for path in (ROOT / folder).glob(pattern)]
            self.assertGreater(len(names), 1)
            for name in names:
                self.assertTrue((share / target / name).exists(), name)
        # What the README refers to is there, and the examples run from where they are.
        for link in re.findall(r"\]\(([^):#]+)", (ROOT / "README.md").read_text()):
            self.assertTrue((share / "doc/polhode" / link).exists(), link)
        self.run_with(share / "polhode/examples/heavy_top_section.toml", self.path / "example.h5", "--set", "run.steps=10")


if __name__ == "__main__":
    unittest.main()
