"""`menpai cache`: what is in the file, what is forgotten, and a cache that cannot be reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from menpai.cli import main
from menpai.scoring import Score
from menpai.serving.cache.stores import open_stores
from menpai.settings import Settings
from menpai.verdict import Probabilities

SCORE = Score(Probabilities(0.2, 0.7, 0.1), "encoder", 0.5)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A cache file with three pairs, two of which have 文三路1号."""
    path = str(tmp_path / "v.sqlite")
    keys, (store,) = open_stores(Settings(cache_file=path))
    pairs = [("文三路1号", "文三路2号"), ("文三路3号", "文三路1号"), ("文三路4号", "文三路5号")]
    named = [keys.pair("realm", *pair) for pair in pairs]
    store.put_many({key: keys.seal(key, SCORE) for key in named})
    store.close()
    return path


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    assert main([*words, "--json"]) == 0
    layers: list[dict[str, object]] = json.loads(capsys.readouterr().out)["layers"]
    return layers


def test_look_forget_an_address_and_clear(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["--cache-file", file]
    (row,) = answer(capsys, "cache", "info", *place)
    assert (row["layer"], row["where"], row["entries"]) == ("disk", file, 3)
    assert answer(capsys, "cache", "clear", "--address", "文三路", *place) == [
        {"layer": "disk", "deleted": 0}
    ]
    assert answer(capsys, "cache", "clear", "--address", "文三路1号", *place)[0]["deleted"] == 2
    assert main(["cache", "clear", *place]) == 0
    assert "deleted 1" in capsys.readouterr().out
    assert answer(capsys, "cache", "info", *place)[0]["entries"] == 0


def test_nothing_remembered_is_no_error_and_makes_no_file(tmp_path: Path) -> None:
    for words in (["cache", "info"], ["cache", "clear"]):
        assert main([*words, "--cache-file", str(tmp_path / "v.sqlite")]) == 0
        assert main([*words, "--cache-file", ""]) == 0
    assert not list(tmp_path.iterdir())


def test_a_cache_that_cannot_be_reached_is_told_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MENPAI_REDIS_URL", "redis://:geheim@127.0.0.1:1/0")
    (tmp_path / "v.sqlite").mkdir()
    for language in ("en", "zh"):
        words = ["cache", "info", "--cache-file", str(tmp_path / "v.sqlite"), "--language", language]
        assert main(words) == 3
        assert main([*words, "--json"]) == 3
    said = "".join(capsys.readouterr())
    assert said.count("cache_unavailable") == 4
    assert "geheim" not in said


def test_a_url_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MENPAI_REDIS_URL", "geheim@host")
    assert main(["cache", "info"]) == 2
    said = capsys.readouterr().err
    assert "redis_url" in said
    assert "geheim" not in said


def test_figures_are_named_in_the_language(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "info", "--cache-file", file, "--language", "zh"]) == 0
    assert f"{file}  条数 3  字节 " in capsys.readouterr().out
    assert main(["cache", "clear", "--cache-file", file, "--language", "zh"]) == 0
    assert "已删除 3" in capsys.readouterr().out


def test_no_store_at_all_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "info", "--cache-file", "", "--language", "en"]) == 0
    assert "neither" in capsys.readouterr().out


def test_a_folder_that_is_none_is_named_and_not_a_file_that_was_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["key", "shop", "-o", str(tmp_path / "nowhere" / "keys.txt"), "--language", "en"]) == 2
    assert f"{tmp_path / 'nowhere'} " in capsys.readouterr().err + " "
