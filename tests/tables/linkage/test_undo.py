"""Undoing merges and splits of a run, one run after another, and what keeps them from coming again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.tables.linkage.cluster_ids import Change
from menpai.tables.linkage.undo import (
    Moved,
    decided_by,
    last_run,
    lines_of_run,
    put_back,
    read_journal,
    undone_line,
)


@pytest.fixture
def journal(tmp_path: Path) -> str:
    """A run that merged q into p, and one that split p into p and s."""
    path = tmp_path / "j.jsonl"
    first = lines_of_run([], [Change("merged", "p", ("q",))], [Moved("2", "q", "p"), Moved("3", "q", "p")])
    second = lines_of_run(first, [Change("split", "p", ("p", "s"))], [Moved("3", "p", "s")])
    path.write_text("".join(json.dumps(line) + "\n" for line in (*first, *second)), "utf-8")
    return str(path)


def test_runs_are_undone_from_the_last_to_the_first(journal: str) -> None:
    ids, clusters = ["1", "2", "3", "4"], ["p", "p", "s", "p"]
    for number, wanted, decided in (
        (2, ["p", "p", "p", "p"], [("3", "1", "same")]),
        (1, ["p", "q", "q", "p"], [("2", "1", "different")]),
    ):
        run = last_run(journal)
        assert run.number == number
        clusters = put_back(run, ids, clusters)
        assert clusters == wanted
        assert list(decided_by(run, ids, clusters)) == decided
        with Path(journal).open("a", encoding="utf-8") as file:
            file.write(json.dumps(undone_line(run)) + "\n")
    with pytest.raises(UsageError) as caught:
        last_run(journal)
    assert caught.value.code == "undo_nothing"


def test_a_row_that_has_gone_elsewhere_stays_and_nothing_is_decided_without_rows(journal: str) -> None:
    run = last_run(journal)
    assert put_back(run, ["3", "4"], ["z", "p"]) == ["z", "p"]
    assert list(decided_by(run, ["3"], ["p"])) == []


def test_a_run_without_changes_writes_nothing(journal: str) -> None:
    assert lines_of_run(read_journal(journal), [], []) == []


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "j").write_text('{"run": 1}\n7\n', "utf-8")
    with pytest.raises(UsageError) as caught:
        read_journal(str(tmp_path / "j"))
    assert (caught.value.code, caught.value.details["line"]) == ("journal_broken", 2)
    assert read_journal(str(tmp_path / "none")) == []


@pytest.mark.parametrize("line", [
    '{"change": "moved"}', '{"change": "moved", "run": 1, "id": 7, "from": "a", "to": "b"}', '{"change": "undone"}',
    '{"change": "moved", "run": "1", "id": "7", "from": "a", "to": "b"}', '{"run": NaN}', '{"run": true}', "[" * 10_000,
    '{"change": "merged", "run": 1, "cluster_id": "p"}', '{"change": "merged", "run": 1, "cluster_id": "p", "others": 3}',
    '{"change": ["moved"], "run": 1}', "null", "1" * 5000, "\udc80",
])  # fmt: skip
def test_a_line_that_lacks_what_its_change_needs_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "j").write_text(
        '{"change": "gone", "cluster_id": "p"}\n\n' + line, "utf-8", "surrogateescape"
    )
    for ask in (last_run, read_journal):
        with pytest.raises(UsageError) as caught:
            ask(str(tmp_path / "j"))
        assert (caught.value.code, caught.value.details["line"]) == ("journal_broken", 3)


def test_lines_of_a_journal_end_with_line_feeds_alone(tmp_path: Path) -> None:
    moved = [Moved("1\u2028\x85", "q", "p")]
    (line,) = lines_of_run([{"change": "gone"}], [], moved)
    (tmp_path / "j").write_bytes(b"\xef\xbb\xbf" + json.dumps(line, ensure_ascii=False).encode() + b"\r\n")
    assert last_run(str(tmp_path / "j")).moved == {moved[0].id: moved[0]}
