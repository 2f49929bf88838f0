"""Labels of tokens (B-road, E-road …) as spans and back, under any of the usual marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

OUTSIDE = "O"
MARKS = ("B", "I", "E", "S", "M")
_OPENS = frozenset("BS")
_CLOSES = frozenset("ES")


class Tagged(NamedTuple):
    """A span with the tag of a scheme; `end` is exclusive."""

    tag: str
    start: int
    end: int


def spans_of(labels: Sequence[str]) -> list[Tagged]:
    """The spans of BIO, BIES or BMES labels, in order of the tokens.

    A span begins on B or S and where the tag changes (a lone I, M or E opens one, as MGeo reads them); it
    ends on E or S and before whatever does not go on with its tag.
    """
    spans: list[Tagged] = []
    goes_on = False
    for at, label in enumerate(labels):
        mark, _, tag = label.partition("-")
        if not tag:
            goes_on = False
            continue
        if goes_on and mark not in _OPENS and spans[-1].tag == tag:
            spans[-1] = spans[-1]._replace(end=at + 1)
        else:
            spans.append(Tagged(tag, at, at + 1))
        goes_on = mark not in _CLOSES
    return spans


def follows(before: str, label: str) -> bool:
    """Whether a label may stand behind another: I, M and E go on with the tag of an open span."""
    mark, _, tag = label.partition("-")
    if not tag or mark in _OPENS:
        return True
    opened, _, named = before.partition("-")
    return named == tag and opened not in _CLOSES


def labels_of(spans: Iterable[Tagged], length: int, marks: str) -> list[str]:
    """A label for each of `length` tokens; `marks` are those for first, inner, last and only one: "BIES"."""
    first, inner, last, only = tuple(marks)
    labels = [OUTSIDE] * length
    for tag, start, end in spans:
        labels[start:end] = [f"{inner}-{tag}"] * (end - start)
        labels[end - 1] = f"{last}-{tag}"
        labels[start] = f"{only if end - start == 1 else first}-{tag}"
    return labels
