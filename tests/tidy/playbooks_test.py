#!/usr/bin/env python3
"""Each rule of playbooks.py finds the playbook that somebody spoiled."""

import unittest
from pathlib import Path

from playbooks import findings

ROOT = Path(__file__).resolve().parents[2]
FILES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
         for folder in ("playbooks", "core/catalogue")
         for path in (ROOT / folder).rglob("*") if path.is_file()}
SELL = "playbooks/sell.en.md"
GAPS = "playbooks/negotiation/07-gap-identification.en.md"


def found(path, old, new):
    """The findings after `old`, which must occur, was replaced by `new` in the file at `path`."""
    assert old in FILES[path], (path, old)
    return list(findings({**FILES, path: FILES[path].replace(old, new)}))


class PlaybooksTest(unittest.TestCase):
    def assert_finds(self, words, results):
        self.assertIn(words, "\n".join(result[2] for result in results))

    def test_the_playbooks_as_they_are_have_no_findings(self):
        self.assertEqual(list(findings(FILES)), [])

    def test_a_playbook_in_one_language_is_found(self):
        without = {path: text for path, text in FILES.items() if path != "playbooks/sell.zh_CN.md"}
        self.assertEqual(list(findings(without)),
                         [("playbooks/sell.zh_CN.md", 1, "this playbook is missing")])

    def test_front_matter_is_the_same_but_for_words(self):
        self.assert_finds("front matter must be", found(SELL, "version: 1\n", ""))
        self.assert_finds("front matter must be", found(SELL, "---\nname", "name"))
        self.assert_finds("its name must be 'sell'", found(SELL, "name: sell", "name: buy"))
        self.assert_finds("'version' is '2'", found(SELL, "version: 1", "version: 2"))
        self.assert_finds("'roles' is", found(SELL, "roles: seller", "roles: buyer"))
        self.assert_finds("'arguments' is", found(SELL, "arguments: listing", "arguments: order"))
        self.assertEqual(found(SELL, "title: Sell a service", "title: Sell something"), [])

    def test_a_section_in_one_language_is_found(self):
        self.assert_finds("7 sections in English, 8 in Chinese", found(SELL, "## Never\n", ""))

    def test_a_tool_that_the_catalogue_lacks_is_found_with_its_line(self):
        path, line, words = found(SELL, "1. **Look.** `a2h_status`", "1. `a2h_state`")[0]
        self.assertEqual((path, words), (SELL, "no tool 'a2h_state'"))
        self.assertEqual(FILES[SELL].splitlines()[line - 1][:12], "1. **Look.**")

    def test_an_argument_that_no_tool_takes_is_found(self):
        self.assert_finds("no tool takes 'price_fixed'",
                          found(SELL, "`fixed_price: 28000`", "`price_fixed: 28000`"))

    def test_a_call_that_differs_between_the_languages_is_found(self):
        self.assert_finds("section 3: `fixed_price: 2800` is in one language only",
                          found(SELL, "`fixed_price: 28000`", "`fixed_price: 2800`"))

    def test_one_of_the_eight_kinds_must_not_get_lost(self):
        self.assert_finds("the eight kinds", found(SELL, "| 6 |", "| |"))

    def test_a_prompt_of_the_negotiation_says_exactly_what_comes_out(self):
        self.assert_finds("the output schemas differ",
                          found(GAPS, '"maximum": 100', '"maximum": 10'))
        self.assert_finds("nothing checks 'multipleOf' of importance",
                          found(GAPS, '"maximum": 100', '"multipleOf": 5'))
        self.assert_finds("JSON cannot be read", found(GAPS, '{"type": "boolean"},', "{,"))
        self.assert_finds("one block of JSON", found(GAPS, "```json", "```"))
        self.assert_finds("must refuse other members",
                          found(GAPS, '"additionalProperties": false', '"minProperties": 1'))
        self.assert_finds("requires 'gap', which it does not describe",
                          found(GAPS, '"required": ["gap_type"', '"required": ["gap"'))
        self.assert_finds("gaps is a list without a limit", found(GAPS, '"maxItems": 10, ', ""))
        self.assert_finds("reason is a text without a limit", found(GAPS, ', "maxLength": 300', ""))
        self.assert_finds("no rule speaks of `analysis`", found(GAPS, "`analysis`", "the analysis"))
        self.assert_finds("front matter must be name, version, purpose",
                          found(GAPS, "purpose:", "summary:"))

    def test_a_long_file_and_one_that_is_not_embedded_are_found(self):
        self.assert_finds("at most 8192", found(SELL, "## Never", "x" * 8192 + "\n## Never"))
        self.assert_finds("does not embed it",
                          found("playbooks/CMakeLists.txt", "sell.en.md sell.zh_CN.md", ""))
        self.assert_finds("no such playbook",
                          list(findings({**FILES, "playbooks/barter.en.md": "Barter"})))


if __name__ == "__main__":
    unittest.main()
