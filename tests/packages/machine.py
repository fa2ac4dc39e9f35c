"""A Debian of its own in a folder: made with debootstrap, booted with systemd-nspawn."""

import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

BASE_PACKAGES = "systemd,systemd-sysv,libpam-systemd,dbus,procps,ca-certificates"
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def eventually(condition, seconds=60):
    """The first true answer of `condition`, or its last answer if none is true."""
    deadline = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer or time.monotonic() > deadline:
            return answer
        time.sleep(0.2)


def make_base(folder):
    """A minimal Debian 12 with systemd; made once."""
    if (folder / "etc/debian_version").exists():
        return
    draft = folder.with_name(folder.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    subprocess.run(["debootstrap", "--variant=minbase", f"--include={BASE_PACKAGES}", "bookworm",
                    str(draft)], check=True, stdout=subprocess.DEVNULL)
    draft.rename(folder)


class Machine:
    """`root` is a copy of the base. Until `boot` it is a chroot, with the network of this machine;
    from then on it has a systemd of its own, and no network."""

    def __init__(self, base, root):
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(root)], check=True)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        self.root = root
        self.container = None
        self.init = 0

    def chroot(self, *command):
        return subprocess.run(["chroot", str(self.root), *command], check=True, text=True,
                              env={"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive",
                                   "LC_ALL": "C.UTF-8"}, stdout=subprocess.DEVNULL)

    def boot(self):
        self.log = open(self.root.with_suffix(".log"), "wb")
        self.container = subprocess.Popen(
            ["systemd-nspawn", "--directory", str(self.root), "--register=no", "--keep-unit",
             "--private-network", "--machine=a2h-packages", "--boot"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        if not eventually(self.find_init):
            raise RuntimeError(f"the container did not start, see {self.log.name}")
        state = eventually(lambda: self.run("systemctl", "is-system-running").stdout.strip()
                           in ("running", "degraded"))
        if not state:
            raise RuntimeError(f"systemd did not come up, see {self.log.name}")

    def find_init(self):
        """The container's process 1, as this machine numbers it: a child of nspawn."""
        if self.container.poll() is not None:
            return 0
        children = Path(f"/proc/{self.container.pid}/task/{self.container.pid}/children")
        for child in children.read_text().split():
            status = Path(f"/proc/{child}/status").read_text()
            if re.search(r"^NSpid:\t\d+\t1$", status, re.M):
                self.init = int(child)
        return self.init

    def run(self, *command, user=None, environment=None, given=""):
        """A command inside; as root unless `user` is named."""
        words = ["nsenter", "--target", str(self.init), "--all", "--", "env", "-i", f"PATH={PATH}",
                 "LC_ALL=C.UTF-8", *(f"{k}={v}" for k, v in (environment or {}).items())]
        if user:
            words += ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
        return subprocess.run([*words, *command], check=False, capture_output=True, text=True,
                              input=given, timeout=180)

    def systemctl(self, *words):
        return self.run("systemctl", *words)

    def property(self, unit, name):
        return self.systemctl("show", "--value", f"--property={name}", unit).stdout.strip()

    def halt(self):
        if self.container is None:
            return
        if self.container.poll() is None:
            # nspawn hands this on as the signal with which systemd shuts down.
            self.container.send_signal(signal.SIGTERM)
            try:
                self.container.wait(60)
            except subprocess.TimeoutExpired:
                self.container.kill()
                self.container.wait()
        self.log.close()


def repack(package, folder, version):
    """The package under another version, with a file that the next one does not have."""
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    text = control.read_text("utf-8")
    name = re.search(r"^Package: (.*)$", text, re.M).group(1)
    control.write_text(re.sub(r"^Version: .*$", f"Version: {version}", text, flags=re.M), "utf-8")
    (tree / f"usr/share/doc/{name}/only-then").write_text("gone with the upgrade\n", "utf-8")
    made = folder / f"{name}_{version}.deb"
    subprocess.run(["dpkg-deb", "--build", "-Znone", str(tree), str(made)], check=True,
                   stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return made


def is_root():
    return os.geteuid() == 0
