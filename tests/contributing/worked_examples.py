#!/usr/bin/env python3
"""Applies the worked examples of CONTRIBUTING.md, builds and tests them: worked_examples.py BUILD.

Each *.patch beside this file is one example. Lines at its head say how many files it may touch
beside its test (`Files: 3`), and which test programs are built and run (`Programs: unit_x`). The
checkout stays as it is: the work is done in an overlay of it that only this process sees, over the
objects that BUILD has already, so that only what a patch touches is compiled.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INSIDE = "A2H_WORKED_EXAMPLES_IN_OVERLAY"
TOUCHED = re.compile(r"^diff --git a/(\S+) b/(\S+)$", re.M)
SKIP = 77  # ctest counts it as skipped


class Example:
    def __init__(self, patch):
        self.patch = patch
        text = patch.read_text("utf-8")
        head = text[:text.index("diff --git")]
        self.files_max = int(re.search(r"^Files: (\d+)$", head, re.M).group(1))
        self.programs = re.search(r"^Programs: (.+)$", head, re.M).group(1).split()
        touched = {match.group(2) for match in TOUCHED.finditer(text)}
        self.files = sorted(name for name in touched if not name.startswith("tests/"))
        self.tests = sorted(touched - set(self.files))


def faults_of(example, manual):
    """The errors of an example that are found before anything is built."""
    name = example.patch.name
    if len(example.files) > example.files_max:
        yield f"{name} touches {len(example.files)} files, at most {example.files_max}"
    if not example.tests:
        yield f"{name} has no test"
    for file in example.files:
        if file not in manual:
            yield f"CONTRIBUTING.md does not name {file}, which {name} touches"
    applied = subprocess.run(["git", "apply", "--check", str(example.patch)], cwd=ROOT,
                             capture_output=True, text=True, check=False)
    if applied.returncode:
        yield f"{name} does not apply:\n{applied.stderr}"


def build_and_test(examples, build):
    """All examples at once: they touch different things, and one build is enough."""
    for example in examples:
        subprocess.run(["git", "apply", str(example.patch)], cwd=ROOT, check=True)
    programs = sorted({program for example in examples for program in example.programs})
    subprocess.run(["cmake", "--build", str(build), "--target", *programs], check=True)
    for program in programs:
        subprocess.run([str(build / "tests" / program)], check=True)


def in_overlay(build):
    """Runs this program again where ROOT and BUILD are copies that are written only when used."""
    work = Path(tempfile.mkdtemp(prefix="a2h-examples-"))
    folders = [ROOT] if build.is_relative_to(ROOT) else [ROOT, build]
    mounts = []
    for number, folder in enumerate(folders):
        upper, scratch = work / f"upper{number}", work / f"work{number}"
        upper.mkdir()
        scratch.mkdir()
        mounts.append(f"mount -t overlay overlay -o 'lowerdir={folder},upperdir={upper},"
                      f"workdir={scratch},userxattr' '{folder}'")
    script = " && ".join(mounts) + f" || exit {SKIP}\ncd '{ROOT}' && exec \"$@\""
    try:
        return subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", sys.executable,
             str(Path(__file__).resolve()), str(build)],
            env={**os.environ, INSIDE: "1"}, check=False).returncode
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", str(work)], check=False)
        shutil.rmtree(work, ignore_errors=True)


def main():
    build = Path(sys.argv[1]).resolve()
    examples = [Example(patch) for patch in sorted(HERE.glob("*.patch"))]
    if os.environ.get(INSIDE):
        build_and_test(examples, build)
        return 0
    manual = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    faults = [fault for example in examples for fault in faults_of(example, manual)]
    for fault in faults:
        print(fault)
    for example in examples:
        print(f"{example.patch.stem}: {len(example.files)} files and {len(example.tests)} of tests")
    return 1 if faults else in_overlay(build)


if __name__ == "__main__":
    sys.exit(main())
