"""Pairs judged in the workers, all pairs of a left entity in one batch and neighbours in the order of the texts in one
task, so that an address is read seldom more than once a task; the judging is that of tables.linkage.scoring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.settings import Settings
from menpai.tables.cells import to_text
from menpai.tables.linkage.candidates import Pairs
from menpai.tables.linkage.deduping import edges_of
from menpai.tables.linkage.names import Names, gram_weights, grams_of
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Entity, Records
from menpai.tables.linkage.scoring import Scored, narrow, score_pairs
from menpai.tables.linkage.stages import Stages
from menpai.tables.spark.arrow import batch_of, entities_in, matcher_of, numbers, parted, texts, whole_groups
from menpai.tables.spark.room import Room

NEIGHBOURS = 10
"Bits of an entity's place in the order of the texts that do not part its pairs from its neighbours'."
_JUDGED = (
    "a long, b long, score double, odds double, named boolean, exact double, partial double, apart double,"
    " level string, conflicts string"
)
_EDGES = "a long, b long, odds double, shared double, joins boolean"


@dataclass(frozen=True)
class Judging:
    """What a worker must know to judge pairs: settings, plan, what names weigh (a broadcast), and whether names narrow."""

    settings: Settings
    plan: Plan
    weight: Any
    narrows: bool


def name_weights(room: Room, *entities: Any) -> Any:
    """What each pair of characters of the names of all tables weighs, on every worker; see linkage.names."""
    every = " UNION ".join(f"SELECT name FROM {{t{at}}} WHERE name <> ''" for at in range(len(entities)))
    names = room.keep("names", room.sql(every, **{f"t{at}": each for at, each in enumerate(entities)}))
    grams = names.mapInArrow(_grams, "gram string")
    counts = room.sql("SELECT gram, count(*) AS count FROM {grams} GROUP BY gram", grams=grams).collect()
    weight = gram_weights(dict(map(tuple, counts)), names.count() + 1)
    return room.spark.sparkContext.broadcast(weight)


def _grams(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        yield batch_of(
            gram=texts(gram for name in batch.column("name").to_pylist() for gram in sorted(grams_of(name)))
        )


def judge_two(room: Room, pairs: Any, left: Any, right: Any, judging: Judging) -> Any:
    """Each pair of two tables that no veto removes, with its own log-odds and the verdict on its addresses."""
    return room.keep("judged", _headed(room, pairs, left, right).mapInArrow(partial(_two, judging), _JUDGED))


def judge_one(room: Room, pairs: Any, entities: Any, judging: Judging) -> Any:
    """The edges between the entities of one table; see linkage.merging.Edge."""
    query = "SELECT least(a, b) AS a, greatest(a, b) AS b, max(score) AS score, false AS equal FROM {pairs} GROUP BY 1, 2"
    headed = _headed(room, room.sql(query, pairs=pairs), entities, entities)
    return room.keep("edges", headed.mapInArrow(partial(_one, judging), _EDGES))


def _headed(room: Room, pairs: Any, left: Any, right: Any) -> Any:
    """The right entities of each left one, the best first, behind the left one itself."""
    fields = "e.address, e.name, e.phone, e.lat, e.lon"
    return room.sql(
        f"SELECT p.a, p.b, p.score, p.equal, {fields} FROM {{pairs}} p JOIN {{right}} e ON p.b = e.entity UNION ALL"
        f" SELECT e.entity, NULL, NULL, NULL, {fields} FROM {{left}} e LEFT SEMI JOIN {{pairs}} p ON e.entity = p.a"
        f" DISTRIBUTE BY shiftright(a, {NEIGHBOURS}) SORT BY a, b IS NOT NULL, score DESC, b",
        pairs=pairs,
        left=left,
        right=right,
    )


def _two(judging: Judging, batches: Iterator[Any]) -> Iterator[Any]:
    matcher = matcher_of(judging.settings)
    for table in whole_groups(batches, "a"):
        heads, rows = parted(table, "b")
        a, left = numbers(heads, "a"), _records(entities_in(heads))
        b, first, at = np.unique(numbers(rows, "b"), return_index=True, return_inverse=True)
        right = _records(entities_in(rows.take(first)))
        pairs = Pairs(np.searchsorted(a, numbers(rows, "a")), at, numbers(rows, "score"))
        names = _names(judging, left.entities, right.entities)
        equal = rows.column("equal").to_numpy()
        pairs = _narrowed(judging, left, right, pairs, equal, names)
        scored = score_pairs(left, right, pairs, names, matcher, judging.plan, Stages(), rivals=False)
        yield _told(scored, a, b, judging.settings)


def _told(scored: Scored, a: NDArray[np.int64], b: NDArray[np.int64], settings: Settings) -> Any:
    judged = list(scored.judged())
    shares = scored.verdicts.probabilities[scored.at]
    return batch_of(
        a=a[scored.pairs.left],
        b=b[scored.pairs.right],
        score=scored.pairs.score,
        odds=scored.odds,
        named=scored.named,
        exact=shares[:, 0],
        partial=shares[:, 1],
        apart=shares[:, 2],
        level=texts("none" if each is None else each.level for each in judged),
        conflicts=texts(to_text(each.conflicts, settings.lang) if each else "" for each in judged),
    )


def _one(judging: Judging, batches: Iterator[Any]) -> Iterator[Any]:
    matcher = matcher_of(judging.settings)
    for table in whole_groups(batches, "a"):
        heads, rows = parted(table, "b")
        every = np.concatenate((numbers(heads, "a"), numbers(rows, "b")))
        ids, first, at = np.unique(every, return_index=True, return_inverse=True)
        both = [*entities_in(heads), *entities_in(rows)]
        records = _records([both[place] for place in first.tolist()])
        lefts = np.searchsorted(ids, numbers(rows, "a"))
        pairs = Pairs(lefts, at[heads.num_rows :], numbers(rows, "score"))
        names = _names(judging, records.entities)
        if judging.narrows:
            pairs = narrow(records, records, pairs, names, judging.plan.candidates)
        scored = score_pairs(records, records, pairs, names, matcher, judging.plan, Stages(), one=True)
        edges = edges_of(scored, judging.plan)
        yield batch_of(
            a=ids[edges.a], b=ids[edges.b], odds=edges.odds, shared=edges.shared, joins=edges.joins
        )


def _narrowed(
    judging: Judging, left: Records, right: Records, pairs: Pairs, equal: NDArray[np.bool_], names: Names
) -> Pairs:
    """The pairs that are likeliest by their names; those of equal entities were not sought, so they stay."""
    if not judging.narrows:
        return pairs
    found = narrow(left, right, pairs.keep(~equal), names, judging.plan.candidates)
    both = Pairs(*(np.concatenate(parts) for parts in zip(pairs.keep(equal), found, strict=True)))
    return both.keep(np.argsort(both.left, kind="stable"))


def _names(judging: Judging, *entities: tuple[Entity, ...]) -> Names:
    return Names((entity.name for some in entities for entity in some), judging.weight.value)


def _records(entities: list[Entity]) -> Records:
    """Entities by their place, without rows."""
    return Records((), tuple(entities), np.zeros(0, np.int64), {})
