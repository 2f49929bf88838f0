"""What people decided about pairs of rows: a table with two ids and `same` or `different`, kept over reruns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from menpai.errors import UsageError, near
from menpai.tables.columns import find_given
from menpai.tables.entries import cell_text
from menpai.tables.table import Table

COLUMNS = ("id_a", "id_b", "decision")
SAME, DIFFERENT = "same", "different"


class Decisions(NamedTuple):
    """Pairs of ids that are one place, and that are two."""

    same: tuple[tuple[str, str], ...] = ()
    different: tuple[tuple[str, str], ...] = ()


def read_decisions(table: Table) -> Decisions:
    """The decisions of a table with the columns id_a, id_b, decision; raises for a word that is neither."""
    at = [find_given(table, name) for name in COLUMNS]
    found: dict[str, list[tuple[str, str]]] = {SAME: [], DIFFERENT: []}
    for row in table.rows:
        a, b, decision = (cell_text(row.cells[each]) for each in at)
        if decision not in found:
            known = ", ".join(found)
            raise UsageError("decision_unknown", path=table.name, line=row.line, value=decision[:40],
                             known=known, **near(decision, list(found)))  # fmt: skip
        found[decision].append((a, b))
    return Decisions(tuple(found[SAME]), tuple(found[DIFFERENT]))


def rows_of_pairs(pairs: Iterable[tuple[str, str]], ids: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs as rows; one whose id no row has is left out, for it may come back another day."""
    return rows_of_both(pairs, ids, ids)


def rows_of_both(
    pairs: Iterable[tuple[str, str]], left: Sequence[str], right: Sequence[str]
) -> list[tuple[int, int]]:
    """The same for ids of two tables."""
    ours, theirs = ({id_: row for row, id_ in enumerate(ids)} for ids in (left, right))
    return [(ours[a], theirs[b]) for a, b in pairs if a in ours and b in theirs]
