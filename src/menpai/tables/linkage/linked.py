"""Links as columns and rows of tables, and as the JSON of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from menpai.errors import Problem
from menpai.tables.linkage.linking import Link, Links
from menpai.tables.linkage.records import Records
from menpai.verdict import LABELS

ADDED = (
    "matched_id", "matched_address", "matched_name",
    "label", "similarity", "level", "conflicts", "runner_up_gap", "problem",
)  # fmt: skip
PAIRS = (
    "left_id", "right_id", "address_a", "address_b", "name_a", "name_b",
    "label", "similarity", "level", "conflicts", "joined",
)  # fmt: skip
DIGITS = 6


def cells_of(found: Link | Problem, right: Records) -> tuple[Any, ...]:
    """The cells of ADDED; a problem leaves the others empty."""
    if isinstance(found, Problem):
        return (*[None] * (len(ADDED) - 1), found)
    gap = None if found.gap is None else round(found.gap, DIGITS)
    similarity = round(found.similarity, DIGITS)
    return *_matched(found.right, right), found.label, similarity, found.level, found.conflicts, gap, None


def _matched(row: int | None, right: Records) -> tuple[Any, Any, Any]:
    """The id of a right row, its cleaned address and name."""
    if row is None:
        return None, None, None
    entity = right.entities[right.of_row[row]]
    return right.ids[row], entity.address, entity.name or None


def rows_of(links: Links, left: Records, right: Records) -> Iterator[tuple[Any, ...]]:
    """The cells of each left row, in order."""
    for row in range(len(left)):
        yield cells_of(left.problems.get(row) or links.rows[row], right)


def pairs_of(links: Links, left: Records, right: Records) -> Iterator[tuple[Any, ...]]:
    """The cells of PAIRS for each pair that was compared, once for each pair of entities; `joined`: rows of both were."""
    lefts, rights = left.rows_of(), right.rows_of()
    joined = {
        (int(left.of_row[row]), int(right.of_row[link.right]))
        for row, link in links.rows.items()
        if link.right is not None
    }
    for a, b, answer in links.pairs:
        one, other = left.entities[a], right.entities[b]
        yield (
            left.ids[lefts[a][0]],
            right.ids[rights[b][0]],
            one.address,
            other.address,
            one.name or None,
            other.name or None,
            answer.label,
            round(answer.similarity, DIGITS),
            answer.level,
            answer.conflicts,
            (a, b) in joined,
        )


def given_away(links: Links, left: Records, accept: str) -> int:
    """How many rows are linked with nothing though a right row would join: another left row has it."""
    joining = {a for a, _, answer in links.pairs if LABELS.index(answer.label) <= (accept == "partial")}
    return sum(link.right is None and int(left.of_row[row]) in joining for row, link in links.rows.items())


def summary_of(links: Links, left: Records, right: Records, accept: str = "exact") -> dict[str, Any]:
    """The JSON of a run: rows, links, problems, stages."""
    return {
        "left_rows": len(left),
        "right_rows": len(right),
        "left_distinct": len(left.entities),
        "right_distinct": len(right.entities),
        "linked": sum(found.right is not None for found in links.rows.values()),
        "given_away": given_away(links, left, accept),
        "problems": len(left.problems),
        "right_problems": len(right.problems),
        "pairs_possible": len(left.entities) * len(right.entities),
        "pairs_compared": len(links.pairs),
        "coverage": round(links.coverage, 4),
        "stages": [stage._asdict() | {"seconds": round(stage.seconds, 3)} for stage in links.stages],
    }
