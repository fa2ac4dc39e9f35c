"""Finds words for people that stand in the code and not in a catalogue (locales/).

Chinese characters are words for people anywhere, except where the code reads what people write.
Otherwise words count where they reach a person: what programs print, options of the command line,
sentences in the folders that speak to people, and what pages are made of. Not words for people:
logs, the details of errors (each has a code, and the code has its texts), names of protocols.
"""

import re

# These files read texts of people and show none of these characters. In reading/ and decide/ the
# characters are numerals and punctuation; words are data (playbooks/reading).
READERS = ("daemon/reading/amounts.cpp", "daemon/reading/digits.cpp", "daemon/reading/lexicon.cpp",
           "daemon/decide/draft_sources.cpp", "daemon/decide/draft_text.cpp",
           "daemon/decide/free_words.cpp", "daemon/decide/review.cpp",
           "daemon/decide/situation.cpp", "daemon/decide/wording.cpp",
           "daemon/consent/approvals.cpp", "daemon/collab/place_time.cpp",
           "daemon/collab/understanding_rules.cpp", "daemon/collab/words.cpp", "market/search/")
# Texts are read with words from playbooks/, never with words in this folder's code.
WORDLESS = ("daemon/reading/",)
COMPARED = re.compile(r"\b(?:starts_with|ends_with)\($|[!=]=\s*$|"
                      r"\b\w*(?:clause|said|term|text|word)\w*\.(?:r?find|contains|compare)\($")
COMPARED_WITH = re.compile(r"\s*[!=]=")
TABLE = re.compile(r"\bconst(?:expr)?\b[^;]*?\b(k[A-Z]\w*)(?:\[\w*\])?\s*(?:=\s*)?\{[^;()]*$")
# Tables of this folder name the members of the files of words, or states of the market.
OF_MEMBERS = ("Keys", "Names", "Roles", "States")
OF_FILES = {"all"}  # of the settings
# Programs and folders whose sentences are for people.
SPEAKERS = ("cli/", "core/web/", "daemon/app/main.cpp", "daemon/notify/", "daemon/web/",
            "market/main.cpp", "market/commands.cpp", "market/options.cpp",
            "market/api/login_page.cpp", "mcp/main.cpp")
PAGES = ("core/web/", "daemon/web/", "market/api/")
LANGUAGE_NAMES = {"English", "中文"}  # each in itself, so that who reads it finds it
# Programs read it (market/README.md).
MACHINE_LINES = {"listening on http://"}
LOGGED = re.compile(r"\blog::\w+\([^;]*$|mosquitto_log_printf\([^;]*$")
JOURNAL_LINE = re.compile(r"<\d>")

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])+'|"
                   r'R"([^(\s]*)\((?P<raw>.*?)\)\1"|"(?P<text>(?:\\.|[^"\\\n])*)"', re.S)
SCRIPT_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|"
                          r'(?P<quote>["\'`])(?P<text>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)',
                          re.S)
HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
TWO_WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? [a-z]{2,}")
SENTENCE = re.compile(r"[A-Z][a-z]*'?[a-z]*,?( [\w'-]+[,;:]?){2,}")
PRINTED = re.compile(r"(?:\b(?:fputs|puts|f?printf|write_line)\([^;]*|"
                     r"std::c(?:out|err)\b[^;]*<<\s*)$")
OPTION = re.compile(r"\badd_(?:option|flag|subcommand)\([^;]*$|\bCLI::App \w+\([^;]*$")
MARKUP = re.compile(r">([^<>]*)<")
NOT_SHOWN = re.compile(r"(?:\b(?:class|className|rel)\b[^,;\n]*|"
                       r"\b(?:new Error|matchMedia|matches|closest|querySelector)(?:\?\.)?\()$")


def statement_before(text, position):
    """The text before `position` since the last ';', '{' or '}'."""
    return re.split(r"[;{}]", text[max(0, position - 800):position])[-1]


def is_listed(text, position):
    """Whether the literal stands in a table of words."""
    before = text[max(0, position - 4000):position]
    table = TABLE.search(before[before.rfind(";") + 1:])
    return table is not None and not table.group(1).endswith(OF_MEMBERS)


def in_code(path, text):
    """(line, words) of what a .cpp or .h file says itself."""
    speaks = path.startswith(SPEAKERS)
    for match in TOKEN.finditer(text):
        words = match.group("text") if match.group("raw") is None else match.group("raw")
        if words is None or words in MACHINE_LINES or JOURNAL_LINE.match(words):
            continue
        before = statement_before(text, match.start())
        shown = words
        if path.startswith(PAGES):
            for name in LANGUAGE_NAMES:
                shown = shown.replace(f">{name}<", "><")
        found = HAN.search(shown) and words not in LANGUAGE_NAMES and not path.startswith(READERS)
        compared = path.startswith(WORDLESS) and words not in OF_FILES and (
            COMPARED.search(before) or COMPARED_WITH.match(text, match.end())
            or is_listed(text, match.start()))
        found = found or compared and re.search(r"[a-z]{3}", words)
        found = found or PRINTED.search(before) and TWO_WORDS.search(words)
        found = found or OPTION.search(before) and TWO_WORDS.search(words)
        found = found or speaks and SENTENCE.match(words) and not LOGGED.search(before)
        found = found or path.startswith(PAGES) and any(
            TWO_WORDS.search(node) for node in MARKUP.findall(shown))
        if found and not LOGGED.search(before):
            yield text.count("\n", 0, match.start()) + 1, words


def in_script(text):
    for match in SCRIPT_TOKEN.finditer(text):
        words = match.group("text")
        if words is None or words in LANGUAGE_NAMES:
            continue
        start = text.rfind("\n", 0, match.start()) + 1
        if NOT_SHOWN.search(text[start:match.start()]):
            continue
        if HAN.search(words) or TWO_WORDS.search(words) or SENTENCE.match(words):
            yield text.count("\n", 0, match.start()) + 1, words


def in_page(text):
    """A page has no words of its own, except both languages where no script can choose."""
    for match in MARKUP.finditer(text):
        words = match.group(1)
        if TWO_WORDS.search(words) and not HAN.search(words) or (
                HAN.search(words) and not TWO_WORDS.search(words)):
            yield text.count("\n", 0, match.start()) + 1, words


def findings(files):
    """(path, line, words) of all files; `files` is {path: text}."""
    for path, text in sorted(files.items()):
        if path.startswith(("tests/", "build", "docs/")):
            continue
        if path.endswith((".cpp", ".h")):
            found = in_code(path, text)
        elif path.endswith(".js") and "/web/" in path:
            found = in_script(text)
        elif path.endswith(".html"):
            found = in_page(text)
        else:
            continue
        for line, words in found:
            short = words if len(words) <= 40 else words[:39] + "…"
            yield path, line, f"'{short}' is for people and belongs into locales/"
