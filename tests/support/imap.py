"""A real IMAP server for tests: Dovecot."""

import contextlib
import imaplib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from tests.support.web import free_port

USER = "plaza"
PASSWORD = "p@ss:word/of"
DOVECOT = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
START_SECONDS = 20.0

_CONFIG = """
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:{folder}/mail
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
last_valid_uid = 0
first_valid_gid = 1
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={folder}/home
}}
"""


@dataclass(frozen=True, slots=True)
class ImapServer:
    """A running server, and its one mailbox."""

    port: int

    @property
    def url(self) -> str:
        return f"imap://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/INBOX?security=none"

    def client(self) -> imaplib.IMAP4:
        client = imaplib.IMAP4("127.0.0.1", self.port, timeout=5)
        client.login(USER, PASSWORD)
        return client

    def deliver(self, *mails: bytes) -> None:
        """Put mails into the mailbox, as a mail server would."""
        client = self.client()
        for mail in mails:
            assert client.append("INBOX", None, None, mail)[0] == "OK"
        client.logout()

    def unread(self) -> int:
        client = self.client()
        client.select("INBOX", readonly=True)
        _, found = client.search(None, "UNSEEN")
        client.logout()
        return len(found[0].split())


@contextmanager
def imap_server() -> Iterator[ImapServer]:
    """Run Dovecot with one empty mailbox."""
    assert DOVECOT is not None
    root = os.geteuid() == 0
    owner = pwd.getpwnam("nobody") if root else pwd.getpwuid(os.geteuid())
    folder = Path(tempfile.mkdtemp(prefix="placa-imap-"))
    server = ImapServer(free_port())
    for name in ("run", "state", "mail", "home"):
        (folder / name).mkdir()
    folder.chmod(0o755)
    group = subprocess.check_output(["id", "-gn", owner.pw_name], text=True).strip()
    values = {"uid": owner.pw_uid, "gid": owner.pw_gid, "user": owner.pw_name, "group": group}
    config = folder / "dovecot.conf"
    config.write_text(_CONFIG.format(folder=folder, port=server.port, password=PASSWORD, **values))
    if root:
        for path in (folder / "mail", folder / "home", folder / "state"):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    process = subprocess.Popen([DOVECOT, "-F", "-c", str(config)])
    try:
        until = time.monotonic() + START_SECONDS
        while not _answers(server):
            log = folder / "log"
            assert time.monotonic() < until, log.read_text() if log.exists() else "no log"
            assert process.poll() is None, log.read_text() if log.exists() else "it ended"
            time.sleep(0.1)
        yield server
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


def _answers(server: ImapServer) -> bool:
    with contextlib.suppress(OSError, imaplib.IMAP4.error):
        server.client().logout()
        return True
    return False
