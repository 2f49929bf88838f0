"""Commands that ask a service over HTTP, and find something else there."""

from __future__ import annotations

import pytest

from menpai.serving.server import Server
from tests.cli.conftest import Run
from tests.cli.strangers import speaking
from tests.serving.rig import serving

HTML = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>"
ANSWERS = {
    "html": HTML,
    "json": HTML.replace(b"6", b"2").replace(b"<html>", b"{}"),
    "refusal in html": HTML.replace(b"200 OK", b"502 Bad Gateway"),
    "a list": HTML.replace(b"200 OK", b"502 Bad Gateway").replace(b"<html>", b"[1234]"),
    "ssh": b"SSH-2.0-OpenSSH_9\r\n",
    "half an answer": HTML.replace(b"6", b"9000"),
    "nothing": b"",
}
COMMANDS = (
    "serve --reload --port {port}",
    "doctor --quick --url {url}",
    "loadtest {url} --clients 1 --seconds 1",
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_what_is_no_menpai_is_told_in_two_lines(run: Run, command: str, answer: bytes) -> None:
    with speaking(answer) as port:
        result = run(*command.format(port=port, url=f"http://127.0.0.1:{port}").split())
    assert result.code == 3
    assert f"http://127.0.0.1:{port}" in result.err
    assert "hint: " in result.err
    assert "Traceback" not in result.err
    assert len(result.err.splitlines()) == 2


def test_a_proxy_of_the_environment_is_not_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with serving(None) as (server, port):
        assert isinstance(server, Server)
        assert "nothing is reloaded" in run("serve", "--reload", "--port", str(port)).err
        assert run("doctor", "--quick", "--url", f"http://127.0.0.1:{port}").code == 0


def test_a_share_of_a_rate_needs_a_rate(run: Run) -> None:
    result = run("loadtest", "http://127.0.0.1:1", "--clients", "0", "--rates", "100,0.8x")
    assert (result.code, "--rates cannot be" in result.err) == (2, True)
