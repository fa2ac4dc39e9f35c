#!/usr/bin/env python3
"""Runs the command blocks of the documentation: commands_test.py BUILD [unittest options].

A block is fenced with one of these words:
  sh run    runs; all of a document run in order in one shell, which ends at the first error
  sh set    addresses and ports that the reader chooses; the test has chosen others already
  text output
            what the block before it printed: these lines in this order, … for anything
  console   is only shown; the line before it says why, as <!-- shown: reason -->
"""

import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import markdown
import session

# Each must have blocks that run, in both languages.
GUIDES = ["install", "seller", "buyer", "phone", "market", "security",
          "operations", "troubleshooting", "negotiation"]
SECONDS = 120
COMMAND_WORDS = {"sh", "bash", "shell", "console", "zsh"}


def name_of(document):
    return str(document.relative_to(markdown.ROOT))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} within {seconds} s")
        time.sleep(0.05)


class Ntfy(http.server.BaseHTTPRequestHandler):
    """Stands in for an ntfy server: takes messages, has none to give, and wants the token."""

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        known = self.headers.get("Authorization") == "Bearer tk_of_the_guide"
        reply = {"id": "m1", "topic": json.loads(text).get("topic", "")} if known else {}
        self.answer(200 if known else 401, json.dumps(reply).encode())

    def do_GET(self):
        self.answer(200, b"")

    def log_message(self, *_):
        pass


class House:
    """A market, its broker and an ntfy server for all documents."""

    def __init__(self, build):
        self.bin = Path(build, "bin").resolve()
        self.temp = tempfile.TemporaryDirectory(prefix="a2h-docs-")
        self.folder = Path(self.temp.name)
        broker_port = free_port()
        program = str(self.bin / "a2h-market")
        data = str(self.folder / "market")
        self.market = self.start(
            [program, "--data", data, "--listen", "127.0.0.1:0",
             "--mqtt-url", f"mqtt://127.0.0.1:{broker_port}"], "market.log")
        log = self.folder / "market.log"
        wait_for(lambda: "listening on " in log.read_text(), "the market listens")
        self.market_url = re.search(r"listening on (\S+)", log.read_text())[1]
        configuration = self.folder / "mosquitto.conf"
        configuration.write_bytes(subprocess.run(
            [program, "broker-config", "--data", data, "--port", str(broker_port)],
            check=True, capture_output=True, timeout=30).stdout)
        self.broker = self.start(["/usr/sbin/mosquitto", "-c", str(configuration)], "broker.log")
        wait_for(lambda: accepts(broker_port), "the broker listens")
        self.ntfy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ntfy)
        threading.Thread(target=self.ntfy.serve_forever, daemon=True).start()

    def start(self, command, log):
        with open(self.folder / log, "wb") as out:
            return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)

    def settings(self):
        """The variables that a `sh set` block may set, and their values here."""
        return {"MARKET": self.market_url, "NTFY": f"http://127.0.0.1:{self.ntfy.server_port}",
                "SOURCE": str(markdown.ROOT), "MARKET_PORT": str(free_port()),
                "BROKER_PORT": str(free_port())}

    def environment(self, home, document):
        language = "zh_CN.UTF-8" if document.name.endswith(".zh_CN.md") else "C.UTF-8"
        return {"HOME": str(home), "LC_ALL": language, "TZ": "UTC", "TERM": "dumb",
                "TMPDIR": str(home.parent / "tmp"),
                "PATH": f"{self.bin}:{os.environ['PATH']}:/usr/sbin"} | self.settings()

    def close(self):
        self.ntfy.shutdown()
        self.ntfy.server_close()
        for child in (self.broker, self.market):
            child.terminate()
            child.wait(20)
        self.temp.cleanup()


