"""The rules for playbooks/: both languages, the same front matter, sections and calls.

`findings(files)` takes the tree's texts by path and yields (path, line, words).
"""

import json
import re

LANGUAGES = ("en", "zh_CN")
NAMES = ("onboarding", "sell", "buy", "browse", "negotiate", "order", "report",
         "agents")
PROMPTS = ("demand-understanding", "smart-filter", "response-generation", "proposal-aggregation",
           "proposal-feedback", "proposal-adjustment", "gap-identification", "recursion-decision",
           "compromise")
KEYS = {False: ["name", "title", "version", "roles", "summary", "arguments"],
        True: ["name", "version", "purpose"]}
# Keys whose values are words for people; all others are the same in every language.
WORDS = {"title", "summary", "purpose"}
DRAFT = "https://json-schema.org/draft/2020-12/schema"
# The keywords that core/catalogue/schema.h knows.
CHECKED = {"$schema", "type", "properties", "required", "additionalProperties", "enum",
           "minLength", "maxLength", "minimum", "maximum", "items", "minItems", "maxItems",
           "pattern"}
WITH_EIGHT_KINDS = {"sell", "buy", "negotiate", "order"}
BYTES_MAX = 8 * 1024

TOOL = re.compile(r"\ba2h_[a-z_]+\b")
ARGUMENT = re.compile(r"`([A-Za-z_]+): [^`\n]+`")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
SPAN = re.compile(r"`([^`\n]+)`")


def blank(match):
    return "\n" * match.group(0).count("\n")


def front_matter(text):
    """Its keys and values in their order, and the rest; None when there is none."""
    match = re.match(r"---\n((?:[a-z_]+: .+\n)+)---\n", text)
    if not match:
        return None, text
    pairs = [line.split(": ", 1) for line in match.group(1).splitlines()]
    return pairs, text[match.end():]


def calls_of(body):
    """Code spans that a program could read: tools, arguments, values; not sentences."""
    spans = SPAN.findall(FENCE.sub("", body))
    return {span for span in spans if span.isascii() and not span.endswith(".")
            and not re.search(r'"[^"]* [^"]*"', span)}


def schemas_of(body):
    return [json.loads(block) for kind, block in FENCE.findall(body) if kind == "json"]


def schema_problems(schema, where="it"):
    """Errors that would break a program that checks an answer."""
    kind = schema.get("type")
    for keyword in sorted(set(schema) - CHECKED):
        yield f"nothing checks '{keyword}' of {where}"
    if kind == "object":
        members = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            yield f"{where} must refuse other members"
        for name in schema.get("required", []):
            if name not in members:
                yield f"{where} requires '{name}', which it does not describe"
        for name, member in members.items():
            yield from schema_problems(member, name)
    elif kind == "array":
        if "maxItems" not in schema or "items" not in schema:
            yield f"{where} is a list without a limit or without items"
        else:
            yield from schema_problems(schema["items"], where)
    elif kind == "string" and not {"maxLength", "enum", "pattern"} & set(schema):
        yield f"{where} is a text without a limit"


def expected():
    for name in NAMES:
        yield f"playbooks/{name}", name
    for number, name in enumerate(PROMPTS, 1):
        yield f"playbooks/negotiation/{number:02}-{name}", name


def alone(path, name, text, tools, arguments):
    """The errors of one file by itself: lines and words."""
    is_prompt = "/negotiation/" in path
    if len(text.encode()) > BYTES_MAX:
        yield 1, f"{len(text.encode())} bytes, at most {BYTES_MAX}"
    pairs, body = front_matter(text)
    keys = [key for key, _ in pairs or []]
    if keys != KEYS[is_prompt]:
        yield 1, "front matter must be " + ", ".join(KEYS[is_prompt])
    elif dict(pairs)["name"] != name:
        yield 1, f"its name must be '{name}'"
    for match in TOOL.finditer(text):
        if match.group(0) not in tools:
            yield text.count("\n", 0, match.start()) + 1, f"no tool '{match.group(0)}'"
    for match in ARGUMENT.finditer(FENCE.sub(blank, text)):
        if match.group(1) not in arguments:
            line = text.count("\n", 0, match.start()) + 1
            yield line, f"no tool takes '{match.group(1)}'"
    if name in WITH_EIGHT_KINDS and not is_prompt:
        kinds = re.findall(r"^\| ([1-9]) \|", body, re.M)
        if kinds != list("12345678"):
            yield 1, "the table of what the human decides has the eight kinds, in order"
    if is_prompt:
        yield from ((1, words) for words in output_problems(body))


def output_problems(body):
    try:
        schemas = schemas_of(body)
    except ValueError as error:
        yield f"its JSON cannot be read: {error}"
        return
    if len(schemas) != 1 or schemas[0].get("$schema") != DRAFT or schemas[0]["type"] != "object":
        yield f"one block of JSON: the output, an object, as a schema of {DRAFT}"
        return
    yield from ("the output schema: " + words for words in schema_problems(schemas[0]))
    for name in schemas[0]["properties"]:
        if f"`{name}`" not in FENCE.sub("", body):
            yield f"no rule speaks of `{name}`"


def beside(english, chinese):
    """Forbidden differences between two languages, in words."""
    (pairs_en, body_en), (pairs_zh, body_zh) = front_matter(english), front_matter(chinese)
    for (key, value), (_, other) in zip(pairs_en, pairs_zh):
        if key not in WORDS and value != other:
            yield f"'{key}' is '{value}' in English and '{other}' in Chinese"
    sections = [FENCE.sub("", body).count("\n## ") for body in (body_en, body_zh)]
    if sections[0] != sections[1]:
        yield f"{sections[0]} sections in English, {sections[1]} in Chinese"
    parts = [re.split(r"^## .*$", body, flags=re.M) for body in (body_en, body_zh)]
    for number, (ours, theirs) in enumerate(zip(*parts)):
        for span in sorted(calls_of(ours) ^ calls_of(theirs)):
            yield f"section {number}: `{span}` is in one language only"
    if schemas_of(body_en) != schemas_of(body_zh):
        yield "the output schemas differ"


def findings(files):
    rows = "".join(text for path, text in files.items() if path.startswith("core/catalogue/"))
    tools = set(re.findall(r'\.tool = "(a2h_[a-z_]+)"', rows))
    arguments = {"ok", *re.findall(r'"([A-Za-z_]+)!?": (?:\{"type"|\[")', rows)}
    for stem, name in expected():
        paths = [f"{stem}.{language}.md" for language in LANGUAGES]
        missing = [path for path in paths if path not in files]
        for path in missing:
            yield path, 1, "this playbook is missing"
        wrong = bool(missing)
        for path in (path for path in paths if path in files):
            for line, words in alone(path, name, files[path], tools, arguments):
                wrong = True
                yield path, line, words
        if not wrong:
            for words in beside(files[paths[0]], files[paths[1]]):
                yield paths[1], 1, words
    known = {f"{stem}.{language}.md" for stem, _ in expected() for language in LANGUAGES}
    listed = files.get("playbooks/CMakeLists.txt", "")
    for path in sorted(files):
        if re.match(r"playbooks/.*\.md$", path):
            if path not in known:
                yield path, 1, "no such playbook is known"
            elif path.removeprefix("playbooks/").split("/")[-1] not in listed:
                yield path, 1, "playbooks/CMakeLists.txt does not embed it"
