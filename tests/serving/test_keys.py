"""Keys in a file: made, read, exchanged without a restart, and never shown."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.cli.entry import main
from menpai.errors import UsageError
from menpai.serving import keys as module
from menpai.serving.keys import Key, Keys, digest_of, make_key, read_keys
from tests.serving.rig import A, B, door, fails

IN = 500  # past the door there is only the error of a pack that cannot be opened
PAIR = {"a": A, "b": B}


def keys(file: Path, api_key: str = "", tell: Any = lambda event, error: None) -> Keys:
    return Keys(api_key, str(file), tell)


@given(
    st.from_regex(r"[A-Za-z0-9._-]{1,64}", fullmatch=True),
    st.none() | st.integers(1, 10**6).map(float),
    st.none() | st.integers(1, 10**6),
)
def test_a_key_is_read_as_it_was_made(name: str, quota: float | None, burst: int | None) -> None:
    secret, key = make_key(name, quota, burst)
    assert secret not in key.line
    found = module._LINE.fullmatch(key.line)
    assert found
    assert bytes.fromhex(found["digest"]) == digest_of(secret.encode())


def test_a_file_of_keys_may_hold_remarks_and_the_mark_of_windows(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    _, first = make_key("shop", 5.0, 10)
    _, second = make_key("etl")
    file.write_text(f"\ufeff# who may call\r\n{first.line}  # until March\r\n\r\n{second.line}", "utf-8")
    assert read_keys(file) == (first, second)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "key_file_empty"),
        ("# nobody\n", "key_file_empty"),
        ("shop s3cret", "key_file_invalid"),
        (f"shop sha256:{'0' * 63}", "key_file_invalid"),
        (f"shop sha256:{'0' * 64} quota=-1", "key_file_invalid"),
        (f"a b sha256:{'0' * 64}", "key_file_invalid"),
    ],
)
def test_a_file_that_is_none_is_refused_without_quoting_it(tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "keys.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        read_keys(file)
    assert caught.value.code == code
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "a b", "名字", "x" * 65, "a#b", "a\nb"])
def test_a_name_that_no_line_could_hold_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a key"):
        make_key(name)


def test_every_key_is_compared_whichever_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, compared, compare = tmp_path / "keys.txt", [], hmac.compare_digest
    (secret, first), (_, second) = make_key("a"), make_key("b")
    file.write_text(f"{first.line}\n{second.line}\n")

    def counted(a: bytes, b: bytes) -> bool:
        compared.append(a)
        return compare(a, b)

    known = keys(file, "s3cret")
    monkeypatch.setattr(module.hmac, "compare_digest", counted)
    assert known.find(secret.encode()) == first
    assert known.find(b"s3cret") == Key("api_key", digest_of(b"s3cret"))
    assert known.find(b"") is None
    assert len(compared) == 9


def test_keys_are_exchanged_without_a_restart(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    file = tmp_path / "keys.txt"
    (old, old_key), (new, new_key) = make_key("old"), make_key("new")
    file.write_text(old_key.line)
    with door(key_file=str(file)) as rig:

        def status(secret: str) -> int:
            code: int = rig.ask("/v1/match", PAIR, authorization=f"Bearer {secret}").status_code
            return code

        assert (status(old), status(new)) == (IN, 401)
        file.write_text(f"{old_key.line}\n{new_key.line}\n")
        assert (status(old), status(new)) == (IN, IN)
        file.write_text(new_key.line)
        assert (status(old), status(new)) == (401, IN)
        file.write_text("what is this?")
        assert (status(old), status(new)) == (401, IN)
        file.unlink()
        assert (status(old), status(new)) == (401, IN)
        events = [line["event"] for line in rig.log if line["event"].startswith("keys")]
        assert events == ["keys_reloaded", "keys_reloaded", "keys_refused", "keys_refused"]
        assert rig.metric('menpai_events_total{event="keys_refused"}') == 2
        written = rig.stream.getvalue()
        assert not any(part in written for part in (old, new, "old", "what is this", old_key.digest.hex()))


def test_callers_are_told_apart_in_the_log_and_never_named(tmp_path: Path) -> None:
    file = tmp_path / "keys.txt"
    (a, a_key), (b, b_key) = make_key("shop-of-wang"), make_key("etl")
    file.write_text(f"{a_key.line}\n{b_key.line}\n")
    with door(key_file=str(file), log_salt="salt") as rig:
        for secret in (a, b, a):
            assert rig.ask("/v1/match", PAIR, authorization=f"Bearer {secret}").status_code == IN
        fails(rig.ask("/v1/match", PAIR, authorization="Bearer nobody"), 401, "key_wrong")
        first, second, third, nobody = (line["client"] for line in rig.requests)
        assert first == third != second
        assert nobody is None
        assert "wang" not in rig.stream.getvalue()


def test_the_command_makes_keys_that_let_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "keys.txt"
    assert main(["key", "shop", "-o", str(file)]) == 0
    secret = capsys.readouterr().out.strip()
    assert main(["key", "etl", "-o", str(file), "--quota", "5", "--burst", "7"]) == 0
    assert [(key.name, key.quota, key.burst) for key in read_keys(file)] == [
        ("shop", None, None),
        ("etl", 5, 7),
    ]
    assert file.stat().st_mode & 0o077 == 0
    assert main(["key", "shop", "-o", str(file), "--language", "en"]) == 2
    assert "already has a key named shop" in capsys.readouterr().err
    with door(key_file=str(file)) as rig:
        assert rig.ask("/v1/match", PAIR, authorization=f"Bearer {secret}").status_code == IN


def test_the_command_without_a_file_shows_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "shop"]) == 0
    secret, line = capsys.readouterr().out.splitlines()
    assert line == Key("shop", digest_of(secret.encode())).line
    assert main(["key", "shop", "--json"]) == 0
    assert '"key": "menpai_' in capsys.readouterr().out
    assert main(["key", "a b"]) == 2
