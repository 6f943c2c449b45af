"""Every command block of README and the guide for hosts is run, word for word.

`placa` and the server behind `make play` are the real ones.  No container engine
and no remote repository is at hand here: a stand-in for `docker` checks the
compose file with compose itself and runs the image's commands natively, and a
stand-in for `git` pulls nothing.  `make test` and what else would take minutes is
only asked for its recipe.
"""

import os
import re
import shutil
import sys
from pathlib import Path

import anyio
import pytest

from app.db.session import Sessions
from tests.support.people import Gathering
from tests.support.postgres import TestServer
from tests.support.web import free_port

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "self-hosting.md")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Files a host writes, not commands: compared with what the program needs by other tests.
FILES = {"ini", "caddy", "nginx", "haproxy"}

PLACA = f'#!/bin/sh\nexec "{sys.executable}" -m app.cli "$@"\n'

# Started, waited for until it is ready, and stopped as Ctrl-C does.
MAKE = f"""#!/bin/sh
set -eu
make={shutil.which("make")}
"$make" -n -C "{ROOT}" "$@" > /dev/null
[ "$1" = play ] || exit 0
log=$(mktemp)
"{sys.executable}" -m app.cli play > "$log" 2>&1 &
server=$!
for _ in $(seq 600); do
    grep -q "Plaça is ready" "$log" && break
    kill -0 $server || {{ cat "$log" >&2; exit 1; }}
    sleep 0.1
done
grep "Plaça is ready" "$log"
kill -INT $server
wait $server
"""

DOCKER = f"""#!/bin/sh
set -eu
[ "$1" = compose ]
compose="$COMPOSE"
[ -z "$compose" ] || "$compose" -f "{ROOT}/docker-compose.yml" config -q
case "$2" in
    up) exec placa config check ;;
    exec | run)
        shift 2
        while [ "$1" != app ]; do shift; done
        shift
        [ "$1" = placa ]
        exec "$@" ;;
    *) exit 64 ;;
esac
"""


def blocks() -> list[tuple[str, str]]:
    """Return every block of commands, with the page it is on."""
    return [
        (page.name, body)
        for page in PAGES
        for language, body in BLOCK.findall(page.read_text(encoding="utf-8"))
        if language not in FILES
    ]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder with the commands a host types."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, script in {
        "placa": PLACA,
        "make": MAKE,
        "docker": DOCKER,
        "git": '#!/bin/sh\n[ "$1" = pull ]\n',
    }.items():
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    return folder


async def test_every_block_of_commands_does_what_it_says(
    sessions: Sessions, database_url: str, postgres: TestServer, tools: Path, open_folder: Path
) -> None:
    table = await Gathering.of(sessions, seats=2)
    await table.fill_with_bots()
    await table.start()
    started = postgres.clone("documented")
    compose = shutil.which("docker-compose", path=f"{Path(sys.executable).parent}")
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "COMPOSE": compose or "",
        "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
    }
    seen = []
    for number, (page, body) in enumerate(blocks()):
        url = database_url
        if "restore" in body:
            url = postgres.create(f"restored{number}")
        elif "doctor" in body:
            url = started
        here = {**environment, "DATABASE_URL": url, "PLACA_DATA_DIR": str(open_folder)}
        if "make play" in body:
            here |= {"PORT": str(free_port()), "PLACA_DATA_DIR": str(open_folder / str(number))}
            del here["DATABASE_URL"]
        done = await anyio.run_process(
            ["sh", "-eu", "-c", body], cwd=tools.parent, env=here, check=False
        )
        said = done.stdout.decode()
        # The doctor is right: no worker runs in this test.
        expected = 1 if "doctor" in body else 0
        assert done.returncode == expected, f"{page}: {body}\n{said}\n{done.stderr.decode()}"
        seen.append(body)
        if "restore" in body or "verify" in body:
            assert "1 matches verified, 0 problems" in said, body
        if "doctor" in body:
            assert [line for line in said.splitlines() if line.startswith("FAULT")] == [
                line for line in said.splitlines() if "worker.dead" in line
            ]

    assert len(seen) >= 12
    assert any("restore" in body for body in seen)
