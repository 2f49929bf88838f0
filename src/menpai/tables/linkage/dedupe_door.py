"""`menpai.dedupe`: a table of the Arrow C stream protocol in and out."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from menpai.columnar import arrow_table, import_arrow
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.tables.cells import to_text
from menpai.tables.columns import added_names
from menpai.tables.linkage.cluster_ids import fresh_ids
from menpai.tables.linkage.clustered import ADDED, rows_of
from menpai.tables.linkage.deduping import dedupe as dedupe_records
from menpai.tables.linkage.door import default_matcher, table_of
from menpai.tables.linkage.plan import Accept, Plan
from menpai.tables.linkage.reading import Chosen, read_raw
from menpai.tables.linkage.records import make_records
from menpai.tables.linkage.room import matcher_for


def dedupe(table: Any, *, accept: Accept = "exact", matcher: Matcher | None = None, **columns: str) -> Any:
    """The table, a `pyarrow.Table`, with cluster_id, cluster_size, is_golden and problem; rows keep their order.

    `columns`: address, name, id, lat, lon, point, phone, crs, as on the command line.
    """
    arrow = import_arrow()
    check_dedupe(accept, columns)
    given = arrow_table(table, arrow)
    settings = (matcher or default_matcher()).settings
    raws = (raw for _, raw in read_raw(table_of("table", given), Chosen(**columns)))
    records = make_records(raws, settings.max_length)
    large = len(records.entities) > settings.readings
    matcher = matcher or (matcher_for(len(records.entities), settings) if large else default_matcher())
    clusters = dedupe_records(records, matcher, Plan(accept))
    rows = list(rows_of(clusters, records, fresh_ids(records, clusters)))
    ids, sizes, golden, problems = (list(column) for column in zip(*rows, strict=True)) if rows else ([],) * 4
    texts = [to_text(problem, matcher.settings.lang) or None for problem in problems]
    added = (
        arrow.array(ids, arrow.string()),
        arrow.array(sizes, arrow.int64()),
        arrow.array(golden, arrow.bool_()),
        arrow.array(texts, arrow.string()),
    )
    for name, column in zip(added_names(given.column_names, ADDED), added, strict=True):
        given = given.append_column(name, column)
    return given


def check_dedupe(accept: str, columns: dict[str, str]) -> None:
    """Raise for an option that is none."""
    known = [field.name for field in fields(Chosen)]
    for value, choices in ((accept, ["exact", "partial"]), *((role, known) for role in columns)):
        if value not in choices:
            raise UsageError("link_option", value=str(value)[:40], known=", ".join(choices))
