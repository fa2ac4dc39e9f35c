"""Finds features that general code knows by name.

Features register what is special about them: actions and kinds of mandates
(daemon/consent/actions.h), kinds of notifications (daemon/notify/kinds.h), types of mail and rules.
General code asks the row and compares no names. The names are read from these registrations, so
that a new one is covered without a change here. A room may use the names that it has registered
itself.
"""

import re

GENERAL = re.compile(r"daemon/((answers|card|consent|effects|kernel|notify|outcome|web)/[^/]+"
                     r"|mail/(dispatcher|late_judge|late_mail|way)\.\w+)$")
# Rooms that use no registered name of others, however they compare it. A literal that is compared
# with one of these members is a name, registered or not. The types of messages count where
# messages are those of our protocol only.
COMPARING = re.compile(r"daemon/(answers|card|consent|effects|kernel|mail|notify|outcome|upkeep|"
                       r"web)/[^/]+$|daemon/operations/market\.cpp$")
TYPED = re.compile(r"daemon/((answers|card|consent|effects|kernel|outcome)/[^/]+"
                   r"|mail/(dispatcher|late_judge|late_mail|way)\.\w+)$")


# The page's scripts: the page's data says what they need. Their `kind` is that of a card's line.
SCRIPTS = re.compile(r"daemon/web/app/[^/]+\.js$")
KEYED = re.compile(r'\bt\("$')  # the key of a text


def comparison(members):
    return re.compile(rf'\b(?:{members})\s*[!=]==?\s*"(?P<right>[^"\n]*)"|'
                      rf'_member\([^;"]*"(?:{members})"\)\s*[!=]=\s*"(?P<told>[^"\n]*)"|'
                      rf'"(?P<left>[^"\n]*)"\s*[!=]==?\s*[\w.>-]*\b(?:{members})\b')


COMPARED = comparison("action|kind|rule_id|cause|requested_by")
TYPE_COMPARED = comparison(r"\w*type")
SCRIPT_COMPARED = comparison(r"action|rule_id|cause|\w*type")

# Known exceptions: place, name, number, and reason. The number may only fall: an entry that is
# needed no more, or less often, is a finding.
_ENDS = "a message of our own ends the questions of its peer, whoever has sent it"
_TYPES = "chat without a feature: its payload is defined by the protocol"
_PAGE = "the page calls this operation"
EXCEPTIONS = {
    ("daemon/card/card.cpp", "kReplyAction"):
        (2, "consent's own action; the card is a lower room and cannot ask its row"),
    ("daemon/consent/approvals.cpp", "accept"): (1, "a word by which people say yes"),
    ("daemon/consent/bounded.cpp", "accept"):
        (1, "what a mandate can limit in a chat message, which no row says yet"),
    ("daemon/consent/bounded.cpp", "offer"):
        (1, "what a mandate can limit in a chat message, which no row says yet"),
    ("daemon/consent/newer.cpp", "offer"): (1, _ENDS),
    ("daemon/consent/newer.cpp", "reject"): (1, _ENDS),
    ("daemon/consent/renewal.cpp", "text"): (1, _TYPES),
    ("daemon/outcome/requests.h", "kSendAction"):
        (1, "outcome makes the message of this action; daemon/agents registers it"),
    ("daemon/outcome/requests.h", "message.send"):
        (1, "outcome makes the message of this action; daemon/agents registers it"),
    ("daemon/web/api.cpp", "demand.submit"): (1, _PAGE),
    ("daemon/web/demand_api.cpp", "demand.submit"): (1, _PAGE),
}

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])+'|"
                   r'R"([^(\s]*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:\\.|[^"\\\n])*)"', re.S)
CONSTANT = re.compile(r"\bconst(?:expr)?\b[^;=(){}]*\b(k[A-Z]\w*)(?:\[\])?\s*[={]\s*"
                      r'"([^"\n]*)"')
