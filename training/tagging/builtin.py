"""The tagger of the built-in pack: learns from composed addresses and from those that were read one by one.

Both come from rows open to that pack: official notices, divisions, judged pairs, and what was written for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from menpai.address import Address
from menpai.parsing import parse
from menpai.parsing.settle import settle
from menpai.parsing.spans import labels_of
from menpai.text import normalize
from training.data import fold_of
from training.gather import gather
from training.tagging.card import builtin_card
from training.tagging.compose import compose
from training.tagging.conll import Tagged, write_conll
from training.tagging.export import export, tagger_of
from training.tagging.fit import Source, fit
from training.tagging.guess import guess, read_vocabulary
from training.tagging.judge import judge, spans_of
from training.tagging.labels import open_texts, read_labels
from training.tagging.model import TagEncoder
from training.tagging.pack import add_tagger

SCHEME = "menpai"
KINDS = (
    "province", "city", "district", "town", "community", "village_group", "devzone", "road", "roadno",
    "intersection", "poi", "subpoi", "building", "unit", "floor", "room", "distance", "assist",
)  # fmt: skip
# What the tagger is asked about.
NAMES = ("road", "poi", "community", "subpoi", "devzone", "village_group")
HELD_TENTHS = 3
EXAMPLES = 1500


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


def release_builtin(
    recipe: Mapping[str, Any], seed: int, data: Path, pair: Path, work: Path, out: Path, version: str
) -> str:
    """Train and put the tagger beside the pair encoder of the pack at `out`; returns the figures."""
    model = train_builtin(recipe, seed, data, pair, work)
    learn, held = split_labels(data)
    vocabulary = read_vocabulary(work / "vocabulary.txt")
    rng, corpus = Random(seed + 1), gather(data)
    graph = export(model, SCHEME, vocabulary, [compose(rng, corpus).text for _ in range(EXAMPLES)])
    tagger = tagger_of(graph, vocabulary, KINDS, SCHEME)
    readings = [parse(normalize(row.text)) for row in held]
    figures = {
        "tagger alone": judge(spans_of(tagger, held), held, NAMES),
        "rules": judge(_spans(readings), held, NAMES),
        "settled": judge(_spans(settle(readings, tagger)), held, NAMES),
    }
    card = builtin_card(model.shape, recipe["composed"], len(learn), len(held), figures)
    facts = {"version": version, "scheme": SCHEME, "precision": "int8", "recipe": recipe}
    write_conll(work / "held_menpai.conll", held)
    add_tagger(out, graph, KINDS, card, facts)
    return card


def _spans(readings: Sequence[Address]) -> list[list[tuple[str, int, int]]]:
    """The elements of readings as spans of the raw texts."""
    return [
        [(e.kind, *reading.normalized.raw_span(e.start, e.end)) for e in reading.elements]
        for reading in readings
    ]
