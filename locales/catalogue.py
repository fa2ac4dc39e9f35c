#!/usr/bin/env python3
"""Message catalogues: the part of gettext's PO format that we use, and their way into a program.

    catalogue.py OUT FILE.po ...   writes OUT/locales.h and OUT/locales.cpp

A catalogue is `<language>/<area>.po`. An entry is `msgid` (the key, `area.name`) and `msgstr` (the
text, with named `{arguments}`), after them nothing but comments and blank lines. Contexts, plurals,
obsolete and fuzzy entries are refused: whoever reads the text must never get an old one. An empty
text is one only for keys that end in `_gap`; elsewhere it means untranslated, and is refused.
"""

import json
import re
import sys
from pathlib import Path

LANGUAGES = ("en", "zh_CN")
KEY = re.compile(r"[a-z]+(\.[a-z0-9_]+)+")
ARGUMENT = re.compile(r"\{([a-z0-9_]+)\}")
QUOTED = re.compile(r'"((?:[^"\\]|\\[nt"\\])*)"')
LINE = re.compile(r'(msgid |msgstr )?("(?:[^"\\]|\\.)*")')
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
HEADER = {"MIME-Version": "1.0", "Content-Type": "text/plain; charset=UTF-8",
          "Content-Transfer-Encoding": "8bit"}
SCRIPT_AREA = "app"  # what the page's script reads
SIZE_MAX = {"key": 255, "text": 65535}


class Bad(Exception):
    """An error in a catalogue; begins with file and line."""


def arguments_of(text):
    return set(ARGUMENT.findall(text))


def unquoted(quoted, where):
    match = QUOTED.fullmatch(quoted)
    if not match:
        raise Bad(f"{where}: only \\n, \\t, \\\" and \\\\ are escapes here")
    return re.sub(r"\\(.)", lambda escape: ESCAPES[escape.group(1)], match.group(1))


def entries(content, name):
    """(line, key, text) of all entries, the header (whose key is empty) among them."""
    key = text = None
    start = 0
    for number, line in enumerate(content.split("\n"), 1):
        where = f"{name}:{number}"
        if line.startswith("#~") or re.match(r"#,.*\bfuzzy\b", line):
            raise Bad(f"{where}: obsolete and fuzzy entries are not taken")
        if not line.strip() or line.startswith("#"):
            if key is not None and text is None:
                raise Bad(f"{where}: msgstr is missing")
            if text is not None:
                yield start, key, text
            key = text = None
            continue
        match = LINE.fullmatch(line)
        word = match.group(1) if match else None
        if not match or (word == "msgid " and key is not None) or \
                (word == "msgstr " and (key is None or text is not None)) or \
                (word is None and key is None):
            raise Bad(f"{where}: expected one msgid and one msgstr, a comment or a blank line")
        value = unquoted(match.group(2), where)
        if word == "msgid ":
            key, start = value, number
        elif word == "msgstr ":
            text = value
        elif text is None:
            key += value
        else:
            text += value
    if key is not None:
        raise Bad(f"{name}:{start}: the file must end with a line feed after msgstr")


def check_header(text, language, where):
    fields = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    for field, value in {**HEADER, "Language": language}.items():
        if fields.get(field) != value:
            raise Bad(f"{where}: the header needs '{field}: {value}'")


def read(content, name):
    """{key: text} of one catalogue; `name` ends in <language>/<area>.po."""
    language, area = Path(name).parts[-2], Path(name).stem
    messages, has_header = {}, False
    for line, key, text in entries(content, name):
        where = f"{name}:{line}"
        if not has_header:
            if key:
                raise Bad(f"{where}: the first entry is the header, with an empty msgid")
            check_header(text, language, where)
            has_header = True
            continue
        if not KEY.fullmatch(key) or not key.startswith(area + "."):
            raise Bad(f"{where}: '{key}' is no key of the area '{area}'")
        if key in messages:
            raise Bad(f"{where}: '{key}' occurs twice")
        if not text and not key.endswith("_gap"):
            raise Bad(f"{where}: '{key}' has no text")
        if len(key) > SIZE_MAX["key"] or len(text.encode()) > SIZE_MAX["text"]:
            raise Bad(f"{where}: '{key}' is too long")
        messages[key] = text
    if not has_header:
        raise Bad(f"{name}:1: there is no header")
    return messages


