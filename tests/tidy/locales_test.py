#!/usr/bin/env python3
"""Every catalogue is one for gettext's own programs, and our reader takes no bad one."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "locales"))
import catalogue  # noqa: E402

HEADER = ('msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"MIME-Version: 1.0\\n"\n'
          '"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n')
ENGLISH = HEADER.format(language="en")
CHINESE = HEADER.format(language="zh_CN")
ENTRY = '\nmsgid "cli.a"\nmsgstr "A {name}"\n'

BAD = {
    "header is missing": (ENTRY[1:], 1),
    "header of another language": (CHINESE + ENTRY, 1),
    "another character set": (ENGLISH.replace("UTF-8", "GBK") + ENTRY, 1),
    "key of another area": (ENGLISH + ENTRY.replace("cli.a", "mcp.a"), 8),
    "key with capitals": (ENGLISH + ENTRY.replace("cli.a", "cli.A"), 8),
    "key twice": (ENGLISH + ENTRY + ENTRY, 11),
    "no text": (ENGLISH + ENTRY.replace("A {name}", ""), 8),
    "msgstr is missing": (ENGLISH + '\nmsgid "cli.a"\n', 9),
    "two msgstr": (ENGLISH + ENTRY + 'msgstr "B"\n', 10),
    "two msgid": (ENGLISH + '\nmsgid "cli.a"\nmsgid "cli.b"\nmsgstr "B"\n', 9),
    "msgctxt": (ENGLISH + '\nmsgctxt "x"' + ENTRY, 8),
    "plural": (ENGLISH + '\nmsgid "cli.a"\nmsgid_plural "cli.as"\nmsgstr[0] "A"\n', 9),
    "fuzzy": (ENGLISH + "\n#, fuzzy" + ENTRY, 8),
    "obsolete": (ENGLISH + ENTRY + '\n#~ msgid "cli.b"\n#~ msgstr "B"\n', 11),
    "unknown escape": (ENGLISH + ENTRY.replace("A {", "A \\x {"), 9),
    "quote inside": (ENGLISH + ENTRY.replace("A {", 'A " {'), 9),
    "text without quotes": (ENGLISH + "\nmsgid cli.a\nmsgstr A\n", 8),
    "indented": (ENGLISH + ENTRY.replace("msgstr", "  msgstr"), 9),
    "no line feed at the end": (ENGLISH + ENTRY.rstrip(), 8),
}


class LocalesTest(unittest.TestCase):
    def test_gettext_takes_every_catalogue(self):
        files = sorted(ROOT.glob("locales/*/*.po"))
        self.assertTrue(files)
        with tempfile.TemporaryDirectory() as folder:
            for file in files:
                with self.subTest(file=file.relative_to(ROOT)):
                    done = subprocess.run(
                        ["msgfmt", "--check-format", "--check-domain", "-o",
                         str(Path(folder, "out.mo")), str(file)],
                        text=True, stderr=subprocess.PIPE, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_gettext_reads_is_what_we_read(self):
        for file in sorted(ROOT.glob("locales/*/*.po")):
            name = file.relative_to(ROOT).as_posix()
            done = subprocess.run(["msgcat", "--no-wrap", "--sort-output", str(file)], text=True,
                                  stdout=subprocess.PIPE, check=True)
            # An entry may lose its text there only where an empty one is meant.
            self.assertEqual(catalogue.read(done.stdout, name),
                             catalogue.read(file.read_text("utf-8"), name))

    def test_every_problem_of_the_status_has_words(self):
        code = ROOT.joinpath("daemon/operations/status.cpp").read_text("utf-8")
        problems = re.findall(r'add_problem\(\s*problems, "([a-z_.]+)"', code)
        self.assertGreater(len(problems), 10)
        words = "".join(ROOT.joinpath("locales/en", name).read_text("utf-8")
                        for name in ("app.po", "cli.po"))
        for problem in problems:
            on_page = problem.replace(".", "_")
            for key in (f"app.problem_{on_page}", f"app.next_{on_page}", f"cli.problem.{problem}",
                        f"cli.remedy.{problem}"):
                with self.subTest(key):
                    self.assertIn(f'msgid "{key}"', words)

    def test_the_page_names_every_action_of_a_card(self):
        def actions(name, prefix):
            words = ROOT.joinpath("locales/en", name).read_text("utf-8")
            return set(re.findall(rf'msgid "{prefix}([a-z_]+)"', words))
        of_cards = actions("card.po", "card.act_")
        self.assertGreater(len(of_cards), 20)
        self.assertEqual(of_cards - actions("app.po", "app.act_"), set())

    def test_a_bad_catalogue_is_refused_with_file_and_line(self):
        for words, (content, line) in BAD.items():
            with self.subTest(words):
                with self.assertRaises(catalogue.Bad) as caught:
                    catalogue.read(content, "locales/en/cli.po")
                self.assertTrue(str(caught.exception).startswith(f"locales/en/cli.po:{line}: "),
                                caught.exception)

    def test_texts_of_several_lines_and_escapes_are_joined(self):
        entry = '\n# why\nmsgid "cli.a"\nmsgstr ""\n"one\\n"\n"\\"two\\" \\\\ \\t"\n'
        self.assertEqual(catalogue.read(ENGLISH + entry, "locales/en/cli.po"),
                         {"cli.a": 'one\n"two" \\ \t'})

    def test_both_languages_need_the_same_keys_and_arguments(self):
        def compare(english, chinese):
            return list(catalogue.differences({"locales/en/cli.po": ENGLISH + english,
                                               "locales/zh_CN/cli.po": CHINESE + chinese}))
        self.assertEqual(compare(ENTRY, ENTRY), [])
        self.assertIn("missing", compare(ENTRY, "")[0])
        self.assertIn("arguments", compare(ENTRY, ENTRY.replace("{name}", "{peer}"))[0])
        self.assertIn("both languages",
                      list(catalogue.differences({"locales/en/cli.po": ENGLISH + ENTRY}))[0])
        with self.assertRaises(catalogue.Bad):
            catalogue.tables({"locales/en/cli.po": ENGLISH + ENTRY})

    def test_a_fault_has_one_text_on_the_page_and_in_the_terminal(self):
        texts = {(language, area): catalogue.read(
            (ROOT / f"locales/{language}/{area}.po").read_text("utf-8"), f"{language}/{area}.po")
                 for language in catalogue.LANGUAGES for area in ("cli", "app")}
        pairs = [(key, page + key.removeprefix(terminal).replace(".", "_"))
                 for terminal, page in (("cli.problem.", "app.problem_"),
                                        ("cli.remedy.", "app.next_"))
                 for key in texts["en", "cli"] if key.startswith(terminal)]
        self.assertTrue(pairs)
        for key, other in pairs:
            if texts["en", "cli"][key] == texts["en", "app"].get(other):
                with self.subTest(key=key):
                    self.assertEqual(texts["zh_CN", "cli"][key], texts["zh_CN", "app"][other])

    def test_the_build_stops_at_a_bad_catalogue(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder, "en", "cli.po")
            bad.parent.mkdir()
            bad.write_text(ENGLISH + ENTRY, "utf-8")
            done = subprocess.run([sys.executable, "-B", str(ROOT / "locales/catalogue.py"),
                                   folder, str(bad)], text=True, stderr=subprocess.PIPE,
                                  check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("both languages", done.stderr)
            self.assertFalse(Path(folder, "locales.cpp").exists())


if __name__ == "__main__":
    unittest.main()
