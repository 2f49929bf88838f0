"""Scores of tags for characters → the best spans: B, I and E begin, carry on and end one, S is a whole one, O none.

The best path is found for all texts of a batch at once (Viterbi). An I or E only follows a B or I of its own kind,
so a step costs as many additions as there are labels, not their square.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
_FAR = np.float32(-1e4)


class Span(NamedTuple):
    """text[start:end] is one element of this kind; the confidence is that of its least certain character."""

    kind: str
    start: int
    end: int
    confidence: float


class Scheme:
    """The labels of a tagger in the order of its outputs: O, and B-, I-, E-, S- for every kind."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.kinds = tuple(label[2:] for label in labels if label.startswith("B-"))
        if sorted(labels) != sorted(labels_of(self.kinds)):
            raise ValueError("labels of a tagger are O and B-, I-, E-, S- of every kind")
        self.order = np.array([labels.index(label) for label in labels_of(self.kinds)])

    def spans(self, scores: Floats, lengths: Ints) -> list[list[Span]]:
        """The best spans of each text; `scores` is [n, length, labels], rows behind `lengths` are ignored."""
        scores = np.take(
            scores, self.order, axis=2
        )  # in C order: sums over labels then add in the same order
        scores[np.arange(scores.shape[1]) >= lengths[:, None]] = np.where(np.arange(len(self.order)), _FAR, 0)
        path = _best_path(scores, len(self.kinds))
        return self._collect(path, _probabilities(scores, path), lengths)

    def _collect(self, path: Ints, probabilities: Floats, lengths: Ints) -> list[list[Span]]:
        """The spans along the paths. Labels are O, then all B, all I, all E, all S."""
        count = len(self.kinds)
        place = (path - 1) // count  # -1 for O, 0 B, 1 I, 2 E, 3 S
        starts, ends = (np.flatnonzero(np.isin(place, found)) for found in ((0, 3), (2, 3)))
        found: list[list[Span]] = [[] for _ in lengths]
        if not len(starts):
            return found
        rows, columns = np.divmod(starts, path.shape[1])
        kinds = (path.ravel()[starts] - 1) % count
        inside = np.where(place < 0, np.float32(1), probabilities).ravel()
        least = np.minimum.reduceat(inside, starts)
        for row, start, length, kind, sure in zip(
            rows.tolist(), columns.tolist(), (ends - starts + 1).tolist(), kinds.tolist(), least.tolist(),
            strict=True,
        ):  # fmt: skip
            found[row].append(Span(self.kinds[kind], start, start + length, sure))
        return found


def labels_of(kinds: Sequence[str]) -> list[str]:
    """O, then all B-, all I-, all E-, all S-."""
    return ["O", *(f"{place}-{kind}" for place in "BIES" for kind in kinds)]


def _best_path(scores: Floats, kinds: int) -> Ints:
    """The label of each character on the best path; [n, length]."""
    count, length, _ = scores.shape
    none, begin, inner = scores[:, :, 0], scores[:, :, 1 : kinds + 1], scores[:, :, kinds + 1 : 2 * kinds + 1]
    ending, single = scores[:, :, 2 * kinds + 1 : 3 * kinds + 1], scores[:, :, 3 * kinds + 1 :]
    closed, opened = np.zeros(count, np.float32), np.full((count, kinds), _FAR * length, np.float32)
    last = np.empty((length, count), np.intp)  # the label of a character after which nothing is open
    carries = np.empty((length, count, kinds), np.bool_)  # whether one inside a span carries it on
    options = np.empty((count, 1 + 2 * kinds), np.float32)
    for at in range(length):
        options[:, 0] = none[:, at] + closed
        options[:, 1 : kinds + 1] = ending[:, at] + opened
        options[:, kinds + 1 :] = single[:, at] + closed[:, None]
        fresh = begin[:, at] + closed[:, None]
        opened = inner[:, at] + opened
        np.greater(opened, fresh, out=carries[at])
        opened = np.maximum(opened, fresh)
        best = options.argmax(1)
        closed = options[np.arange(count), best]
        last[at] = np.where(best, best + 2 * kinds, 0)
    return _walk_back(last, carries, kinds)


def _walk_back(last: Ints, carries: NDArray[np.bool_], kinds: int) -> Ints:
    """Labels from the last character to the first; [n, length]."""
    length, count = last.shape
    path = np.empty((length, count), np.intp)
    open_kind = np.full(count, -1, np.intp)
    rows = np.arange(count)
    for at in range(length - 1, -1, -1):
        inside = open_kind >= 0
        goes_on = inside & carries[at, rows, open_kind]
        label = np.where(inside, open_kind + 1 + kinds * goes_on, last[at])
        path[at] = label
        ends = (label > 2 * kinds) & (label <= 3 * kinds)
        open_kind = np.where(ends, label - 2 * kinds - 1, np.where(goes_on, open_kind, -1))
    return path.T


def _probabilities(scores: Floats, path: Ints) -> Floats:
    """The probability of each label on the path; [n, length]."""
    weights = np.exp(scores - scores.max(2, keepdims=True))
    chosen = np.take_along_axis(weights, path[:, :, None], 2)[:, :, 0]
    return np.asarray(chosen / weights.sum(2), np.float32)
