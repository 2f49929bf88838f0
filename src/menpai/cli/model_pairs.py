"""The pairs on which `menpai model quantize`, `bench` and `tune` measure: the user's, or written ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import islice

from menpai.cli.console import note
from menpai.cli.language import say
from menpai.errors import UsageError
from menpai.packs import Pack
from menpai.packs.sample import written_pairs
from menpai.tables.columns import LABELS as LABEL_COLUMNS
from menpai.tables.columns import find_optional, find_pair
from menpai.tables.labels import read_labels
from menpai.tables.readers import open_table
from menpai.text.readable import find_problem

Pairs = list[tuple[str, str]]


def read_pairs(path: str | None, count: int, pack: Pack) -> tuple[Pairs, list[int]]:
    """Up to `count` pairs, and the number of the right output of each where the file has labels for all of them. Rows
    without two addresses that can be read (a tagger reads the first only) are left out, and that is told."""
    if path is None:
        return written_pairs(count), []
    with open_table(path) as table:
        a, b = find_pair(table)
        label = find_optional(table, LABEL_COLUMNS)
        given = list(islice(table.rows, count))
    read = (a,) if pack.task == "tagging" else (a, b)
    rows = [row for row in given if row.problem is None and all(_readable(row.cells[at]) for at in read)]
    pairs = [(str(row.cells[a] or ""), str(row.cells[b] or "")) for row in rows]
    if not pairs:
        raise UsageError("table_empty", path=path)
    if left := len(given) - len(rows):
        note(
            say(
                f"{path}：略去没有可读地址的 {left} 行",
                f"{path}: {left} rows without readable addresses were left out",
            )
        )
    if label is None or pack.task != "pair":
        return pairs, []
    return pairs, _outputs(read_labels([(row.line, row.cells[label]) for row in rows], path), pack)


def _readable(cell: object) -> bool:
    return find_problem(cell, "", sys.maxsize) is None


def _outputs(labels: Sequence[str] | Sequence[bool], pack: Pack) -> list[int]:
    """The output of each label; none if the file has two classes only."""
    order = [str(label) for label in pack.manifest["labels"]]
    return [order.index(label) for label in labels if isinstance(label, str)]
