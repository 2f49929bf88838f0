"""Connected components in frames, by alternating large and small stars: each round lets a node hang on the smallest
node that it knows of, until nothing moves. Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii: Connected Components in
MapReduce and Beyond, SoCC 2014."""

from __future__ import annotations

from typing import Any

from menpai.tables.spark.room import Room

_LARGE = (
    "SELECT DISTINCT n.v AS u, least(m.m, n.u) AS v FROM {both} n JOIN"
    " (SELECT u, min(v) AS m FROM {both} GROUP BY u) m ON n.u = m.u WHERE n.v > n.u"
)
_SMALL = (
    "WITH least AS (SELECT u, min(v) AS m FROM {edges} GROUP BY u)"
    " SELECT e.v AS u, l.m AS v FROM {edges} e JOIN least l ON e.u = l.u WHERE e.v <> l.m"
    " UNION SELECT u, m FROM least"
)


def components(room: Room, edges: Any) -> Any:
    """node, component: the smallest node that a chain of the edges `u`, `v` leads to; nodes without edges are not there."""
    query = "SELECT DISTINCT greatest(u, v) AS u, least(u, v) AS v FROM {edges} WHERE u <> v"
    found = room.keep("stars-0", room.sql(query, edges=edges))
    before, now, turn = None, _digest(room, found), 0
    while now != before:
        turn += 1
        both = room.sql("SELECT u, v FROM {edges} UNION ALL SELECT v, u FROM {edges}", edges=found)
        large = room.sql(_LARGE, both=both)
        found = room.keep(f"stars-{turn}", room.sql(_SMALL, edges=large))
        before, now = now, _digest(room, found)
    query = "SELECT u AS node, v AS component FROM {stars} UNION SELECT v, v FROM {stars}"
    return room.keep("components", room.sql(query, stars=found))


def _digest(room: Room, edges: Any) -> tuple[int, int]:
    """What tells two sets of edges apart."""
    query = "SELECT count(*), coalesce(bit_xor(xxhash64(u, v)), 0) FROM {edges}"
    (row,) = room.sql(query, edges=edges).collect()
    return tuple(row)
