"""The index part of suggest: elements by their spellings, and the tree of prefixes that they make."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from menpai.lru import LRU
from menpai.search.columns import Numbers
from menpai.search.segment import Segment
from menpai.search.suggest.hot import Hot, build_hot, open_hot
from menpai.search.suggest.paths import read_paths
from menpai.search.suggest.spaces import Inside, Space, build_spaces, open_spaces
from menpai.search.suggest.tree import Tree, build_tree, open_tree

NAME = "suggest"
VERSION = 1
_WALKS, _WALK_BYTES = 512, 1 << 24


@dataclass(slots=True, eq=False)
class Index:
    """What suggest asks. `lived` keeps the running count of living rows for the last tombstones seen, `walks` the texts
    that were typed last, for a minute: the next key goes on from there."""

    tree: Tree
    characters: Space
    pinyin: Space
    initials: Space
    inside: Inside
    codes: dict[str, int]
    hot: Hot
    lived: tuple[Numbers, Numbers] | None = field(default=None)
    walks: LRU[Hashable, Any] = field(
        default_factory=lambda: LRU(_WALKS, _WALK_BYTES, lambda _, walk: walk.size, 60.0)
    )

    def living(self, dead: Numbers) -> Numbers:
        """Running count of the rows in tree order that are not removed."""
        kept = self.lived
        if kept is None or kept[0] is not dead:
            alive = np.cumsum(~dead[self.tree.order], dtype=np.int32)
            kept = self.lived = (dead, np.append(np.int32(0), alive))
        return kept[1]


def build(segment: Segment, folder: Path, progress: Callable[[float], None]) -> None:
    """Write the part's files."""
    paths = read_paths(segment)
    progress(0.4)
    tree = build_tree(segment, paths, folder)
    progress(0.6)
    build_spaces(paths.elements, folder)
    progress(0.9)
    build_hot(folder, tree)
    progress(1.0)


def open(segment: Segment, folder: Path) -> Index:
    """The opened index."""
    return Index(open_tree(folder), *open_spaces(folder), open_hot(folder))