# A table of rows: from its type to the ';' at its end.
TABLE = re.compile(r"\b(ActionRow|MandateKind|KindRow|AgentMessageRow|EnumName<\w*MessageType>|"
                   r"pair<\w*MessageType,\s*std::string_view>)[\s>,][^;(]*?(?:\{|=)[^;]*;", re.S)
ROW_NAME = re.compile(r'(?:\.(?:action|kind|name)\s*=\s*|MessageType::\w+,\s*|'
                      r'\w+_row\(|\bmandate_kind\()'
                      r'(?:"(?P<text>[^"\n]+)"|(?:\w+::)*(?P<constant>k\w+))')
MEMBERS = re.compile(r"\.(?:members|arguments)\s*=\s*\{\{.*?\}\}\}", re.S)
NAMED = re.compile(r"\bk\w*(?:Action|Rule)\b")  # actions that have a carrier, rules of the code
NAME = re.compile(r"[a-z_]+(\.[a-z_]+)+")
RULE = re.compile(r'^id\s*=\s*"([^"\n]+)"', re.M)
# The tables of a feature: its row says what general code has to know of them.
STORES = re.compile(r'^\s*#\s*include\s*"(core/store/(?:assignment|bargain|case|demand|'
                    r'introduction|invitation|local_agent|login|market_matter|plan_action|profile)_'
                    r'(?:store|postings)\.h)"', re.M)
# Other tables are everybody's. What a message is, its feature says to their statements.
OF_STORE = re.compile(r"core/store/(?!(?:assignment|bargain|case|demand|introduction|"
                      r"invitation|local_agent|login|market_matter|plan_action|profile)_)\w+\.cpp$")
STORED_TYPE = re.compile(r"(?:'\$\.type'\)(?:, ''\))?|\bmessage_type) (?:=|<>|(?:not )?in) "
                         r"\(?'(?!chat\.request')(?P<type>[^']+)'")
STORE_EXCEPTIONS = {
    ("core/store/open_matter_store.cpp", "offer"): (2, _TYPES),
}
# How a rule's id begins says nothing: an owner's rule with another id can ask the same.
BY_RULE = re.compile(r"\brule:[a-z_]+\.(?:$|[*%'])")
# Rules of the code, and news without a row.
WRITTEN = re.compile(r'"(guard\.[a-z_]+)"|\.kind = "([a-z_.]+)"')
PREFIX = re.compile(r"\b(?:starts_with|ends_with|find|rfind|contains|compare|count)\([^;\"]*\"$")
# Beginnings of a cause or of a member ("negotiation:…", "demand_id") that name a feature; messages,
# agents and files are everybody's.
OF_FEATURE = re.compile(r"(?!(?:agent|file|message)_)([a-z]+)[._:]\w*:?")
EQUAL_BEFORE, EQUAL_BEHIND = re.compile(r'[!=]=\s*"$'), re.compile(r"\s*[!=]=")
# A cause or asker of a feature: "tool:negotiation", "rule:guard.new".
OF_SOURCE = re.compile(r"[a-z]+:([a-z_]+)(?:[.:][a-z_.:]*)?")
# What stands between two literals that make one text.
JOINED = re.compile(r"\s*\)*\s*\+\s*(?:std::string(?:_view)?[({])?\s*|\s*")
# Channels and the page receive messages of other protocols.
FOREIGN = re.compile(r"daemon/(notify|web)/")
ASKING = re.compile(r"\b(?:is|concerns)_([a-z]+)(?:_action|_kind|_question)?\(")
CASTING = re.compile(r"\b(?:dynamic_(?:pointer_)?cast|typeid)\b")  # which feature is it of?
WORDS = {"bargain", "bargaining", "haggling"}  # a feature that no action is called by
HAGGLING = re.compile(r"\bbargain::\w+")
PREFIX_CONSTANT = re.compile(r"\b(?:starts_with|ends_with|find|rfind|contains|compare|count)\("
                             r"\s*(?:\w+::)*(k[A-Z]\w*)")
ENUMERATOR = re.compile(r"\b(\w*?)(MessageType|Action|Kind|Role|Side|State|Status|Type)"
                        r"::[A-Z]\w*")


