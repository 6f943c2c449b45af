"""Static files: public names, rewriting, compression, and what is vendored."""

import base64
import gzip
import json
from hashlib import sha384
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse

from app.errors import NotFoundError
from app.web.static import DIRECTORY, StaticFiles, static_files


def client(files: StaticFiles) -> httpx.AsyncClient:
    app = FastAPI()
    app.mount("/static", files)

    @app.exception_handler(NotFoundError)
    async def not_found(*_: object) -> PlainTextResponse:
        return PlainTextResponse("", 404)

    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


def write(folder: Path, name: str, content: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def test_the_public_name_changes_with_the_content_of_what_is_referred_to(tmp_path: Path) -> None:
    write(tmp_path, "fonts/a.woff2", "one")
    write(tmp_path, "css/a.css", '@font-face { src: url("../fonts/a.woff2") format("woff2"); }')
    write(tmp_path, "js/a.js", 'import { b } from "./b.js";')
    write(tmp_path, "js/b.js", "export const b = 1;")
    before = StaticFiles(tmp_path)
    write(tmp_path, "fonts/a.woff2", "two")
    write(tmp_path, "js/b.js", "export const b = 2;")
    after = StaticFiles(tmp_path)

    assert before["css/a.css"].public_name != after["css/a.css"].public_name
    assert before["js/a.js"].public_name != after["js/a.js"].public_name
    assert f'url("../{after["fonts/a.woff2"].public_name}")' in after["css/a.css"].content.decode()
    assert f'from "./{after["js/b.js"].public_name[3:]}"' in after["js/a.js"].content.decode()


def test_comments_and_indentation_of_style_sheets_and_scripts_are_not_sent(tmp_path: Path) -> None:
    rules = '/* kept */ a { color: red; }\nb::before { content: "/*"; } /* kept */\n'
    write(tmp_path, "css/a.css", f"/* one ** \n  two */\n{rules}  /* three */\n  c {{}}\n")
    write(tmp_path, "js/a.js", '// one\nlet a = "//"; // kept\n  // two\n  let b = 1;\n')
    write(tmp_path, "vendor/a.css", "/* whose it is */\nd {}\n")
    files = StaticFiles(tmp_path)

    assert files["css/a.css"].content.decode() == f"{rules}c {{}}\n"
    assert files["js/a.js"].content.decode() == 'let a = "//"; // kept\nlet b = 1;\n'
    assert files["vendor/a.css"].content.decode() == "/* whose it is */\nd {}\n"


def test_no_script_has_text_over_several_lines_that_could_look_like_a_comment() -> None:
    scripts = [*DIRECTORY.glob("js/*.js")]

    assert scripts
    assert [
        f"{path.name}: {line}"
        for path in scripts
        for line in path.read_text("utf-8").splitlines()
        if line.count("`") % 2
    ] == []


@pytest.mark.parametrize(
    "content",
    [
        pytest.param('import "./missing.js";', id="nowhere"),
        pytest.param('import "./a.js";', id="itself"),
    ],
)
def test_a_reference_that_cannot_be_resolved_is_refused_at_the_start(
    tmp_path: Path, content: str
) -> None:
    write(tmp_path, "js/a.js", content)

    with pytest.raises(ValueError, match=r"js/a\.js"):
        StaticFiles(tmp_path)


@pytest.mark.anyio
async def test_a_file_is_immutable_and_compressed_for_those_who_can_read_that() -> None:
    files = static_files()
    name = files["css/base.css"].public_name
    async with client(files) as http:
        packed = await http.get(f"/static/{name}", headers={"Accept-Encoding": "gzip"})
        plain = await http.get(f"/static/{name}", headers={"Accept-Encoding": "identity"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert packed.content == plain.content == files["css/base.css"].content
    assert packed.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert "ETag" not in packed.headers
    assert gzip.decompress(files["css/base.css"].zipped or b"") == plain.content


@pytest.mark.anyio
@pytest.mark.parametrize(
    "name", ["css/base.css", "css/base.0000000000.css", "../errors.py", "%2e%2e/errors.py", ""]
)
async def test_only_exact_public_names_are_served(name: str) -> None:
    async with client(static_files()) as http:
        answer = await http.get(f"/static/{name}")

    assert answer.status_code == 404


@pytest.mark.anyio
async def test_static_files_can_only_be_read() -> None:
    name = static_files()["css/base.css"].public_name
    async with client(static_files()) as http:
        head = await http.head(f"/static/{name}")
        post = await http.post(f"/static/{name}")

    assert (head.status_code, head.content) == (200, b"")
    assert post.status_code == 405


def test_vendored_files_are_byte_for_byte_those_in_the_lock() -> None:
    lock = json.loads((DIRECTORY / "vendor/vendor.lock.json").read_text())
    locked = {}
    for package in lock.values():
        for name, facts in package["files"].items():
            content = (DIRECTORY / "vendor" / name).read_bytes()
            digest = base64.b64encode(sha384(content).digest()).decode()
            locked[name] = (f"sha384-{digest}", len(content)) == (facts["sha384"], facts["bytes"])
    there = {
        path.relative_to(DIRECTORY / "vendor").as_posix()
        for path in (DIRECTORY / "vendor").rglob("*")
        if path.is_file()
    }

    assert all(locked.values()), locked
    assert there == {*locked, "vendor.lock.json"}


def test_fonts_come_with_their_licences() -> None:
    names = {path.name for path in (DIRECTORY / "fonts").iterdir()}

    assert {"OFL-alegreya.txt", "OFL-alegreya-sans.txt"} <= names
