"""The tagger of the built-in pack: learns from composed addresses and from those that were read one by one.

Both come from rows open to that pack: official notices, divisions, judged pairs, and what was written for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from menpai.parsing.spans import labels_of
from menpai.text import normalize
from training.data import fold_of
from training.gather import gather
from training.tagging.compose import compose
from training.tagging.conll import Tagged
from training.tagging.fit import Source, fit
from training.tagging.guess import guess
from training.tagging.labels import open_texts, read_labels
from training.tagging.model import TagEncoder

SCHEME = "menpai"
KINDS = (
    "province", "city", "district", "town", "community", "village_group", "devzone", "road", "roadno",
    "intersection", "poi", "subpoi", "building", "unit", "floor", "room", "distance", "assist",
)  # fmt: skip
HELD_TENTHS = 3


def split_labels(data: Path) -> tuple[list[Tagged], list[Tagged]]:
    """The texts that were read: those to learn from, and three tenths that are held."""
    learn: list[Tagged] = []
    held: list[Tagged] = []
    for digest, row in sorted(read_labels(data).items()):
        (held if fold_of(digest, 10) < HELD_TENTHS else learn).append(row)
    return learn, held


def train_builtin(recipe: Mapping[str, Any], seed: int, data: Path, pair: Path, work: Path) -> TagEncoder:
    """The fitted tagger; the vocabulary is that of the pair encoder, which shares the pack."""
    (work / "vocabulary.txt").write_bytes((pair / "vocabulary.txt").read_bytes())
    learn, held = split_labels(data)
    if not (work / "guess.pt").exists():
        hidden = {row.text for row in held}
        texts = [normalize(text).text for text in open_texts(data)]
        texts = [
            text
            for text in dict.fromkeys(texts)
            if len(text) > 4 and not any(text.endswith(h) for h in hidden)
        ]
        guess(recipe["guess"], seed, texts, {SCHEME: len(labels_of(KINDS))}, pair, work)
    rng, corpus = Random(seed), gather(data)
    composed = [compose(rng, corpus) for _ in range(recipe["composed"])]
    shares = recipe["fit"]["shares"]
    sources = {
        "composed": Source(SCHEME, KINDS, composed, shares["composed"]),
        "read": Source(SCHEME, KINDS, learn, shares["read"]),
    }
    return fit(recipe["fit"], seed, sources, work)
