"""Ids of clusters: made of their texts, so no order of rows matters, and kept from run to run."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from menpai.tables.linkage.deduping import Clusters
from menpai.tables.linkage.records import Entity, Raw, Records

_LENGTH = 16


class Change(NamedTuple):
    """A line of the journal: `merged` (rows of the ids `others` went into `cluster_id`), `split` (rows of `cluster_id` are in
    `others` now), `gone` (none of its rows is left)."""

    change: str
    cluster_id: str
    others: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        return self._asdict() | {"others": list(self.others)}


def fresh_ids(records: Records, clusters: Clusters) -> dict[int, str]:
    """Cluster → the digest of its first spelling."""
    return {cluster: id_of(records.entities[cluster]) for cluster in clusters.rows}


def kept_ids(
    records: Records, clusters: Clusters, before: Mapping[int, str], known: Iterable[str] = ()
) -> tuple[dict[int, str], list[Change]]:
    """Cluster → its id, and what became of the old ones. `before`: row → the id that it had; `known`: all old ids.

    An id goes where most of its rows are; a cluster with rows of several ids keeps the one that brought most.
    """
    brought = Counter((before[row], clusters.of_row[row]) for row in before if row in clusters.of_row)
    ids: dict[int, str] = {}
    given: set[str] = set()
    for (old, cluster), _ in sorted(brought.items(), key=lambda each: (-each[1], each[0])):
        if cluster not in ids and old not in given:
            ids[cluster] = old
            given.add(old)
    taken = {*known, *given}
    for cluster in sorted(set(clusters.rows) - set(ids)):
        ids[cluster] = _unused(id_of(records.entities[cluster]), taken)
        taken.add(ids[cluster])
    return ids, _changes(brought, ids, {*known, *before.values()})


def old_ids(now: Iterable[Raw], before: Iterable[tuple[Raw, str]]) -> dict[int, str]:
    """Row → the id of its cluster in a table of before: by its own id, where rows have one, else by its texts."""
    known: dict[tuple[str, ...], str] = {}
    for raw, cluster in before:
        if cluster:
            known.setdefault(_key(raw), cluster)
    found = ((row, known.get(_key(raw))) for row, raw in enumerate(now))
    return {row: cluster for row, cluster in found if cluster is not None}


def _key(raw: Raw) -> tuple[str, ...]:
    return (raw.id,) if raw.id else (raw.address, raw.name, raw.phone)


def _changes(brought: Iterable[tuple[str, int]], ids: Mapping[int, str], known: set[str]) -> list[Change]:
    into, out_of = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for old, cluster in brought:
        into[ids[cluster]].add(old)
        out_of[old].add(ids[cluster])
    merged = [
        Change("merged", new, tuple(sorted(olds - {new})))
        for new, olds in into.items()
        if new in olds and len(olds) > 1
    ]
    split = [Change("split", old, tuple(sorted(news))) for old, news in out_of.items() if len(news) > 1]
    gone = [Change("gone", old, ()) for old in known if old not in out_of]
    return [*sorted(merged), *sorted(split), *sorted(gone)]


def id_of(entity: Entity) -> str:
    """The id of a cluster by its first spelling."""
    return hashlib.blake2b(repr(entity).encode("utf-8", "replace"), digest_size=_LENGTH // 2).hexdigest()


def _unused(wanted: str, taken: set[str]) -> str:
    """The id, or with the first number behind it that makes it another."""
    number, found = 1, wanted
    while found in taken:
        number += 1
        found = f"{wanted}-{number}"
    return found
