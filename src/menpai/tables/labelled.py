"""Labelled pairs of the user's own: read from tables, repeated ones once, contradictions found, split by connected texts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import UsageError
from menpai.tables.columns import LABELS, find_given, find_optional, find_pair, refuse_own_labels
from menpai.tables.labels import read_labels
from menpai.tables.readers import open_table
from menpai.tables.table import ReadOptions, Row
from menpai.text import normalize
from menpai.text.readable import find_problem
from menpai.verdict import LABELS as CLASSES

GROUPS = ("place", "group", "query", "queryid", "分组")
"Columns whose equal cells keep pairs in one part of a split."


class Labelled(NamedTuple):
    """A pair, its label (a place in LABELS, or whether it is the same place; None: nobody judged it), and where it stands."""

    a: str
    b: str
    truth: int | bool | None
    where: str
    group: str = ""
    key: tuple[str, str] = ("", "")


@dataclass(slots=True)
class LabelledPairs:
    """What was read: each pair once, those that nobody judged apart; what was left out is counted."""

    source: str = ""
    pairs: list[Labelled] = field(default_factory=list)
    unlabelled: list[Labelled] = field(default_factory=list)
    contradictions: list[tuple[Labelled, Labelled]] = field(default_factory=list)
    repeated: int = 0
    unreadable: int = 0
    left_out: int = 0
    "Contradicting pairs that are used for nothing."

    @property
    def two_class(self) -> bool:
        """Whether the labels say only if two are the same place."""
        return any(type(pair.truth) is bool for pair in self.pairs)

    @property
    def counts(self) -> dict[str, int]:
        """Pairs of each label."""
        names = ("same", "different") if self.two_class else CLASSES
        found = Counter(label_of(pair.truth) for pair in self.pairs)
        return {name: found[name] for name in names}


def label_of(truth: int | bool | None) -> str:
    """The name of a label."""
    return ("different", "same")[truth] if isinstance(truth, bool) else CLASSES[truth or 0]


def read_labelled(
    paths: Sequence[str], options: ReadOptions | None = None, given: dict[str, str | None] | None = None
) -> LabelledPairs:
    """All files together; `given` may name the columns a, b, label, group. A file without a label column, and cells
    without a label, are pairs that nobody judged."""
    rows = [row for path in paths for row in _rows(path, options or ReadOptions(), given or {})]
    found, seen = LabelledPairs(", ".join(paths)), dict[tuple[str, str], Labelled]()
    if len({type(row.truth) for row in rows if row.truth is not None}) > 1:
        raise UsageError("labels_mixed", paths=", ".join(paths))
    for row in rows:
        if not all(row.key):
            found.unreadable += 1
        elif row.truth is None:
            found.unlabelled.append(row)
        elif (before := seen.get(row.key)) is None:
            seen[row.key] = row
            found.pairs.append(row)
        elif before.truth == row.truth:
            found.repeated += 1
        else:
            found.contradictions.append((before, row))
    against = {before.key for before, _ in found.contradictions}
    found.pairs = [row for row in found.pairs if row.key not in against]
    return found


def _rows(path: str, options: ReadOptions, given: dict[str, str | None]) -> list[Labelled]:
    with open_table(path, options) as table:
        a, b = find_pair(table, given.get("a"), given.get("b"))
        name, group_name = given.get("label"), given.get("group")
        refuse_own_labels(table, name)
        label = find_given(table, name) if name else find_optional(table, LABELS)
        group = find_given(table, group_name) if group_name else find_optional(table, GROUPS)
        rows = [row for row in table.rows if row.problem is None]
        two_class = label is not None and table.columns[label] == "same_building"
    marked = (
        []
        if label is None
        else [row for row in rows if str(row.cells[label] or "").strip() or row.cells[label] == 0]
    )
    truths: dict[int, int | bool] = {}
    if label is not None:
        cells = [(row.line, row.cells[label]) for row in marked]
        for row, name_ in zip(marked, read_labels(cells, path, two_class), strict=True):
            truths[id(row)] = name_ if isinstance(name_, bool) else CLASSES.index(name_)
    return [_labelled(row, a, b, group, truths.get(id(row)), path) for row in rows]


def _labelled(row: Row, a: int, b: int, group: int | None, truth: int | bool | None, path: str) -> Labelled:
    texts = [row.cells[at] for at in (a, b)]
    first, second = sorted(_key(text) for text in texts)
    name = "" if group is None else str(row.cells[group] or "")
    return Labelled(
        str(texts[0] or ""), str(texts[1] or ""), truth, f"{path}:{row.line}", name, (first, second)
    )


def _key(cell: object) -> str:
    """The normalized text of a cell; empty for one that cannot be judged."""
    return "" if find_problem(cell, "", sys.maxsize) or not isinstance(cell, str) else normalize(cell).text


def groups_of(pairs: Sequence[Labelled]) -> NDArray[np.int64]:
    """A number for each pair: pairs that share a text, or a cell of the group column, have the same one."""
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while (up := parent.setdefault(text, text)) != text:
            parent[text] = text = parent[up]
        return text

    for pair in pairs:
        for other in (pair.key[1], *((f"\0{pair.group}",) if pair.group else ())):
            parent[root(pair.key[0])] = root(other)
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(root(pair.key[0]), len(numbers)) for pair in pairs], np.int64)


def folds_of(groups: NDArray[np.int64], folds: int, seed: int = 0) -> NDArray[np.int64]:
    """A fold for each pair: whole groups, the largest first, each to the smallest fold so far."""
    sizes = np.bincount(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    filled, fold_of = [0] * folds, np.zeros(len(sizes), np.int64)
    for group in order[np.argsort(-sizes[order], kind="stable")].tolist():
        fold_of[group] = least = filled.index(min(filled))
        filled[least] += int(sizes[group])
    return fold_of[groups]


def shown(pairs: Iterable[tuple[Labelled, Labelled]], most: int = 3) -> str:
    """Where the first contradictions stand: file:line and file:line; never the texts."""
    return ", ".join(f"{a.where} ≠ {b.where}" for a, b in list(pairs)[:most])
