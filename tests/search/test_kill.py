"""kill -9 at random moments of build, add and compact: no row that was committed is torn or lost, and the version of
before answers. Each seed kills three times: six of each by default, a hundred with KILLS=34 (`make bench-long`)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from menpai.errors import NotReadyError
from menpai.search.compact import check, compact
from tests.search.libraries import content, entries, take

WRITER = Path(__file__).with_name("writer.py")
KILLS = int(os.environ.get("KILLS", "2"))
SEEDS = pytest.mark.parametrize("seed", range(KILLS))
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@contextmanager
def _writing(*words: str) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen([sys.executable, str(WRITER), *words], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "ready\n"
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def _killed(*words: str, after: float) -> list[str]:
    """What the writer said before it was killed."""
    with _writing(*words) as child:
        time.sleep(after)
        child.kill()
        assert child.stdout is not None
        return child.stdout.read().split()


@SEEDS
def test_add(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "library"
    take(folder, entries(30))
    wanted = set(content(folder))
    rng = random.Random(seed)
    for start in (1000, 2000, 3000):
        said = _killed("add", str(folder), str(start), after=rng.uniform(0.05, 1.5))
        for word in said:
            if word.startswith("-"):
                wanted.discard(f"r{word[1:]}")
            else:
                wanted |= {f"r{int(word) + n}" for n in range(3)}
        found = set(content(folder))
        last = start if not said else abs(int(said[-1]))
        # What was being done and not yet said may be there as a whole, or not at all.
        doubt = {f"r{start + n}" for start in (last, last + 3) for n in range(3)}
        assert found - doubt == wanted - doubt
        for first in (last, last + 3):
            there = {n for n in range(first, first + 3) if f"r{n}" in found}
            assert there in ({first, first + 1, first + 2}, {first + 1, first + 2}, set())
        assert all(whole for _, whole in check(folder))
        wanted = found
    take(folder, entries(1, 9000), "add")
    assert set(content(folder)) == wanted | {"r9000"}


@SEEDS
def test_compact(tmp_path: Path, seed: int) -> None:
    folder = tmp_path / "library"
    take(folder, entries(500))
    wanted = content(folder)
    rng = random.Random(seed)
    for _ in range(3):
        _killed("compact", str(folder), after=rng.uniform(0.05, 1.5))
        found = content(folder)
        assert {id_: text for id_, text in found.items() if not id_.startswith("r1000")} == {
            id_: text for id_, text in wanted.items() if not id_.startswith("r1000")
        }
        assert len(found) <= len(wanted) + 1
        assert all(whole for _, whole in check(folder))
    compact(folder)
    assert {"lock", "manifest.json"} < {path.name for path in folder.iterdir()}
    assert len(list(folder.glob("s*"))) == 1


@SEEDS
def test_build(tmp_path: Path, seed: int) -> None:
    folder, rows = tmp_path / "library", 12_000
    rng = random.Random(seed)
    for _ in range(3):
        if _killed("build", str(folder), str(rows), after=rng.uniform(0.3, 3.0)):
            break  # it was quicker
        with pytest.raises(NotReadyError, match="was not finished"):
            content(folder)
    with _writing("build", str(folder), str(rows)) as child:
        assert child.stdout is not None
        built = child.stdout.readline().split()
    assert built[:2] == ["built", str(rows)]
    assert len(content(folder)) == rows
    # Another one is built over it: until it is ready, the old one answers.
    if not _killed("build", str(folder), str(rows + 1), after=rng.uniform(0.1, 3.0)):
        assert len(content(folder)) == rows
    assert all(whole for _, whole in check(folder))
