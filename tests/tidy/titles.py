"""Finds names of tests that are no sentences: they begin with a clause instead of a subject.

"Who has one trade does not cover another" leaves open what is tested; "An interest is no
capability" says it. A question may begin like this.
"""

import re

TITLE = re.compile(r'\b(?:TEST_CASE|TEST_CASE_FIXTURE|TEST_CASE_TEMPLATE|SUBCASE|SCENARIO)\('
                   r'(?:[^"()]*,)?\s*((?:"(?:\\.|[^"\\\n])*"\s*)+)')
CLAUSE = re.compile(r"(?:[\w -]+: )?(?:who|what|whoever|whatever|of|nobody who)\b", re.I)


def findings(files):
    """(path, line, sentence) of each."""
    for path, text in sorted(files.items()):
        if not path.startswith("tests/") or not path.endswith((".cpp", ".h", ".patch")):
            continue
        for match in TITLE.finditer(text):
            title = "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', match.group(1)))
            if CLAUSE.match(title) and not title.endswith("?"):
                yield (path, text.count("\n", 0, match.start()) + 1,
                       f"'{title}' is no sentence; begin with the subject")
