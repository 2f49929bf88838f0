"""Which of the nodes found are shown: how well they were typed, how much lies behind them, how near they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from menpai.search.columns import Numbers
from menpai.search.segment import DEGREE, UNKNOWN, Segment
from menpai.search.suggest.found import Hits, Piece, Region
from menpai.search.suggest.part import Index

KEPT = 64
_DEEPER, _NUMBER_DEEPER = 0.15, 3.0
"For each element that was left out; a number is one of what stands before it, seldom of something further down."
_NEAR = 6_000.0
"Metres at which nearness counts half."


class Leaning(NamedTuple):
    """Where the asker is: the region of the default city, the point (lat, lon in WGS-84); None where not known."""

    city: Region | None = None
    point: tuple[float, float] | None = None


class Ranked(NamedTuple):
    """A node with its score; `whole` 2 if its element was typed to the end, 1 without its generic ending, else 0."""

    node: int
    score: float
    whole: int
    pieces: tuple[Piece, ...]
    space: str


def rank(index: Index, segment: Segment, found: Iterable[Hits], leaning: Leaning) -> list[Ranked]:
    """The best nodes of all that were found, best first, each once."""
    best: dict[int, Ranked] = {}
    for hits in found:
        for ranked in _scored(index, segment, hits, leaning):
            known = best.get(ranked.node)
            if known is None or known.score < ranked.score:
                best[ranked.node] = ranked
    return sorted(best.values(), key=lambda ranked: (-ranked.score, ranked.node))[:KEPT]


def _scored(index: Index, segment: Segment, hits: Hits, leaning: Leaning) -> list[Ranked]:
    tree, nodes = index.tree, hits.nodes
    elements = tree.element[nodes]
    length = tree.length[elements]
    short = index.characters.short[elements]
    if hits.space == "pinyin":
        full = index.pinyin.at[elements + 1] - index.pinyin.at[elements]
        plain, typed = index.pinyin.short[elements], hits.typed
        share = np.minimum(typed / np.maximum(full, 1), 1)
        whole = np.where(full <= typed, 2, np.where(plain == typed, 1, 0))
    else:
        typed = hits.typed
        share = np.minimum(typed / np.maximum(length, 1), 1)
        whole = np.where(length <= typed, 2, np.where(short == typed, 1, 0))
    if hits.space in ("inside", "typo"):
        whole = np.zeros(len(nodes), np.int64)
    score = tree.worth(nodes) - hits.cost + 1.5 * share
    score += np.where(whole > 0, 1.0, 0.0) + _lean(index, segment, nodes, leaning)
    if hits.region is not None:
        numbered = hits.pieces[-1].typed[:1].isdecimal()
        score -= hits.region.deeper(nodes, tree.depth) * (_NUMBER_DEEPER if numbered else _DEEPER)
    top = np.argsort(-score, kind="stable")
    if len(nodes) > KEPT:
        top = np.argpartition(-score, KEPT - 1)[:KEPT]
        top = top[np.argsort(-score[top], kind="stable")]
    columns = zip(nodes[top].tolist(), score[top].tolist(), whole[top].tolist(), strict=True)
    return [Ranked(node, value, full, hits.pieces, hits.space) for node, value, full in columns]


def _lean(index: Index, segment: Segment, nodes: Numbers, leaning: Leaning) -> Numbers | float:
    """What the default city and the position add."""
    more: Numbers | float = 0.0
    if leaning.city is not None:
        at = np.maximum(leaning.city.nodes.searchsorted(nodes, "right") - 1, 0)
        more = np.where((nodes >= leaning.city.nodes[at]) & (nodes < leaning.city.ends[at]), 4.0, 0.0)
    if leaning.point is not None:
        more = more + _nearness(index, segment, nodes, leaning.point)
    return more


def _nearness(index: Index, segment: Segment, nodes: Numbers, point: tuple[float, float]) -> Numbers:
    """0 far away or unknown, up to 4 at the point; by the first row of each node, on a flat map."""
    rows = index.tree.order[index.tree.low[nodes]]
    lat, lon = segment.lat[rows], segment.lon[rows]
    north = (lat / DEGREE - point[0]) * 111_320.0
    east = (lon / DEGREE - point[1]) * 111_320.0 * np.cos(np.radians(point[0]))
    return np.where(lat == UNKNOWN, 0.0, 4.0 / (1.0 + np.hypot(north, east) / _NEAR))
