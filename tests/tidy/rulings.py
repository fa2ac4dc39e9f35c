"""Checks the numbers of docs/rulings.md: each belongs to one ruling, and each that is named in the
tree exists.
"""

import re

RULINGS = "docs/rulings.md"
RULING = re.compile(r"^- R(\d+) ", re.M)
# Not a colour, a type or a member: "R6", "R6:", "(R46, R52)".
NAMED = re.compile(r"(?<![\w.$#/-])R([1-9]\d{0,2})\b(?![-.]\w)")
NAMING = (".h", ".h.in", ".cpp", ".md", ".py", ".js", ".mjs", ".patch", ".sql")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def findings(files):
    """(file, line, sentence) of each."""
    if RULINGS not in files:
        return
    known = set()
    for match in RULING.finditer(files[RULINGS]):
        number = match.group(1)
        if number in known:
            yield RULINGS, line_of(files[RULINGS], match.start()), f"R{number} is taken already"
        known.add(number)
    for path, text in sorted(files.items()):
        if not path.endswith(NAMING):
            continue
        for match in NAMED.finditer(text):
            if match.group(1) not in known:
                yield path, line_of(text, match.start()), f"{RULINGS} has no R{match.group(1)}"
