"""Finds files that the tables of a README do not name, and names of files that do not exist.

A table of files has a header that begins with "file". It names files without their ending, or one
that has only one form with it (`limits.h`), and several by a pattern (`*_channel`). A row that
names a path may also name files of that other folder.
"""

import posixpath
import re
from fnmatch import fnmatchcase

# Their READMEs name every file of C++.
FOLDERS = ("daemon/collab", "daemon/consent", "daemon/decide", "daemon/mail", "daemon/model",
           "daemon/notify", "daemon/stages")
NAME = re.compile(r"`([\w*./]+)`")


def rows(text):
    """(line, cells) of each row in a table of files; a row of dashes names none."""
    is_inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            is_inside = False
        elif is_inside:
            yield number, line.strip("|").split("|")
        else:
            is_inside = line.startswith("| file")


def stem(name):
    return re.sub(r"\.(cpp|h)$", "", name)


def of_folder(folder, readme, files):
    """(line, sentence) of each; line 1 for what is missing."""
    ours = {stem(posixpath.basename(path)) for path in files
            if posixpath.dirname(path) == folder and path.endswith((".cpp", ".h"))}
    named = set()
    for line, cells in rows(readme):
        names = [stem(name) for name in NAME.findall(cells[0])]
        named.update(posixpath.basename(name) for name in names
                     if "/" not in name or posixpath.dirname(name) == folder)
        if any("/" in name for name in names):
            continue
        for name in names:
            if not any(fnmatchcase(known, name) for known in ours):
                yield line, f"{folder} has no file {name}"
    for known in sorted(ours):
        if not any(fnmatchcase(known, name) for name in named):
            yield 1, f"no table of files names {known}"


def findings(files):
    """(file, line, sentence) of each."""
    for folder in FOLDERS:
        place = f"{folder}/README.md"
        if place in files:
            for line, sentence in of_folder(folder, files[place], files):
                yield place, line, sentence
