"""A table of a database written chunk by chunk, each row once: `sqlite:///shop.db#results`.

The rows of a chunk and the line that says so (table `menpai_journal`) are one transaction. A run that was cut off goes
on behind the last chunk; rows are told apart by their number, or by a column of theirs (`key`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from menpai.errors import Problem, UsageError
from menpai.tables.cells import encodable, to_text
from menpai.tables.columns import find_name, unique_names
from menpai.tables.journal import Added, Chunk, Note, PairJournal, digest_of
from menpai.tables.sql import BATCH, BOOK, Database, open_database
from menpai.tables.table import Row, WriteOptions
from menpai.tables.workroom import JOURNAL, workroom

NUMBER = "menpai_row"
"The column of the rows' numbers, where no key was given."
_OWNER = -1
"`first` of the line that says whose table it is; its digest is the fingerprint of the run under way, or nothing."
_NAME, _HEX = 190, 40
_PLAIN, _WHOLE = re.compile(r"0|-?[1-9]\d{0,18}", re.ASCII), re.compile(r"\s*[+-]?\d{1,19}\s*", re.ASCII)


@contextmanager
def open_sql_sink(
    path: str, columns: Sequence[str], options: WriteOptions, fingerprint: str, note: Note
) -> Iterator[SqlSink]:
    """The table behind the URL, open for writing; it is whole once it is finished."""
    address, _, target = path.partition("#")
    if not target or target == BOOK:
        raise UsageError("sql_output_table", url=path.partition("@")[2] or address)
    with (
        open_database(address, writing=True) as base,
        _alone(base, target) as folder,
        base.engine.connect() as connection,
    ):
        sink = SqlSink(base, connection, target, columns, options)
        sink.prepare(fingerprint, note)
        sink.folder = folder
        yield sink


@contextmanager
def _alone(base: Database, target: str) -> Iterator[Path | None]:
    """A SQLite file has its lock, and a folder, beside it; elsewhere the journal's key refuses a second writer of the
    same chunk."""
    database = base.engine.url.database
    if base.engine.dialect.name != "sqlite" or not database or database.startswith(("file:", ":")):
        yield None
        return
    if not Path(database).resolve().parent.is_dir():
        raise UsageError("output_folder_missing", folder=str(Path(database).parent))
    with workroom(
        Path(database).resolve().with_name(f"{Path(database).name}-{target}".replace("/", "_"))
    ) as folder:
        yield folder


class SqlSink:
    """Writer and journal of one table: `record` ends a transaction."""

    def __init__(
        self, base: Database, connection: Any, target: str, columns: Sequence[str], options: WriteOptions
    ) -> None:
        self._base, self._sql, self._connection = base, base.alchemy, connection
        self._schema, _, self._name = target.rpartition(".")
        self._target, self._language, self._options = target, options.language, options
        names = unique_names(columns, fold=True)
        self._key = None if options.key is None else find_name(names, options.key, base.name)
        self._columns = names if self._key is not None else unique_names([NUMBER, *columns], fold=True)
        self._number, self._waiting, self._seen = 0, list[tuple[Any, ...]](), set[Any]()
        self._table: Any = None
        self._foreign = self._begun = self._counts = False
        self._fingerprint = ""
        self._told: Note = lambda _: None
        self.folder: Path | None = None
        self._book = self._sql.Table(
            BOOK, self._sql.MetaData(),
            self._sql.Column("target", self._sql.String(_NAME), primary_key=True),
            self._sql.Column("first", self._sql.BigInteger, primary_key=True, autoincrement=False),
            self._sql.Column("rows", self._sql.BigInteger),
            self._sql.Column("problems", self._sql.BigInteger),
            self._sql.Column("digest", self._sql.String(_HEX)),
            schema=self._schema or None,
        )  # fmt: skip

    def prepare(self, fingerprint: str, note: Note) -> None:
        """Find out whether the table may be written, and whether a run before left off in it; nothing changes yet."""
        inspector = self._sql.inspect(self._connection)
        schema = self._schema or None
        known = inspector.has_table(BOOK, schema)
        exists = inspector.has_table(self._name, schema)
        owner = self._owner() if known else None
        self._foreign = exists and (owner is None or self._differs(inspector))
        if self._foreign and not self._options.replace:
            raise UsageError("sql_table_foreign", url=self._base.name, table=self._target)
        self._table = self._light() if exists and not self._foreign else None
        self._fingerprint, self._told = fingerprint, note
        under_way = owner.digest if owner is not None else ""
        self._begun = self._table is not None and bool(fingerprint) and under_way == fingerprint
        if under_way and not self._begun:
            note(Problem("journal_foreign", {"path": f"{self._base.name}#{BOOK}"}))
        self._connection.rollback()

    def pairs(self) -> PairJournal:
        """In a file beside a SQLite file; elsewhere there is no such place."""
        return PairJournal(self.folder and self.folder / JOURNAL, self._fingerprint, self._told)

    def chunks(self) -> Iterator[Chunk]:
        """The chunks that are in the table."""
        if not self._begun:
            return
        book = self._book.c
        known = self._connection.execute(
            self._sql.select(book.rows, book.problems, book.digest)
            .where(book.target == self._target, book.first > _OWNER)
            .order_by(book.first)
        ).all()
        self._connection.rollback()
        for rows, problems, digest in known:
            yield Chunk(rows, digest, problems, None)

    def passed(self, rows: Sequence[Row]) -> None:
        """These are in the table: their numbers and keys are taken."""
        for row in rows:
            self._take(row.cells)

    def cut(self, rows: int) -> None:
        """Forget the rows behind these; of a table with a key only the journal's lines."""
        if self._begun:
            self._forget(rows)
            self._connection.commit()

    def write(self, cells: Sequence[Any]) -> None:
        """One row; it is there for others once the chunk is recorded."""
        self._take(cells)
        values = [self._value(cell) for cell in cells]
        self._waiting.append(tuple(values if self._key is not None else [self._number, *values]))
        if len(self._waiting) >= BATCH:
            self._flush()

    def record(self, rows: Sequence[Row], answers: Sequence[Added]) -> None:
        """The rows handed over since the last time, and the journal's line, in one transaction."""
        self._flush()
        problems = sum(isinstance(cells[-1], Problem) for cells in answers)
        self._note(self._number - len(rows), len(rows), problems, digest_of(rows))
        self._connection.commit()

    def finish(self) -> None:
        """The rest, and that the table is whole."""
        self._flush()
        book = self._book.c
        self._connection.execute(self._book.delete().where(book.target == self._target))
        self._note(_OWNER, 0, 0, "")
        self._connection.commit()

    def abandon(self) -> None:
        """What is not committed is rolled back with the connection."""

    def _begin(self) -> None:
        """Make the journal, empty or drop what was there before: part of the first chunk's transaction."""
        self._begun = True
        self._book.create(self._connection, checkfirst=True)
        if self._foreign:
            self._connection.execute(self._sql.text(f"DROP TABLE {self._quoted()}"))
        self._forget(0)
        book = self._book.c
        self._connection.execute(self._book.delete().where(book.target == self._target, book.first == _OWNER))
        self._note(_OWNER, 0, 0, self._fingerprint)

    def _forget(self, rows: int) -> None:
        book = self._book.c
        self._connection.execute(self._book.delete().where(book.target == self._target, book.first >= rows))
        if self._table is not None and self._key is None:
            self._connection.execute(self._table.delete().where(self._table.c[NUMBER] > rows))

    def _take(self, cells: Sequence[Any]) -> None:
        """Count a row; a key that came before, or is none, would lose one."""
        self._number += 1
        if self._key is None:
            return
        key = self._value(cells[self._key])
        known = self._same(key)
        if key is None or known in self._seen:
            name = self._columns[self._key]
            raise UsageError("sql_key_repeated", column=name, key=str(key)[:40], row=self._number)
        self._seen.add(known)

    def _same(self, key: Any) -> Any:
        """One value for keys that a database may hold for one: in a column of numbers 1, "1" and "01" are."""
        self._counts = self._counts or isinstance(key, int | float)
        whole = isinstance(key, str) and (_PLAIN.fullmatch(key) or (self._counts and _WHOLE.fullmatch(key)))
        return int(key) if whole else key

    def _flush(self) -> None:
        if not self._begun:
            self._begin()
        if self._table is None:
            self._table = self._made()
        if not self._waiting:
            return
        rows = [dict(zip(self._columns, values, strict=True)) for values in self._waiting]
        key = self._columns[self._key or 0]
        self._connection.execute(
            self._table.delete().where(self._table.c[key] == self._sql.bindparam("menpai_key")),
            [{"menpai_key": row[key]} for row in rows],
        )
        self._connection.execute(self._table.insert(), rows)
        self._waiting.clear()

    def _made(self) -> Any:
        """The table, with columns of the types that the first rows have."""
        sql, at = self._sql, self._key or 0
        columns = []
        for place, name in enumerate(self._columns):
            kind = _type_of([row[place] for row in self._waiting], sql, place == at)
            columns.append(sql.Column(name, kind, primary_key=place == at, autoincrement=False))
        table = sql.Table(self._name, sql.MetaData(), *columns, schema=self._schema or None)
        table.create(self._connection)
        return table

    def _light(self) -> Any:
        """The table as it stands in the database."""
        return self._sql.table(self._name, *map(self._sql.column, self._columns), schema=self._schema or None)

    def _differs(self, inspector: Any) -> bool:
        found = inspector.get_columns(self._name, self._schema or None)
        return [each["name"] for each in found] != self._columns

    def _owner(self) -> Any:
        book = self._book.c
        return self._connection.execute(
            self._book.select().where(book.target == self._target, book.first == _OWNER)
        ).first()

    def _note(self, first: int, rows: int, problems: int, digest: str) -> None:
        values = {
            "target": self._target,
            "first": first,
            "rows": rows,
            "problems": problems,
            "digest": digest,
        }
        self._connection.execute(self._book.insert(), values)

    def _quoted(self) -> str:
        quote = self._connection.dialect.identifier_preparer.quote
        return f"{quote(self._schema)}.{quote(self._name)}" if self._schema else str(quote(self._name))

    def _value(self, cell: Any) -> Any:
        """A cell as databases take it: numbers that fit, else texts that can be encoded."""
        if isinstance(cell, bool | float) or (isinstance(cell, int) and -(2**63) <= cell < 2**63):
            return cell
        return encodable(to_text(cell, self._language)).replace("\0", "\\x00") or None


def _type_of(values: Sequence[Any], sql: Any, key: bool) -> Any:
    """The type of a column; a text that is a key needs a length on some databases."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return sql.Boolean
    if kinds == {int}:
        return sql.BigInteger
    if kinds and kinds <= {int, float}:
        return sql.Double
    return sql.String(_NAME) if key else sql.Text
