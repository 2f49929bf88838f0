"""Two packs compared: moves by kind, and who is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from menpai.errors import Problem
from menpai.tables.compare import compare, examples_of, mcnemar, paired_difference
from menpai.tables.table import Row, Table
from menpai.verdict import LABELS, Conflict, Probabilities, Verdict

TEXTS = ("文三路1号", "文三路2号", "文三路3号", "文三路4号", "坏")


class Fixed:
    """Says of each first address what it was told to."""

    def __init__(self, labels: str) -> None:
        self.labels = dict(zip(TEXTS, labels, strict=True))

    def match_iter(
        self, pairs: Iterable[tuple[Any, Any]], *, evidence: bool = True
    ) -> Iterator[Verdict | Problem]:
        for a, _ in pairs:
            at = {"e": 0, "p": 1, "n": 2}.get(self.labels[a])
            if at is None:
                yield Problem("address_unreadable", {"side": ""})
                continue
            p = Probabilities(*(0.8 if at == k else 0.1 for k in range(3)))
            conflicts = (Conflict("roadno", a, "9号"),) if at else ()
            yield Verdict(p, "road", conflicts, (), "fast" if a == TEXTS[0] else "encoder", "x@1", "b")


def table(labels: str | None) -> Table:
    columns = ("address_a", "address_b", *(("label",) if labels is not None else ()))
    rows = [
        Row(line, (text, "文三路9号", *((labels[line],) if labels is not None else ())))
        for line, text in enumerate(TEXTS)
    ]
    return Table("t", ".csv", columns, iter(rows))


def test_moves_by_kind_and_who_is_right() -> None:
    found = compare(table("21002"), (Fixed("epnp-"), Fixed("pppn-")), {})
    figures = found.figures
    assert (figures["pairs"], figures["problems"], figures["moved"]) == (4, 1, 3)
    assert figures["moves"]["exact_match → partial_match"] == {
        "pairs": 1,
        "moved": 1,
        "first_right": 1,
        "second_right": 0,
    }
    assert figures["moves"]["partial_match → not_match"]["second_right"] == 1
    assert figures["by_stage"]["fast → fast"] == {"pairs": 1, "moved": 1, "first_right": 1, "second_right": 0}
    assert figures["by_level"]["road"]["moved"] == 3
    assert figures["by_conflict"]["roadno"]["pairs"] == 4
    labels = figures["labels"]
    assert (labels["only_first_right"], labels["only_second_right"], labels["p_value"]) == (2, 1, 1.0)
    assert labels["first"]["accuracy"] == 0.75
    assert labels["accuracy_gain"] == -0.25
    assert labels["interval"][0] < -0.25 < labels["interval"][1]
    (example,) = examples_of(found, 1)
    assert example["a"] in TEXTS
    assert example["first"]["label"] != example["second"]["label"]


def test_labels_are_not_needed() -> None:
    figures = compare(table(None), (Fixed("epnp-"), Fixed("epnp-")), {}).figures
    assert (figures["moved"], figures["moves"], "labels" in figures) == (0, {}, False)


def test_two_classes() -> None:
    rows = table(None)
    labelled = Table(
        "t", ".csv", (*rows.columns, "same_building"), iter([Row(r.line, (*r.cells, "1")) for r in rows.rows])
    )
    figures = compare(labelled, (Fixed("epnp-"), Fixed("pppn-")), {}, frozenset(LABELS[:2])).figures
    assert figures["moves"].keys() == {"different → same", "same → different"}


@pytest.mark.parametrize(
    ("b", "c", "p"), [(0, 0, 1.0), (5, 5, 1.0), (0, 10, 2 / 1024), (2, 9, 2 * (1 + 11 + 55) / 2048)]
)
def test_mcnemar(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c) == pytest.approx(min(1, p))


def test_the_interval_holds_the_difference_and_narrows() -> None:
    for pairs in (50, 500):
        difference, (low, high) = paired_difference(3, 9, pairs)
        assert low < difference < high
    assert paired_difference(30, 90, 1000)[1][0] > 0
