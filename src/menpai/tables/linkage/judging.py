"""A batch of pairs judged: read, compared, vetoed, scored, and what is in doubt read by the encoder.

The answer depends on the batch alone, so batches may be judged anywhere and in any order, and kept: a batch and its
outcome are plain JSON. This is where a checkpoint of a long run may be taken.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from menpai.address import Place
from menpai.evidence import Comparison, Side, compare_sides, hard_conflicts
from menpai.evidence.agreement import level
from menpai.evidence.coordinates import Point, metres
from menpai.evidence.side import Divided
from menpai.lru import LRU
from menpai.matcher import Doubt, Matcher
from menpai.tables.linkage.marks import Mark, apart, mark_of
from menpai.tables.linkage.slips import slip_odds
from menpai.tables.linkage.stages import Stage, Stages
from menpai.verdict import Conflict, Verdict

READ_AT_ONCE = 256
"Pairs that the encoder reads at a time."
_NEAR = 1_000.0
"Metres within which two spellings may be a slip."
_MARKS: LRU[tuple[str, str], Mark] = LRU(20_000, math.inf, lambda key, mark: 1)
Told = tuple[int, float, float, float, str, list[list[str]]]
"Pair, probabilities, level, conflicts."


class Batch(NamedTuple):
    """Addresses and pairs of their places, those of one left entity together and the best first. `clusters`: of one table,
    so marks veto whatever is accepted, slips are told apart, and the marks of the places in `own` are wanted."""

    addresses: list[str]
    points: list[Point | None]
    left: list[int]
    right: list[int]
    named: list[bool]
    own: list[int]
    clusters: bool
    strict: bool
    read: int


class Outcome(NamedTuple):
    """Verdicts on pairs by their place in the batch (others were vetoed, or not read), slips with their log-odds, pairs
    that marks keep apart; of each place in `own` its mark as text, and how many kinds of elements it has."""

    verdicts: list[Told]
    slips: list[tuple[int, float]]
    apart: list[int]
    marks: list[str]
    kinds: list[int]
    stages: list[Stage]


def judge(batch: Batch, matcher: Matcher) -> Outcome:
    """The outcome of a batch."""
    stages = Stages()
    with stages.stage("read", len(batch.addresses)) as out:
        sides = [_side(address, matcher) for address in batch.addresses]
        marks = [_mark(side, matcher) if side else None for side in sides]
        out.append(sum(side is not None for side in sides))
    slips, apart_ = _slips(batch, sides, marks, stages)
    done = {at for at, _ in slips} | set(apart_)
    pairs = [at for at in range(len(batch.left)) if at not in done]
    told = _judged(batch, pairs, sides, matcher, stages)
    if not batch.clusters:
        told, slips = sorted([*told, *(_slip(batch, at, odds, sides) for at, odds in slips)]), []
    wanted = [(marks[at], sides[at]) for at in batch.own]
    return Outcome(
        told,
        slips,
        apart_,
        ["" if mark is None else text_of(mark) for mark, _ in wanted],
        [len(side.given) if side else 0 for _, side in wanted],
        list(stages),
    )


def _side(address: str, matcher: Matcher) -> Side | None:
    side = matcher.side(address) if address else None
    return side if isinstance(side, Side) else None


def _mark(side: Side, matcher: Matcher) -> Mark:
    """The mark of a reading, remembered: neighbours come in several batches."""
    key = matcher.behaviour, side.address.normalized.raw
    mark = _MARKS.get(key)
    if mark is None:
        mark = mark_of(side)
        _MARKS.put(key, mark)
    return mark


def _slips(
    batch: Batch, sides: Sequence[Side | None], marks: Sequence[Mark | None], stages: Stages
) -> tuple[list[tuple[int, float]], list[int]]:
    """Pairs that differ in no more than a slip, with their log-odds; and pairs that can never be in one cluster."""
    slips, apart_ = list[tuple[int, float]](), list[int]()
    with stages.stage("slips", len(batch.left)) as out:
        for at, (a, b, named) in enumerate(zip(batch.left, batch.right, batch.named, strict=True)):
            mine, theirs, one, other = marks[a], marks[b], sides[a], sides[b]
            if mine is None or theirs is None or one is None or other is None:
                continue
            if named and not batch.clusters:
                continue  # a shop has a place of its own; its address may be written in two ways
            if (batch.clusters or batch.strict) and apart(mine, theirs):
                apart_.append(at)
            elif not (named or _far(batch, a, b)) and (odds := slip_odds(one, other, (mine, theirs))):
                slips.append((at, odds))
        out.append(len(batch.left) - len(apart_))
    return slips, apart_


def _far(batch: Batch, a: int, b: int) -> bool:
    """Whether both have points, and these lie apart."""
    here, there = batch.points[a], batch.points[b]
    return here is not None and there is not None and metres(here, there) > _NEAR


def _slip(batch: Batch, at: int, odds: float, sides: Sequence[Side | None]) -> Told:
    """A slip of two tables as the verdict that it makes."""
    a, b = sides[batch.left[at]], sides[batch.right[at]]
    share = 1 / (1 + math.exp(-odds))
    agreed = level(compare_sides(a, b), "exact_match") if a and b else "none"
    return (at, share, 1 - share, 0.0, agreed, [])


def _judged(
    batch: Batch, pairs: list[int], sides: list[Side | None], matcher: Matcher, stages: Stages
) -> list[Told]:
    """The verdict on each pair's addresses, but for vetoes, missing addresses, and doubts that were not read."""
    with stages.stage("vetoes", len(pairs)) as out:
        placed = [_placed(side, point) for side, point in zip(sides, batch.points, strict=True)]
        known: list[tuple[int, Comparison]] = []
        for at in pairs:
            named = batch.named[at]
            from_ = sides if named else placed  # the distance of two names is weighed by itself
            a, b = from_[batch.left[at]], from_[batch.right[at]]
            if a is None or b is None:
                continue
            compared = compare_sides(a, b)
            if named or not (batch.strict and hard_conflicts(compared)):
                known.append((at, compared))
        out.append(len(known))
    verdicts = dict[int, Verdict]()
    doubts: list[tuple[int, Doubt]] = []
    asked: Counter[int] = Counter()
    with stages.stage("score", len(known)) as out:
        answers = matcher.weigh([c for _, c in known], evidence=False) if known else []
        for (at, _), answer in zip(known, answers, strict=True):
            if not isinstance(answer, Doubt):
                verdicts[at] = answer
            elif asked[batch.left[at]] < batch.read:
                asked[batch.left[at]] += 1
                doubts.append((at, answer))
        out.append(len(verdicts))
    with stages.stage("encoder", len(doubts)) as out:
        doubts.sort(key=lambda doubt: doubt[1].tokens)
        for start in range(0, len(doubts), READ_AT_ONCE):
            some = doubts[start : start + READ_AT_ONCE]
            read = matcher.finish([doubt for _, doubt in some], evidence=False)
            verdicts.update((at, answer) for (at, _), answer in zip(some, read, strict=True))
        out.append(len(doubts))
    return [_told(at, verdicts[at]) for at in sorted(verdicts)]


