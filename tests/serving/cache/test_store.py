"""The breaker, and the secret that is made once for all processes."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from menpai.serving.cache import store as module
from menpai.serving.cache.secret import NAME, secret_of
from menpai.serving.cache.store import LONGEST_REST, TRIES, Breaker
from menpai.settings import Settings


def test_a_breaker_opens_rests_longer_each_time_and_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setattr(module.random, "uniform", lambda *_: 1.0)
    breaker = Breaker()
    assert [breaker.failed() for _ in range(TRIES)] == [False] * (TRIES - 1) + [True]
    rests = []
    for _ in range(8):
        assert not breaker.closed
        before = now[0]
        while not breaker.closed:
            now[0] += 0.5
        rests.append(now[0] - before)
        assert not breaker.failed()  # told once
    assert rests[:3] == [1.0, 2.0, 4.0]
    assert rests[-1] == LONGEST_REST
    assert breaker.succeeded()
    assert breaker.closed
    assert not breaker.succeeded()
    assert not breaker.failed()


def test_one_secret_for_all_who_begin_at_once_and_for_the_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "menpai"
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: secret_of(Settings(), folder), range(16)))
    assert len(found) == 1
    assert {secret_of(Settings(), folder)} == found
    assert [file.name for file in folder.iterdir()] == [NAME]
    assert stat.S_IMODE((folder / NAME).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_secret_file_that_is_none_is_made_anew_and_an_open_one_closed(tmp_path: Path) -> None:
    file = tmp_path / NAME
    file.write_text("cut off")
    first = secret_of(Settings(), tmp_path)
    file.chmod(0o644)
    assert secret_of(Settings(), tmp_path) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_setting_is_the_secret_where_it_is_given(tmp_path: Path) -> None:
    one, other = (secret_of(Settings(cache_secret=text), tmp_path) for text in ("one", "other"))
    assert one != other
    assert len(one) == 32
    assert not list(tmp_path.iterdir())
