"""Which folders of `daemon/` and `market/` may include which; each is one library.

`ARROWS` names for each room the rooms that it uses, lower ones first. A room uses only those that
stand above it in the table, so the arrows cannot form a cycle. See docs/architecture.md, "Folders".
"""

import re

PROGRAMS = ("daemon", "market")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)

ARROWS = {
    "daemon/card": "",
    "daemon/deals": "",
    "daemon/doctor/home": "",
    "daemon/effects": "",
    "daemon/kernel": "",
    "daemon/reading": "",
    "daemon/decide": "reading",
    "daemon/model": "decide kernel",
    "daemon/notify": "card",
    "daemon/consent": "card deals decide effects notify",
    "daemon/bargain": "consent decide effects",
    "daemon/config": "consent decide model notify",
    "daemon/context": "decide",
    "daemon/outcome": "consent deals effects kernel",
    "daemon/trade": "card config consent context deals decide kernel outcome",
    "daemon/answers": "config consent context kernel notify outcome",
    "daemon/upkeep": "config kernel notify outcome",
    "daemon/agents": "card config consent context effects kernel outcome",
    "daemon/collab": "card config consent context effects kernel model outcome reading",
    "daemon/stages": "agents config consent decide effects model outcome",
    "daemon/mail":
        "card config consent context deals decide effects kernel notify outcome reading stages",
    "daemon/backup": "config consent effects kernel mail",
    "daemon/health": "config context effects kernel mail model notify outcome",
    "daemon/leading": "backup config consent context effects kernel mail outcome",
    "daemon/home": "backup config consent kernel leading model notify",
    "daemon/mailbox": "agents card config context health kernel leading mail notify",
    "daemon/doctor":
        "backup config consent context doctor/home effects health kernel leading notify outcome",
    "daemon/operations":
        "agents answers backup bargain card collab config consent context deals decide doctor "
        "effects health kernel leading mail model notify outcome trade",
    "daemon/web": "backup card collab config consent deals kernel notify operations",
    "daemon/app":
        "agents answers backup bargain collab config consent doctor health home kernel mail "
        "mailbox operations trade upkeep web",
    "market/broker": "",
    "market/db": "",
    "market/files": "",
    "market/payment": "",
    "market/search": "",
    "market/store": "db search",
    "market/exchange": "db store",
    "market/api": "broker db exchange files payment store",
    "market/relay": "broker db exchange store",
    "market": "api exchange relay store",
}


def room_of(path):
    """`daemon/mail` of `daemon/mail/receiver.cpp`, `market` of `market/main.cpp`, else None."""
    parts = path.split("/")
    if parts[0] not in PROGRAMS or not path.endswith((".h", ".h.in", ".cpp")):
        return None
    for depth in (3, 2):
        if depth < len(parts) and "/".join(parts[:depth]) in ARROWS:
            return "/".join(parts[:depth])
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def includes(files):
    """For each file of these programs: the files of the tree that it includes, with their lines."""
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
    used = arrows(found)
    for (here, there), (path, line) in sorted(used.items()):
        if there.split("/", 1)[-1] not in ARROWS.get(here, "").split():
            yield path, line, f"{here} may not include {there}; see ARROWS in tests/tidy/rooms.py"
    for room in sorted({room_of(path) for path in found} - set(ARROWS)):
        path = min(path for path in found if room_of(path) == room)
        yield path, 1, f"{room} is missing in ARROWS of tests/tidy/rooms.py"
    yield from faults_of_table({room_of(path) for path in found}, used)
    for path, line, name in cycles(found):
        yield path, line, f"{name} includes this file, directly or not"


def faults_of_table(rooms, used):
    """Arrows that nobody uses any more, and such as point upwards."""
    seen = set()
    for room, names in ARROWS.items():
        program = room.split("/")[0]
        for name in names.split():
            other = f"{program}/{name}"
            if other not in seen:
                yield "tests/tidy/rooms.py", 1, f"{room} may not use {other}, which stands below it"
            if room in rooms and other in rooms and (room, other) not in used:
                yield "tests/tidy/rooms.py", 1, f"{room} uses {other} no more"
        seen.add(room)
