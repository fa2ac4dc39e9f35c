"""Words that docs/glossary.zh_CN.md no longer uses, in what people read in Chinese."""

import re

GLOSSARY = "docs/glossary.zh_CN.md"
# Models read it, not people.
PROMPTS = "locales/zh_CN/prompt.po"
ROW = re.compile(r"^\| [^|]+ \| (?P<word>[^|]+) \| [^|]+ \| (?P<avoided>[^|]*)\|$", re.M)
GREETING = "你(?!好)"


def avoided_words(text):
    """(word to avoid, word to use) of each row."""
    for row in ROW.finditer(text):
        for word in row.group("avoided").strip().split("、"):
            if word and word != "不用" and "-" not in word:
                yield word, row.group("word").strip()


def is_read_by_people(path):
    is_chinese = "/zh_CN/" in path or ".zh_CN." in path
    return is_chinese and path not in (GLOSSARY, PROMPTS) and not path.startswith("playbooks/")


def findings(files):
    """(file, line, sentence) of each."""
    avoided = [(re.compile(GREETING if word == "你" else re.escape(word)), word, better)
               for word, better in avoided_words(files.get(GLOSSARY, ""))]
    for path, text in sorted(files.items()):
        if not is_read_by_people(path):
            continue
        for pattern, word, better in avoided:
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield path, line, f"{word}: the glossary says {better}"