def _placed(side: Side | None, point: Point | None) -> Side | None:
    """The reading with the point, as the matcher gives it for a place."""
    if side is None or point is None:
        return side
    place: Place = {"text": side.address.normalized.raw, "lat": point[0], "lon": point[1]}
    return replace(side, address=replace(side.address, place=place))


def _told(at: int, verdict: Verdict) -> Told:
    return (at, *verdict.probabilities, verdict.level, [list(conflict) for conflict in verdict.conflicts])


def conflicts_of(found: Sequence[Sequence[str]]) -> tuple[Conflict, ...]:
    """Conflicts as they were before they were told."""
    return tuple(Conflict(*each) for each in found)


def text_of(mark: Mark) -> str:
    """A mark as compact text; equal marks have equal texts."""
    parts = [mark.divided.codes, mark.divided.written, mark.kinds, sorted(mark.numbers), mark.village]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def mark_from(text: str) -> Mark | None:
    """The mark of a text; None of none."""
    if not text:
        return None
    codes, written, kinds, numbers, village = json.loads(text)
    divided = Divided(tuple(codes), tuple((kind, name) for kind, name in written))
    return Mark(divided, tuple(map(tuple, kinds)), frozenset(numbers), village)


def batch_from(found: list[Any]) -> Batch:
    """A batch that was plain JSON."""
    batch = Batch(*found)
    return batch._replace(points=[None if p is None else (p[0], p[1]) for p in batch.points])


def outcome_from(found: list[Any]) -> Outcome:
    """An outcome that was plain JSON."""
    outcome = Outcome(*found)
    return outcome._replace(stages=[Stage(*stage) for stage in outcome.stages])
