"""Candidate pairs as joins over keys in Spark SQL, with the caps, weights and ties of tables.linkage.candidates.

Keys of more rows than the bucket lead nowhere; they are few, so they travel to every worker, and all others are joined.
A key that would make one task too many pairs is salted: its rows are copied, and those that ask are dealt out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.columnar import import_arrow
from menpai.tables.linkage.candidates import (
    BUCKET,
    BUDGET,
    MORE,
    UNIT,
    Pairs,
    best,
    near_best,
    rare_keys,
    term_weights,
)
from menpai.tables.spark.arrow import as_lists, batch_of, lists, numbers, parted, whole_groups
from menpai.tables.spark.room import Room

_MOST = (1 << 23) - 1
_STEP = float(1 << 22)
_APART = "((l.bits & ~r.bits) = 0 OR (r.bits & ~l.bits) = 0)"
"Whether neither text has a number that the other lacks; see linkage.vetoes."


@dataclass(frozen=True)
class Caps:
    """See linkage.candidates; `hot`: pairs that one key may make in one task."""

    budget: int = BUDGET
    bucket: int = BUCKET
    hot: int = 4_000_000


class Common(NamedTuple):
    """The keys of more rows than the bucket, ascending, the rows of each, and the weight in units."""

    terms: NDArray[np.int32]
    counts: NDArray[np.int64]
    weights: NDArray[np.int64]


class Keys(NamedTuple):
    """The keys of the right table: how many rows each has, and its weight; those that are common, on every worker."""

    terms: Any
    common_terms: Any
    common: Any
    rows: int
    caps: Caps


def find_pairs(
    room: Room,
    asking: Any,
    entities: Any,
    limit: int,
    *,
    own: bool,
    vetoed: bool,
    near: float,
    caps: Caps | None = None,
) -> Any:
    """a, b, score: for each entity of `asking` the `limit` entities that share most. `own`: both are one table; `vetoed`:
    by their numbers; `near`: see near_best."""
    keys = _keys(room, entities, caps or Caps())
    right = room.keep("profiles", _profiles(room, entities, keys))
    left = right if own else room.keep("asking", _profiles(room, asking, keys))
    where = " AND ".join(
        [_APART] * vetoed + ["l.entity <> r.entity"] * own + ["l.term = r.term", "l.salt = r.salt"]
    )
    found = room.keep("shared", _strongest(room, left, right, keys, where, limit + MORE))
    sought = room.sql(
        "SELECT f.a, f.b, f.shared, f.a_norm, f.b_norm, r.terms, array(0) AS others, array(0) AS other_weights"
        " FROM {found} f JOIN {right} r ON f.b = r.entity"
        " UNION ALL SELECT entity, NULL, NULL, NULL, NULL, array(0), others, other_weights FROM {left}"
        " DISTRIBUTE BY a SORT BY a, b",
        found=found,
        right=right,
        left=left,
    )
    schema = "a long, b long, score double"
    return room.keep("candidates", sought.mapInArrow(partial(_all_keys, limit, near), schema))


def _keys(room: Room, entities: Any, caps: Caps) -> Keys:
    rows = entities.count()
    counted = room.sql(
        "SELECT term, count(*) AS count FROM (SELECT explode(terms) AS term FROM {entities}) GROUP BY term",
        entities=entities,
    )
    terms = room.keep(
        "terms", counted.mapInArrow(partial(_weighed, rows), "term int, count long, weight long")
    )
    common = room.sql(f"SELECT * FROM {{terms}} WHERE count > {caps.bucket} ORDER BY term", terms=terms)
    found = np.array([tuple(row) for row in common.collect()], np.int64).reshape(-1, 3)
    shipped = room.spark.sparkContext.broadcast(
        Common(found[:, 0].astype(np.int32), found[:, 1], found[:, 2])
    )
    return Keys(terms, common, shipped, rows, caps)


def _weighed(rows: int, batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        count = numbers(batch, "count")
        weight = np.round(term_weights(count, rows) * UNIT).astype(np.int64)
        yield batch_of(term=batch.column("term"), count=count, weight=weight)


def _profiles(room: Room, entities: Any, keys: Keys) -> Any:
    """Of each entity its keys, the sum of their weights, which keys are joined (`rare`), and which only add (`others`)."""
    known = room.sql(
        "SELECT k.entity, k.term, coalesce(t.count, 0) AS count, t.weight, 0L AS bits, array(0) AS terms FROM"
        " (SELECT /*+ BROADCAST(c) */ e.entity, e.term FROM (SELECT entity, explode(terms) AS term FROM {entities}) e"
        " LEFT ANTI JOIN {common} c ON e.term = c.term) k LEFT JOIN {terms} t ON k.term = t.term"
        " UNION ALL SELECT entity, NULL, NULL, NULL, bits, terms FROM {entities}"
        " DISTRIBUTE BY entity SORT BY entity, term",
        entities=entities,
        common=keys.common_terms,
        terms=keys.terms,
    )
    schema = (
        "entity long, bits long, norm double, terms array<int>, rare array<int>, rare_weights array<int>,"
        " others array<int>, other_weights array<int>"
    )
    return known.mapInArrow(partial(_profiled, keys.common, keys.rows, keys.caps), schema)


def _profiled(common: Any, rows: int, caps: Caps, batches: Iterator[Any]) -> Iterator[Any]:
    arrow = import_arrow()
    everywhere: Common = common.value
    single = int(np.round(term_weights(np.ones(1, np.int64), max(1, rows))[0] * UNIT))
    for table in whole_groups(batches, "entity"):
        heads, keys = parted(table, "term")
        entity = numbers(heads, "entity")
        slot = np.searchsorted(entity, numbers(keys, "entity"))
        known = numbers(keys, "count") > 0
        lost = np.bincount(slot[~known], minlength=len(entity)) * single
        has = keys.filter(arrow.array(known))
        all_terms, all_slots = lists(heads, "terms")
        at = np.searchsorted(everywhere.terms, all_terms)
        at[at == len(everywhere.terms)] = 0
        hit = everywhere.terms[at] == all_terms if len(everywhere.terms) else np.zeros(len(at), bool)
        terms = np.concatenate((numbers(has, "term"), all_terms[hit]))
        slots = np.concatenate((slot[known], all_slots[hit]))
        counts = np.concatenate((numbers(has, "count"), everywhere.counts[at[hit]]))
        weights = np.concatenate((numbers(has, "weight"), everywhere.weights[at[hit]]))
        order = np.lexsort((terms, counts, slots))
        terms, slots, counts, weights = (part[order] for part in (terms, slots, counts, weights))
        rare = rare_keys(slots, counts, caps.budget, caps.bucket)
        size = len(entity)
        yield batch_of(
            entity=entity,
            bits=heads.column("bits").combine_chunks(),
            norm=(np.bincount(slots, weights, size) + lost) / UNIT,
            terms=heads.column("terms").combine_chunks(),
            rare=as_lists(terms[rare], slots[rare], size),
            rare_weights=as_lists(weights[rare], slots[rare], size),
            others=as_lists(terms[~rare], slots[~rare], size),
            other_weights=as_lists(weights[~rare], slots[~rare], size),
        )


def _strongest(room: Room, left: Any, right: Any, keys: Keys, where: str, limit: int) -> Any:
    """The `limit` pairs of each left entity that share most by rare keys."""
    asked = room.sql(
        "SELECT entity, bits, norm, inline(arrays_zip(rare, rare_weights)) AS (term, weight) FROM {left}",
        left=left,
    )
    held = room.sql(
        "SELECT /*+ BROADCAST(c) */ r.* FROM (SELECT entity, bits, norm, explode(terms) AS term FROM {right}) r"
        " LEFT ANTI JOIN {common} c ON r.term = c.term",
        right=right,
        common=keys.common_terms,
    )
    hot = room.sql(
        "SELECT term, CAST(ceil(pairs / {most}) AS INT) AS salts FROM (SELECT a.term, a.asked * t.count AS pairs FROM"
        " (SELECT term, count(*) AS asked FROM {asked} GROUP BY term) a JOIN {terms} t ON a.term = t.term)"
        " WHERE pairs > {most}".replace("{most}", str(keys.caps.hot)),
        asked=asked,
        terms=keys.terms,
    )
    hot = room.keep("hot", hot)
    salted = room.sql(
        "SELECT /*+ BROADCAST(h) */ l.*, pmod(hash(l.entity), coalesce(h.salts, 1)) AS salt FROM {asked} l"
        " LEFT JOIN {hot} h ON l.term = h.term",
        asked=asked,
        hot=hot,
    )
    copied = room.sql(
        "SELECT /*+ BROADCAST(h) */ r.*, explode(sequence(0, coalesce(h.salts, 1) - 1)) AS salt FROM {held} r"
        " LEFT JOIN {hot} h ON r.term = h.term",
        held=held,
        hot=hot,
    )
    shared = room.sql(
        "SELECT a, b, a_norm, b_norm, sum(weight) AS shared FROM (SELECT l.entity AS a, r.entity AS b,"
        " l.norm AS a_norm, r.norm AS b_norm, l.weight FROM {salted} l JOIN {copied} r ON "
        + where
        + " DISTRIBUTE BY a) GROUP BY a, b, a_norm, b_norm",
        salted=salted,
        copied=copied,
    )
    scale = "greatest(a_norm, 1e-9D) * greatest(b_norm, 1e-9D) / (greatest(a_norm, 1e-9D) + greatest(b_norm, 1e-9D))"
    step = f"least(greatest((2D - (shared / {float(UNIT)}D) / ({scale})) * {_STEP}D, 0D), {float(_MOST)}D)"
    ranked = (
        "SELECT a, b, a_norm, b_norm, shared FROM (SELECT *, row_number() OVER (PARTITION BY a"
        f" ORDER BY CAST({step} AS BIGINT), b) AS place FROM {{shared}}) WHERE place <= {limit}"
    )
    return room.sql(ranked, shared=shared)


def _all_keys(limit: int, near: float, batches: Iterator[Any]) -> Iterator[Any]:
    """The pairs by all keys that both have."""
    for table in whole_groups(batches, "a"):
        heads, rows = parted(table, "b")
        entity = numbers(heads, "a")
        slot, right = np.searchsorted(entity, numbers(rows, "a")), numbers(rows, "b")
        terms, slots = lists(heads, "others")
        weights, _ = lists(heads, "other_weights")
        keys = _joint(slots, terms)
        order = np.argsort(keys)
        keys, weights = keys[order], weights[order]
        theirs, of_pair = lists(rows, "terms")
        wanted = _joint(slot[of_pair], theirs)
        at = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        hit = keys[at] == wanted if len(keys) else np.zeros(len(wanted), bool)
        more = np.bincount(of_pair[hit], weights[at[hit]], len(slot)) / UNIT
        a, b = (np.maximum(numbers(rows, name), 1e-9) for name in ("a_norm", "b_norm"))
        shared = numbers(rows, "shared") / UNIT
        found = best(Pairs(slot, right, shared), (shared + more) / (a * b / (a + b)), limit)
        found = near_best(found, near)
        yield batch_of(a=entity[found.left], b=found.right, score=found.score)


def _joint(slots: NDArray[np.int64], terms: NDArray[np.int32]) -> NDArray[np.int64]:
    return slots << 32 | (terms.astype(np.int64) + (1 << 31))
