#!/usr/bin/env python3
"""Man pages and completions as the packages get them: reference_test.py BIN"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.argv[1]).resolve()
PAGES = ("a2h.1", "a2hd.1", "a2h-mcp.1", "a2h-market.1")
# Completes the last of the words as bash does when somebody presses Tab.
PRESS_TAB = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_a2h
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for what in ("man", "completions"):
            subprocess.run([ROOT / f"packaging/{what}/make", BIN, cls.folder / what], check=True)
        cls.table = json.loads(subprocess.run([BIN / "a2h", "--help", "--json"], check=True,
                                              capture_output=True).stdout)

    def tab(self, *words):
        done = subprocess.run(["bash", "-c", PRESS_TAB, "bash", self.folder / "completions/a2h",
                               "a2h", *words], check=True, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def page(self, name, mark):
        return (self.folder / "man" / name.replace(".1", f"{mark}.1")).read_text("utf-8")

    def test_a_first_word_is_completed(self):
        self.assertEqual(self.tab("app"), {"approvals", "approve"})
        self.assertIn("mandate", self.tab(""))

    def test_a_second_word_is_completed(self):
        self.assertEqual(self.tab("mandate", "rev"), {"revoke", "revoke-all"})
        self.assertEqual(self.tab("--home", "/x", "mandate", "ad"), {"add"})

    def test_options_are_those_of_the_command(self):
        self.assertEqual(self.tab("mandate", "add", "--at-"), {"--at-least", "--at-most"})
        self.assertEqual(self.tab("up", "--"), {"--home", "--json", "--help", "--version"})

    def test_files_and_folders_are_offered_where_they_are_meant(self):
        (self.folder / "mail.jsonl").write_text("", "utf-8")
        (self.folder / "place").mkdir(exist_ok=True)
        name = str(self.folder / "")
        self.assertIn(f"{name}/mail.jsonl", self.tab("audit", "verify", f"{name}/m"))
        self.assertEqual(self.tab("status", "--home", f"{name}/p"), {f"{name}/place"})

    def test_every_command_is_in_every_shell(self):
        for shell in ("a2h", "_a2h", "a2h.fish"):
            text = (self.folder / "completions" / shell).read_text("utf-8")
            for command in self.table["commands"]:
                for word in command["name"].split():
                    self.assertIn(word, text, shell)
                for parameter in command["parameters"]:
                    if parameter["name"].startswith("--"):
                        self.assertIn(parameter["name"][2:], text, shell)

    def test_shells_that_are_here_take_their_file(self):
        for shell, option, name in (("bash", "-n", "a2h"), ("zsh", "-n", "_a2h"),
                                    ("fish", "--no-execute", "a2h.fish")):
            if shutil.which(shell):
                subprocess.run([shell, option, self.folder / "completions" / name], check=True)

    def test_pages_are_in_both_languages_and_tell_every_command(self):
        for mark in ("", ".zh_CN"):
            for page in PAGES:
                text = self.page(page, mark)
                self.assertTrue(text.startswith(".TH A2H"), page)
                self.assertGreater(text.count("\n.TP\n"), 3, page)
            text = self.page("a2h.1", mark).replace("\\-", "-")
            for command in self.table["commands"]:
                self.assertIn(f".SS a2h {command['name']}\n", text)
        self.assertRegex(self.page("a2hd.1", ".zh_CN"), r"\\-\\-home\\fR.*\n.*[\u4e00-\u9fff]")

    def test_the_formatter_has_nothing_to_say(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        for page in (self.folder / "man").iterdir():
            done = subprocess.run(["groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", page],
                                  check=True, capture_output=True, text=True)
            words = [line for line in done.stderr.splitlines()
                     if not re.search(r"(can.t|cannot) (break|adjust) line", line)]
            self.assertEqual(words, [], page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
