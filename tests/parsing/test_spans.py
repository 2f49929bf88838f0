"""The best path of tags: a plain twin tries every sequence."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.parsing.spans import Scheme, labels_of

KINDS = ("road", "poi")
LABELS = labels_of(KINDS)
SCHEME = Scheme(LABELS)


def is_allowed(path: tuple[int, ...]) -> bool:
    """Whether I and E follow a B or I of their kind, and nothing is left open."""
    open_kind = ""
    for place, _, kind in (LABELS[at].partition("-") for at in path):
        if (place in "IE") != bool(open_kind) or (open_kind and kind != open_kind):
            return False
        open_kind = kind if place in "BI" else ""
    return not open_kind


def spans_along(path: tuple[int, ...]) -> list[tuple[str, int, int]]:
    """The spans of one allowed path."""
    found, start = [], 0
    for at, label in enumerate(path):
        place, _, kind = LABELS[label].partition("-")
        start = at if place in "BS" else start
        if place in ("E", "S"):
            found.append((kind, start, at + 1))
    return found


@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_the_path_is_the_best_of_all_allowed(length: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(1, length, len(LABELS))).astype(np.float32)
    paths = [path for path in product(range(len(LABELS)), repeat=length) if is_allowed(path)]
    best = max(paths, key=lambda path: sum(scores[0, at, label] for at, label in enumerate(path)))
    (spans,) = SCHEME.spans(scores, np.array([length]))
    assert [span[:3] for span in spans] == spans_along(best)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(0, 2**32 - 1))
def test_a_text_has_the_same_spans_alone_and_padded(lengths: list[int], seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(len(lengths), 9, len(LABELS))).astype(np.float32)
    together = SCHEME.spans(scores, np.array(lengths))
    alone = [SCHEME.spans(scores[[at], :n], np.array([n]))[0] for at, n in enumerate(lengths)]
    assert together == alone


def test_confidence_is_that_of_the_least_certain_character() -> None:
    scores = np.zeros((1, 2, len(LABELS)), np.float32)
    scores[0, 0, LABELS.index("B-road")], scores[0, 1, LABELS.index("E-road")] = 9, 3
    (span,) = SCHEME.spans(scores, np.array([2]))[0]
    assert span[:3] == ("road", 0, 2)
    assert span.confidence == pytest.approx(np.exp(3) / (np.exp(3) + len(LABELS) - 1))


def test_the_order_of_labels_is_free_and_their_set_is_not() -> None:
    backwards = Scheme(LABELS[::-1])
    scores = np.zeros((1, 1, len(LABELS)), np.float32)
    scores[0, 0, LABELS[::-1].index("S-poi")] = 9
    assert [span[:3] for span in backwards.spans(scores, np.array([1]))[0]] == [("poi", 0, 1)]
    with pytest.raises(ValueError, match="labels of a tagger"):
        Scheme(["O", "B-road", "I-road"])


def test_no_texts_no_spans() -> None:
    assert SCHEME.spans(np.zeros((0, 3, len(LABELS)), np.float32), np.zeros(0, np.intp)) == []