def faults_of_words(document, blocks):
    """Blocks with commands that neither run nor say why not."""
    for block in blocks:
        words = block.info.split()
        where = f"{name_of(document)}:{block.line}"
        if not words or words[0] not in COMMAND_WORDS:
            continue
        if words == ["console"] and not block.reason:
            yield f"{where}: is only shown; say why in the line before: <!-- shown: reason -->"
        elif words not in (["sh", "run"], ["sh", "set"], ["console"]):
            yield f"{where}: `{block.info}` is neither `sh run`, `sh set` nor `console`"


def faults_of_settings(document, blocks, known):
    for block in blocks:
        if block.info != "sh set":
            continue
        for offset, line in enumerate(block.lines, 1):
            match = re.match(r"(\w+)=", line)
            if not match or match[1] not in known:
                yield f"{name_of(document)}:{block.line + offset}: the test sets no such variable"


def pattern_of(line):
    return ".*".join(map(re.escape, line.strip().split("…")))


def faults_of_outputs(document, blocks, outputs):
    printed = None
    for block in blocks:
        if block.info == "sh run":
            printed = outputs.get(block.line, "").splitlines()
        if block.info != "text output":
            continue
        rest = list(printed or [])
        for offset, line in enumerate(block.lines, 1):
            while line.strip() and rest and not re.search(pattern_of(line), rest[0]):
                rest.pop(0)
            if line.strip() and not rest:
                yield (f"{name_of(document)}:{block.line + offset}: not printed: {line}\n"
                       + "\n".join(printed or ["(nothing)"]))
                break


class Commands(unittest.TestCase):
    maxDiff = None

    def check_document(self, document):
        blocks, _ = markdown.split(document.read_text("utf-8"))
        faults = list(faults_of_words(document, blocks))
        faults += faults_of_settings(document, blocks, HOUSE.settings())
        running = [block for block in blocks if block.info == "sh run"]
        if name_of(document).removeprefix("docs/").split(".")[0] in GUIDES:
            self.assertGreater(len(running), 0, f"{name_of(document)}: no block of this guide runs")
        if running and not faults:
            faults += self.run_document(document, blocks, running)
        self.assertEqual(faults, [], "\n" + "\n".join(faults))

    def run_document(self, document, blocks, running):
        folder = Path(tempfile.mkdtemp(dir=HOUSE.folder))
        for name in ("home", "work", "tmp"):
            (folder / name).mkdir(mode=0o700)
        try:
            environment = HOUSE.environment(folder / "home", document)
            ran = session.run(running, folder, environment, SECONDS)
        finally:
            session.end_all_but({HOUSE.market.pid, HOUSE.broker.pid})
            shutil.rmtree(folder, ignore_errors=True)
        print(f"{name_of(document)}: {len(ran.outputs)} of {len(running)} blocks ran", flush=True)
        if ran.status != 0:
            end = "was not through in time" if ran.status is None else f"ended with {ran.status}"
            return [f"{name_of(document)}:{ran.last_line}: the block that begins here {end}\n"
                    + ran.outputs.get(ran.last_line, "")]
        return list(faults_of_outputs(document, blocks, ran.outputs))

    def test_every_guide_is_there_in_both_languages(self):
        for guide in GUIDES:
            counts = []
            for name in (f"{guide}.md", f"{guide}.zh_CN.md"):
                text = (markdown.ROOT / "docs" / name).read_text("utf-8")
                blocks, _ = markdown.split(text)
                counts.append([block.info for block in blocks if block.info.startswith("sh")])
            self.assertEqual(*counts, f"docs/{guide}: the languages have different commands")


def add_documents():
    for document in markdown.documents():
        def check(self, document=document):
            self.check_document(document)
        setattr(Commands, "test_" + re.sub(r"\W", "_", name_of(document)), check)


if __name__ == "__main__":
    build = sys.argv.pop(1) if len(sys.argv) > 1 else str(markdown.ROOT / "build")
    session.adopt_orphans()
    add_documents()
    HOUSE = House(build)
    try:
        unittest.main(exit=False).result.wasSuccessful() or sys.exit(1)
    finally:
        HOUSE.close()
