"""Names of shops and offices side by side: what they share, by how rare it is in the two tables."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from menpai.evidence.coordinates import metres
from menpai.tables.linkage.records import Entity
from menpai.tables.linkage.weights import EXACT, NAME, NAMES, NOT, distance_weight, phone_weight
from menpai.verdict import Probabilities

_BRANCH = re.compile(r"\([^()]*\)?")
_NUMBER = re.compile(r"[0-9]+")
_LEAST = 2_000
"Names that there are taken to be at least: in ten rows every pair of characters looks common."
_SHARED, _LACKING, _OVER = 25.0, 25.0, 40.0
"Nats beyond which more of them say nothing new."
_ALIKE = 0.35
"Share of the shorter name's characters that a pair needs to be looked at."
_UNKNOWN = Probabilities(0.0, 0.5, 0.5)


class _Name(NamedTuple):
    """A name, its main part without the branch, and the pairs of neighbouring characters of that."""

    text: str
    main: str
    grams: frozenset[str]
    characters: frozenset[str]


class Names:
    """The names of both tables, with how much it says that two of them share something. `weight`: what each pair of
    characters weighs among more names than these."""

    def __init__(self, texts: Iterable[str], weight: Mapping[str, float] | None = None) -> None:
        self._known = {text: _split(text) for text in {"", *texts}}
        counts = Counter(gram for name in self._known.values() for gram in name.grams)
        self._weight = gram_weights(counts, len(self._known)) if weight is None else weight

    def hopeless(self, left: str, right: str) -> bool:
        """Both names are given and have nearly nothing in common."""
        a, b = self._known[left].characters, self._known[right].characters
        return bool(a and b) and len(a & b) < _ALIKE * min(len(a), len(b))

    def score(self, left: Entity, right: Entity, address: Probabilities | None = None) -> float:
        """Log-odds that two entities are the same; `address` is the verdict on their addresses, if there is one."""
        features = self.features(left, right)
        says = address or _UNKNOWN
        apart = None if left.point is None or right.point is None else metres(left.point, right.point)
        return (
            NAMES
            + sum(weight * features[name] for name, weight in NAME.items())
            + EXACT * _odds(says.exact_match)
            + NOT * _odds(says.not_match)
            + distance_weight(apart)
            + phone_weight(left.phone, right.phone)
        )

    def features(self, left: Entity, right: Entity) -> dict[str, float]:
        """The features that weights.NAME weighs."""
        a, b = self._known[left.name], self._known[right.name]
        shared = self._total(a.grams & b.grams)
        alone = sorted((self._total(a.grams - b.grams), self._total(b.grams - a.grams)))
        numbers = set(_NUMBER.findall(left.address)), set(_NUMBER.findall(right.address))
        common = not numbers[0].isdisjoint(numbers[1])
        return {
            "shared": min(shared, _SHARED),
            "lacking": min(alone[0], _LACKING),
            "over": min(alone[1], _OVER),
            "dice": 2 * shared / (2 * shared + sum(alone) + 1e-9),
            "equal": a.main == b.main,
            "ending": a.main[-2:] == b.main[-2:],
            "characters": len(a.characters & b.characters)
            / max(1, min(len(a.characters), len(b.characters))),
            "branch": ("(" in a.text) != ("(" in b.text),
            "number": common,
            "numbers_apart": all(numbers) and not common,
            "no_address": not left.address or not right.address,
        }

    def _total(self, grams: frozenset[str]) -> float:
        return sum(sorted(self._weight[gram] for gram in grams))


def grams_of(text: str) -> frozenset[str]:
    """The pairs of neighbouring characters of a name without its branch."""
    return _split(text).grams


def gram_weights(counts: Mapping[str, int], names: int) -> dict[str, float]:
    """What each pair of characters weighs that so many of the different names have, the empty one counted."""
    rows = max(_LEAST, names)
    return {gram: math.log1p((rows - n + 0.5) / (n + 0.5)) for gram, n in counts.items()}


def _split(text: str) -> _Name:
    main = _BRANCH.sub("", text) or text
    grams = frozenset(map("".join, pairwise(main))) or frozenset({main} - {""})
    return _Name(text, main, grams, frozenset(main))


def _odds(share: float) -> float:
    """The log-odds of a probability, kept away from certainty."""
    return math.log((share + 0.02) / (1.02 - share))
