"""Which rooms of `daemon` and `market` include each other, and which files include themselves.

Two rooms that include each other are one. Those that still do stand in `MUTUAL`: the list may only
get shorter. See docs/architecture.md, "Folders".
"""

import re

PROGRAMS = ("daemon", "market")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)

MUTUAL = {
    ("daemon/bargain", "daemon/effects"),
    ("daemon/collab", "daemon/consent"),
    ("daemon/consent", "daemon/house"),
    ("daemon/doctor", "daemon/operations"),
    ("daemon/effects", "daemon/house"),
}


def room_of(path):
    """`daemon/mail` of `daemon/mail/receiver.cpp`, `market` of `market/main.cpp`, else None."""
    parts = path.split("/")
    if parts[0] not in PROGRAMS or not path.endswith((".h", ".cpp")):
        return None
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def includes(files):
    """Of each file of these programs, the files of the tree that it includes, with their lines."""
    found = {}
    for path, text in files.items():
        if room_of(path) is None:
            continue
        found[path] = [(match.group(1), text.count("\n", 0, match.start(1)) + 1)
                       for match in INCLUDE.finditer(text) if match.group(1) in files]
    return found


def arrows(found):
    """(room, other room) with the place of the first include."""
    first = {}
    for path, names in sorted(found.items()):
        for name, line in names:
            here, there = room_of(path), room_of(name)
            if there is not None and here != there:
                first.setdefault((here, there), (path, line))
    return first


def cycles(found):
    """Files that include themselves by way of others: (file, line of the include)."""
    done, way = set(), []

    def visit(path):
        way.append(path)
        for name, line in found.get(path, []):
            if name in way:
                yield path, line, name
            elif name not in done:
                yield from visit(name)
        way.pop()
        done.add(path)

    for path in sorted(found):
        if path not in done:
            yield from visit(path)


def findings(files):
    """(file, line, sentence) of each."""
    found = includes(files)
    first = arrows(found)
    mutual = {pair: place for pair, place in first.items() if pair[::-1] in first}
    for pair, (path, line) in sorted(mutual.items()):
        if tuple(sorted(pair)) not in MUTUAL:
            yield path, line, f"{pair[0]} and {pair[1]} include each other"
    for pair in sorted(MUTUAL):
        known = any(path.startswith(pair[0] + "/") for path in found)
        if known and pair not in mutual:
            yield "tests/tidy/rooms.py", 1, f"{pair[0]} and {pair[1]} are mutual no more"
    for path, line, name in cycles(found):
        yield path, line, f"{name} includes this file, directly or not"
