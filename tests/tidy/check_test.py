#!/usr/bin/env python3
"""Which test programs tests/check takes for which files."""

import importlib.machinery
import importlib.util
import tempfile
import unittest
from pathlib import Path

PATH = Path(__file__).resolve().parents[1] / "check"
loader = importlib.machinery.SourceFileLoader("check", str(PATH))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(check)


class CheckTest(unittest.TestCase):
    def test_files_belong_to_the_programs_of_their_folder(self):
        for path, folder in {
            "daemon/mail/receiver.cpp": "tests/unit/mail",
            "core/store/inbox_store.h": "tests/unit/store",
            "market/api/works.cpp": "tests/unit/market",
            "cli/init.cpp": "tests/unit/cli",
            "tests/unit/mail/receiver_test.cpp": "tests/unit/mail",
            "tests/integration/trade/open_test.cpp": "tests/integration/trade",
        }.items():
            with self.subTest(path=path):
                self.assertEqual(check.folder_of_tests(path), Path(folder))

    def test_what_all_tests_share_belongs_to_none(self):
        self.assertIsNone(check.folder_of_tests("tests/run"))
        self.assertIsNone(check.folder_of_tests("tests/support/broker.cpp"))

    def test_programs_are_read_from_the_folders_that_exist(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name, "tests", "unit", "mail")
            folder.mkdir(parents=True)
            (folder / "CMakeLists.txt").write_text(
                "a2h_test(unit_mail SOURCES x.cpp)\na2h_test(unit_way\n    SOURCES y.cpp)\n",
                "utf-8")
            paths = ["daemon/mail/x.cpp", "daemon/nothing/y.cpp", "README.md"]
            self.assertEqual(check.programs_of(paths, Path(name)), ["unit_mail", "unit_way"])

    def test_this_tree_has_programs_for_its_rooms(self):
        for path, program in {
            "daemon/consent/answer.cpp": "unit_consent",
            # Tests of other folders that name the file, or a room without tests of its own.
            "daemon/health/metric_table.cpp": "unit_watch",
            "docs/metrics.md": "unit_watch",
            "docs/tools.zh_CN.json": "unit_mcp",
            "daemon/effects/rows.cpp": "unit_outcome",
        }.items():
            with self.subTest(path=path):
                self.assertIn(program, check.programs_of([path]))

    def test_what_everything_names_takes_its_own_tests_only(self):
        self.assertEqual(check.programs_of(["core/base/result.h"]),
                         check.programs_of(["core/base/nothing.cpp"]))


if __name__ == "__main__":
    unittest.main()
