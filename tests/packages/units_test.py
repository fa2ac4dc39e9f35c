#!/usr/bin/env python3
"""Checks our units with systemd itself."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SYSTEM_UNITS = ["a2hd@.service", "a2hd.service", "a2h-market.service"]
EXPOSURE_MAX = 1.5
PROGRAMS = ("a2hd", "a2h-market")


def analyze(*arguments, **environment):
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True,
                          check=False, env={**os.environ, **environment})


class Units(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        programs = self.folder / "bin"
        programs.mkdir()
        for name in PROGRAMS:  # whether they are built does not matter here
            (programs / name).write_text("#!/bin/sh\n", "utf-8")
            (programs / name).chmod(0o755)
        subprocess.run([ROOT / "packaging/systemd/units", self.folder, programs], check=True)

    def enterContext(self, context):  # Python 3.11 has it, with the same meaning
        self.addCleanup(context.__exit__, None, None, None)
        return context.__enter__()

    def verify(self, folder, *options):
        units = sorted((self.folder / folder).iterdir())
        done = analyze("verify", "--man=no", *options, *map(str, units),
                       XDG_RUNTIME_DIR=str(self.folder))
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_systemd_finds_no_fault_with_the_system_units(self):
        self.verify("system")

    def test_systemd_finds_no_fault_with_the_user_units(self):
        self.verify("user", "--user")

    def test_each_system_unit_is_shut_in(self):
        self.assertEqual(sorted(SYSTEM_UNITS),
                         sorted(path.name for path in (self.folder / "system").iterdir()))
        for name in SYSTEM_UNITS:
            done = analyze("security", "--offline=true", "--no-pager",
                           str(self.folder / "system" / name))
            exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
            self.assertIsNotNone(exposure, done.stdout + done.stderr)
            self.assertLessEqual(float(exposure.group(1)), EXPOSURE_MAX, name)

    def test_a_looser_unit_would_be_noticed(self):
        unit = self.folder / "system" / "a2hd.service"
        text = unit.read_text("utf-8").replace("ProtectHome=yes\n", "").replace(
            "SystemCallFilter=@system-service\n", "").replace("CapabilityBoundingSet=\n", "")
        unit.write_text(text, "utf-8")
        done = analyze("security", "--offline=true", "--no-pager", str(unit))
        exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
        self.assertGreater(float(exposure.group(1)), EXPOSURE_MAX)

    def test_each_a2hd_can_be_told_to_read_its_settings_again(self):
        for name in ("system/a2hd.service", "system/a2hd@.service", "user/a2hd.service"):
            lines = (self.folder / name).read_text("utf-8").splitlines()
            self.assertIn("Type=notify", lines, name)
            self.assertIn("ExecReload=/bin/kill -HUP $MAINPID", lines, name)

    def test_no_placeholder_is_left(self):
        for unit in [*(self.folder / "system").iterdir(), *(self.folder / "user").iterdir()]:
            self.assertNotRegex(unit.read_text("utf-8"), r"@(SANDBOX|BIN)@", unit.name)


if __name__ == "__main__":
    if not shutil.which("systemd-analyze"):
        print("systemd-analyze is not installed")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
