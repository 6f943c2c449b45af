"""What a container engine does for the image, done natively: as root, with `unshare`.

The image's command gets a root of its own, which cannot be written but for /data and /tmp; no
network but its own loopback; no capabilities, no way to get any, and a user nobody knows.  What
it is started with is read from Dockerfile and compose file.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]
USER: Final = 12345
PATIENCE_SECONDS: Final = 90.0
# The parts of a Debian that a program needs.
PARTS: Final = ("usr", "bin", "sbin", "lib", "lib64", "etc")
NODES: Final = ("null", "zero", "random", "urandom")

# Runs in namespaces of its own, and becomes the command; nothing of it reaches outside.
_ENTER: Final = r"""
set -eu
root=$1; shift
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$root"
for part in $PARTS; do
    if [ -L "/$part" ]; then cp -P "/$part" "$root/$part"
    elif [ -d "/$part" ]; then mkdir "$root/$part"; mount --rbind "/$part" "$root/$part"; fi
done
mkdir -p "$root/dev" "$root/proc" "$root/tmp"
# Before what is shared: the checkout may lie below /tmp itself.
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for pair in $SHARED; do
    mkdir -p "$root${pair#*=}"
    mount --bind "${pair%%=*}" "$root${pair#*=}"
done
mount --rbind /proc "$root/proc"
for node in $NODES; do touch "$root/dev/$node"; mount --bind "/dev/$node" "$root/dev/$node"; done
for point in $(cut -d' ' -f2 /proc/self/mounts); do
    case $point in
        "$root/proc"* | "$root/dev"* | "$root/tmp" | "$root/data" | "$root/var/run/postgresql") ;;
        "$root"*) mount -o remount,bind,ro "$point" ;;
    esac
done
exec "$@"
"""


@dataclass(frozen=True, slots=True)
class Image:
    """What the last stage of the Dockerfile says."""

    environment: dict[str, str]
    command: list[str]
    health: list[str]
    folder: str

    @classmethod
    def read(cls) -> "Image":
        """Read it."""
        text = (ROOT / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")[-1]
        text = text.replace("\\\n", " ")
        said = re.search(r"^ENV (.*)$", text, re.MULTILINE)
        command = re.search(r"^CMD (\[.*\])$", text, re.MULTILINE)
        health = re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", text, re.MULTILINE)
        folder = re.search(r"^WORKDIR (\S+)$", text, re.MULTILINE)
        assert said is not None
        assert command is not None
        assert health is not None
        assert folder is not None
        pairs = dict(pair.split("=", 1) for pair in said[1].split())
        assert "ENTRYPOINT" not in text
        return cls(pairs, json.loads(command[1]), json.loads(health[1]), folder[1])


def may_unshare() -> None:
    """Skip the test where this cannot be done; `.ci/test` says so too where root runs it."""
    if os.geteuid() != 0:
        pytest.skip("only root may give a process mounts and a user of its own")
    for name in ("unshare", "setpriv", "nsenter"):
        assert shutil.which(name), f"{name} is missing; it is of Debian's util-linux"
    probe = ["unshare", "-m", "-n", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    done = subprocess.run(probe, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"this machine forbids mounts of one's own: {done.stderr.strip()}")


@dataclass(slots=True)
class Container:
    """The image's command, running; `log` is what it says."""

    process: subprocess.Popen[bytes]
    image: Image
    environment: dict[str, str]
    log: Path

    @property
    def said(self) -> str:
        """What it has said until now."""
        return self.log.read_text(encoding="utf-8")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command inside, as the engine does for health checks and `exec`."""
        inside = ["nsenter", "-t", str(self.process.pid), "-m", "-n", "-r"]
        return subprocess.run(
            [*inside, *_as_nobody(self.image.folder, *command)],
            check=False,
            capture_output=True,
            text=True,
            env=self.environment,
        )

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition` holds; it fails if the command ends before."""
        ends = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < ends, self.said
            time.sleep(0.2)

    def healthy(self) -> bool:
        """Run the image's own health check."""
        return self.run(*self.image.health).returncode == 0

    def status(self, path: str) -> tuple[int, str]:
        """Return the status of an answer and its Retry-After, asked for from inside."""
        script = (
            "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=20);"
            f"c.request('GET', {path!r}); a = c.getresponse();"
            "print(a.status, a.getheader('Retry-After'))"
        )
        done = self.run("python", "-c", script)
        assert done.returncode == 0, done.stderr
        status, retry = done.stdout.split()
        return int(status), retry


def _as_nobody(folder: str, *command: str) -> list[str]:
    """Return `command` for a user without name, rights, and any way to get some."""
    return [
        *("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"),
        *("--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"),
        *("sh", "-c", f'cd {folder} && exec "$@"', "sh"),
        *command,
    ]


@contextmanager
def running(place: Path, data: Path, sockets: Path, app: dict[str, Any]) -> Iterator[Container]:
    """Run the image's command on `data`; `app` is its service in the compose file.

    Below `place` lies the root that is made; `sockets` is where the database will listen.
    """
    image = Image.read()
    base, home = Path(sys.base_prefix), place / "root"
    home.mkdir()
    path = image.environment["PATH"].replace("$PATH", "/usr/local/bin:/usr/bin:/bin")
    environment = {
        **image.environment,
        "PATH": path,
        # Not the checkout that the scripts of a shared environment are of.
        "PYTHONPATH": image.folder,
        **{name: str(value) for name, value in app["environment"].items()},
    }
    venv = (ROOT / ".venv").resolve()
    shared = {str(ROOT): image.folder, str(venv): str(venv), str(data): "/data"}
    shared |= {} if base.is_relative_to("/usr") else {str(base): str(base)}
    shared[str(sockets)] = "/var/run/postgresql"
    settings = {
        **os.environ,
        "PARTS": " ".join(PARTS),
        "NODES": " ".join(NODES),
        "SHARED": " ".join(f"{here}={there}" for here, there in shared.items()),
    }
    enter = ["unshare", "-m", "-n", "sh", "-c", _ENTER, "sh", str(home)]
    chroot = shutil.which("chroot", path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or "chroot"
    up = (
        "import fcntl, socket, struct; s = socket.socket();"
        "fcntl.ioctl(s, 0x8914, struct.pack('16sh', b'lo', 0x41))"
    )
    become = [
        *("sh", "-c", f'"$0" -c "{up}" && exec "$@"', sys.executable),
        *("env", "-i", *(f"{name}={value}" for name, value in environment.items())),
        *(chroot, str(home), *_as_nobody(image.folder, *image.command)),
    ]
    log = place / "container.log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*enter, *become], env=settings, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
    try:
        yield Container(process, image, environment, log)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
