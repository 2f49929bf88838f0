"""The file of labels: whole lines on the disk, one reviewer at a time, nothing of others touched."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from menpai.errors import NotReadyError, UsageError
from menpai.tables.labelled import read_labelled
from menpai.tables.review import open_labels, read_labels
from tests.tables.review.pairs import pair


def fill(path: Path, count: int = 3) -> None:
    with open_labels(str(path)) as labels:
        for number in range(count):
            labels.add(pair(number), "exact_match", "0" * 16, control=True)


def test_answers_are_found_again_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    fill(path)
    with open_labels(str(path)) as labels:
        assert labels.answers == {pair(number).key: "exact_match" for number in range(3)}
        assert labels.take_back().key == pair(2).key
        labels.add(pair(2), "not_match", "0" * 16, control=False)
    assert [label.label for label in read_labels(str(path))] == ["exact_match", "exact_match", "not_match"]
    if os.name != "nt":
        assert path.stat().st_mode & 0o077 == 0  # addresses are personal data


def test_calibrate_and_train_read_them(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    fill(path)
    assert read_labelled([str(path)]).counts == {"exact_match": 3, "partial_match": 0, "not_match": 0}


@pytest.mark.parametrize("kept", [1, 40, -2])
def test_a_line_that_a_crash_cut_off_is_removed(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "l.jsonl"
    fill(path)
    whole = path.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    path.write_bytes(whole[: -len(last)] + last[:kept])
    assert len(read_labels(str(path))) == 2
    with open_labels(str(path)) as labels:
        assert len(labels.lines) == 2
        labels.add(pair(9), "not_match", "0" * 16, control=True)
    assert [json.loads(line)["label"] for line in path.read_text("utf-8").splitlines()][-1] == "not_match"


def test_the_first_line_of_all_that_was_cut_off_is_removed_too(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    for left in (b'{"add', b'{"address_a": "\xe6\x96', b"\0" * 300):
        path.write_bytes(left)
        assert read_labels(str(path)) == []
        with open_labels(str(path)) as labels:
            labels.add(pair(1), "not_match", "0" * 16, control=True)
        assert [label.label for label in read_labels(str(path))] == ["not_match"]


def test_what_an_editor_does_to_lines_loses_none(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    for edit in (
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "\n" + text + "\n \n",
        lambda text: "\ufeff" + text,
    ):
        path.unlink(missing_ok=True)
        fill(path)
        path.write_bytes(edit(path.read_text("utf-8")).encode())
        assert len(read_labels(str(path))) == 3
        with open_labels(str(path)) as labels:
            assert labels.take_back().key == pair(2).key
            labels.add(pair(9), "not_match", "0" * 16, control=True)
        assert [label.key for label in read_labels(str(path))] == [pair(at).key for at in (0, 1, 9)]
        with open_labels(str(path)) as labels:
            assert [line.key for line in labels.lines] == [pair(at).key for at in (0, 1, 9)]


@pytest.mark.parametrize(
    "text", ["address,label\n文三路,exact\n", "{}\n", '{"key": 1}', "\0\1\2", "[]\n", "[" * 10_000 + "\n"]
)
def test_a_file_of_others_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "l.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught, open_labels(str(path)):
        pass
    assert caught.value.code == "review_labels_foreign"
    assert path.read_text("utf-8") == text


def test_a_line_edited_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    fill(path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(lines[0] + lines[1].replace("exact_match", "maybe", 1) + lines[2], "utf-8")
    with pytest.raises(UsageError, match="2"), open_labels(str(path)):
        pass


def test_a_device_is_no_file_of_labels() -> None:
    with pytest.raises(UsageError), open_labels(os.devnull):
        pass
    with pytest.raises(UsageError):
        read_labels(os.devnull)


def test_two_reviewers_at_one_file_are_told(tmp_path: Path) -> None:
    path = str(tmp_path / "l.jsonl")
    with open_labels(path), pytest.raises(NotReadyError) as caught, open_labels(path):
        pass
    assert caught.value.code == "review_locked"
    with open_labels(path) as labels:  # and let go afterwards
        assert labels.lines == []


def test_a_full_disk_loses_the_answer_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "l.jsonl"
    write = os.write

    def full(file: int, body: bytes) -> int:
        write(file, body[: len(body) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    with open_labels(str(path)) as labels:
        labels.add(pair(1), "exact_match", "0" * 16, control=True)
        before = path.read_bytes()
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(NotReadyError, match="space"):
            labels.add(pair(2), "exact_match", "0" * 16, control=True)
        monkeypatch.undo()
        assert path.read_bytes() == before
        labels.add(pair(2), "exact_match", "0" * 16, control=True)
    assert len(read_labels(str(path))) == 2
