"""Entity linking measured against pairs of ids that are known to be one place: precision, recall, F1."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.tables.columns import ADDRESSES, LABELS, find_optional
from menpai.tables.entries import cell_text
from menpai.tables.labels import read_labels
from menpai.tables.linkage import Plan, Records, link, make_records
from menpai.tables.linkage.deduping import dedupe
from menpai.tables.linkage.linking import Link
from menpai.tables.linkage.reading import Chosen, read_raw
from menpai.tables.readers import open_table
from menpai.tables.source import STDIN
from menpai.tables.table import ReadOptions

Pair = tuple[str, str]
Told = Callable[[str, float], None]

_LEAST = 0.5
"The share of rows whose two ids must be ids of the tables in a file of true pairs."


class Truth(NamedTuple):
    """True pairs of ids, and how many rows of the file name an id that no table has."""

    pairs: set[Pair]
    unknown: int


class Linked(NamedTuple):
    """What was found: pairs of ids, those that were compared (empty: not known), and the answer on each of these."""

    pairs: set[Pair]
    compared: dict[Pair, Link | None]
    rows: dict[str, int]


class Report(NamedTuple):
    """The figures; the pairs that were missed, and those that are wrong, each with the answer on it if it was compared."""

    figures: dict[str, Any]
    missed: list[tuple[Pair, Link | None]]
    wrong: list[tuple[Pair, Link | None]]


class _Side(NamedTuple):
    """A file as it stands: its columns, and its cells by column as texts."""

    path: str
    columns: tuple[str, ...]
    cells: list[tuple[str, ...]]

    def column(self, name: str) -> list[str] | None:
        return [row[self.columns.index(name)] for row in self.cells] if name in self.columns else None


def evaluate_entities(
    paths: Sequence[str],
    options: ReadOptions,
    chosen: tuple[Chosen, Chosen],
    matcher: Callable[[], Matcher],
    plan: Plan,
    told: Told = lambda name, share: None,
) -> Report:
    """Two tables and their true pairs, in any order; one table and its true pairs; or an output of `link` or `dedupe`
    and its true pairs."""
    if len(paths) not in (2, 3):
        raise UsageError("entities_files", count=len(paths))
    if STDIN in paths:
        raise UsageError("entities_stdin")
    sides = [_read(path, options) for path in paths]
    start = time.perf_counter()
    if len(sides) == 2:
        linked, truth = _of_one(sides, options, chosen[0], matcher, plan, told)
    else:
        linked, truth = _of_two(sides, options, chosen, matcher, plan, told)
    return _report(linked, truth, time.perf_counter() - start)


def _of_two(
    sides: list[_Side], options: ReadOptions, chosen: tuple[Chosen, Chosen], matcher: Callable[[], Matcher],
    plan: Plan, told: Told,
) -> tuple[Linked, Truth]:  # fmt: skip
    truth_at = _truth_of_three(sides)
    left, right = (side for at, side in enumerate(sides) if at != truth_at)
    opened = matcher()
    ours, theirs = (
        _records(side.path, options, each, opened) for side, each in zip((left, right), chosen, strict=True)
    )
    truth = _truth(sides[truth_at], set(ours.ids), set(theirs.ids))
    links = link(ours, theirs, opened, plan, told)
    found = {
        (ours.ids[row], theirs.ids[one.right]) for row, one in links.rows.items() if one.right is not None
    }
    rows = ours.rows_of(), theirs.rows_of()
    compared = {
        (ours.ids[a], theirs.ids[b]): answer
        for at, other, answer in links.pairs
        for a in rows[0][at]
        for b in rows[1][other]
    }
    return Linked(found, dict(compared), {"left_rows": len(ours), "right_rows": len(theirs)}), truth


def _of_one(
    sides: list[_Side],
    options: ReadOptions,
    chosen: Chosen,
    matcher: Callable[[], Matcher],
    plan: Plan,
    told: Told,
) -> tuple[Linked, Truth]:
    """An output that has its pairs already, or one table whose duplicates are found now; its true pairs come second."""
    table, pairs = sides
    matched = table.column("matched_id")
    if matched is not None:
        records = [raw.id or str(number) for number, raw in enumerate(_raws(table.path, options, chosen), 1)]
        found = {(a, b) for a, b in zip(records, matched, strict=True) if b}
        return Linked(found, {}, {"left_rows": len(records)}), _truth(pairs, set(records), None)
    clusters = table.column("cluster_id")
    if clusters is None:
        opened = matcher()
        ours = _records(table.path, options, chosen, opened)
        ids = list(ours.ids)
        of_row = dedupe(ours, opened, plan, told).of_row
        clusters = [str(of_row.get(row, f"-{row}")) for row in range(len(ids))]
    else:
        ids = [raw.id or str(number) for number, raw in enumerate(_raws(table.path, options, chosen), 1)]
    members: dict[str, list[str]] = {}
    for id_, cluster in zip(ids, clusters, strict=True):
        members.setdefault(cluster, []).append(id_)
    found = {_sorted(pair) for rows in members.values() for pair in combinations(rows, 2)}
    truth = _truth(pairs, set(ids), set(ids))
    return Linked(found, {}, {"rows": len(ids)}), Truth(
        {_sorted(pair) for pair in truth.pairs}, truth.unknown
    )


def _sorted(pair: Pair) -> Pair:
    return min(pair), max(pair)


def _read(path: str, options: ReadOptions) -> _Side:
    with open_table(path, options) as table:
        return _Side(path, table.columns, [tuple(map(cell_text, row.cells)) for row in table.rows])


def _raws(path: str, options: ReadOptions, chosen: Chosen) -> Iterator[Any]:
    with open_table(path, options) as table:
        yield from (raw for _, raw in read_raw(table, chosen))


def _records(path: str, options: ReadOptions, chosen: Chosen, matcher: Matcher) -> Records:
    return make_records(_raws(path, options, chosen), matcher.settings.max_length)


def _truth_of_three(sides: list[_Side]) -> int:
    """Which file names rows of both others: by its cells, so that the files may stand in any order. Tables with the same
    addresses seem to name each other's rows, so a file without addresses comes before them."""
    shares = []
    for at, side in enumerate(sides):
        left, right = ({cell for row in other.cells for cell in row} for other in sides if other is not side)
        columns = list(zip(*side.cells, strict=True))
        shares.append(
            min(_best(columns, left)[1], _best(columns, right)[1]) - len(side.columns) * 1e-6 - at * 1e-9
        )
    addresses = [any(name.strip().casefold() in ADDRESSES for name in side.columns) for side in sides]
    best = max(range(3), key=lambda at: (shares[at] >= _LEAST, not addresses[at], shares[at]))
    if shares[best] < _LEAST:
        raise UsageError("entities_no_truth", files=", ".join(side.path for side in sides))
    return best


