#!/usr/bin/env python3
"""Checks that relative links and anchors of the documentation lead somewhere."""

import unittest
from pathlib import Path
from urllib.parse import unquote

import markdown


def faults(document, text):
    """One line for each link of `text`, the content of `document`, that leads nowhere."""
    _, outside = markdown.split(text)
    for number, target in markdown.links(outside):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = unquote(target).partition("#")
        file = (document.parent / path).resolve() if path else document
        where = f"{document.relative_to(markdown.ROOT)}:{number}: {target}"
        if not file.is_relative_to(markdown.ROOT) or not file.exists():
            yield f"{where}: there is no such file"
        elif anchor and file.suffix == ".md":
            there = text if file == document else file.read_text("utf-8")
            if anchor not in markdown.anchors(markdown.split(there)[1]):
                yield f"{where}: there is no such heading"


class Links(unittest.TestCase):
    def test_every_relative_link_leads_somewhere(self):
        found = [fault for document in markdown.documents()
                 for fault in faults(document, document.read_text("utf-8"))]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_every_document_is_named_by_the_index_of_its_language(self):
        for name, other in (("README.md", ""), ("README.zh_CN.md", ".zh_CN")):
            index = markdown.ROOT / "docs" / name
            _, outside = markdown.split(index.read_text("utf-8"))
            named = {unquote(target).partition("#")[0] for _, target in markdown.links(outside)}
            for document in sorted((markdown.ROOT / "docs").glob("*.md")):
                chinese = document.name.endswith(".zh_CN.md")
                translated = document.with_name(document.stem + ".zh_CN.md").exists()
                if document.name.startswith("README") or chinese != bool(other) and (
                        chinese or translated):
                    continue
                self.assertIn(document.name, named, f"docs/{name} does not name it")

    def test_a_link_to_nowhere_is_found(self):
        document = markdown.ROOT / "docs" / "README.md"
        text = ("# One `two`\n[a](nowhere.md) [b](#one-two) [c](#three) `[d](nowhere.md)`\n"
                "```sh run\n[e](nowhere.md)\n```\n[f](../../outside.md)\n")
        found = [fault.split(": ")[1] for fault in faults(document, text)]
        self.assertEqual(found, ["nowhere.md", "#three", "../../outside.md"])

    def test_headings_get_the_anchors_that_github_gives_them(self):
        _, outside = markdown.split("# Is it up: `a2h status`?\n## A\n## A\n## 不会失聪\n")
        self.assertEqual(markdown.anchors(outside), {"is-it-up-a2h-status", "a", "a-1", "不会失聪"})

    def test_a_block_without_end_is_an_error(self):
        with self.assertRaises(ValueError):
            markdown.split("```sh run\ntrue\n")


if __name__ == "__main__":
    unittest.main()
