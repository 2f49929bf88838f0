"""The facts of a run: pairs and rows of `link`, `dedupe` and of an output of `match` are shown to them one by one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from menpai.tables.columns import find_pair
from menpai.tables.entries import cell_text
from menpai.tables.linkage.candidates import Pairs
from menpai.tables.linkage.deduping import Clusters
from menpai.tables.linkage.linked import pairs_of
from menpai.tables.linkage.linking import Links, labels_of, similarities_of, unsure_of
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Entity, Records
from menpai.tables.report.facts import SPELLINGS, Facts, Seen
from menpai.tables.review.added import added, judged, marks
from menpai.tables.review.pair import Pair, text_of
from menpai.tables.table import Table
from menpai.verdict import LABELS, Conflict

_LINKED = ("left_rows", "right_rows", "left_distinct", "right_distinct", "linked", "given_away", "problems", "right_problems",
           "pairs_compared", "coverage")  # fmt: skip
_CLUSTERED = ("rows", "distinct", "clusters", "duplicates", "vetoed", "problems", "pairs_compared")


def see_links(facts: Facts, links: Links, left: Records, right: Records, summary: Mapping[str, Any]) -> None:
    """What `menpai link` found."""
    _take(facts, summary, _LINKED)
    for cells, (*_, answer) in zip(pairs_of(links, left, right), links.pairs, strict=True):
        id_a, id_b, a, b, name_a, name_b, label, similarity, level, conflicts, joined = cells
        texts = text_of(a, name_a or ""), text_of(b, name_b or "")
        pair = Pair(*texts, str(id_a), str(id_b), label, similarity, joined, _marked(facts, answer.review))
        facts.add_pair(Seen(pair, level, _kinds(conflicts)))
    for row in range(len(left)):
        if row in left.problems:
            facts.problems[left.problems[row].code] += 1
            continue
        link = links.rows[row]
        if link.right is not None:
            facts.add_gap(link.gap)
        entity = left.entities[int(left.of_row[row])]
        facts.add_point(entity.point, "other_points" if link.right is None else "linked_points")


def see_clusters(
    facts: Facts,
    clusters: Clusters,
    records: Records,
    ids: Mapping[int, str],
    plan: Plan,
    summary: Mapping[str, Any],
) -> None:
    """What `menpai dedupe` found."""
    _take(facts, summary, _CLUSTERED)
    facts.counts["giants"] = len(clusters.giants)
    for seen in _scored(facts, clusters, records, plan):
        facts.add_pair(seen)

    def texts(rows: Sequence[int]) -> list[str]:
        return [text_of(entity.address, entity.name) for entity in map(entity_of, rows)]

    def entity_of(row: int) -> Entity:
        return records.entities[int(records.of_row[row])]

    for cluster, rows in clusters.rows.items():
        facts.add_cluster(ids[cluster], len(rows), partial(texts, rows[:SPELLINGS]))
        for row in rows:
            facts.add_point(entity_of(row).point, "alone_points" if len(rows) == 1 else "clustered_points")
    facts.problems.update(problem.code for problem in records.problems.values())


def _scored(facts: Facts, clusters: Clusters, records: Records, plan: Plan) -> Iterator[Seen]:
    """The pairs that were scored, each with what is kept of its verdict."""
    scored = clusters.scored
    if scored is None:
        return
    unsure, rows = set(unsure_of(scored, plan)), records.rows_of()
    said = zip(labels_of(scored), similarities_of(scored).tolist(), scored.judged(), strict=True)

    def pair_of(a: int, b: int, label: str, similarity: float, review: bool) -> Pair:
        one, other = records.entities[a], records.entities[b]
        texts = text_of(one.address, one.name), text_of(other.address, other.name)
        ids = records.ids[rows[a][0]], records.ids[rows[b][0]]
        joined = clusters.of_entity[a] == clusters.of_entity[b]
        return Pair(*texts, *ids, label, similarity, joined, _marked(facts, review))

    for at, ((a, b), (label, similarity, judged_)) in enumerate(
        zip(_places(scored.pairs), said, strict=True)
    ):
        kinds = _kinds(judged_.conflicts if judged_ else ())
        yield Seen(
            pair_of(a, b, label, similarity, at in unsure), judged_.level if judged_ else "none", kinds
        )
    for a, b in _places(scored.slips):
        yield Seen(pair_of(a, b, LABELS[0], 1.0, False))


def _places(pairs: Pairs) -> Iterator[tuple[int, int]]:
    return zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)


def see_matches(facts: Facts, table: Table, a: str, b: str) -> None:
    """What stands in an output of `menpai match`."""
    first, second = find_pair(table, a, b)
    label, similarity, level, conflicts, problem = added(
        table, "label", "similarity", "level", "conflicts", "problem"
    )
    review = marks(table)
    facts.counts = {"rows": 0, "problems": 0}
    for number, row in enumerate(table.rows, 1):
        facts.counts["rows"] = number
        says = judged(row, label, similarity)
        if says is None:
            facts.counts["problems"] += 1
            facts.problems[_code(row.cells[problem])] += 1
            continue
        texts = cell_text(row.cells[first]), cell_text(row.cells[second])
        pair = Pair(*texts, str(number), "", *says, says[0] == "exact_match", review(row))
        facts.add_pair(
            Seen(pair, cell_text(row.cells[level]) or "none", _written_kinds(row.cells[conflicts]))
        )


def _take(facts: Facts, summary: Mapping[str, Any], names: Sequence[str]) -> None:
    facts.counts = {name: summary[name] for name in names if name in summary}
    facts.stages, facts.possible = summary["stages"], summary["pairs_possible"]
    facts.zone = summary.get("grey_zone")


def _marked(facts: Facts, review: bool) -> bool | None:
    """Whether `--max-error` marked a pair; None where it was not asked for."""
    return review if facts.zone else None


def _kinds(conflicts: Sequence[Conflict]) -> tuple[str, ...]:
    return tuple(conflict.element for conflict in conflicts)


def _written_kinds(cell: Any) -> tuple[str, ...]:
    """The elements in a cell of conflicts: names joined by `;`, or the JSON of JSON Lines."""
    listed = json.loads(cell) if isinstance(cell, str) and cell.startswith("[") else cell
    if isinstance(listed, list):
        return tuple(str(each["element"]) for each in listed if isinstance(each, dict) and "element" in each)
    return tuple(name.removesuffix("_differs") for name in cell_text(listed).split(";") if name)


def _code(cell: Any) -> str:
    return (
        str(cell["code"]) if isinstance(cell, dict) and "code" in cell else cell_text(cell).partition(":")[0]
    )
