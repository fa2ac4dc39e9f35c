#!/usr/bin/env python3
"""Each rule of tidy.py finds its bad file, and a good tree passes."""

import json
import tempfile
import unittest
from pathlib import Path

from tidy import Tidy

GOOD = {
    "core/base/a.h": "#pragma once\n\nint one();\n",
    "core/base/a.cpp": '#include "core/base/a.h"\n\nint one() {\n    return 1;\n}\n',
    "core/store/s.h": '#pragma once\n#include "core/base/a.h"\n',
    "core/store/s.cpp": '#include "core/store/s.h"\n\n#include <SQLiteCpp/Database.h>\n',
    "cli/main.cpp": '#include "core/base/a.h"\nauto t = text(language, "cli.hello");\n',
    "locales/cli.en.json": json.dumps({"cli.hello": "Hello {name}"}),
    "locales/cli.zh_CN.json": json.dumps({"cli.hello": "你好，{name}"}),
}


def body(lines):
    return "    int x = 0;\n" * lines


BAD = {
    "arrow": [
        {"core/base/b.cpp": '#include "core/store/s.h"\n'},
        {"cli/b.cpp": '#include "core/store/s.h"\n'},
    ],
    "fenced": [{"daemon/b.cpp": "#include <SQLiteCpp/Database.h>\n"}],
    "heavy": [{"daemon/b.h": "#pragma once\n#include <nlohmann/json.hpp>\n"}],
    "pragma-once": [{"core/base/b.h": "int two();\n"}],
    "own-header": [{"core/base/a.cpp": '#include <string>\n#include "core/base/a.h"\n'}],
    "file-length": [{"core/base/b.cpp": "int x;\n" * 801}],
    "function-length": [
        {"core/base/b.cpp": "namespace a {\nvoid f() {\n" + body(70) + "}\n}\n"},
        {"core/base/b.cpp": "A::A(int x) : x_{x}, y_(1) {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "struct A {\n    int f() const {\n" + body(70) + "    }\n};\n"},
    ],
    "width": [{"core/base/b.cpp": "// " + "字" * 98 + "\n"}],
    "leftover": [
        {"core/base/b.cpp": "// FIX" "ME\n"},
        {"core/base/b.cpp": "// TO" "DO: later\n"},
        {"core/base/b.cpp": "// return old(value);\n"},
        {"core/base/b.cpp": "auto f = std::end" "l;\n"},
    ],
    "locale": [
        {"cli/b.cpp": 'auto t = text(language, "cli.nothing");\n'},
        {"locales/cli.zh_CN.json": json.dumps({"cli.hello": "你好"})},
        {"locales/cli.en.json": json.dumps({"cli.hello": "Hello {name}", "cli.more": "More"})},
        {"locales/web.en.json": "{}"},
    ],
    "foreign": [{"README.md": "See /work" "/shared for more.\n"}],
}


def findings(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return Tidy(root).run()


class TidyTest(unittest.TestCase):
    def test_a_good_tree_has_no_findings(self):
        self.assertEqual(findings(GOOD), [])

    def test_every_rule_finds_its_bad_file(self):
        for rule, cases in BAD.items():
            for files in cases:
                with self.subTest(rule=rule, files=list(files)):
                    found = findings({**GOOD, **files})
                    self.assertEqual({line.split("[")[1].split("]")[0] for line in found}, {rule})

    def test_a_function_of_70_lines_and_a_line_of_100_characters_are_fine(self):
        function = "void f() {\n" + body(68) + "}\n"
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": function * 3}), [])
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": "// " + "字" * 97 + "\n"}), [])
        raw = 'auto json = R"({"a":\n"' + "x" * 120 + '"})";\n'
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": raw}), [])

    def test_braces_in_texts_and_comments_do_not_count(self):
        code = 'const char* t = R"({{{)";\n// }}}\nvoid f() {\n    g("{", \'{\');\n}\n'
        code += "int x;\n" * 90
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": code}), [])


if __name__ == "__main__":
    unittest.main()
