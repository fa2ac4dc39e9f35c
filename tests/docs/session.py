"""Runs the blocks of one document in one shell; its terminal answers when a PIN is asked."""

import ctypes
import os
import pty
import signal
import subprocess
import termios
import threading
import time
from pathlib import Path

PIN = b"24681357\n"
PR_SET_CHILD_SUBREAPER = 36
MARK = "\036"


def adopt_orphans():
    """Daemons that a document starts become children of this process when their parents end."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def own_children():
    pids = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            pids.update(map(int, (task / "children").read_text().split()))
        except OSError:
            pass  # the thread has just ended
    return pids


def reap(pids):
    for pid in list(pids):
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                pids.discard(pid)
        except ChildProcessError:
            pids.discard(pid)


def end_all_but(kept):
    """Ends every child but `kept`, and the children that those leave behind."""
    for number, seconds in ((signal.SIGTERM, 20), (signal.SIGKILL, 5)):
        deadline = time.monotonic() + seconds
        told = set()
        while time.monotonic() < deadline:
            pids = own_children() - kept
            reap(pids)
            if not pids:
                return
            for pid in pids - told:
                os.kill(pid, number)
            told |= pids
            time.sleep(0.05)


def script_of(blocks):
    """A script whose lines have the numbers of the document's, so that the shell names them."""
    lines = {1: f"set -e; at() {{ printf '{MARK}%s\\n' \"$1\"; }}"}
    for block in blocks:
        lines[block.line] = f"at {block.line}"
        for offset, line in enumerate(block.lines, 1):
            lines[block.line + offset] = line
    return "".join(lines.get(number, "") + "\n" for number in range(1, max(lines) + 1))


class Terminal:
    """A pseudo-terminal on which somebody types the PIN whenever a program asks with echo off."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        os.set_blocking(self.master, False)
        self.ended = threading.Event()
        self.typist = threading.Thread(target=self._type)
        self.typist.start()

    def _type(self):
        while not self.ended.wait(0.1):
            try:
                os.read(self.master, 4096)
            except BlockingIOError:
                pass
            if not termios.tcgetattr(self.slave)[3] & termios.ECHO:
                os.write(self.master, PIN)

    def close(self):
        self.ended.set()
        self.typist.join()
        os.close(self.master)
        os.close(self.slave)


class Ran:
    """The result of a document: exit status (None: out of time) and the output of each block."""

    def __init__(self, status, output):
        self.status = status
        self.outputs = {}
        self.last_line = 0
        for part in output.split(MARK)[1:]:
            number, _, text = part.partition("\n")
            self.last_line = int(number)
            self.outputs[self.last_line] = text


def run(blocks, folder, environment, seconds):
    """Runs `blocks` in `folder`. Whatever they started and left running is the caller's to end."""
    script = folder / "blocks.sh"
    script.write_text(script_of(blocks), "utf-8")
    log = folder / "output"
    terminal = Terminal()
    name = os.ttyname(terminal.slave)
    try:
        with open(log, "wb") as out:
            # The first terminal that the leader of a session opens becomes the session's own.
            shell = subprocess.Popen(
                ["setsid", "--wait", "bash", "-c", 'exec <"$0"; exec bash "$1"', name, str(script)],
                cwd=folder / "work", env=environment, stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT)
            try:
                status = shell.wait(seconds)
            except subprocess.TimeoutExpired:
                status = None
                shell.kill()
                shell.wait()
    finally:
        terminal.close()
    return Ran(status, log.read_text("utf-8", "replace"))
