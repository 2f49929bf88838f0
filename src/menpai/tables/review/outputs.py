"""What menpai wrote, read as pairs: `match FILE`, `link`, its `--pairs-out`, `dedupe`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from menpai.errors import UsageError
from menpai.tables.columns import find_pair
from menpai.tables.entries import cell_text
from menpai.tables.linkage.linked import ADDED, PAIRS
from menpai.tables.linkage.reading import Chosen, read_raw, without
from menpai.tables.readers import open_table
from menpai.tables.review.added import added, bare, is_true, judged, marks
from menpai.tables.review.clusters import read_clusters
from menpai.tables.review.pair import Pair, text_of
from menpai.tables.source import STDIN
from menpai.tables.sql import is_url
from menpai.tables.table import ReadOptions, Table
from menpai.verdict import LABELS

_BUFFER = 1 << 20


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person may say about an output: how to read it, its columns, and the weakest label that joins."""

    options: ReadOptions | None = None
    a: str | None = None
    b: str | None = None
    columns: Chosen = field(default_factory=Chosen)
    accept: str = "exact"


def read_output(path: str, asked: Asked) -> Iterator[Pair]:
    """The pairs of an output, as they stream by; a UsageError says which columns are lacking and what writes them."""
    if path == STDIN or is_url(path):
        raise UsageError("review_needs_file", path=path)
    with open_table(path, asked.options) as table:
        kind = _kind_of(table)
        if kind != "dedupe":
            yield from _READERS[kind](table, asked)
            return
    yield from read_clusters(path, asked.columns, asked.options)


def fingerprint_of(path: str) -> str:
    """16 hexadecimal digits of a file's content."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as stream:
        while block := stream.read(_BUFFER):
            digest.update(block)
    return digest.hexdigest()[:16]


def joins(label: str, accept: str) -> bool:
    """Whether pairs with this label are joined."""
    return LABELS.index(label) <= (accept == "partial")


def _kind_of(table: Table) -> str:
    """Which command wrote a table: the first whose mark it has. A UsageError where a column of that command's lacks."""
    has = {bare(name) for name in table.columns}
    kind = next(kind for kind, (mark, *_) in _MADE.items() if mark in has or not mark)
    _, wanted, command = _MADE[kind]
    for column in wanted:
        if column not in has:
            raise UsageError("review_column_missing", path=table.name, column=column, command=command,
                             columns=", ".join(table.columns[:20]))  # fmt: skip
    return kind


_JUDGED = ("label", "similarity")
# kind of output: the column that tells it, the columns that are needed, the command that writes them
_MADE: dict[str, tuple[str, tuple[str, ...], str]] = {
    "dedupe": ("cluster_id", ("cluster_size", "is_golden"), "menpai dedupe TABLE -o OUT"),
    "pairs": ("left_id", PAIRS, "menpai link LEFT RIGHT -o OUT --pairs-out PAIRS"),
    "link": ("matched_id", ("matched_address", "matched_name", *_JUDGED), "menpai link LEFT RIGHT -o OUT"),
    "match": ("", _JUDGED, "menpai match FILE -o OUT"),
}


def _match(table: Table, asked: Asked) -> Iterator[Pair]:
    a, b = find_pair(table, asked.a, asked.b)
    label, similarity = added(table, "label", "similarity")
    review = marks(table)
    for row in table.rows:
        if says := judged(row, label, similarity):
            texts = cell_text(row.cells[a]), cell_text(row.cells[b])
            yield Pair(*texts, "", "", *says, joins(says[0], asked.accept), review(row))


def _pairs(table: Table, _: Asked) -> Iterator[Pair]:
    at = added(table, *PAIRS[:6])
    label, similarity, joined = added(table, "label", "similarity", "joined")
    review = marks(table)
    for row in table.rows:
        if says := judged(row, label, similarity):
            id_a, id_b, a, b, name_a, name_b = (cell_text(row.cells[each]) for each in at)
            texts, yes = (text_of(a, name_a), text_of(b, name_b)), is_true(row.cells[joined])
            yield Pair(*texts, id_a, id_b, *says, yes, review(row))


def _link(table: Table, asked: Asked) -> Iterator[Pair]:
    matched, address, name = added(table, "matched_id", "matched_address", "matched_name")
    label, similarity = added(table, "label", "similarity")
    review = marks(table)
    for number, (row, raw) in enumerate(read_raw(without(table, ADDED), asked.columns), 1):
        says = judged(row, label, similarity)
        if says and (other := cell_text(row.cells[matched])):
            theirs = text_of(cell_text(row.cells[address]), cell_text(row.cells[name]))
            ours, id_a = text_of(raw.address, raw.name), raw.id or str(number)
            yield Pair(ours, theirs, id_a, other, *says, True, review(row))


_READERS: dict[str, Callable[[Table, Asked], Iterator[Pair]]] = {
    "match": _match,
    "pairs": _pairs,
    "link": _link,
}
