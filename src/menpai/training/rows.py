"""Pairs as an encoder is trained on them: what it reads, the evidence, and a target for each label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Problem
from menpai.evidence import compare_sides, measure
from menpai.matcher import Matcher
from menpai.scoring.encoder import encoder_texts
from menpai.scoring.tokens import Rows, Vocabulary, encode
from menpai.tables.labelled import Labelled

Floats = NDArray[np.float32]


class Examples(NamedTuple):
    """Pairs that can be judged, what the encoder reads of them, evidence [n, features], targets [n, 3]."""

    pairs: list[Labelled]
    texts: list[tuple[str, str]]
    features: Floats
    targets: Floats

    def take(self, chosen: NDArray[np.bool_]) -> Examples:
        """The chosen ones."""
        at = np.flatnonzero(chosen)
        return Examples(
            [self.pairs[i] for i in at], [self.texts[i] for i in at], self.features[at], self.targets[at]
        )


def read_examples(pairs: Sequence[Labelled], matcher: Matcher, teacher: Matcher | None) -> Examples:
    """The pairs with their targets: the label; for pairs that nobody judged, the teacher's probabilities. A label that
    says only "not the same place" is spread as the teacher, or the pack itself, would spread it."""
    sides = [(matcher.side(pair.a), matcher.side(pair.b)) for pair in pairs]
    good = [at for at, pair in enumerate(sides) if not any(isinstance(side, Problem) for side in pair)]
    kept = [pairs[at] for at in good]
    compared = [compare_sides(*sides[at]) for at in good]  # type: ignore[arg-type] # problems are left out
    asked = [at for at, pair in enumerate(kept) if type(pair.truth) is not int]
    says = _ask(teacher or matcher, [kept[at] for at in asked])
    targets = np.zeros((len(kept), 3), np.float32)
    for at, pair in enumerate(kept):
        if type(pair.truth) is int:
            targets[at, pair.truth] = 1.0
    for at, row in zip(asked, says, strict=True):
        targets[at] = _target(kept[at].truth, row)
    return Examples(kept, [encoder_texts(c) for c in compared], measure(compared), targets)


def _ask(judge: Matcher, pairs: Sequence[Labelled]) -> Floats:
    answers = judge.match_many([(pair.a, pair.b) for pair in pairs], evidence=False)
    even = (1 / 3, 1 / 3, 1 / 3)
    rows = [even if isinstance(each, Problem) else tuple(each.probabilities) for each in answers]
    return np.array(rows, np.float32).reshape(-1, 3)


def _target(truth: int | bool | None, says: Floats) -> Floats:
    if truth is None:
        return says
    if truth:
        return np.array([1, 0, 0], np.float32)
    rest = says * np.array([0, 1, 1], np.float32) + np.float32(1e-6)
    rest[0] = 0
    return np.asarray(rest / rest.sum(), np.float32)


class Batch(NamedTuple):
    """Encoded rows of one length, and their targets."""

    rows: Rows
    targets: Floats


def batches(
    texts: Sequence[tuple[str, str]],
    targets: Floats,
    vocabulary: Vocabulary,
    size: int,
    rng: np.random.Generator,
) -> Iterator[Batch]:
    """One pass in random order, in batches of one length and about `size` rows."""
    order = rng.permutation(len(texts))
    for start in range(0, len(order), size * 40):
        chunk = order[start : start + size * 40]
        cut = [
            Batch(
                Rows(rows.pairs[at], rows.ids[at], rows.types[at], rows.positions[at]),
                targets[chunk[rows.pairs[at]]],
            )
            for rows in encode([texts[i] for i in chunk], vocabulary)
            for at in np.array_split(np.arange(len(rows.pairs)), max(1, round(len(rows.pairs) / size)))
        ]
        for i in rng.permutation(len(cut)):
            yield cut[i]
