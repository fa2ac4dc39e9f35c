#!/usr/bin/env python3
"""Checks what a compiler does not: include arrows, headers, lengths, leftovers, texts.

Usage: tidy.py [--root DIR] [--format]
Prints one line a finding, `file:line: [rule] words`, and ends with 1 if there is any. `--format`
asks clang-format instead (it takes seconds where the rest takes a fraction of one).
"""

import argparse
import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

import functions
import glossary
import links
import maps
import playbooks
import rooms
import rulings
import special
import targets
import titles
import words

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "locales"))
import catalogue  # noqa: E402  (the reader that the build uses)

FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 70
COLUMNS_MAX = 100
# Limits for a readable file: lines and columns.
BRIEF_DOCUMENTS = {"docs/architecture.md": (400, 120)}

CXX = {".cpp", ".h", ".c"}
# What a compiler would take as well, and no check would see.
OTHER_CXX = {".cc", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tpp",
             ".txx", ".ixx", ".cppm"}
CODE = CXX | {".py", ".mjs", ".js", ".ts", ".sh", ".sql"}
SKIPPED_FOLDERS = {".git", "build", "node_modules", "__pycache__", "golden", "corpus"}

# Which folders a folder may include, itself aside (docs/architecture.md, "Folders"). `mcp` and
# `cli` reach neither the agent database nor the broker.
LEAVES = {"core/base", "core/domain"}
# These use `core/base` only.
LOW = {"core/domain", "core/sql", "core/mqtt", "core/http", "core/control", "core/i18n",
       "core/systemd"}
CORE = LEAVES | LOW | {"core/catalogue", "core/wire", "core/store", "core/platform", "core/web"}
FACES = CORE - {"core/sql", "core/store", "core/mqtt"}
ARROWS = {
    "core/base": set(),
    "core/json": set(),
    **{folder: {"core/base"} for folder in LOW},
    "core/catalogue": LEAVES,
    "core/wire": LEAVES,
    "core/store": LEAVES | {"core/sql"},
    "core/platform": LEAVES | {"core/http", "core/wire"},
    "core/web": {"core/base", "core/http", "core/i18n"},
    # Settings are declared where they are used.
    "daemon/config": LEAVES | {"core/control", "core/http", "core/i18n", "daemon", "daemon/decide"},
    "daemon/card": LEAVES | {"core/wire", "core/i18n"},
    "daemon/reading": LEAVES | {"core/wire", "core/i18n"},
    "daemon/decide": LEAVES | {"core/wire", "core/i18n", "daemon/reading"},
    "daemon/doctor/home": LEAVES | {"core/control", "core/i18n", "core/platform", "core/wire"},
    "daemon": CORE | {"daemon/card", "daemon/config", "daemon/decide", "daemon/doctor/home",
                      "daemon/reading"},
    "mcp": FACES,
    "cli": FACES | {"daemon/card", "daemon/config", "daemon/decide", "daemon/doctor/home"},
    "market": CORE,
}
# Libraries that stay behind one adapter: pattern of the include, folders that may use it.
FENCED = [
    (re.compile(r"^(SQLiteCpp/|sqlite3\.h)"), ("core/store", "market", "tests")),
    (re.compile(r"^pqxx/"), ("market", "tests")),
    (re.compile(r"^(mqtt/|MQTT(Async|Client))"), ("core/mqtt", "tests")),
]
# Slow to compile: never in a header outside tests.
PRECOMPILED = "core/json/instances.h"  # the heavy header itself, compiled once
HEAVY = re.compile(r"^(nlohmann/json\.hpp|pqxx/|boost/|mqtt/|SQLiteCpp/|toml\+\+|CLI/)")

# What only one place writes for `daemon`: pattern, file, what others call.
ONLY_IN = [
    (re.compile(r"\bmessage_id\s*=\s*new_message_id\("), "daemon/effects/rows.cpp",
     "effects::new_outbox_message or new_mail makes a message"),
    (re.compile(r"\b(?:append_audit|record|last_of)\([^;]*?\"(?:asked|edited|voted|answered|"
                r"consumed|executed|failed|unknown|expired|vote\.withdrawn|"
                r"mandate\.(?:given|shared|revoked))\"|\bwhat\s*[!=]=\s*\""), "core/domain/audit.h",
     "a row of the audit that is read again has its name in core/domain/audit.h"),
    (re.compile(r"\bEvent(?: \w+)?\s*\{\s*(?:0\b|\.id\b)"), "daemon/effects/rows.cpp",
     "effects::new_event makes an event"),
]

LEFTOVERS = [
    (re.compile(r"\b(FIX" r"ME|XX" r"X|HA" r"CK)\b"), "finish it or open an issue"),
    (re.compile(r"\bTO" r"DO\b(?!\(#\d+\):)"), "give it an issue's number or do it"),
    (re.compile(r"std::end" r"l\b"), r"use '\n'"),
    (re.compile(r"^\s*//\s*(#include\b|(if|for|while|return)\b.*[;{]$|"
                r"[\w:.>-]+\(.*\);$|\}$)"), "commented-out code"),
]
# Files of a machine or a workplace, which do not belong into a repository.
FOREIGN = re.compile(
    r"registry\.npm" r"js|npm" r"mirror|deb\.deb" r"ian\.org|"
    r"/work" r"/(wt|main|shared)\b|/ro" r"ot/|"
    r"\bseed" r"s/|rfp-exch" r"ange\.md|message-form" r"ats\.md|communication-pro" r"tocol\.md|"
    r"multi-party-negot" r"iation\.md|0\.8\.1-to-0" r"\.9\.0|\"resol" r"ved\":")