def differences(files):
    """Yields a sentence for each text that one language lacks; `files` is {name: content}."""
    areas = {}
    for name, content in sorted(files.items()):
        path = Path(name)
        if path.parts[-2] not in LANGUAGES:
            raise Bad(f"{name}:1: languages are {' and '.join(LANGUAGES)}")
        areas.setdefault(path.stem, {})[path.parts[-2]] = (name, read(content, name))
    for area, languages in sorted(areas.items()):
        if set(languages) != set(LANGUAGES):
            name = next(iter(languages.values()))[0]
            yield f"{name}:1: both languages are needed"
            continue
        (name, english), (_, chinese) = (languages[language] for language in LANGUAGES)
        for key in sorted(set(english) ^ set(chinese)):
            yield f"{name}:1: '{key}' is missing in one language"
        for key in sorted(set(english) & set(chinese)):
            if arguments_of(english[key]) != arguments_of(chinese[key]):
                yield f"{name}:1: '{key}' has other arguments in Chinese"


def tables(files):
    """{language: {key: text}}; the keys of both are the same. Errors: Bad."""
    for difference in differences(files):
        raise Bad(difference)
    merged = {language: {} for language in LANGUAGES}
    for name, content in files.items():
        merged[Path(name).parts[-2]].update(read(content, name))
    return merged


HEADER_FILE = """#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
namespace a2h::embedded {
struct Message {
    std::string_view key, english, chinese;
};
std::size_t message_count();
/// Message `index` in the order of the keys' bytes. Nothing is parsed and nothing is kept.
Message message(std::size_t index);
/// The page's texts as a JSON object: `texts.en.json`, `texts.zh.json`; nullopt for other names.
std::optional<std::string_view> script_texts(std::string_view file_name);
}
"""

# Places instead of string_views: nothing is relocated, so all processes share the file's pages.
SOURCE_FILE = """#include "embedded/locales.h"
#include <cstdint>
namespace a2h::embedded {
namespace {
struct Row {
    std::uint32_t at;
    std::uint16_t key, english, chinese;
};
constexpr std::string_view kTexts(
%(texts)s, %(size)d);
constexpr Row kRows[] = {
%(rows)s};
constexpr std::string_view kEnglishScript(
%(en)s, %(en_size)d);
constexpr std::string_view kChineseScript(
%(zh_CN)s, %(zh_CN_size)d);
}  // namespace

std::size_t message_count() { return sizeof kRows / sizeof *kRows; }

Message message(std::size_t index) {
    const Row& row = kRows[index];
    const std::size_t english = row.at + row.key;
    return {kTexts.substr(row.at, row.key), kTexts.substr(english, row.english),
            kTexts.substr(english + row.english, row.chinese)};
}

std::optional<std::string_view> script_texts(std::string_view file_name) {
    if (file_name == "texts.en.json") return kEnglishScript;
    if (file_name == "texts.zh.json") return kChineseScript;
    return std::nullopt;
}
}  // namespace a2h::embedded
"""


def literal(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\t", "\\t") + '"'


def source(merged):
    """The text of locales.cpp."""
    english, chinese = (merged[language] for language in LANGUAGES)
    texts, rows, at = [], [], 0
    for key in sorted(english):
        parts = [key, english[key], chinese[key]]
        sizes = [len(part.encode()) for part in parts]
        rows.append(f"    {{{at}, {', '.join(str(size) for size in sizes)}}},\n")
        texts += [literal(part) for part in parts]
        at += sum(sizes)
    values = {"texts": "\n".join(texts), "size": at, "rows": "".join(rows)}
    for language in LANGUAGES:
        script = {key: text for key, text in sorted(merged[language].items())
                  if key.startswith(SCRIPT_AREA + ".")}
        lines = json.dumps(script, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"
        values[language] = "\n".join(literal(line + "\n") for line in lines.splitlines())
        values[language + "_size"] = len(lines.encode())
    return SOURCE_FILE % values


def main():
    out, *names = sys.argv[1:]
    try:
        merged = tables({name: Path(name).read_text("utf-8") for name in names})
    except (Bad, OSError, UnicodeDecodeError) as error:
        sys.exit(f"catalogue: {error}")
    Path(out).mkdir(parents=True, exist_ok=True)
    Path(out, "locales.h").write_text(HEADER_FILE, "utf-8")
    Path(out, "locales.cpp").write_text(source(merged), "utf-8")


if __name__ == "__main__":
    main()
