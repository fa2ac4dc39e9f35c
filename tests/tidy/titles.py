"""Finds names of tests that are no sentences: they begin with a clause instead of a subject. Also
finds names of tests in docs/security.md that do not exist or that only one language has.

"Who has one trade does not cover another" leaves open what is tested; "An interest is no
capability" says it. A question may begin like this.
"""

import re

TITLE = re.compile(r'\b(?:TEST_CASE|TEST_CASE_FIXTURE|TEST_CASE_TEMPLATE|SUBCASE|SCENARIO)\('
                   r'(?:[^"()]*,)?\s*((?:"(?:\\.|[^"\\\n])*"\s*)+)')
NAMED = re.compile(r"^\|[^|]*\| `([^`|]+)` \|$", re.M)
MANUALS = ("docs/security.md", "docs/security.zh_CN.md")
CLAUSE = re.compile(r"(?:[\w -]+: )?(?:who|what|whoever|whatever|of|nobody who)\b", re.I)


def titles(files):
    """(path, line, title) of each test."""
    for path, text in sorted(files.items()):
        if not path.startswith("tests/") or not path.endswith((".cpp", ".h", ".patch")):
            continue
        for match in TITLE.finditer(text):
            title = "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', match.group(1)))
            yield path, text.count("\n", 0, match.start()) + 1, title


def findings(files):
    """(path, line, sentence) of each."""
    known = set()
    for path, line, title in titles(files):
        known.add(title)
        if CLAUSE.match(title) and not title.endswith("?"):
            yield path, line, f"'{title}' is no sentence; begin with the subject"
    for path in MANUALS:
        for match in NAMED.finditer(files.get(path, "")):
            if match.group(1) not in known:
                line = files[path].count("\n", 0, match.start()) + 1
                yield path, line, f"there is no test '{match.group(1)}'"
    yield from in_one_language(files)


def in_one_language(files):
    """(path, line, sentence) of each test that only one of the two manuals names."""
    named = {path: NAMED.findall(files[path]) for path in MANUALS if path in files}
    for path, names in named.items():
        for name in sorted({name for others in named.values() for name in others} - set(names)):
            yield path, 1, f"only the other language names the test '{name}'"
