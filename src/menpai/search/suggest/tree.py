"""The tree of address prefixes. Nodes stand in preorder, so whatever lies below a node is one slice of every array."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from menpai.search.columns import Numbers, open_numbers, save_numbers
from menpai.search.segment import Segment
from menpai.search.suggest.paths import Paths

CROWDED = 2_048
"Nodes; what lies below so many is not looked through for each question, its best are written down."
BEST = 128
_COLUMNS = (
    "element",
    "depth",
    "end",
    "low",
    "kind",
    "order",
    "posting",
    "posting_at",
    "length",
    "crowded",
    "children",
)


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Node v: the text `element[v]` at `depth[v]` (0 first); nodes v+1 … end[v]-1 lie below it.

    Its rows are order[low[v]:low[end[v]]]; those that end here come first. `posting[posting_at[e]:posting_at[e + 1]]`
    are the nodes of element e, ascending, `length[e]` its characters. `crowded` nodes have their best children in
    `children` (-1 beyond). `sums` are running sums of the rows' weights, None where all weigh 1.
    """

    element: Numbers
    depth: Numbers
    end: Numbers
    low: Numbers
    kind: Numbers
    order: Numbers
    posting: Numbers
    posting_at: Numbers
    length: Numbers
    crowded: Numbers
    children: Numbers
    sums: Numbers | None

    def __len__(self) -> int:
        return len(self.element)

    def count(self, nodes: Numbers) -> Numbers:
        """How many rows lie at or below each node, removed ones too."""
        return self.low[self.end[nodes]] - self.low[nodes]

    def weight(self, nodes: Numbers) -> Numbers:
        """What the rows at or below each node weigh."""
        if self.sums is None:
            return self.count(nodes)
        return self.sums[self.low[self.end[nodes]]] - self.sums[self.low[nodes]]

    def worth(self, nodes: Numbers) -> Numbers:
        """How likely each node is meant, all else equal: with more behind it, with a shorter name."""
        worth: Numbers = 0.35 * np.log2(1.0 + self.weight(nodes)) - 0.05 * self.length[self.element[nodes]]
        return worth

    def own_rows(self, node: int) -> Numbers:
        """The rows that end at a node."""
        low, end = int(self.low[node]), int(self.end[node])
        below = int(self.low[node + 1]) if node + 1 < end else int(self.low[end])
        rows: Numbers = self.order[low:below]
        return rows

    def below(self, node: int) -> Numbers:
        """The children of a node; of very many the best."""
        end = int(self.end[node])
        if end - node > CROWDED:
            at = int(self.crowded.searchsorted(node))
            if at < len(self.crowded) and self.crowded[at] == node:
                row: Numbers = self.children[at]
                return row[row >= 0]
        depth = self.depth[node + 1 : end]
        return np.flatnonzero(depth == self.depth[node] + 1) + (node + 1)

    def nodes_of(self, elements: Numbers) -> Numbers:
        """The nodes of elements, element by element."""
        start = self.posting_at[elements]
        nodes: Numbers = self.posting[slices(start, self.posting_at[elements + 1] - start)]
        return nodes


def slices(start: Numbers, size: Numbers) -> Numbers:
    """The numbers of several ranges, one after another."""
    ends = np.cumsum(size)
    total = int(ends[-1]) if len(ends) else 0
    numbers: Numbers = np.arange(total) + np.repeat(start - (ends - size), size)
    return numbers


def outer(nodes: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Of ascending nodes those that lie below no other one, and their ends."""
    if len(nodes) < 2:
        return nodes, ends
    free = np.ones(len(nodes), np.bool_)
    free[1:] = nodes[1:] >= np.maximum.accumulate(ends)[:-1]
    return nodes[free], ends[free]


def build_tree(segment: Segment, paths: Paths, folder: Path) -> Tree:
    """Write the tree of a segment's paths, and give it back."""
    grid, depth = paths.grid, paths.depth
    rows, width = grid.shape
    columns = np.arange(width)
    differs = np.ones((rows, width), np.bool_)
    differs[1:] = grid[1:] != grid[:-1]
    first = np.where(differs.any(axis=1), differs.argmax(axis=1), width)
    new = (columns >= first[:, None]) & (columns < depth[:, None])
    found = {
        "element": grid[new],
        "depth": np.broadcast_to(columns.astype(np.uint8), new.shape)[new],
        "kind": paths.kinds[new],
        "order": paths.order,
    }
    starts = np.broadcast_to(np.arange(rows, dtype=np.int32)[:, None], new.shape)[new]
    found["low"] = np.append(starts, np.int32(rows))
    found["end"] = _ends(found["depth"])
    found["posting"] = np.argsort(found["element"], kind="stable").astype(np.int32)
    per_element = np.bincount(found["element"], minlength=len(paths.elements))
    found["posting_at"] = np.append(np.int32(0), np.cumsum(per_element, dtype=np.int32))
    found["length"] = np.array([min(len(text), 255) for text in paths.elements], np.uint8)
    found["crowded"], found["children"] = np.zeros(0, np.int32), np.zeros((0, BEST), np.int32)
    weights = segment.weights[paths.order]
    sums = None if bool((weights == 1).all()) else np.append(0.0, np.cumsum(weights, dtype=np.float64))
    tree = Tree(**found, sums=sums)
    found["crowded"], found["children"] = _crowded(tree)
    for name in _COLUMNS:
        save_numbers(folder, name, found[name])
    if sums is not None:
        save_numbers(folder, "sums", sums)
    return Tree(**found, sums=sums)


def open_tree(folder: Path) -> Tree:
    """The tree of a folder, memory-mapped."""
    columns = {name: open_numbers(folder, name) for name in (*_COLUMNS, "sums")}
    return Tree(**columns)  # type: ignore[arg-type]  # only `sums` may be absent


def best(tree: Tree, nodes: Numbers, most: int) -> Numbers:
    """The most likely of the nodes, best first; of equals those that stand first."""
    worth = tree.worth(nodes)
    if len(nodes) > most:
        least = np.partition(worth, len(nodes) - most)[len(nodes) - most]
        above, equal = np.flatnonzero(worth > least), np.flatnonzero(worth == least)
        kept = np.sort(np.concatenate((above, equal[: most - len(above)])))
        nodes, worth = nodes[kept], worth[kept]
    return nodes[np.argsort(-worth, kind="stable")]


def _ends(depth: Numbers) -> Numbers:
    """For each node the next one that does not lie below it; for preorder, level by level."""
    ends = np.full(len(depth), len(depth), np.int32)
    for level in range(int(depth.max(initial=0)) + 1):
        upto = np.flatnonzero(depth <= level)
        after = np.append(upto[1:], len(depth))
        here = depth[upto] == level
        ends[upto[here]] = after[here]
    return ends


def _crowded(tree: Tree) -> tuple[Numbers, Numbers]:
    """Nodes above very many, and their best children."""
    size = tree.end - np.arange(len(tree))
    crowded = np.flatnonzero(size > CROWDED).astype(np.int32)
    children = np.full((len(crowded), BEST), -1, np.int32)
    for at, node in enumerate(crowded.tolist()):
        found = best(tree, tree.below(node), BEST)
        children[at, : len(found)] = found
    return crowded, children
