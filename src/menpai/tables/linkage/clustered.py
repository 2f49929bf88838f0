"""Clusters as columns and rows of tables, and as the JSON of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from menpai.tables.linkage.cluster_ids import Change
from menpai.tables.linkage.deduping import Clusters, sizes_of
from menpai.tables.linkage.linking import Link, answers_of
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records

ADDED = ("cluster_id", "cluster_size", "is_golden", "problem")
SLIP = Link(None, "exact_match", 1.0, "slip", (), None)
"The answer on a pair that differs in a slip, which the judge is not asked for."
GOLDEN = ("cluster_id", "cluster_size", "golden_rule")


def rows_of(clusters: Clusters, records: Records, ids: Mapping[int, str]) -> Iterator[tuple[Any, ...]]:
    """The cells of ADDED for each row, in order; a problem leaves the others empty."""
    for row in range(len(records)):
        if row in records.problems:
            yield None, None, None, records.problems[row]
            continue
        cluster = clusters.of_row[row]
        yield ids[cluster], len(clusters.rows[cluster]), clusters.golden[cluster].row == row, None


def golden_of(clusters: Clusters, ids: Mapping[int, str]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """The golden rows in the order of the table, each with the cells of GOLDEN."""
    chosen = sorted((golden.row, cluster, golden.rule) for cluster, golden in clusters.golden.items())
    for row, cluster, rule in chosen:
        yield row, (ids[cluster], len(clusters.rows[cluster]), rule)


def pairs_of(clusters: Clusters, records: Records) -> Iterator[tuple[Any, ...]]:
    """The cells of linked.PAIRS for each pair of entities that was compared, slips last; `joined`: one cluster has both."""
    scored = clusters.scored
    if scored is None:
        return
    rows, of = records.rows_of(), clusters.of_entity
    slipped = [
        (a, b, SLIP) for a, b in zip(scored.slips.left.tolist(), scored.slips.right.tolist(), strict=True)
    ]
    judged = zip(
        scored.pairs.left.tolist(), scored.pairs.right.tolist(), answers_of(scored, Plan()), strict=True
    )
    for a, b, answer in (*judged, *slipped):
        one, other = records.entities[a], records.entities[b]
        ids, names = [records.ids[rows[at][0]] for at in (a, b)], [e.name or None for e in (one, other)]
        cells = answer.label, round(answer.similarity, 6), answer.level, answer.conflicts, of[a] == of[b]
        yield *ids, one.address, other.address, *names, *cells


def summary_of(
    clusters: Clusters, records: Records, ids: Mapping[int, str], changes: Iterable[Change] = ()
) -> dict[str, Any]:
    """The JSON of a run: rows, clusters by size, merges that were not made, what became of old ids, stages."""
    return {
        "rows": len(records),
        "distinct": len(records.entities),
        "clusters": len(clusters.rows),
        "duplicates": len(clusters.of_row) - len(clusters.rows),
        "problems": len(records.problems),
        "sizes": {str(size): count for size, count in sizes_of(clusters).items()},
        "vetoed": clusters.vetoed,
        "giants": [
            {
                "cluster_ids": sorted({ids[clusters.of_entity[at]] for at in (giant.a, giant.b)}),
                "spellings": giant.size,
            }
            for giant in clusters.giants
        ],
        "changes": [change.to_dict() for change in changes],
        "pairs_possible": len(records.entities) * (len(records.entities) - 1) // 2,
        "pairs_compared": clusters.compared,
        "coverage": round(clusters.coverage, 4),
        "stages": [stage._asdict() | {"seconds": round(stage.seconds, 3)} for stage in clusters.stages],
    }
