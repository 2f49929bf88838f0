"""`menpai.tables.spark.dedupe`: which rows of one frame are the same place; the stages of linkage.deduping.

Clusters are merged component by component of the pairs that join: what is merged, vetoed or left as too large in one of
them depends on nothing outside (linkage.components does the same in memory).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables.columns import added_names
from menpai.tables.linkage.candidates import NEAR_CLUSTERS
from menpai.tables.linkage.clustered import ADDED
from menpai.tables.linkage.components import Edges, merge_table
from menpai.tables.linkage.dedupe_door import check_dedupe
from menpai.tables.linkage.deduping import CLUSTERED, WIDE
from menpai.tables.linkage.golden import best_spelling
from menpai.tables.linkage.judging import Batch, judge, mark_from
from menpai.tables.linkage.plan import Accept, Plan
from menpai.tables.linkage.reading import Chosen
from menpai.tables.linkage.records import Entity
from menpai.tables.spark.arrow import batch_of, entities_in, matcher_of, numbers, parted, texts, whole_groups
from menpai.tables.spark.blocking import find_pairs
from menpai.tables.spark.components import components
from menpai.tables.spark.judging import Judging, judge_one, name_weights
from menpai.tables.spark.room import Room
from menpai.tables.spark.rows import ROW, Read, Reader, read
from menpai.tables.spark.session import has_names, open_room, settings_of

_MERGED = "entity long, cluster_id string, size long, golden long, rule string"
GIANT = "giant"
"The rule of a line that is no entity: a merge that was left undone, `size` spellings, the id of one of both clusters."


@dataclass(frozen=True)
class _Merging:
    """What a worker must know to merge."""

    settings: Settings
    plan: Plan


def dedupe(
    table: Any,
    *,
    accept: Accept = "exact",
    largest: int | None = None,
    work: str | Room | None = None,
    settings: Settings | None = None,
    name: str = "table",
    **columns: str,
) -> Any:
    """The frame in its order with cluster_id, cluster_size, is_golden and problem. It reads from the folder `work`.

    `columns`: address, name, id, lat, lon, phone, crs. `name`: what the frame is called in messages.
    """
    check_dedupe(accept, columns)
    room, settings = open_room(table, work), settings_of(settings)
    plan = Plan(accept, largest=largest or Plan().largest, workers=1)
    found = read(room, "table", table, Reader(name, Chosen(**columns), settings))
    return _rows(room, found, _clusters(room, found.entities, plan, settings))


def _clusters(room: Room, entities: Any, plan: Plan, settings: Settings) -> Any:
    """The cluster of each entity, and the giants that were left undone."""
    named = has_names(room, entities)
    limit = plan.candidates * (WIDE if named else CLUSTERED)
    pairs = find_pairs(
        room, entities, entities, limit, own=True, vetoed=not named, near=0.0 if named else NEAR_CLUSTERS
    )
    edges = judge_one(room, pairs, entities, Judging(settings, plan, name_weights(room, entities), named))
    of = components(room, room.sql("SELECT a AS u, b AS v FROM {edges} WHERE joins", edges=edges))
    fields = "e.address, e.name, e.phone, e.lat, e.lon, e.rows, e.first_row, e.cluster_id"
    headed = room.sql(
        f"SELECT c.component, e.entity AS a, NULL AS b, NULL AS odds, NULL AS shared, NULL AS joins, {fields}"
        " FROM {of} c JOIN {entities} e ON c.node = e.entity UNION ALL"
        " SELECT c.component, p.a, p.b, p.odds, p.shared, p.joins, '', '', '', NULL, NULL, 0L, 0L, ''"
        " FROM {edges} p JOIN {of} c ON p.a = c.node JOIN {of} d ON p.b = d.node AND c.component = d.component"
        " DISTRIBUTE BY component SORT BY component, a, b",
        of=of,
        entities=entities,
        edges=edges,
    )
    merged = room.keep("merged", headed.mapInArrow(partial(_merged, _Merging(settings, plan)), _MERGED))
    return room.keep("clusters", room.sql(
        "SELECT * FROM {merged} UNION ALL SELECT e.entity, e.cluster_id, e.rows, e.first_row, 'only' FROM {entities} e"
        " LEFT ANTI JOIN {of} c ON e.entity = c.node", merged=merged, entities=entities, of=of,
    ))  # fmt: skip


def _merged(task: _Merging, batches: Iterator[Any]) -> Iterator[Any]:
    """The clusters of whole components."""
    matcher = matcher_of(task.settings)
    for table in whole_groups(batches, "component"):
        heads, rows = parted(table, "b")
        place = {entity: at for at, entity in enumerate(heads.column("a").to_pylist())}
        entities, marks, kinds = _read(heads, matcher, task.plan)
        ends = [np.array([place[each] for each in rows.column(side).to_pylist()], np.int64) for side in "ab"]
        edges = Edges(ends[0], ends[1], *(numbers(rows, name) for name in ("odds", "shared", "joins")))
        found = list(map(mark_from, marks))
        merged = merge_table(len(entities), found.__getitem__, edges, task.plan.largest)
        yield _told(
            heads, entities, kinds, merged.cluster, [(giant.a, giant.size) for giant in merged.giants]
        )


def _read(heads: Any, matcher: Matcher, plan: Plan) -> tuple[list[Entity], list[str], list[int]]:
    """Entities with the marks that keep them out of clusters, and how many kinds of elements their addresses have."""
    entities = entities_in(heads)
    addresses, everywhere = [entity.address for entity in entities], list(range(len(entities)))
    batch = Batch(
        addresses, [None] * len(entities), [], [], [], everywhere, True, plan.accept == "exact", plan.read
    )
    outcome = judge(batch, matcher)
    return entities, outcome.marks, outcome.kinds


def _told(
    heads: Any, entities: list[Entity], kinds: list[int], cluster: list[int], giants: list[tuple[int, int]]
) -> Any:
    rows, first = heads.column("rows").to_pylist(), heads.column("first_row").to_pylist()
    names, ids = heads.column("cluster_id").to_pylist(), heads.column("a").to_pylist()
    members: dict[int, list[int]] = {}
    for at, root in enumerate(cluster):
        members.setdefault(root, []).append(at)
    lines = [(None, names[cluster[at]], size, None, GIANT) for at, size in giants]
    for root, some in members.items():
        golden, rule = best_spelling(entities, {at: rows[at] for at in some}, kinds)
        size = sum(rows[at] for at in some)
        lines += [(ids[at], names[root], size, first[golden], rule) for at in some]
    entity, cluster_id, sizes, golden_row, rules = zip(*lines, strict=True)
    return batch_of(
        entity=list(entity),
        cluster_id=texts(cluster_id),
        size=list(sizes),
        golden=list(golden_row),
        rule=texts(rules),
    )


def _rows(room: Room, found: Read, clusters: Any) -> Any:
    added = added_names(found.frame.columns, ADDED)
    cells = ("c.cluster_id", "c.size", "c.golden = r.row", "r.problem")
    picked = ", ".join(f"{cell} AS `{name}`" for cell, name in zip(cells, added, strict=True))
    return room.sql(
        f"SELECT f.*, {picked} FROM {{frame}} f JOIN {{rows}} r ON f.{ROW} = r.row"
        f" LEFT JOIN {{clusters}} c ON c.entity = r.entity ORDER BY f.{ROW}",
        frame=found.frame,
        rows=found.rows,
        clusters=clusters,
    ).drop(ROW)
