"""Databases by URL, on SQLite: streamed, read-only, and no password in anything that is shown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.cli import main
from menpai.errors import MenpaiError, UsageError
from menpai.tables import sql
from menpai.tables.readers import is_table_name, open_table
from menpai.tables.sql import is_url, shown


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = tmp_path / "shop.db"
    connection = sqlite3.connect(path)
    connection.execute("create table 订单 (id integer, address text, price real)")
    rows = [(n, f"文三路{n}号", n / 2) for n in range(1, 2501)]
    connection.executemany("insert into 订单 values (?, ?, ?)", rows)
    connection.execute("create view 便宜 as select * from 订单 where price < 2")
    connection.commit()
    connection.close()
    return f"sqlite:///{path}"


def read(url: str) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    with open_table(url) as table:
        return table.columns, [row.cells for row in table.rows]


def refused(url: str) -> MenpaiError:
    with pytest.raises(MenpaiError) as caught:
        read(url)
    return caught.value


def test_a_table_a_view_and_a_query(database: str) -> None:
    columns, rows = read(f"{database}#订单")
    assert columns == ("id", "address", "price")
    assert (rows[0], len(rows)) == ((1, "文三路1号", 0.5), 2500)
    assert len(read(f"{database}#便宜")[1]) == 3
    query = "SELECT address AS 地址, '12:30:00' AS at FROM 订单 WHERE address LIKE '%2号' AND id < 20"
    assert read(f"{database}#{query}") == (
        ("地址", "at"),
        [("文三路2号", "12:30:00"), ("文三路12号", "12:30:00")],
    )


def test_the_only_table_needs_no_name_and_a_wrong_one_lists_them(database: str) -> None:
    error = refused(database)
    assert error.code == "sql_table_unknown"
    assert "订单" in error.render("en")[1]
    assert refused(f"{database}#定单").code == "sql_table_unknown"
    connection = sqlite3.connect(database.removeprefix("sqlite:///"))
    connection.execute("drop view 便宜")
    connection.commit()
    connection.close()
    assert len(read(database)[1]) == 2500


def test_rows_are_streamed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(sql, "plain", lambda cell: seen.append(cell) or cell)
    with open_table(f"{database}#订单") as table:
        next(table.rows)
        assert len(seen) == 3


@pytest.mark.parametrize(
    "evil", ["with x as (select 1) delete from 订单", "delete from 订单", "订单; drop table 订单"]
)
def test_nothing_is_written(database: str, evil: str) -> None:
    refused(f"{database}#{evil}")
    assert len(read(f"{database}#订单")[1]) == 2500


def test_what_is_not_there_is_named_and_not_made(tmp_path: Path) -> None:
    assert refused(f"sqlite:///{tmp_path}/none.db#t").code == "file_not_found"
    assert not list(tmp_path.iterdir())
    (tmp_path / "text.db").write_text("no database " * 500)
    assert refused(f"sqlite:///{tmp_path}/text.db#t").code == "sql_failed"


@given(st.from_regex(r"[A-Za-z0-9!$%_.-]{6,20}", fullmatch=True))
@settings(max_examples=15)
def test_no_password_is_ever_shown(password: str) -> None:
    for address in (
        f"postgresql://ann:{password}@db.example:5432/shop",
        f"mysql+none://ann:{password}@h/d?x={password}",
    ):
        assert password not in shown(address)
        with pytest.raises(MenpaiError) as caught:
            read(f"{address}#t")
        for language in ("en", "zh"):
            assert password not in "".join(caught.value.render(language))  # type: ignore[arg-type]
    assert shown("oracle://host/x") == "oracle://host/x"


def test_a_driver_that_quotes_the_password_does_not_show_it() -> None:
    error = sql._failed("mysql://h/d", {"geheim", ""}, RuntimeError("access denied using geheim\nat line 2"))
    assert isinstance(error, UsageError)
    assert error.details["reason"] == "access denied using ***"


def test_urls_are_told_from_texts() -> None:
    for text in ("sqlite:///a.db", "postgresql+psycopg://u@h/d#t", "MySQL://h/d"):
        assert is_url(text)
        assert is_table_name(text)
    for text in ("http://example.org/a", "文三路1号", "sqlite", "C:/a.db"):
        assert not is_url(text)


def test_the_command_reads_it(database: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "o.jsonl"
    assert main(["parse", f"{database}#SELECT address FROM 订单 WHERE id < 3", "-o", str(out)]) == 0
    assert out.read_text("utf-8").count('"roadno"') == 2 or "1号" in out.read_text("utf-8")
    assert "2 rows written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "code"),
    [("database or disk is full", "disk_full"), ("attempt to write a readonly database", "output_forbidden"),
     ("database is locked", "sql_failed")],
)  # fmt: skip
def test_what_sqlite_says_of_disks_and_rights_has_its_own_cure(said: str, code: str) -> None:
    assert sql._failed("sqlite:///shop.db", set(), sqlite3.OperationalError(said)).code == code


def test_a_url_that_is_none_is_told_without_its_parts() -> None:
    for address in (
        "postgresql://ann:geheim/x@h/d",
        "postgresql://ann:geheim#1@h/d",
        "postgresql://u:geh@[::1/x",
    ):
        with pytest.raises(MenpaiError) as caught:
            read(f"{address}#t")
        assert caught.value.family != "broken"
        assert "geh" not in str(caught.value.render("en")) + shown(address)


@pytest.mark.parametrize(("name", "written"), [("a b.db", "a b.db"), ("50%.db", "50%25.db"), ("h#1.db", "h%231.db"),
                                               ("why?.db", "why%3F.db"), ("门牌&.db", "门牌&.db")])  # fmt: skip
def test_names_of_files_with_signs(tmp_path: Path, name: str, written: str) -> None:
    with closing(sqlite3.connect(tmp_path / name)) as base, base:
        base.execute("CREATE TABLE t (a TEXT)")
        base.execute("INSERT INTO t VALUES ('文三路1号')")
    with open_table(f"sqlite:///{tmp_path}/{written}#t") as table:
        assert [row.cells for row in table.rows] == [("文三路1号",)]
    assert [path.name for path in tmp_path.iterdir()] == [name]
