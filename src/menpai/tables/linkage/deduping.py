"""dedupe: which rows of one table are the same place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from menpai.matcher import Matcher
from menpai.tables.journal import PairJournal
from menpai.tables.linkage.candidates import NEAR_CLUSTERS, Pairs, best, find_pairs
from menpai.tables.linkage.components import Edges, merge_table
from menpai.tables.linkage.coverage import coverage_of_clusters
from menpai.tables.linkage.golden import Golden, choose
from menpai.tables.linkage.judging import mark_from
from menpai.tables.linkage.linking import joins_by, labels_of, similarities_of, unsure_of
from menpai.tables.linkage.merging import Giant
from menpai.tables.linkage.names import Names
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records
from menpai.tables.linkage.scoring import Scored, narrow, odds_of, score_pairs
from menpai.tables.linkage.stages import Stages

WIDE = 5
"Pairs by their keys for each that is compared, where names decide which."
CLUSTERED = 2
"The same where addresses alone decide: most of them are apart by their marks, which costs little to see."
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
    scored: Scored | None = None
    "The pairs that were compared, with their verdicts."
    coverage: float = 1.0
    "Share of the pairs inside clusters that were candidates."


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
    places = records.of_row.tolist()
    joined, apart = _entities(together, places), _entities(separate, places)
    pairs = _candidates(records, names, plan, plan.workers or matcher.settings.cores, stages, told)
    scored = score_pairs(
        records,
        records,
        pairs,
        names,
        matcher,
        plan,
        stages,
        lambda share: told("score", share),
        sorted({entity for pair in joined for entity in pair}),
        journal,
        one=True,
    )
    with stages.stage("clusters", len(scored.odds)) as out:
        marks = scored.marks
        edges = edges_of(scored, plan)
        merged = merge_table(
            len(marks), lambda entity: mark_from(marks[entity]), edges, plan.largest, joined, apart
        )
        of_row = {row: merged.cluster[entity] for row, entity in enumerate(places) if entity >= 0}
        rows: dict[int, list[int]] = {}
        for row, cluster in of_row.items():
            rows.setdefault(cluster, []).append(row)
        kinds = scored.kinds.tolist()
        golden = {cluster: choose(records, members, kinds) for cluster, members in rows.items()}
        out.append(len(rows))
    return Clusters(
        of_row, rows, golden, merged.cluster, len(edges.a), merged.vetoed, merged.giants, stages,
        _doubtful(scored, merged.cluster, plan), scored, coverage_of_clusters(pairs, merged.cluster),
    )  # fmt: skip


def _doubtful(scored: Scored, cluster: Sequence[int], plan: Plan) -> frozenset[int]:
    """The entities of unsure pairs that were decided as their label says."""
    found = set[int]()
    pairs = scored.pairs
    labels = labels_of(scored)
    for at in unsure_of(scored, plan):
        a, b = int(pairs.left[at]), int(pairs.right[at])
        if (cluster[a] == cluster[b]) == joins_by(labels[at], plan):
            found |= {a, b}
    return frozenset(found)


def sizes_of(clusters: Clusters) -> dict[int, int]:
    """Rows of a cluster → how many clusters have so many."""
    return dict(sorted(Counter(map(len, clusters.rows.values())).items()))


def _candidates(
    records: Records, names: Names, plan: Plan, threads: int, stages: Stages, told: Told
) -> Pairs:
    """Each pair once, the smaller entity on the left."""
    texts = [entity.text for entity in records.entities]
    with stages.stage("candidates", len(texts)) as out:
        limit = plan.candidates * (WIDE if records.named else CLUSTERED)
        pairs = find_pairs(
            texts,
            texts,
            limit,
            own=True,
            numbers=not records.named,  # marks would veto them
            near=0.0 if records.named else NEAR_CLUSTERS,
            threads=threads,
            told=lambda share: told("candidates", share),
        )
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
    keys = a << 32 | b  # one number a pair: ten million are sorted in a second and in little room
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    score = np.maximum.reduceat(pairs.score[order], first) if len(first) else pairs.score
    keys = keys[first]
    found = Pairs(keys >> 32, keys & 0xFFFFFFFF, score)
    return best(found, found.score, len(found.left))


def edges_of(scored: Scored, plan: Plan) -> Edges:
    """Slips, and the pairs with the log-odds of what joins: exact_match, or the similarity where partial matches join."""
    pairs, slips = scored.pairs, scored.slips
    odds = scored.odds if plan.accept == "exact" else odds_of(similarities_of(scored))
    joins = np.array([joins_by(label, plan) for label in labels_of(scored)], bool)
    always = np.ones(len(slips.left), bool)
    return Edges(slips.left, slips.right, scored.slip_odds, slips.score, always).plus(
        Edges(pairs.left, pairs.right, odds, pairs.score, joins)
    )


def _entities(rows: Rows, places: list[int]) -> set[tuple[int, int]]:
    """Pairs of rows as pairs of entities; rows that are equal, or have a problem, make none."""
    pairs = {(min(found), max(found)) for a, b in rows if (found := (places[a], places[b]))}
    return {(a, b) for a, b in pairs if 0 <= a < b}
