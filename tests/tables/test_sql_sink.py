"""Tables of a database written: each row once, whoever owns the table, and whatever happens in between."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import MenpaiError, Problem
from menpai.tables.resume import Feed, write_rows
from menpai.tables.table import Row, WriteOptions
from menpai.tables.writers import open_sink, open_writer

COLUMNS = ("id", "地址", "score", "problem")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'shop.db'}#结果"


def rows_of(url: str, query: str = 'select * from "结果" order by 1') -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///").partition("#")[0])) as base:
        return base.execute(query).fetchall()


def write(url: str, rows: list[tuple[Any, ...]], fingerprint: str = "f", **options: Any) -> list[Problem]:
    """Write rows of id, address → score, problem, recording as a run does; what was told."""
    told: list[Problem] = []
    feed = Feed(Row(at, row[:2]) for at, row in enumerate(rows, 1))
    answers = {row[0]: row[2:] for row in rows}
    done: Iterator[Any] = ((row, answers[row.cells[0]]) for row in feed)
    chosen = WriteOptions(added=2, **options)
    with open_sink(url, COLUMNS, chosen, None, fingerprint, told.append) as (writer, journal):
        list(write_rows(feed, done, writer, journal, told.append))
    return told


def refused(url: str, rows: list[tuple[Any, ...]], **options: Any) -> MenpaiError:
    with pytest.raises(MenpaiError) as caught:
        write(url, rows, **options)
    assert caught.value.render("zh") != caught.value.render("en")
    return caught.value


def test_values_and_their_types(url: str) -> None:
    wild = "=1+1\ud800\0"
    write(url, [(1, "文三路", 0.5, None), (2**70, wild, None, Problem("address_empty", {"side": " a"}))])
    assert rows_of(url) == [
        (1, "1", "文三路", 0.5, None),
        (2, str(2**70), "=1+1\\ud800\\x00", None, "address_empty: address a is empty"),
    ]


def test_columns_of_one_name_and_no_rows(url: str) -> None:
    with open_writer(url, ("a", "A", "", "a"), WriteOptions()) as writer:
        writer.write(("1", "2", "3", "4"))
    assert rows_of(url, 'select menpai_row, a, A_2, "3", a_3 from 结果') == [(1, "1", "2", "3", "4")]
    with open_writer(url.replace("结果", "空"), ("a",), WriteOptions()):
        pass
    assert rows_of(url, "select count(*) from 空") == [(0,)]


def test_written_again_it_holds_the_new_rows_only(url: str) -> None:
    write(url, [(at, "x", at / 2, None) for at in range(2500)])
    assert len(rows_of(url)) == 2500
    write(url, [(7, "y", 0.0, None)])
    assert rows_of(url) == [(1, 7, "y", 0.0, None)]


def test_with_a_key_known_rows_change_and_others_stay(url: str) -> None:
    write(url, [(1, "x", 0.1, None), (2, "x", 0.2, None)], key="id")
    write(url, [(2, "y", 0.3, None), (3, "y", 0.4, None)], key="id")
    assert [row[:3] for row in rows_of(url)] == [(1, "x", 0.1), (2, "y", 0.3), (3, "y", 0.4)]


@pytest.mark.parametrize("keys", [[(1, "x"), (1, "y")], [(None, "x")], [(1, "x"), ("1", "y")],
                                  [("-3", "x"), (-3, "y")], [(1, "x"), ("01", "y")], [(1, "x"), (1.0, "y")]])  # fmt: skip
def test_a_key_that_would_lose_a_row_is_refused(url: str, keys: list[tuple[Any, str]]) -> None:
    error = refused(url, [(*pair, 0.0, None) for pair in keys], key="id")
    assert error.code == "sql_key_repeated"
    assert "--key" in error.render("en")[1]


def test_keys_of_texts_and_numbers_that_differ_are_all_written(url: str) -> None:
    keys = ["007", "7", "a", "A", " ", 8, 1.5, "1.5x", "8x"]
    write(url, [(key, "x", 0.0, None) for key in keys], key="id")
    assert sorted(row[0] for row in rows_of(url)) == sorted(map(str, keys))


def test_a_key_that_is_no_column_is_named(url: str) -> None:
    assert refused(url, [(1, "x", 0.0, None)], key="idd").code == "column_missing"


@pytest.mark.parametrize(
    "made", ['create table "结果" (x)', 'create table "结果" (menpai_row, id, 地址, score, problem)']
)
def test_a_foreign_table_is_left_alone_unless_replaced(url: str, made: str) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///").partition("#")[0])) as base:
        base.execute(made)
        base.execute('insert into "结果" default values')
        base.commit()
    assert refused(url, [(1, "x", 0.0, None)]).code == "sql_table_foreign"
    assert len(rows_of(url)) == 1
    write(url, [(1, "x", 0.0, None), (2, "x", 0.0, None)], replace=True)
    assert len(rows_of(url)) == 2


def test_a_table_of_other_columns_is_foreign_too(url: str) -> None:
    write(url, [(1, "x", 0.0, None)])
    assert refused(url, [(1, "x", 0.0, None)], key="id").code == "sql_table_foreign"


@pytest.mark.parametrize("key", [None, "id"])
def test_cut_off_it_goes_on_behind_the_last_chunk(
    url: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("menpai.tables.resume.CHUNK", 4)
    rows = [(at, "x", at / 2, None) for at in range(15)]
    torn: list[Any] = [*rows[:10], (10, "x")]  # the eleventh row has no answer: the run ends there
    with pytest.raises(ValueError, match="argument"):
        write(url, torn, key=key)
    assert len(rows_of(url)) == 8
    told = write(url, rows, key=key)
    assert [each.code for each in told] == ["journal_resumed"]
    assert [row[0 if key else 1] for row in rows_of(url)] == list(range(15))
    assert rows_of(url, "select first, digest from menpai_journal") == [(-1, "")]


@pytest.mark.parametrize("key", [None, "id"])
def test_rows_that_changed_meanwhile_are_done_anew(
    url: str, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("menpai.tables.resume.CHUNK", 4)
    with pytest.raises(ValueError, match="argument"):
        write(url, [*[(at, "x", 0.5, None) for at in range(10)], (10, "x")], key=key)
    write(url, [(at, "x" if at != 5 else "y", 0.5, None) for at in range(10)], key=key)
    assert [row[-4:-2] for row in rows_of(url)] == [(at, "x" if at != 5 else "y") for at in range(10)]


def test_another_run_in_between_is_told_and_starts_anew(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menpai.tables.resume.CHUNK", 4)
    with pytest.raises(ValueError, match="argument"):
        write(url, [*[(at, "x", 0.5, None) for at in range(10)], (10, "x")])
    told = write(url, [(1, "x", 0.5, None)], fingerprint="g")
    assert [each.code for each in told] == ["journal_foreign"]
    assert len(rows_of(url)) == 1


def test_a_run_that_fails_before_its_first_chunk_changes_nothing(url: str) -> None:
    write(url, [(1, "x", 0.5, None)])
    with pytest.raises(ValueError, match="argument"):
        write(url, [(2, "y")], fingerprint="g")
    assert [row[1] for row in rows_of(url)] == [1]


def test_a_second_writer_of_the_same_table_is_refused(url: str) -> None:
    with open_writer(url, COLUMNS, WriteOptions()) as writer:
        assert refused(url, [(1, "x", 0.0, None)]).code == "output_busy"
        writer.write((1, "x", 0.0, None))
    assert len(rows_of(url)) == 1


def test_the_table_that_is_read_may_stand_beside(url: str, tmp_path: Path, capsys: Any) -> None:
    from menpai.cli import main  # noqa: PLC0415

    write(url, [(at, f"文三路{at}号", 0.5, None) for at in range(1500)])
    base = url.partition("#")[0]
    assert main(["parse", url, "--column", "地址", "-o", f"{base}#parsed"]) == 0
    assert rows_of(url, "select count(*), max(menpai_row) from parsed") == [(1500, 1500)]
    assert main(["parse", url, "--column", "地址", "-o", url, "--replace"]) == 2
    assert "is the input itself" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop.db"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("sqlite:///{}/shop.db", "sql_output_table"), ("sqlite:///{}/no/shop.db#t", "output_folder_missing"),
     ("sqlite:///{}/shop.db#menpai_journal", "sql_output_table"), ("sqlite:///{}#t", "sql_failed")],
)  # fmt: skip
def test_outputs_that_are_refused(tmp_path: Path, text: str, code: str) -> None:
    assert refused(text.format(tmp_path), [(1, "x", 0.0, None)]).code == code
