"""Candidate pairs scored: first what names say, then vetoes, the fast scorer, and the encoder where it is in doubt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Problem
from menpai.evidence import Comparison, compare_sides, hard_conflicts
from menpai.matcher import AddressLike, Doubt, Matcher
from menpai.tables.journal import PairJournal
from menpai.tables.linkage.candidates import Floats, Pairs, best
from menpai.tables.linkage.names import Names
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Entity, Records
from menpai.tables.linkage.rivals import against_rivals
from menpai.tables.linkage.stages import Stages
from menpai.verdict import Conflict, Probabilities, Verdict

_CHUNK = 2048
"Pairs that are compared at a time."
_BATCH = 256
"Pairs that the encoder reads at a time."
_MOST = 12.0
"Log-odds are kept within this."


class Judged(NamedTuple):
    """What is kept of the verdict on two addresses."""

    probabilities: Probabilities
    level: str
    conflicts: tuple[Conflict, ...]


class Scored(NamedTuple):
    """Pairs with the log-odds that each is the same place, and the verdict on its addresses (None: not judged).

    `named` are those of a name against a name, which are judged by more than their addresses.
    """

    pairs: Pairs
    odds: Floats
    named: NDArray[np.bool_]
    verdicts: list[Judged | None]


class _Pair(NamedTuple):
    """A pair of a chunk: the place of the left entity, both entities, whether both have names."""

    left: int
    a: Entity
    b: Entity
    named: bool


def narrow(left: Records, right: Records, pairs: Pairs, names: Names, limit: int) -> Pairs:
    """The `limit` pairs of each left entity that are likeliest by their names and keys; hopeless names are dropped."""
    score = np.full(len(pairs.left), -np.inf)
    for at, (_, a, b, named) in enumerate(_entities(left, right, pairs)):
        if not named:
            score[at] = pairs.score[at]
        elif not names.hopeless(a.name, b.name):
            score[at] = names.score(a, b)
    hopeful = np.flatnonzero(np.isfinite(score))
    return best(pairs.keep(hopeful), score[hopeful], limit)


def score_pairs(
    left: Records,
    right: Records,
    pairs: Pairs,
    names: Names,
    matcher: Matcher,
    plan: Plan,
    stages: Stages,
    told: Callable[[float], None] = lambda _: None,
    rivals: bool = True,
    journal: PairJournal | None = None,
) -> Scored:
    """The pairs that no veto removes, scored; of a left entity the encoder reads `plan.read` pairs, the best first.
    `rivals`: a name has one partner at most, so its other pairs speak against each. `journal`: keeps the verdicts of each
    chunk, so that a run that was cut off need not ask for them again."""
    journal = journal or PairJournal()
    asked: Counter[int] = Counter()
    kept: list[int] = []
    odds: list[float] = []
    verdicts: list[Judged | None] = []
    for start in range(0, len(pairs.left), _CHUNK):
        chunk = _entities(left, right, pairs.keep(np.arange(start, min(start + _CHUNK, len(pairs.left)))))
        key = journal.key([pair[:3] for pair in chunk])
        answers = _kept(journal.find(key), asked)
        if answers is None:
            answers = _judge(chunk, matcher, plan, stages, asked)
            journal.keep(key, _to_keep(chunk, answers, asked))
        for at, (pair, verdict) in enumerate(zip(chunk, answers, strict=True), start):
            if verdict is None and not pair.named:
                continue
            kept.append(at)
            verdicts.append(verdict)
            odds.append(
                names.score(pair.a, pair.b, verdict and verdict.probabilities)
                if pair.named
                else _odds(verdict)
            )
        told(min(1.0, (start + _CHUNK) / len(pairs.left)))
    found = pairs.keep(np.array(kept, np.int64))
    named = np.array([bool(a.name and b.name) for _, a, b, _ in _entities(left, right, found)], bool)
    known = np.array(odds, np.float64)
    settled = np.where(named, against_rivals(found, known), known) if rivals else known
    return Scored(found, settled, named, verdicts)


def _to_keep(chunk: Sequence[_Pair], answers: Sequence[Judged | None], asked: Counter[int]) -> Any:
    """The verdicts of a chunk, and of how many pairs of each left entity the encoder has been asked, as JSON has it."""
    return [answers, [(left, asked[left]) for left in {pair.left for pair in chunk} if asked[left]]]


def _kept(value: Any, asked: Counter[int]) -> list[Judged | None] | None:
    """The verdicts of a chunk that was done before, after which `asked` is as it was then."""
    if value is None:
        return None
    answers, counts = value
    asked.update({left: count - asked[left] for left, count in counts})
    return [
        None
        if found is None
        else Judged(Probabilities(*found[0]), found[1], tuple(Conflict(*each) for each in found[2]))
        for found in answers
    ]


def _entities(left: Records, right: Records, pairs: Pairs) -> list[_Pair]:
    found = []
    for at, other in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        a, b = left.entities[at], right.entities[other]
        found.append(_Pair(at, a, b, bool(a.name and b.name)))
    return found


def _judge(
    chunk: Sequence[_Pair], matcher: Matcher, plan: Plan, stages: Stages, asked: Counter[int]
) -> list[Judged | None]:
    """The verdict on each pair's addresses; None for a veto, for no address, and for a doubt that was not read."""
    with stages.stage("vetoes", len(chunk)) as out:
        compared = [_compared(pair, matcher) for pair in chunk]
        strict = plan.accept == "exact"
        known = [
            (at, c)
            for at, (pair, c) in enumerate(zip(chunk, compared, strict=True))
            if c is not None and (pair.named or not (strict and hard_conflicts(c)))
        ]
        out.append(len(known))
    verdicts: list[Judged | None] = [None] * len(chunk)
    doubts: list[tuple[int, Doubt]] = []
    with stages.stage("score", len(known)) as out:
        answers = matcher.weigh([c for _, c in known]) if known else []
        for (at, _), answer in zip(known, answers, strict=True):
            if not isinstance(answer, Doubt):
                verdicts[at] = _judged(answer)
            elif asked[chunk[at].left] < plan.read:
                asked[chunk[at].left] += 1
                doubts.append((at, answer))
        out.append(sum(verdict is not None for verdict in verdicts))
    with stages.stage("encoder", len(doubts)) as out:
        doubts.sort(key=lambda doubt: doubt[1].tokens)
        for start in range(0, len(doubts), _BATCH):
            batch = doubts[start : start + _BATCH]
            for (at, _), answer in zip(batch, matcher.finish([doubt for _, doubt in batch]), strict=True):
                verdicts[at] = _judged(answer)
        out.append(len(doubts))
    return verdicts


def _judged(verdict: Verdict) -> Judged:
    return Judged(verdict.probabilities, verdict.level, verdict.conflicts)


def _compared(pair: _Pair, matcher: Matcher) -> Comparison | None:
    """The addresses side by side; None where one has none. The distance of two names is weighed by itself."""
    if not pair.a.address or not pair.b.address:
        return None
    a, b = (matcher.side(_address(entity, pair.named)) for entity in (pair.a, pair.b))
    return None if isinstance(a, Problem) or isinstance(b, Problem) else compare_sides(a, b)


def _address(entity: Entity, named: bool) -> AddressLike:
    if named or entity.point is None:
        return entity.address
    return {"text": entity.address, "lat": entity.point[0], "lon": entity.point[1]}


def _odds(verdict: Judged | None) -> float:
    """The log-odds of exact_match in a verdict."""
    share = 0.0 if verdict is None else verdict.probabilities.exact_match
    return max(-_MOST, min(_MOST, math.log(max(share, 1e-9) / max(1 - share, 1e-9))))
