"""Journals: what is kept comes back as it was, and what is torn or foreign does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import Problem
from menpai.tables.journal import FileJournal, NoJournal, PairJournal, fingerprint_of
from menpai.tables.table import Row
from menpai.verdict import Conflict, Evidence, Probabilities

SHARES = st.floats(0, 1)
TEXTS = st.text(st.characters(codec=None), max_size=5)
PLAIN = st.none() | TEXTS | st.integers() | st.floats(allow_nan=False) | st.booleans()
OURS = st.one_of(
    st.builds(Conflict, TEXTS, TEXTS, TEXTS),
    st.builds(Evidence, TEXTS, SHARES, TEXTS),
    st.builds(Probabilities, SHARES, SHARES, SHARES),
    st.builds(Problem, TEXTS, st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=2)),
    st.lists(PLAIN, max_size=2),
    st.dictionaries(TEXTS, PLAIN, max_size=2),
)
CELLS = st.lists(PLAIN | OURS | st.lists(OURS, max_size=2), min_size=1, max_size=3).map(tuple)


@given(answers=st.lists(CELLS, min_size=1, max_size=3))
def test_answers_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, answers: Any) -> None:
    path = tmp_path_factory.mktemp("j") / "journal"
    rows = [Row(at, ("x",)) for at in range(len(answers))]
    FileJournal(path, "f").record(rows, answers)
    (chunk,) = FileJournal(path, "f").chunks()
    assert chunk.answers == answers
    assert chunk.problems == sum(isinstance(cells[-1], Problem) for cells in answers)


@given(cut=st.integers(0, 10_000))
def test_wherever_it_is_torn_whole_chunks_remain(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("j") / "journal"
    journal = FileJournal(path, "f")
    for at in range(5):
        journal.record([Row(at, (str(at),))], [(at, None)])
    whole = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    path.write_bytes(whole[: cut % (len(whole) + 1)])
    left = sum(end <= len(path.read_bytes()) for end in ends[1:])
    again = FileJournal(path, "f")
    assert [chunk.answers for chunk in again.chunks()] == [[(at, None)] for at in range(left)]
    for at in range(left, 5):
        again.record([Row(at, (str(at),))], [(at, None)])
    assert path.read_bytes() == whole


def test_cut_forgets_what_follows(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path / "journal", "f")
    for at in range(3):
        journal.record([Row(at, (str(at),))], [(at, None)])
    again = FileJournal(tmp_path / "journal", "f")
    assert len(list(again.chunks())) == 3
    again.cut(1)
    assert len(list(FileJournal(tmp_path / "journal", "f").chunks())) == 1


def test_pairs_are_found_again_as_long_as_all_before_them_are_the_same(tmp_path: Path) -> None:
    told: list[Problem] = []
    first = PairJournal(tmp_path / "journal", "f")
    for chunk in ("a", "b", "c"):
        key = first.key(chunk)
        assert first.find(key) is None
        first.keep(key, [chunk, 0.1, None])
    again = PairJournal(tmp_path / "journal", "f", told.append)
    assert [again.find(again.key(chunk)) for chunk in ("a", "x", "c")] == [["a", 0.1, None], None, None]
    assert [problem.code for problem in told] == ["journal_resumed_pairs"]
    other = PairJournal(tmp_path / "journal", "g", told.append)
    assert other.find(other.key("a")) is None
    assert told[-1].code == "journal_foreign"
    assert not (tmp_path / "journal").exists()


def test_a_torn_pair_is_not_found(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    first = PairJournal(path, "f")
    for chunk in ("a", "b"):
        first.keep(first.key(chunk), chunk)
    path.write_bytes(path.read_bytes()[:-4])
    again = PairJournal(path, "f")
    assert [again.find(again.key(chunk)) for chunk in ("a", "b")] == ["a", None]
    assert len(path.read_bytes().splitlines()) == 2


def test_without_a_place_nothing_is_kept() -> None:
    journal = NoJournal()
    journal.record([Row(1, ("x",))], [(1, None)])
    journal.passed([])
    journal.cut(0)
    pairs = journal.pairs()
    pairs.keep(pairs.key("a"), 1)
    assert (list(journal.chunks()), pairs.find(pairs.key("a"))) == ([], None)


def test_fingerprints_tell_apart_and_are_written_first(tmp_path: Path) -> None:
    assert fingerprint_of(["a", "b"]) != fingerprint_of(["ab"]) != fingerprint_of(["a", ("b",)])
    FileJournal(tmp_path / "journal", "f").record([Row(1, ("x",))], [(1, None)])
    head = json.loads((tmp_path / "journal").read_bytes().splitlines()[0])
    assert head == {"menpai": "journal", "version": 1, "fingerprint": "f"}
