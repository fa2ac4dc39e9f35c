#!/usr/bin/env python3
"""tests/run counts every kind of test, and fails on skips that are not listed."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

RUN = Path(__file__).resolve().parents[1] / "run"


def run_whole(tests):
    """Output of tests/run over tests of these names and shell commands."""
    return start(tests).stdout


def start(tests):
    with tempfile.TemporaryDirectory() as build:
        lines = [f'add_test({name} "sh" "-c" "{command}")\n'
                 f"set_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)\n"
                 for name, command in tests.items()]
        Path(build, "CTestTestfile.cmake").write_text("".join(lines), "utf-8")
        return subprocess.run([RUN, build], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)


def run(tests):
    """Last line and status of tests/run over tests of these names and shell commands."""
    done = start(tests)
    counts = re.search(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", done.stdout, re.M)
    return tuple(map(int, counts.groups())) if counts else None, done.returncode


class RunTest(unittest.TestCase):
    def test_cases_of_every_kind_are_summed(self):
        self.assertEqual(run({
            "doctest": "echo '[doctest] test cases:  3 |  3 passed | 0 failed | 0 skipped'",
            "node": r"printf '# pass 4\\n# fail 0\\n# cancelled 0\\n# skipped 0\\n'",
            "python": r"printf 'Ran 5 tests in 0.1s\\n\\nOK\\n'",
            "other": "true",
        }), ((13, 0, 0), 0))

    def test_failures_fail_the_run(self):
        counts, status = run({
            "doctest": "echo '[doctest] test cases: 3 | 2 passed | 1 failed | 0 skipped'; exit 1",
            "other": "false",
        })
        self.assertEqual(counts, (2, 2, 0))
        self.assertNotEqual(status, 0)

    def test_a_failure_is_repeated_at_the_end(self):
        output = run_whole({"early": "echo ERROR: lost; exit 1", "late": "echo fine"})
        self.assertIn("ERROR: lost", output.split("== early", 1)[1])

    def test_a_skip_that_is_not_listed_fails_the_run(self):
        self.assertEqual(run({"new": "exit 77"}), ((0, 0, 1), 1))
        quiet = "echo '[doctest] test cases: 3 | 2 passed | 0 failed | 1 skipped'"
        self.assertEqual(run({"quiet": quiet}), ((2, 0, 1), 1))
        self.assertEqual(run({"tidy_format": "exit 77"}), ((0, 0, 1), 0))

    def test_what_a_sanitizer_found_fails_the_run(self):
        folder = "sanitizer-findings"
        self.assertEqual(run({"quiet": f"mkdir {folder}; echo race > {folder}/report.a2hd.1"}),
                         ((1, 0, 0), 1))

    def test_no_test_at_all_is_a_failure(self):
        self.assertNotEqual(run({})[1], 0)


if __name__ == "__main__":
    unittest.main()
