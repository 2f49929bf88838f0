"""The order in which pairs are asked: the most doubtful ones, and a random control sample among them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from menpai.tables.review.pair import Pair
from menpai.tables.review.sample import Drawn, Sample, Stratum

_SURE = 0.02
"Shares nearer to 0 or 1 are not believed when the control sample is divided."


class Turn(NamedTuple):
    """A pair to be asked; `control`: the stratum that it was drawn from at random, None for one chosen for its doubt."""

    pair: Pair
    control: Stratum | None


class Plan(NamedTuple):
    """The turns in order, and the size of each stratum. A pair may have two turns; it is asked once."""

    turns: list[Turn]
    sizes: dict[Stratum, int]
    doubtful: int
    "How many pairs were in doubt, as far as they were kept."


def make_plan(sample: Sample, most: int) -> Plan:
    """Doubtful and control pairs in turns until `most` are asked. It depends on nothing but the pairs, and a longer plan
    begins like a shorter one: so a review goes on where it stopped."""
    doubtful = (Turn(pair, None) for pair in sample.doubtful)
    control = _control(sample.strata)
    turns: list[Turn] = []
    asked: set[str] = set()
    sources = [doubtful, control]
    while sources and len(asked) < most:
        for source in list(sources):
            turn = next(source, None)
            if turn is None:
                sources.remove(source)
            elif len(asked) < most:
                turns.append(turn)
                asked.add(turn.pair.key)
    return Plan(turns, {name: drawn.size for name, drawn in sample.strata.items()}, len(sample.doubtful))


def _control(strata: dict[Stratum, Drawn]) -> Iterator[Turn]:
    """Joined and other pairs in turns, for precision and recall need both; within each, strata by `_next`."""
    given = dict.fromkeys(strata, 0)
    sides = [[name for name in strata if name.joined is joined] for joined in (True, False)]
    while any(sides):
        for side in sides:
            side[:] = [name for name in side if given[name] < len(strata[name].pairs)]
            if side:
                name = max(side, key=lambda name: (_worth(strata[name], given[name]), name))
                yield Turn(strata[name].pairs[given[name]], name)
                given[name] += 1


def _worth(drawn: Drawn, given: int) -> float:
    """What one more pair of a stratum is worth: first one of each, then by Neyman's optimum, size times deviation, dealt
    out by equal proportions (Wright 2012, The American Statistician 66:217). The deviation is that of the share of
    exact matches which the scores promise."""
    if given == 0:
        return math.inf
    share = min(1 - _SURE, max(_SURE, 2 * drawn.mean - 1))
    return drawn.size * math.sqrt(share * (1 - share)) / math.sqrt(given * (given + 1))