# Spellings of a directive that a search for '#include "' does not find.
HIDDEN = re.compile(r"^[ \t]*%:|^[ \t]*#[ \t]*\w*\\\n|^[ \t]*#[ \t]*include_next\b|"
                    r"\*/[ \t]*(#|%:)|^[ \t]*#[ \t]*/\*", re.M)

TEXT_CALL = re.compile(r'\btext\(\s*(?:[\w.:>()-]+,\s*)?"([a-z]+\.[a-z0-9_.]*[a-z0-9_])"')
# JSON and the like; clang-format leaves it as it is, and so do we.
RAW_STRING = re.compile(r'R"([^(\s]*)\(.*?\)\1"', re.S)


def blank(match):
    """Same number of lines, nothing in them."""
    return '""' + "\n" * match.group(0).count("\n")


def folder_of(path):
    parts = path.split("/")
    for depth in (3, 2):
        if "/".join(parts[:depth]) in ARROWS:
            return "/".join(parts[:depth])
    return "/".join(parts[:2]) if parts[0] == "core" else parts[0]


class Tidy:
    def __init__(self, root):
        self.root = Path(root)
        self.findings = []
        self.files = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders
                          if name not in SKIPPED_FOLDERS and not name.startswith("build-")]
            for name in names:
                path = Path(folder, name)
                try:
                    self.files[path.relative_to(self.root).as_posix()] = path.read_text("utf-8")
                except (UnicodeDecodeError, OSError):
                    continue

    def find(self, path, line, rule, sentence):
        self.findings.append(f"{path}:{line}: [{rule}] {sentence}")

    def run(self):
        self.check_locales()
        for path, line, sentence in rooms.findings(self.files):
            self.find(path, line, "room", sentence)
        for path, line, sentence in targets.findings(self.files):
            self.find(path, line, "target", sentence)
        for path, line, sentence in links.findings(self.files):
            self.find(path, line, "link", sentence)
        for path, line, sentence in special.findings(self.files):
            self.find(path, line, "special", sentence)
        for path, line, sentence in maps.findings(self.files):
            self.find(path, line, "map", sentence)
        for path, line, sentence in titles.findings(self.files):
            self.find(path, line, "title", sentence)
        for path, line, sentence in rulings.findings(self.files):
            self.find(path, line, "ruling", sentence)
        for path, line, sentence in words.findings(self.files):
            self.find(path, line, "words", sentence)
        for path, line, sentence in glossary.findings(self.files):
            self.find(path, line, "glossary", sentence)
        if any(path.startswith("playbooks/") for path in self.files):
            for path, line, sentence in playbooks.findings(self.files):
                self.find(path, line, "playbook", sentence)
        for path, text in sorted(self.files.items()):
            suffix = Path(path).suffix
            self.check_foreign(path, text)
            if suffix in CODE:
                self.check_lines(path, text)
            if path in BRIEF_DOCUMENTS:
                self.check_brief(path, text.splitlines())
            if suffix in OTHER_CXX:
                self.find(path, 1, "include", "files of C++ end with .h or .cpp")
            if suffix in CXX or path.endswith(".h.in"):
                self.check_includes(path, text)
                self.check_only(path, text)
                self.check_functions(path, functions.bodies(text))
                self.check_macros(path, text)
            if suffix == ".py":
                self.check_functions(path, functions.of_python(text))
            if suffix in (".js", ".mjs"):
                self.check_functions(path, functions.of_script(text))
        return self.findings

    def check_foreign(self, path, text):
        for match in FOREIGN.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            self.find(path, line, "foreign", f"'{match.group(0)}' belongs to one workplace")

    def check_only(self, path, text):
        for pattern, place, sentence in ONLY_IN:
            for match in pattern.finditer(text) if path.startswith("daemon/") else ():
                if path != place:
                    line = text.count("\n", 0, match.start()) + 1
                    self.find(path, line, "only", sentence)

    def check_lines(self, path, text):
        lines = text.splitlines()
        if len(lines) > FILE_LINES_MAX:
            self.find(path, len(lines), "file-length",
                      f"{len(lines)} lines, at most {FILE_LINES_MAX}")
        for number, line in enumerate(RAW_STRING.sub(blank, text).splitlines(), 1):
            if len(line) > COLUMNS_MAX:
                self.find(path, number, "width", f"{len(line)} columns, at most {COLUMNS_MAX}")
        for number, line in enumerate(lines, 1):
            for pattern, sentence in LEFTOVERS:
                if pattern.search(line):
                    self.find(path, number, "leftover", sentence)

    def check_brief(self, path, lines):
        lines_max, columns_max = BRIEF_DOCUMENTS[path]
        if len(lines) > lines_max:
            self.find(path, len(lines), "file-length", f"{len(lines)} lines, at most {lines_max}")
        for number, line in enumerate(lines, 1):
            if len(line) > columns_max:
                self.find(path, number, "width", f"{len(line)} columns, at most {columns_max}")

    def check_includes(self, path, text):
        here = folder_of(path)
        first = None
        for match in HIDDEN.finditer(text):
            line = text.count("\n", 0, match.end()) + (not match.group(0).endswith("\n"))
            self.find(path, line, "include", "a directive begins its line with '#' and its name")
        if path.endswith((".h", ".h.in")) and not re.match(r"(\s|//[^\n]*\n)*#pragma once\n", text):
            self.find(path, 1, "pragma-once", "a header begins with #pragma once")
        for number, line in enumerate(text.splitlines(), 1):
            match = re.match(r'\s*#\s*(?:include|import)\b\s*(?:(["<])([^">]+)[">])?', line)
            if not match:
                continue
            quoted, name = match.group(1) == '"', match.group(2) or ""
            if sentence := self.fault_of_include(path, quoted, name):
                self.find(path, number, "include", sentence)
            first = first or name
            if quoted and here.startswith("core/") and here not in ARROWS:
                self.find(path, number, "arrow", f"{here} is missing in ARROWS of tidy.py")
            if quoted and here in ARROWS and name in self.files:
                there = folder_of(name)
                if there != here and there not in ARROWS[here]:
                    self.find(path, number, "arrow", f"{here} may not include {there}")
            for pattern, allowed in FENCED:
                if pattern.match(name) and here not in allowed:
                    self.find(path, number, "fenced",
                              f"<{name}> stays inside {' and '.join(allowed)}")
            if (path.endswith((".h", ".h.in")) and here != "tests" and path != PRECOMPILED
                    and HEAVY.match(name)):
                self.find(path, number, "heavy", f"<{name}> belongs into .cpp files")
        own = re.sub(r"\.(cpp|c)$", ".h", path)
        if own != path and own in self.files and first != own:
            self.find(path, 1, "own-header", f'the first include is "{own}"')

    def fault_of_include(self, path, quoted, name):
        """Other checks see an own header only by its path from the root, in quotes."""
        if not name:
            return "an include names its file"
        if name.endswith((".cpp", ".c")):
            return f"{name} is a file of some library and compiled there"
        if name in self.files and not name.endswith(".h"):
            return f"{name} is ours and no header, so no check sees what it includes"
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if posixpath.normpath(name) != name or name.startswith(("/", "..")) or (
                name not in self.files and beside in self.files):
            return f'"{name}" is written from the root, in quotes'
        if not quoted and name in self.files:
            return f"<{name}> is ours and stands in quotes"
        return None

    def check_functions(self, path, bodies):
        for first, last in bodies:
            if last - first + 1 > FUNCTION_LINES_MAX:
                self.find(path, first, "function-length",
                          f"{last - first + 1} lines, at most {FUNCTION_LINES_MAX}")

    def check_macros(self, path, text):
        for first, last in functions.macros(text):
            if last - first + 1 > FUNCTION_LINES_MAX:
                self.find(path, first, "function-length",
                          f"a macro of {last - first + 1} lines, at most {FUNCTION_LINES_MAX}")

    def check_locales(self):
        files = {path: text for path, text in self.files.items()
                 if path.startswith("locales/") and path.endswith(".po")}
        known = set()
        try:
            for sentence in catalogue.differences(files):
                place, sentence = sentence.split(": ", 1)
                self.find(*place.rsplit(":", 1), "locale", sentence)
            known = {key for path, text in files.items() for key in catalogue.read(text, path)}
        except catalogue.Bad as bad:
            place, sentence = str(bad).split(": ", 1)
            self.find(*place.rsplit(":", 1), "locale", sentence)
        for path, text in self.files.items():
            if Path(path).suffix not in CXX or path.startswith("tests/"):
                continue
            for match in TEXT_CALL.finditer(text):
                if match.group(1) not in known:
                    line = text.count("\n", 0, match.start()) + 1
                    self.find(path, line, "locale", f"no message '{match.group(1)}'")


def check_format(root):
    program = shutil.which("clang-format")
    if program is None:
        print("clang-format is not installed: nothing checked")
        return 77
    files = [path for path in Tidy(root).files if Path(path).suffix in CXX]
    done = subprocess.run([program, "--dry-run", "-Werror", *files], cwd=root, text=True,
                          stderr=subprocess.PIPE, check=False)
    bad = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.M)))
    for path in bad:
        print(f"{path}: [format] run 'make format'")
    return 1 if bad or done.returncode else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2])
    parser.add_argument("--format", action="store_true")
    arguments = parser.parse_args()
    if arguments.format:
        return check_format(arguments.root)
    tidy = Tidy(arguments.root)
    for finding in tidy.run():
        print(finding)
    print(f"tidy: {len(tidy.files)} files, {len(tidy.findings)} findings")
    return 1 if tidy.findings else 0


if __name__ == "__main__":
    sys.exit(main())
