"""What a walk over a typed text finds: stretches of it, regions of the tree, the nodes that come last."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from menpai.search.columns import Numbers

# What a way to type an element costs, against typing it as it is written.
COST = {
    "characters": 0.0,
    "pinyin": 0.7,
    "initials": 1.0,
    "inside": 3.0,
    "sound": 2.5,
    "typo": 4.0,
    "number": 0.5,
}


class Piece(NamedTuple):
    """A stretch of the typed text and the space in which an element was found for it."""

    start: int
    end: int
    space: str
    typed: str


class Region(NamedTuple):
    """Nodes, ascending, none below another, with their ends; what lies below them is the region."""

    nodes: Numbers
    ends: Numbers

    @property
    def size(self) -> int:
        """How many nodes lie below."""
        return int((self.ends - self.nodes).sum())

    def deeper(self, nodes: Numbers, depth: Numbers) -> Numbers:
        """How many elements lie between each node and the region's node above it."""
        above = self.nodes[np.maximum(self.nodes.searchsorted(nodes, "right") - 1, 0)]
        return np.maximum(depth[nodes].astype(np.int64) - depth[above] - 1, 0)

    def holds(self, nodes: Numbers) -> Numbers:
        """Those of the nodes that lie below, in their order."""
        if len(self.nodes) == 1:
            below = (nodes > self.nodes[0]) & (nodes < self.ends[0])
        else:
            at = self.nodes.searchsorted(nodes, "right") - 1
            below = (at >= 0) & (nodes < self.ends[at]) & (nodes > self.nodes[at])
        kept: Numbers = nodes[below]
        return kept


class State(NamedTuple):
    """All of the text up to a position was found: the region that it names (None for everything), and how.

    `above` is the region in which its last piece was found.
    """

    region: Region | None
    pieces: tuple[Piece, ...] = ()
    cost: float = 0.0
    above: Region | None = None


class Hits(NamedTuple):
    """Nodes whose own element was typed last, at least in part; `typed` counts its symbols, `region` is where it was."""

    nodes: Numbers
    pieces: tuple[Piece, ...]
    cost: float
    typed: int
    space: str
    region: Region | None = None
