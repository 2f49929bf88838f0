"""Measure verdicts against the labels of a table of pairs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from menpai.errors import Problem, UsageError
from menpai.tables import metrics
from menpai.tables.columns import (
    CONFLICTS,
    LABELS,
    LEVELS,
    find_column,
    find_optional,
    find_pair,
    refuse_own_labels,
)
from menpai.tables.labels import read_labels
from menpai.tables.pairs import Judge, judge
from menpai.tables.table import Row, Table
from menpai.verdict import LABELS as CLASSES
from menpai.verdict import Verdict

TWO_CLASSES = ("same", "different")


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled row with its verdict, both as classes of the file."""

    row: Row
    gold: str
    predicted: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Report:
    """The figures, the pairs that could be judged and those that could not."""

    figures: dict[str, Any]
    judged: list[Judged]
    problems: list[tuple[Row, Problem]] = field(default_factory=list)

    @property
    def wrong(self) -> list[Judged]:
        """The pairs whose class is not that of the label."""
        return [one for one in self.judged if one.gold != one.predicted]


def evaluate(
    table: Table,
    matcher: Judge,
    given: dict[str, str | None],
    positive: frozenset[str] = frozenset(CLASSES[:1]),
) -> Report:
    """Judge every pair and compare; `given` may name the columns a, b and label."""
    a, b = find_pair(table, given.get("a"), given.get("b"))
    label = find_column(table, given.get("label"), LABELS, "label")
    refuse_own_labels(table, given.get("label"))
    rows = list(table.rows)
    sound = [row for row in rows if row.problem is None]
    two_class = table.columns[label] == "same_building"
    gold = dict(zip(map(id, sound), as_classes(sound, label, table.name, two_class), strict=True))
    start = time.perf_counter()
    answers = list(judge(rows, matcher, a, b))
    seconds = time.perf_counter() - start
    judged = [
        Judged(row, gold[id(row)], class_of(answer, gold[id(row)] in TWO_CLASSES, positive), answer)
        for row, answer in answers
        if isinstance(answer, Verdict)
    ]
    problems = [(row, answer) for row, answer in answers if isinstance(answer, Problem)]
    if not judged:
        raise UsageError("nothing_judged", path=table.name)
    figures = figures_of(judged, positive) | _agreement(judged, table)
    figures |= {"pairs_per_second": round(len(rows) / seconds, 1), "problems": len(problems)}
    return Report(figures, judged, problems)


def as_classes(rows: Sequence[Row], label: int, path: str, two_class: bool) -> list[str]:
    """The class of each row's label: of LABELS, or of TWO_CLASSES."""
    labels = read_labels([(row.line, row.cells[label]) for row in rows], path, two_class)
    return [name if isinstance(name, str) else TWO_CLASSES[not name] for name in labels]


def class_of(verdict: Verdict, two_class: bool, positive: frozenset[str]) -> str:
    """What a verdict says in the classes of the file."""
    return TWO_CLASSES[verdict.label not in positive] if two_class else verdict.label


def figures_of(judged: Sequence[Judged], positive: frozenset[str]) -> dict[str, Any]:
    """Everything that depends on the classes alone."""
    two_class = judged[0].gold in TWO_CLASSES
    names = TWO_CLASSES if two_class else CLASSES
    gold = np.array([names.index(one.gold) for one in judged])
    predicted = np.array([names.index(one.predicted) for one in judged])
    counts = metrics.confusion(gold, predicted, len(names))
    rows = metrics.per_class(counts)
    sure = np.array([_confidence(one, positive) for one in judged])
    return {
        "pairs": len(judged),
        "accuracy": metrics.accuracy(counts),
        "macro_f1": metrics.macro_f1(counts),
        **({"f1": rows[0]["f1"]} if two_class else {}),
        "per_label": dict(zip(names, rows, strict=True)),
        "confusion": {name: dict(zip(names, map(int, row), strict=True))
                      for name, row in zip(names, counts, strict=True)},
        "ece": metrics.ece(sure, gold == predicted),
        "decided_by": dict(Counter(one.verdict.decided_by for one in judged).most_common()),
    }  # fmt: skip


def _confidence(one: Judged, positive: frozenset[str]) -> float:
    """The probability of the predicted class; of two classes, "same" has the sum of its labels."""
    row: dict[str, float] = one.verdict.probabilities._asdict()
    if one.predicted in row:
        return row[one.predicted]
    same = sum(row[name] for name in positive)
    return same if one.predicted == TWO_CLASSES[0] else 1.0 - same


def _agreement(judged: Iterable[Judged], table: Table) -> dict[str, float]:
    """Shares of pairs with the level and the conflict that the file gives, where it gives them."""
    level, conflict = find_optional(table, LEVELS), find_optional(table, CONFLICTS)
    figures = {}
    if level is not None:
        figures["level_agreement"] = _share(one.row.cells[level] == one.verdict.level for one in judged)
    if conflict is not None:
        figures["conflict_agreement"] = _share(_same_conflict(one, conflict) for one in judged)
    return figures


def _same_conflict(one: Judged, column: int) -> bool:
    """Gold names one conflicting element or none; the verdict must name it among its own, or have none."""
    wanted = str(one.row.cells[column] or "none").removesuffix("_differs")
    found = {conflict.element for conflict in one.verdict.conflicts} or {"none"}
    return wanted in found


def _share(truths: Iterable[bool]) -> float:
    values = list(truths)
    return sum(values) / len(values)
