"""A library as a query sees it: the segments of one version of the manifest, without the rows that were removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from menpai.search.columns import Numbers
from menpai.search.segment import Segment


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """A segment, which of its rows are removed (bool for each row; None for none), and its opened index parts."""

    segment: Segment
    dead: Numbers | None
    parts: Mapping[str, Any]

    def alive(self, rows: Numbers) -> Numbers:
        """Those of the rows that are not removed, in their order."""
        return rows if self.dead is None else rows[~self.dead[rows]]

    def is_alive(self, row: int) -> bool:
        """Whether a row is not removed."""
        return self.dead is None or not self.dead[row]

    @property
    def live(self) -> int:
        """How many rows are not removed."""
        return len(self.segment) - (0 if self.dead is None else int(self.dead.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """All shards of one generation; it never changes, and stays valid while the library does."""

    shards: tuple[Shard, ...]
    generation: int = 0

    def __len__(self) -> int:
        return sum(shard.live for shard in self.shards)
