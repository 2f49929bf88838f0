"""What people decided about pairs of rows: a table with two ids and `same` or `different`, kept over reruns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
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


def read_decisions(table: Table, *, one_table: bool = False) -> Decisions:
    """The decisions of a table with the columns id_a, id_b, decision; raises for a word that is neither. Of several on a
    pair the last holds; if both ids are of one table, a pair is the same either way round."""
    at = [find_given(table, name) for name in COLUMNS]
    found: dict[tuple[str, str], tuple[tuple[str, str], str]] = {}
    for row in table.rows:
        a, b, decision = (cell_text(row.cells[each]) for each in at)
        if decision not in (SAME, DIFFERENT):
            known = f"{SAME}, {DIFFERENT}"
            raise UsageError("decision_unknown", path=table.name, line=row.line, value=decision[:40],
                             known=known, **near(decision, [SAME, DIFFERENT]))  # fmt: skip
        key = (b, a) if one_table and b < a else (a, b)
        found.pop(key, None)
        found[key] = (a, b), decision
    same, different = (
        tuple(pair for pair, said in found.values() if said == word) for word in (SAME, DIFFERENT)
    )
    return Decisions(same, different)


def rows_of_pairs(pairs: Iterable[tuple[str, str]], ids: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs as rows; one whose id no row has is left out, for it may come back another day."""
    return rows_of_both(pairs, ids, ids)


def rows_of_both(
    pairs: Iterable[tuple[str, str]], left: Sequence[str], right: Sequence[str]
) -> list[tuple[int, int]]:
    """The same for ids of two tables."""
    told = list(pairs)
    ours, theirs = (rows_of_ids(ids, {pair[at] for pair in told}) for at, ids in enumerate((left, right)))
    return [(ours[a], theirs[b]) for a, b in told if a in ours and b in theirs]


def rows_of_ids(ids: Iterable[str], wanted: Set[str]) -> dict[str, int]:
    """The row of each wanted id that there is; UsageError if several rows have it, for it names none of them."""
    found: dict[str, int] = {}
    for row, id_ in enumerate(ids):
        if id_ in wanted and found.setdefault(id_, row) != row:
            raise UsageError("row_id_repeated", id=id_[:40], first=found[id_] + 1, second=row + 1)
    return found
