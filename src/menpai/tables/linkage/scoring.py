"""Candidate pairs scored: what names say, and the verdicts on addresses, batch by batch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.matcher import Matcher
from menpai.tables.journal import PairJournal
from menpai.tables.linkage.batches import Piece, pieces
from menpai.tables.linkage.candidates import Floats, Pairs, best
from menpai.tables.linkage.crew import judge_all
from menpai.tables.linkage.judging import Outcome, conflicts_of
from menpai.tables.linkage.names import Names
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records
from menpai.tables.linkage.rivals import against_rivals
from menpai.tables.linkage.stages import Stage, Stages
from menpai.verdict import Conflict, Probabilities

_MOST = 12.0
"Log-odds are kept within this."


_STAGES = ("read", "slips", "vetoes", "score", "encoder")
"Stages of a batch, told even where there is none."


class Judged(NamedTuple):
    """What is kept of the verdict on two addresses."""

    probabilities: Probabilities
    level: str
    conflicts: tuple[Conflict, ...]


class Verdicts:
    """What is kept of the verdicts on many pairs, in columns: ten million fit into a gigabyte."""

    def __init__(self, pairs: int) -> None:
        self.probabilities = np.full((pairs, 3), np.nan)
        self._level = np.zeros(pairs, np.uint8)
        self._levels: dict[str, int] = {}
        self._conflicts: dict[int, tuple[Conflict, ...]] = {}

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which pairs have a verdict."""
        return np.asarray(~np.isnan(self.probabilities[:, 0]))

    def put(self, pair: int, judged: Judged) -> None:
        """Keep the verdict on a pair."""
        self.probabilities[pair] = judged.probabilities
        self._level[pair] = self._levels.setdefault(judged.level, len(self._levels))
        if judged.conflicts:
            self._conflicts[pair] = judged.conflicts

    def of(self, pair: int) -> Judged | None:
        """The verdict on a pair, if there is one."""
        if math.isnan(self.probabilities[pair, 0]):
            return None
        level = list(self._levels)[self._level[pair]]
        found = Probabilities(*self.probabilities[pair].tolist())
        return Judged(found, level, self._conflicts.get(pair, ()))


class Scored(NamedTuple):
    """Pairs with the log-odds that each is the same place; `at` is the place of each among `verdicts`.

    `named` are those of a name against a name, which are judged by more than their addresses.
    """

    pairs: Pairs
    odds: Floats
    named: NDArray[np.bool_]
    at: NDArray[np.int64]
    verdicts: Verdicts
    slips: Pairs
    "Of one table: pairs that differ in a slip, with its log-odds; they are not among the others."
    slip_odds: Floats
    marks: list[str]
    "Of one table: the mark of each entity as text; nothing for one that no pair has."
    kinds: NDArray[np.int64]
    "Kinds of elements of each entity, of one table."

    def judged(self) -> Iterator[Judged | None]:
        """The verdict on each pair, if there is one."""
        return map(self.verdicts.of, self.at.tolist())


def narrow(left: Records, right: Records, pairs: Pairs, names: Names, limit: int) -> Pairs:
    """The `limit` pairs of each left entity that are likeliest by their names and keys; hopeless names are dropped."""
    score = np.full(len(pairs.left), -np.inf)
    for at, (one, other) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        a, b = left.entities[one], right.entities[other]
        if not (a.name and b.name):
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
    alone: Sequence[int] = (),
    journal: PairJournal | None = None,
    one: bool = False,
    rivals: bool = True,
) -> Scored:
    """The pairs that no veto removes, scored; of a left entity the encoder reads `plan.read` pairs, the best first.

    `one`: left and right are one table: slips are apart, a name may have many partners, and the marks of the entities in
    `alone` are wanted as well. `journal`: keeps the outcome of each batch, so that a run that was
    cut off need not ask for it again. `rivals`: whether the other pairs of two tables' names count already.
    """
    named = _named(left, right, pairs)
    verdicts = Verdicts(len(pairs.left))
    marks, kinds = [""] * len(left.entities) if one else [], np.zeros(len(left.entities) * one, np.int64)
    slips, kept = dict[int, float](), np.ones(len(pairs.left), bool)
    waiting = list[Piece]()
    batches = (
        waiting.append(piece) or piece.batch  # type: ignore[func-returns-value]
        for piece in pieces(left, right, pairs, named, plan, one, alone)
    )
    done = 0
    stages.add(Stage(name, 0, 0, 0.0) for name in _STAGES)
    workers = plan.workers or matcher.settings.cores
    for outcome in judge_all(batches, matcher, workers, len(pairs.left), journal, plan.alone_below):
        piece = waiting.pop(0)
        _take(piece, outcome, verdicts, slips, kept, marks, kinds)
        stages.add(outcome.stages)
        done += len(piece.pairs)
        told(done / max(1, len(pairs.left)))
    kept &= named | verdicts.known
    places = np.flatnonzero(kept)
    odds = odds_of(verdicts.probabilities[places, 0])
    for at in np.flatnonzero(named[places]).tolist():
        judged = verdicts.of(int(places[at]))
        a, b = left.entities[pairs.left[places[at]]], right.entities[pairs.right[places[at]]]
        odds[at] = names.score(a, b, judged and judged.probabilities)
    found = pairs.keep(places)
    settled = odds if one or not rivals else np.where(named[places], against_rivals(found, odds), odds)
    at_slip = np.fromiter(sorted(slips), np.int64, len(slips))
    return Scored(
        found, settled, named[places], places, verdicts,
        pairs.keep(at_slip), np.array([slips[at] for at in at_slip.tolist()]), marks, kinds,
    )  # fmt: skip


def _take(
    piece: Piece,
    outcome: Outcome,
    verdicts: Verdicts,
    slips: dict[int, float],
    kept: NDArray[np.bool_],
    marks: list[str],
    kinds: NDArray[np.int64],
) -> None:
    """Put what was told of a batch where it belongs."""
    pairs = piece.pairs.tolist()
    for at, exact, partial, apart, level, conflicts in outcome.verdicts:
        verdicts.put(pairs[at], Judged(Probabilities(exact, partial, apart), level, conflicts_of(conflicts)))
    slips.update((pairs[at], odds) for at, odds in outcome.slips)
    kept[[pairs[at] for at in outcome.apart]] = False
    kept[[pairs[at] for at, _ in outcome.slips]] = False
    for entity, mark, kind in zip(piece.own.tolist(), outcome.marks, outcome.kinds, strict=True):
        marks[entity], kinds[entity] = mark, kind


def _named(left: Records, right: Records, pairs: Pairs) -> NDArray[np.bool_]:
    """Whether both entities of a pair have names."""
    has = [np.fromiter((bool(e.name) for e in r.entities), bool, len(r.entities)) for r in (left, right)]
    return np.asarray(has[0][pairs.left] & has[1][pairs.right])


def odds_of(share: Floats) -> Floats:
    """The log-odds of a probability; of none, those of nothing."""
    share = np.nan_to_num(share)
    return np.clip(np.log(np.maximum(share, 1e-9) / np.maximum(1 - share, 1e-9)), -_MOST, _MOST)
