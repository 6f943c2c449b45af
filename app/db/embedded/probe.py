"""Is the server alive, and is that process ours?"""

import socket
import struct
import subprocess
from pathlib import Path

_PROTOCOL = 196608
_ASK_SECONDS = 2.0


def answers(socket_file: Path) -> bool:
    """Tell whether a server behind `socket_file` accepts connections.

    A process id proves nothing after `kill -9`; this speaks the protocol: a
    StartupMessage that is answered by an authentication request.
    """
    body = struct.pack("!i", _PROTOCOL) + b"user\0postgres\0database\0postgres\0\0"
    try:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(_ASK_SECONDS)
            peer.connect(str(socket_file))
            peer.sendall(struct.pack("!i", len(body) + 4) + body)
            return peer.recv(1) == b"R"
    except OSError:
        return False


def recorded_pid(cluster: Path) -> int | None:
    """Return the process id the last server on `cluster` wrote down, if any."""
    try:
        return int((cluster / "postmaster.pid").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def serves(pid: int, cluster: Path) -> bool:
    """Tell whether process `pid` is a live server on `cluster`.

    The number may have gone to a stranger since it was written down.
    """
    entry = Path(f"/proc/{pid}")
    if Path("/proc/self/stat").exists():
        try:
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
            name = (entry / "comm").read_text().strip()
            return state != "Z" and name == "postgres" and (entry / "cwd").readlink() == cluster
        except OSError:
            return False
    listed = subprocess.run(
        ["ps", "-o", "command=", "-p", str(pid)], check=False, capture_output=True, text=True
    ).stdout
    return "postgres" in listed and str(cluster) in listed
