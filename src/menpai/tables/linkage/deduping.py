"""dedupe: which rows of one table are the same place."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from menpai.errors import Problem
from menpai.evidence import Side
from menpai.matcher import Matcher
from menpai.tables.journal import PairJournal
from menpai.tables.linkage.candidates import Pairs, best, find_pairs
from menpai.tables.linkage.golden import Golden, choose
from menpai.tables.linkage.linking import Link, answers_of, joins_by
from menpai.tables.linkage.marks import Mark, mark_of
from menpai.tables.linkage.merging import Edge, Giant, merge
from menpai.tables.linkage.names import Names
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records
from menpai.tables.linkage.scoring import Scored, narrow, score_pairs
from menpai.tables.linkage.slips import slip_odds
from menpai.tables.linkage.stages import Stages

_WIDE = 5
"Pairs by their keys for each that is compared, where names decide which."
_MOST = 12.0
Told = Callable[[str, float], None]
Rows = Iterable[tuple[int, int]]


class Clusters(NamedTuple):
    """The cluster of each row without a problem, named by its first entity; of each cluster its rows and golden row."""

    of_row: dict[int, int]
    rows: dict[int, list[int]]
    golden: dict[int, Golden]
    of_entity: list[int]
    "The cluster of each entity."
    compared: int
    "Pairs of entities that were compared and not vetoed."
    vetoed: int
    "Merges that a conflict, a person, or the other pairs forbade."
    giants: list[Giant]
    stages: Stages
    doubtful: frozenset[int] = frozenset()
    "Entities of a pair that people should look at."


def dedupe(
    records: Records,
    matcher: Matcher,
    plan: Plan | None = None,
    told: Told = lambda name, share: None,
    together: Rows = (),
    separate: Rows = (),
    journal: PairJournal | None = None,
) -> Clusters:
    """The clusters of the rows. `together` and `separate` are pairs of rows that a person decided.

    The same rows give the same clusters in whatever order they stand.
    """
    plan, stages = plan or Plan(), Stages()
    with stages.stage("same", len(records)) as out:
        out.append(len(records.entities))
    names = Names(entity.name for entity in records.entities)
    pairs = _candidates(records, names, plan, stages, told)
    with stages.stage("read", len(records.entities)) as out:
        marks = [_mark(entity.address, matcher) for entity in records.entities]
        out.append(len(marks))
    slipped, pairs = _slips(records, pairs, marks, matcher, stages)
    scored = score_pairs(
        records,
        records,
        pairs,
        names,
        matcher,
        plan,
        stages,
        lambda share: told("score", share),
        rivals=False,
        journal=journal,
    )
    with stages.stage("clusters", len(scored.odds)) as out:
        answers = answers_of(scored, plan)
        places = records.of_row.tolist()
        merged = merge(
            marks,
            [*slipped, *_edges(scored, answers, plan)],
            plan.largest,
            _entities(together, places),
            _entities(separate, places),
        )
        of_row = {row: merged.cluster[entity] for row, entity in enumerate(places) if entity >= 0}
        rows: dict[int, list[int]] = {}
        for row, cluster in of_row.items():
            rows.setdefault(cluster, []).append(row)
        golden = {cluster: choose(records, members, matcher) for cluster, members in rows.items()}
        out.append(len(rows))
    compared = len(slipped) + len(scored.odds)
    doubtful = _doubtful(scored.pairs, answers, merged.cluster, plan)
    return Clusters(
        of_row, rows, golden, merged.cluster, compared, merged.vetoed, merged.giants, stages, doubtful
    )


def _doubtful(pairs: Pairs, answers: Sequence[Link], cluster: Sequence[int], plan: Plan) -> frozenset[int]:
    """The entities of unsure pairs that were decided as their label says."""
    found = set[int]()
    for a, b, answer in zip(pairs.left.tolist(), pairs.right.tolist(), answers, strict=True):
        if answer.review and (cluster[a] == cluster[b]) == joins_by(answer.label, plan):
            found |= {a, b}
    return frozenset(found)


def sizes_of(clusters: Clusters) -> dict[int, int]:
    """Rows of a cluster → how many clusters have so many."""
    return dict(sorted(Counter(map(len, clusters.rows.values())).items()))


def _candidates(records: Records, names: Names, plan: Plan, stages: Stages, told: Told) -> Pairs:
    """Each pair once, the smaller entity on the left."""
    texts = [entity.text for entity in records.entities]
    with stages.stage("candidates", len(texts)) as out:
        limit = plan.candidates * (_WIDE if records.named else 1)
        pairs = find_pairs(texts, texts, limit, own=True, told=lambda share: told("candidates", share))
        pairs = _once(pairs)
        out.append(len(pairs.left))
    if records.named:
        with stages.stage("names", len(pairs.left)) as out:
            pairs = _once(narrow(records, records, pairs, names, plan.candidates))
            out.append(len(pairs.left))
    return pairs


def _once(pairs: Pairs) -> Pairs:
    """Each unordered pair once, by left, the best first; found from both sides, it has the greater score."""
    a, b = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
    order = np.lexsort((-pairs.score, b, a))
    a, b, score = a[order], b[order], pairs.score[order]
    first = np.ones(len(a), bool)
    first[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
    found = Pairs(a[first], b[first], score[first])
    return best(found, found.score, len(found.left))


def _mark(address: str, matcher: Matcher) -> Mark | None:
    side = matcher.side(address) if address else None
    return None if side is None or isinstance(side, Problem) else mark_of(side)


def _slips(
    records: Records, pairs: Pairs, marks: Sequence[Mark | None], matcher: Matcher, stages: Stages
) -> tuple[list[Edge], Pairs]:
    """The pairs without names of their own that differ in no more than a slip, as edges; and the other pairs."""
    found: list[Edge] = []
    kept = np.ones(len(pairs.left), bool)
    with stages.stage("slips", len(kept)) as out:
        for at, (a, b) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
            one, other = records.entities[a], records.entities[b]
            mine, theirs = marks[a], marks[b]
            if mine is None or theirs is None or (one.name and other.name):
                continue
            left, right = matcher.side(one.address), matcher.side(other.address)
            if isinstance(left, Side) and isinstance(right, Side):
                odds = slip_odds(left, right, (mine, theirs))
                if odds:
                    kept[at] = False
                    found.append(Edge(a, b, odds, float(pairs.score[at]), True))
        out.append(len(found))
    return found, pairs.keep(kept)


def _edges(scored: Scored, answers: list[Link], plan: Plan) -> list[Edge]:
    """The pairs with the log-odds of what joins: exact_match, or the similarity where partial matches join too."""
    pairs = scored.pairs
    odds = (
        scored.odds.tolist() if plan.accept == "exact" else [_odds(answer.similarity) for answer in answers]
    )
    return [
        Edge(a, b, odd, shared, joins_by(answer.label, plan))
        for a, b, odd, shared, answer in zip(
            pairs.left.tolist(), pairs.right.tolist(), odds, pairs.score.tolist(), answers, strict=True
        )
    ]


def _odds(share: float) -> float:
    return max(-_MOST, min(_MOST, math.log(max(share, 1e-9) / max(1 - share, 1e-9))))


def _entities(rows: Rows, places: list[int]) -> set[tuple[int, int]]:
    """Pairs of rows as pairs of entities; rows that are equal, or have a problem, make none."""
    pairs = {(min(found), max(found)) for a, b in rows if (found := (places[a], places[b]))}
    return {(a, b) for a, b in pairs if 0 <= a < b}
