"""Short beginnings that very many addresses share, with the best of them: one letter must not cost more than ten."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from menpai.search.columns import Numbers, open_numbers, save_numbers
from menpai.search.suggest.spaces import Space, open_spaces
from menpai.search.suggest.tree import BEST, CROWDED, Tree, best

_LENGTHS = {"characters": (1, 2), "pinyin": (1, 2, 3, 4), "initials": (1, 2, 3)}


class Hot(NamedTuple):
    """Beginnings (space, symbols) → row of `nodes`; -1 beyond the best."""

    rows: dict[tuple[str, int, int], int]
    nodes: Numbers

    def find(self, space: str, wanted: Sequence[int], bits: int) -> Numbers | None:
        """The best nodes of a beginning, None if it is not one of those that very many share."""
        key = 0
        for symbol in wanted:
            key = key << bits | symbol
        row = self.rows.get((space, len(wanted), key))
        if row is None:
            return None
        found: Numbers = self.nodes[row]
        return found[found >= 0]


def build_hot(folder: Path, tree: Tree) -> None:
    """Write the beginnings of the spaces in a folder."""
    keys, nodes = list[tuple[int, int, int]](), list[Numbers]()
    for number, (space, lengths) in enumerate(zip(open_spaces(folder)[:3], _LENGTHS.values(), strict=True)):
        for length in lengths:
            for key, found in _crowded(space, length, tree):
                keys.append((number, length, key))
                nodes.append(found)
    save_numbers(folder, "hot.keys", np.array(keys, np.uint64).reshape(-1, 3))
    save_numbers(folder, "hot.nodes", np.array(nodes, np.int32).reshape(-1, BEST))


def open_hot(folder: Path) -> Hot:
    """The beginnings of a folder."""
    keys, nodes = open_numbers(folder, "hot.keys"), open_numbers(folder, "hot.nodes")
    if keys is None or nodes is None:
        raise FileNotFoundError(folder / "hot.keys.npy")
    names = tuple(_LENGTHS)
    rows = {(names[space], length, key): row for row, (space, length, key) in enumerate(keys.tolist())}
    return Hot(rows, nodes)


def _crowded(space: Space, length: int, tree: Tree) -> list[tuple[int, Numbers]]:
    """Beginnings of a length that more than CROWDED nodes share, and the best of these."""
    heads = space.keys >> np.uint64(space.bits * (space.width - length))
    starts = np.flatnonzero(np.append(True, heads[1:] != heads[:-1])) if len(heads) else np.zeros(0, np.int64)
    elements = space.elements_at(0, len(heads))
    nodes = tree.posting_at[elements + 1] - tree.posting_at[elements]
    sizes = np.add.reduceat(nodes, starts) if len(starts) else starts
    ends = np.append(starts[1:], len(heads))
    found = []
    for at in np.flatnonzero(sizes > CROWDED).tolist():
        low, high = int(starts[at]), int(ends[at])
        top = best(tree, tree.nodes_of(np.unique(elements[low:high])), BEST)
        row = np.full(BEST, -1, np.int32)
        row[: len(top)] = top
        found.append((int(heads[low]), row))
    return found
