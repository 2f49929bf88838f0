"""`menpai.tables.spark.match`: the verdicts on two columns of a frame."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from typing import Any

from menpai.columnar import import_arrow
from menpai.settings import Settings
from menpai.tables.spark.arrow import matcher_of
from menpai.tables.spark.session import settings_of

_KINDS = {"similarity": "double"}


def match(frame: Any, a: str, b: str, *, settings: Settings | None = None) -> Any:
    """The frame with label, similarity, level, conflicts, decided_by and problem, as `Matcher.match_table` adds them."""
    settings = settings_of(settings)
    arrow = import_arrow()
    empty = arrow.table({str(at): arrow.array([], arrow.string()) for at in range(len(frame.columns))})
    added = matcher_of(settings).match_table(empty.rename_columns(frame.columns), a, b).column_names
    schema = deepcopy(frame.schema)  # a frame keeps its schema, and `add` changes it
    for name in added[len(frame.columns) :]:
        schema = schema.add(name, _KINDS.get(name.removeprefix("menpai_"), "string"))
    return frame.mapInArrow(partial(_match, settings, a, b), schema)


def _match(settings: Settings, a: str, b: str, batches: Iterator[Any]) -> Iterator[Any]:
    matcher = matcher_of(settings)
    for batch in batches:
        table = import_arrow().Table.from_batches([batch])
        yield from matcher.match_table(table, a, b).combine_chunks().to_batches()
