"""Reads Markdown for the tests of the documentation: fenced blocks, links, anchors."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FENCE = re.compile(r"^(\s*)(```+|~~~+)\s*(.*?)\s*$")
SHOWN = re.compile(r"<!--\s*shown:\s*(\S.*?)\s*-->")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^()\s]+(?:\([^()\s]*\))?)\)")
CODE_SPAN = re.compile(r"(`+).*?\1")


@dataclass
class Block:
    """A fenced block; `line` is that of its opening fence, counted from 1."""

    line: int
    info: str
    lines: list
    reason: str  # why it is only shown; empty when nothing says so


def documents():
    """Every document that the rules hold for: the READMEs of the root, and all of docs/."""
    return sorted(ROOT.glob("README*.md")) + sorted((ROOT / "docs").rglob("*.md"))


def split(text):
    """Fenced blocks, and the lines outside of them as (number, text)."""
    blocks, outside = [], []
    block, mark, before = None, "", ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if block is None and fence:
            reason = SHOWN.search(before)
            block = Block(number, fence[3], [], reason[1] if reason else "")
            mark = fence[2]
        elif block is not None and fence and fence[2].startswith(mark) and not fence[3]:
            blocks.append(block)
            block, before = None, ""
        elif block is not None:
            block.lines.append(line)
        else:
            outside.append((number, line))
            before = line if line.strip() else before
    if block is not None:
        raise ValueError(f"the block that begins at line {block.line} has no end")
    return blocks, outside


def anchors(outside):
    """The anchors that GitHub gives to the headings, those of repeated ones numbered."""
    seen, found = {}, set()
    for _, line in outside:
        heading = HEADING.match(line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        found.add(f"{anchor}-{count}" if count else anchor)
    return found


def links(outside):
    """Link targets as (line number, target); what stands in code spans is none."""
    for number, line in outside:
        for match in LINK.finditer(CODE_SPAN.sub("", line)):
            yield number, match[1]