def _best(columns: Sequence[Sequence[str]], known: set[str]) -> tuple[int, float]:
    """The column with the greatest share of cells that are known, and that share; the first of equals."""
    shares = [sum(cell in known for cell in cells) / max(1, len(cells)) for cells in columns]
    at = max(range(len(shares)), key=shares.__getitem__, default=0)
    return at, shares[at] if shares else 0.0


def _truth(side: _Side, left: set[str], right: set[str] | None) -> Truth:
    """The true pairs; of a file with labels, those that are exact or the same. Without the right ids (None) the other
    column of ids is taken as it is."""
    columns = list(zip(*side.cells, strict=True))
    first, share = _best(columns, left)
    others = [cells for at, cells in enumerate(columns) if at != first]
    if right is None:
        second, other_share = _id_column(side.columns, first), 1.0
    else:
        second, other_share = _best(others, right)
        second += second >= first
    if min(share, other_share) < _LEAST:
        raise UsageError("entities_no_truth", files=side.path)
    chosen = list(zip(columns[first], columns[second], _positive(side), strict=True))
    known = [(a, b) for a, b, positive in chosen if positive and a in left and (right is None or b in right)]
    return Truth(set(known), sum(positive for *_, positive in chosen) - len(known))


def _id_column(columns: Sequence[str], taken: int) -> int:
    """The other column of ids, by its name, else the next one."""
    named = [at for at, name in enumerate(columns) if at != taken and name.casefold().endswith("id")]
    return named[0] if named else (1 if taken == 0 else 0)


def _positive(side: _Side) -> list[bool]:
    """Whether each row says that its pair is one place: all of them, in a file without labels."""
    with open_table(side.path) as table:
        at = find_optional(table, LABELS)
    if at is None:
        return [True] * len(side.cells)
    labels = read_labels([(line, row[at]) for line, row in enumerate(side.cells, 2)], side.path)
    return [label is True or label == "exact_match" for label in labels]


def _report(linked: Linked, truth: Truth, seconds: float) -> Report:
    hits = linked.pairs & truth.pairs
    found, wanted = len(linked.pairs), len(truth.pairs)
    if not wanted:
        raise UsageError("entities_no_truth", files="-")
    figures: dict[str, Any] = {
        "precision": len(hits) / found if found else 0.0,
        "recall": len(hits) / wanted,
        "f1": 2 * len(hits) / (found + wanted),
        "true_pairs": wanted, "found_pairs": found, "right_pairs": len(hits), "unknown_pairs": truth.unknown,
        **linked.rows,
    }  # fmt: skip
    if linked.compared:
        figures["compared_recall"] = sum(pair in linked.compared for pair in truth.pairs) / wanted
    figures["seconds"] = round(seconds, 2)

    def told(pairs: set[Pair]) -> list[tuple[Pair, Link | None]]:
        return [(pair, linked.compared.get(pair)) for pair in sorted(pairs)]

    return Report(figures, told(truth.pairs - hits), told(linked.pairs - hits))
