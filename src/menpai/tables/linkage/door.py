"""`menpai.link`: tables of the Arrow C stream protocol in and out (polars, pandas, pyarrow, DuckDB)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from menpai.columnar import arrow_table, import_arrow
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables.cells import to_text
from menpai.tables.columns import added_names
from menpai.tables.linkage.linked import ADDED, rows_of
from menpai.tables.linkage.linking import link as link_records
from menpai.tables.linkage.plan import Accept, Assign, Plan
from menpai.tables.linkage.reading import Chosen, read_raw, shared_columns
from menpai.tables.linkage.records import make_records
from menpai.tables.parquet import plain
from menpai.tables.table import Row, Table

_NUMBERS = ("similarity", "runner_up_gap")


def link(
    left: Any,
    right: Any,
    *,
    accept: Accept = "exact",
    assign: Assign = "auto",
    matcher: Matcher | None = None,
    **columns: str,
) -> Any:
    """The left table, a `pyarrow.Table`, with the columns that `menpai link` adds; rows and columns keep their order.

    `columns`: address, name, id, lat, lon, point, phone, crs, and the same with `right_` before them, as on the command line.
    """
    arrow = import_arrow()
    check_link(accept, assign, columns)
    tables = [arrow_table(each, arrow) for each in (left, right)]
    ours, theirs = (table_of(name, each) for name, each in zip(("left", "right"), tables, strict=True))
    first = Chosen(**{role: name for role, name in columns.items() if not role.startswith("right_")})
    second = Chosen(
        **{role[len("right_") :]: name for role, name in columns.items() if role.startswith("right_")}
    )
    matcher = matcher or default_matcher()
    longest = matcher.settings.max_length
    records = make_records((raw for _, raw in read_raw(ours, shared_columns(first, ours, theirs))), longest)
    wanted = second.over(shared_columns(first, theirs, ours))
    others = make_records((raw for _, raw in read_raw(theirs, wanted)), longest)
    links = link_records(records, others, matcher, Plan(accept, assign))
    language = matcher.settings.lang
    added: list[list[Any]] = [[] for _ in ADDED]
    for cells in rows_of(links, records, others):
        for name, column, cell in zip(ADDED, added, cells, strict=True):
            column.append(cell if name in _NUMBERS else to_text(cell, language) or None)
    table = tables[0]
    for name, unique, column in zip(ADDED, added_names(table.column_names, ADDED), added, strict=True):
        kind = arrow.float64() if name in _NUMBERS else arrow.string()
        table = table.append_column(unique, arrow.array(column, kind))
    return table


def check_link(accept: str, assign: str, columns: dict[str, str]) -> None:
    """Raise for an option that is none."""
    known = list(Chosen.__dataclass_fields__)
    for value, choices in ((accept, ("exact", "partial")), (assign, ("auto", "one", "many"))):
        if value not in choices:
            raise UsageError("link_option", value=str(value)[:40], known=", ".join(choices))
    for role in columns:
        if role.removeprefix("right_") not in known:
            raise UsageError("link_option", value=role[:40], known=", ".join(known))


def table_of(name: str, table: Any) -> Table:
    """A `pyarrow.Table` as a table whose rows can be walked once."""
    return Table(name, "", tuple(table.column_names), _rows(table))


def _rows(table: Any) -> Iterator[Row]:
    line = 0
    for batch in table.to_batches(max_chunksize=4096):
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            line += 1
            yield Row(line, tuple(map(plain, cells)))


@cache
def default_matcher() -> Matcher:
    """The matcher of the settings, opened once."""
    return Matcher.open(settings=Settings.load())