def uncommented(text):
    return TOKEN.sub(lambda match: "\n" * match.group(0).count("\n")
                     if match.group(0).startswith("/") else match.group(0), text)


def room(path):
    return path.rpartition("/")[0]


class Names:
    """Registered names, each with the rooms that have registered it."""

    def __init__(self, files):
        self.rooms, self.constants = {}, {}
        self.actions, self.mandates, self.beginnings = set(), set(), set()
        code = {path: uncommented(text) for path, text in files.items()
                if path.endswith((".cpp", ".h")) and path.startswith(("daemon/", "core/"))}
        for path, text in code.items():
            for constant, name in CONSTANT.findall(text):
                self.constants.setdefault(constant, set()).add(name)
        for path, text in code.items():
            for table in TABLE.finditer(text):
                self.add_table(path, MEMBERS.sub("", table.group(0)))
            for constant, name in CONSTANT.findall(text):
                if NAMED.fullmatch(constant) and NAME.fullmatch(name):
                    self.add_unless_general(name, path)
                    if constant.endswith("Action") and name in self.rooms:
                        self.actions.add(name)
            for guard, kind in WRITTEN.findall(text):
                self.add_unless_general(guard or kind, path)
        for path, text in files.items():
            if path.startswith("playbooks/") and path.endswith(".toml"):
                for name in RULE.findall(text):
                    if "." in name:
                        self.add(name, path)
                        self.beginnings.add(name.partition(".")[0] + ".")
        # The type of its payload says what a message agrees to.
        for name in [name for name in self.rooms if name.startswith("message.")]:
            if name in self.mandates:
                for where in self.rooms[name]:
                    self.add(name.partition(".")[2], where + "/")
        self.subjects = {name.partition(".")[0] for name in self.actions
                         if not self.rooms[name] <= {"core/domain"}}

    def add_unless_general(self, name, path):
        """A constant or a use in general code registers nothing."""
        if not GENERAL.match(path):
            self.add(name, path)

    def add(self, name, path):
        self.rooms.setdefault(name, set()).add(room(path))

    def add_table(self, path, table):
        for row in ROW_NAME.finditer(table):
            names = [row.group("text")] if row.group("text") else \
                self.constants.get(row.group("constant"), ())
            for name in names:
                self.add(name, path)
                if table.startswith("MandateKind"):
                    self.mandates.add(name)
                if table.startswith(("MandateKind", "ActionRow")):
                    self.actions.add(name)

    def tells_feature(self, name):
        """Whether it is how a cause or a member of a feature begins."""
        feature = OF_FEATURE.fullmatch(name)
        return feature is not None and feature.group(1) in self.subjects

    def is_source(self, feature):
        return feature in self.subjects | WORDS

    def is_foreign(self, name, path):
        return name in self.rooms and room(path) not in self.rooms[name]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def literals(text):
    """(position, end, words) of each literal. What stands side by side is one; what is joined by a
    '+' is each, and all of it."""
    found = [match for match in TOKEN.finditer(text) if match.group("text") is not None]
    while found:
        first = last = found.pop(0)
        name, parts = first.group("text"), [first]
        while found and JOINED.fullmatch(text[last.end():found[0].start()]):
            if "+" in text[last.end():found[0].start()]:
                parts.append(found[0])
            last = found.pop(0)
            name += last.group("text")
        for part in parts if len(parts) > 1 else ():
            yield part.start("text"), part.end(), part.group("text")
        if name:
            yield first.start("text"), last.end(), name


