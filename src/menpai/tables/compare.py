"""Which verdicts move between two packs, by kind, and who is right where labels say so."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from menpai.errors import UsageError
from menpai.tables.columns import LABELS, find_given, find_optional, find_pair, wrote_labels
from menpai.tables.evaluate import TWO_CLASSES, Judged, as_classes, class_of, figures_of
from menpai.tables.pairs import Judge, judge
from menpai.tables.table import Row, Table
from menpai.verdict import LABELS as CLASSES
from menpai.verdict import Verdict

KINDS = ("kind", "类型")
"A column by which moves are told apart too."


class Both(NamedTuple):
    """A row, its label (None: nobody judged it), both verdicts, and the classes that they say."""

    row: Row
    gold: str | None
    first: Verdict
    second: Verdict
    says: tuple[str, str]
    kind: str = ""

    @property
    def moved(self) -> bool:
        """Whether the two say different things."""
        return self.says[0] != self.says[1]

    def right(self, which: int) -> bool:
        """Whether the first (0) or the second (1) says what the label says."""
        return self.says[which] == self.gold


class Comparison(NamedTuple):
    """The figures, and the pairs whose verdict moved."""

    figures: dict[str, Any]
    moved: list[Both]
    columns: tuple[int, int]


def compare(
    table: Table,
    matchers: tuple[Judge, Judge],
    given: dict[str, str | None],
    positive: frozenset[str] = frozenset(CLASSES[:1]),
) -> Comparison:
    """Judge every pair with both; `given` may name the columns a, b and label. Labels are not needed; those of an
    output of menpai are none."""
    a, b = find_pair(table, given.get("a"), given.get("b"))
    name = given.get("label")
    usual = None if wrote_labels(table) else find_optional(table, LABELS)
    label = find_given(table, name) if name else usual
    kind = find_optional(table, KINDS)
    rows = list(table.rows)
    gold = _gold(rows, label, table)
    answers = [list(judge(rows, matcher, a, b)) for matcher in matchers]
    two_class = any(truth in TWO_CLASSES for truth in gold.values())
    both = []
    for (row, first), (_, second) in zip(*answers, strict=True):
        if isinstance(first, Verdict) and isinstance(second, Verdict):
            says = class_of(first, two_class, positive), class_of(second, two_class, positive)
            text = "" if kind is None else str(row.cells[kind] or "")
            both.append(Both(row, gold.get(id(row)), first, second, says, text))
    if not both:
        raise UsageError("nothing_judged", path=table.name)
    figures = {"pairs": len(both), "problems": len(rows) - len(both), **_figures(both, positive)}
    return Comparison(figures, [each for each in both if each.moved], (a, b))


def _gold(rows: Sequence[Row], label: int | None, table: Table) -> dict[int, str]:
    if label is None:
        return {}
    marked = [
        row
        for row in rows
        if row.problem is None and str(row.cells[label] if row.cells[label] is not None else "").strip()
    ]
    classes = as_classes(marked, label, table.name, table.columns[label] == "same_building")
    return {id(row): name for row, name in zip(marked, classes, strict=True)}


def _figures(both: Sequence[Both], positive: frozenset[str]) -> dict[str, Any]:
    labelled = [each for each in both if each.gold is not None]
    moved = sum(each.moved for each in both)
    groups: dict[str, Callable[[Both], Iterable[str]]] = {
        "by_stage": lambda each: [f"{each.first.decided_by} → {each.second.decided_by}"],
        "by_conflict": lambda each: sorted(_conflicts(each)) or ["none"],
        "by_level": lambda each: [each.first.level],
    }
    if any(each.kind for each in both):
        groups["by_kind"] = lambda each: [each.kind]
    moves = _grouped([each for each in both if each.moved], lambda each: [" → ".join(each.says)])
    return {
        "moved": moved,
        "moved_share": moved / len(both),
        "moves": moves,
        **{name: _grouped(both, key) for name, key in groups.items()},
        **({"labels": _who_is_right(labelled, positive)} if labelled else {}),
    }


def _conflicts(each: Both) -> set[str]:
    return {conflict.element for verdict in (each.first, each.second) for conflict in verdict.conflicts}


def _grouped(both: Iterable[Both], keys: Callable[[Both], Iterable[str]]) -> dict[str, dict[str, int]]:
    """Name → pairs, how many moved, and on the labelled ones of these how often each was right; most moved first."""
    found: dict[str, dict[str, int]] = defaultdict(
        lambda: {"pairs": 0, "moved": 0, "first_right": 0, "second_right": 0}
    )
    for each in both:
        for name in keys(each):
            counts = found[name]
            counts["pairs"] += 1
            counts["moved"] += each.moved
            counts["first_right"] += each.moved and each.right(0)
            counts["second_right"] += each.moved and each.right(1)
    return dict(sorted(found.items(), key=lambda item: (-item[1]["moved"], -item[1]["pairs"], item[0])))


def _who_is_right(labelled: Sequence[Both], positive: frozenset[str]) -> dict[str, Any]:
    """The figures of both, and McNemar's comparison of the pairs on which only one of them is right."""
    tables = [
        figures_of(
            [Judged(x.row, x.gold or "", x.says[at], (x.first, x.second)[at]) for x in labelled], positive
        )
        for at in (0, 1)
    ]
    first = sum(each.right(0) and not each.right(1) for each in labelled)
    second = sum(each.right(1) and not each.right(0) for each in labelled)
    difference, interval = paired_difference(first, second, len(labelled))
    return {
        "pairs": len(labelled),
        "first": tables[0],
        "second": tables[1],
        "only_first_right": first,
        "only_second_right": second,
        "accuracy_gain": difference,
        "interval": interval,
        "p_value": mcnemar(first, second),
    }


