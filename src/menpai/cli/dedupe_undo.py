"""`menpai dedupe TABLE --undo`: the clusters as they were before the last run of the journal."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from menpai.cli.console import note
from menpai.cli.convert import noting, read_options, report, write_options
from menpai.cli.language import say
from menpai.errors import UsageError
from menpai.settings import Settings
from menpai.tables.columns import find_given
from menpai.tables.entries import cell_text
from menpai.tables.linkage import Records, make_records
from menpai.tables.linkage.decisions import COLUMNS
from menpai.tables.linkage.golden import choose, kinds_of
from menpai.tables.linkage.reading import Chosen, read_raw
from menpai.tables.linkage.room import matcher_for
from menpai.tables.linkage.undo import Run, decided_by, last_run, put_back, undone_line
from menpai.tables.output import open_output
from menpai.tables.readers import open_table
from menpai.tables.table import Row, WriteOptions
from menpai.tables.writers import open_writer

_OURS = ("cluster_id", "cluster_size", "is_golden")


class _Undone(NamedTuple):
    """The cluster of each row after undoing, the rows that moved, and what is new of the clusters that they touched."""

    clusters: list[str]
    moved: set[int]
    touched: set[str]
    golden: set[int]


def undo(args: argparse.Namespace, settings: Settings, chosen: Chosen) -> int:
    """Write the table with the ids of before, tell the journal, and, if there is a file for it, what is decided."""
    if not args.journal:
        raise UsageError("undo_without_journal")
    run, known = last_run(args.journal), _decided_before(args.decisions)
    with open_table(args.table, read_options(args)) as table:
        at = [find_given(table, name) for name in _OURS]
        read = list(read_raw(table, chosen, noting(settings.lang)))
        records = make_records((raw for _, raw in read), settings.max_length)
        rows = [row for row, _ in read]
        undone = _undo(run, records, [cell_text(row.cells[at[0]]) for row in rows], settings)
        options = write_options(args, table, settings.lang)
        with open_writer(args.output, table.columns, options, args.table) as out:
            for cells in _cells(rows, at, undone):
                out.write(cells)
    decided = list(decided_by(run, records.ids, undone.clusters))
    if args.decisions:
        _decide(args.decisions, known, decided, settings)
    append_journal(args.journal, [undone_line(run)])
    _tell(run, len(undone.moved), bool(decided and not args.decisions))
    report(len(read), len(records.problems), args.output)
    return 1 if records.problems else 0


def _undo(run: Run, records: Records, now: Sequence[str], settings: Settings) -> _Undone:
    """What undoing a run makes of these clusters; those that rows left or came into get their golden row anew."""
    before = put_back(run, records.ids, now)
    moved = {at for at, (mine, theirs) in enumerate(zip(now, before, strict=True)) if mine != theirs}
    touched = {cluster for at in moved for cluster in (now[at], before[at])}
    members: dict[str, list[int]] = {cluster: [] for cluster in touched}
    for at, cluster in enumerate(before):
        if cluster in members and at not in records.problems:
            members[cluster].append(at)
    matcher = matcher_for(len(touched), settings)
    found = (choose(records, rows, kinds_of(records, rows, matcher)) for rows in members.values() if rows)
    return _Undone(before, moved, touched, {golden.row for golden in found})


def _cells(rows: Sequence[Row], at: Sequence[int], undone: _Undone) -> Iterator[list[Any]]:
    """The cells of each row, with id, size and golden mark as they are after undoing."""
    sizes = Counter(undone.clusters)
    for number, (row, cluster) in enumerate(zip(rows, undone.clusters, strict=True)):
        cells = list(row.cells)
        if cluster in undone.touched:
            for place, cell in zip(at, (cluster, sizes[cluster], number in undone.golden), strict=True):
                cells[place] = cell
        yield cells


def _tell(run: Run, moved: int, again: bool) -> None:
    note(say(
        f"第 {run.number} 次的改动已撤销：{moved:,} 行回到原来的类",
        f"run {run.number} is undone: {moved:,} rows are back in the cluster they had",
    ))  # fmt: skip
    if again:
        note(say(
            "下一次运行还会这样做；给出 --decisions FILE 就记下不要",
            "the next run will do the same again; with --decisions FILE it is written down that it should not",
        ))  # fmt: skip


def append_journal(path: str, lines: Iterable[Mapping[str, Any]]) -> None:
    """Append the lines; the file is there in any case."""
    before = Path(path).read_bytes() if Path(path).exists() else b""
    with open_output(path) as stream:
        stream.write(before)
        for line in lines:
            stream.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")


class _Decided(NamedTuple):
    """The table of decisions as it is: its columns, its rows, the places of the columns that we know."""

    columns: Sequence[str]
    rows: list[tuple[Any, ...]]
    places: Sequence[int]


def _decided_before(path: str | None) -> _Decided:
    """What stands in the table of decisions; nothing where there is none."""
    if path is None or not Path(path).exists():
        return _Decided(COLUMNS, [], range(len(COLUMNS)))
    with open_table(path) as table:
        places = [find_given(table, name) for name in COLUMNS]
        return _Decided(table.columns, [row.cells for row in table.rows], places)


def _decide(path: str, known: _Decided, decided: Sequence[tuple[str, str, str]], settings: Settings) -> None:
    """Write the table of decisions with what is decided at its end."""
    with open_writer(path, known.columns, WriteOptions(language=settings.lang)) as writer:
        for cells in known.rows:
            writer.write(cells)
        for told in decided:
            new: list[Any] = [None] * len(known.columns)
            for place, cell in zip(known.places, told, strict=True):
                new[place] = cell
            writer.write(new)