def names_in(path, text, names):
    """(position, name) of each use of a registered name."""
    for position, end, name in literals(text):
        before = text[max(0, position - 120):position]
        begins = name.rstrip("._") in names.subjects and (
            name.endswith(".") or PREFIX.search(before) or not FOREIGN.match(path)
            and (EQUAL_BEFORE.search(before) or EQUAL_BEHIND.match(text, end)))
        asks = PREFIX.search(before) and names.tells_feature(name)
        source = OF_SOURCE.fullmatch(name)
        asks = asks or source and names.is_source(source.group(1)) and (
            PREFIX.search(before) or EQUAL_BEFORE.search(before) or EQUAL_BEHIND.match(text, end))
        if names.is_foreign(name, path) or begins or asks:
            yield position, name
    code = TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)
    for match in re.finditer(r"\bk[A-Z]\w*", code):
        meant = names.constants.get(match.group(0), ())
        if any(names.is_foreign(name, path) for name in meant):
            yield match.start(), match.group(0)
    own = dict(CONSTANT.findall(text))
    for match in PREFIX_CONSTANT.finditer(code):
        constant = match.group(1)
        is_own = re.search(rf"\bconst(?:expr|init)?\b[^;=(){{}}]*\b{constant}\b", code)
        meant = (own.get(constant, ""),) if is_own else names.constants.get(constant, ())
        if any(map(names.tells_feature, meant)):
            yield match.start(1), match.group(1)


def found_in(path, text, names):
    """(position, name) of each question for a feature that needs no name."""
    code = TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)
    for match in ASKING.finditer(code):
        if match.group(1) in names.subjects | WORDS:
            yield match.start(), match.group(0).rstrip("(")
    for pattern in (HAGGLING, CASTING):
        for match in pattern.finditer(code):
            yield match.start(), match.group(0)
    for match in ENUMERATOR.finditer(code):
        subject, what = match.groups()
        if what == "MessageType" or subject.lower() in names.subjects:
            yield match.start(), match.group(0)


def beginnings_in(text, names):
    """(position, words) of each use of how the ids of rules begin."""
    for position, _, name in literals(text):
        asks = PREFIX.search(text[max(0, position - 120):position])
        if BY_RULE.search(name) or asks and name in names.beginnings:
            yield position, name


def stored_types_in(text):
    """(position, type) of each type of mail that a statement compares."""
    for position, _, statement in literals(text):
        for match in STORED_TYPE.finditer(statement):
            yield position, match.group("type")


def compared_in(text, pattern):
    for match in pattern.finditer(text):
        group = next(name for name in ("right", "told", "left") if match.group(name) is not None)
        yield match.start(group), match.group(group)


def findings(files):
    """(file, line, sentence) of each."""
    names = Names(files)
    counts = {}
    for path, text in sorted(files.items()):
        if SCRIPTS.match(path):
            named = {(position, name) for position, name in names_in(path, text, names)
                     if not KEYED.search(text[:position])}
            for position, name in sorted(named | set(compared_in(text, SCRIPT_COMPARED))):
                counts.setdefault((path, name), []).append(line_of(text, position))
        if not path.endswith((".cpp", ".h", ".h.in")):
            continue
        if path.startswith(("core/", "daemon/")):
            for position, _ in beginnings_in(text, names):
                yield path, line_of(text, position), ("the beginning of a rule's id says nothing; "
                                                      "see About in core/domain/approval.h")
        uses = set(found_in(path, text, names)) if GENERAL.match(path) else set()
        if COMPARING.match(path):
            uses |= set(names_in(path, text, names)) | set(compared_in(text, COMPARED))
        if TYPED.match(path):
            for match in STORES.finditer(text):
                yield path, line_of(text, match.start(1)), (f"general code reads {match.group(1)}; "
                                                            "give the row of the feature a member")
            uses |= set(compared_in(text, TYPE_COMPARED))
        if OF_STORE.match(path):
            uses |= set(stored_types_in(text))
        for position, name in sorted(uses):
            counts.setdefault((path, name), []).append(line_of(text, position))
    exceptions = EXCEPTIONS | STORE_EXCEPTIONS
    for (path, name), lines in sorted(counts.items()):
        allowed, _ = exceptions.get((path, name), (0, ""))
        if len(lines) > allowed:
            yield path, lines[-1], (f"general code knows '{name}' by name; give the row of the "
                                    "feature a member")
    for (path, name), (allowed, _) in sorted(exceptions.items()):
        if path in files and len(counts.get((path, name), ())) < allowed:
            yield path, 1, f"'{name}' needs fewer exceptions in tests/tidy/special.py"
