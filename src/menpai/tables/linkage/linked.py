"""Links as columns and rows of tables, and as the JSON of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from menpai.errors import Problem
from menpai.tables.linkage.linking import Link, Links
from menpai.tables.linkage.records import Records

ADDED = ("matched_id", "label", "similarity", "level", "conflicts", "runner_up_gap", "problem")
PAIRS = ("left_id", "right_id", "label", "similarity", "level", "conflicts")
_DIGITS = 6


def cells_of(found: Link | Problem, right: Records) -> tuple[Any, ...]:
    """The cells of ADDED; a problem leaves the others empty."""
    if isinstance(found, Problem):
        return (*[None] * (len(ADDED) - 1), found)
    matched = None if found.right is None else right.ids[found.right]
    gap = None if found.gap is None else round(found.gap, _DIGITS)
    return matched, found.label, round(found.similarity, _DIGITS), found.level, found.conflicts, gap, None


def rows_of(links: Links, left: Records, right: Records) -> Iterator[tuple[Any, ...]]:
    """The cells of each left row, in order."""
    for row in range(len(left)):
        yield cells_of(left.problems.get(row) or links.rows[row], right)


def pairs_of(links: Links, left: Records, right: Records) -> Iterator[tuple[Any, ...]]:
    """The cells of PAIRS for each pair that was compared, once for each pair of entities."""
    lefts, rights = left.rows_of(), right.rows_of()
    for a, b, answer in links.pairs:
        yield (
            left.ids[lefts[a][0]],
            right.ids[rights[b][0]],
            answer.label,
            round(answer.similarity, _DIGITS),
            answer.level,
            answer.conflicts,
        )


def summary_of(links: Links, left: Records, right: Records) -> dict[str, Any]:
    """The JSON of a run: rows, links, problems, stages."""
    return {
        "left_rows": len(left),
        "right_rows": len(right),
        "left_distinct": len(left.entities),
        "right_distinct": len(right.entities),
        "linked": sum(found.right is not None for found in links.rows.values()),
        "problems": len(left.problems),
        "right_problems": len(right.problems),
        "pairs_possible": len(left.entities) * len(right.entities),
        "pairs_compared": len(links.pairs),
        "coverage": round(links.coverage, 4),
        "stages": [stage._asdict() | {"seconds": round(stage.seconds, 3)} for stage in links.stages],
    }