def paired_difference(only_first: int, only_second: int, pairs: int) -> tuple[float, list[float]]:
    """By how much the second is more often right, with a 95 % interval for paired shares (Agresti and Min 2005)."""
    more, apart = only_second - only_first, only_first + only_second
    middle = more / (pairs + 2)
    half = 1.959964 * math.sqrt(apart + 1 - more**2 / (pairs + 2)) / (pairs + 2)
    return more / pairs, [middle - half, middle + half]


def mcnemar(only_first: int, only_second: int) -> float:
    """How likely so uneven a split is if neither is better: McNemar's exact test, two-sided."""
    apart, less = only_first + only_second, min(only_first, only_second)
    tail: float = sum(math.comb(apart, at) for at in range(less + 1)) / 2**apart
    return float(min(1.0, 2 * tail))


def examples_of(comparison: Comparison, count: int) -> list[dict[str, Any]]:
    """Moved pairs as JSON, in turn from every kind of move: line, texts, label, both verdicts."""
    kinds: dict[tuple[str, str], list[Both]] = defaultdict(list)
    for each in comparison.moved:
        kinds[each.says].append(each)
    queues = sorted(kinds.values(), key=len, reverse=True)
    turns = (
        queue[at] for at in range(max(map(len, queues), default=0)) for queue in queues if at < len(queue)
    )
    return [_example(each, comparison.columns) for each, _ in zip(turns, range(count), strict=False)]


def _example(each: Both, columns: tuple[int, int]) -> dict[str, Any]:
    a, b = (each.row.cells[at] for at in columns)
    sides = {
        name: {
            "label": verdict.label, "similarity": round(verdict.similarity, 4), "level": verdict.level,
            "conflicts": [conflict.name for conflict in verdict.conflicts], "decided_by": verdict.decided_by,
        }
        for name, verdict in (("first", each.first), ("second", each.second))
    }  # fmt: skip
    return {"line": each.row.line, "a": a, "b": b, "label": each.gold, **sides}
