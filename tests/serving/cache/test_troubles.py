"""What is wrong with the cache is told in the log, once and with its place; requests are answered all the same."""

from __future__ import annotations

from pathlib import Path

from menpai.matcher import Matcher
from tests.serving.cache.rows import A, B
from tests.serving.rig import running, until

PAIR = {"a": A, "b": B}


def test_a_secret_that_cannot_be_kept_is_told_once_with_its_place(matcher: Matcher, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with running(lambda: matcher, cache=True, cache_file=str(tmp_path / "file" / "v.sqlite")) as rig:
        assert rig.ask("/v1/match", PAIR).status_code == 200
    (told,) = [line for line in rig.log if line["event"].startswith("cache")]
    assert told["event"] == "cache_failed"
    assert str(tmp_path / "file") in told["error"]


def test_a_damaged_file_is_told_in_the_log(matcher: Matcher, tmp_path: Path) -> None:
    file = tmp_path / "v.sqlite"
    file.write_bytes(b"SQLite format 3\0" + b"x" * 9000)
    with running(lambda: matcher, cache=True, cache_file=str(file)) as rig:
        rig.run(until(lambda: "cache_damaged" in {line["event"] for line in rig.log}))
    assert file.with_name("v.sqlite.broken").exists()
