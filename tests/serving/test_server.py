"""Listening: who may be let in, ports that are taken, hosts that do not exist, an extra that is missing."""

from __future__ import annotations

import socket
import sys

import pytest

from menpai.cli.entry import main
from menpai.errors import NotReadyError, UsageError
from menpai.serving.server import bind, check_host
from menpai.settings import Settings


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_this_machine_may_always_be_listened_on(host: str) -> None:
    check_host(Settings(host=host))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "menpai.example", ""])
def test_other_machines_are_let_in_by_a_key_or_by_intent(host: str) -> None:
    with pytest.raises(UsageError, match="without a key"):
        check_host(Settings(host=host))
    check_host(Settings(host=host, api_key="s3cret"))
    check_host(Settings(host=host, insecure=True))


def test_a_free_port_is_found() -> None:
    with bind("127.0.0.1", 0) as listener:
        assert listener.getsockname()[1] > 0


def test_a_taken_port_is_one_clear_line_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(NotReadyError, match=f"port {port} on 127.0.0.1 is in use"):
            bind("127.0.0.1", port)
        for language, words in (("en", "is in use"), ("zh", "已被占用")):
            assert main(["serve", "--port", str(port), "--language", language]) == 3
            captured = capsys.readouterr()
            assert words in captured.err
            assert len(captured.err.strip().splitlines()) <= 2
            assert captured.out == ""


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--host", "0.0.0.0"], "without a key"),
        (["--host", "no.such.host.invalid", "--insecure"], "cannot listen"),
        (["--host", "192.0.2.7", "--insecure"], "cannot listen"),
        (["--port", "70000"], "port"),
        (["--port", "-1"], "port"),
        (["--prot", "1"], "--port"),
    ],
)
def test_what_cannot_be_listened_on_is_a_usage_error(
    flags: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *flags, "--language", "en"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    "name", ["starlette", "uvicorn", "msgspec", "prometheus_client", "swagger_ui_bundle"]
)
def test_a_missing_extra_is_named_with_its_cure(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [m for m in sys.modules if m.startswith("menpai.serving") or m.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    assert main(["serve", "--port", "0", "--language", "en"]) == 3
    error = capsys.readouterr().err
    assert name.replace("_", "-") in error.replace("_", "-")
    assert "menpai[serve]" in error
