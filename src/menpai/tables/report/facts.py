"""What a report tells of a run: counts and samples, taken while pairs and rows pass; memory does not grow with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from menpai.evidence.coordinates import Point
from menpai.tables.report.reservoir import Nearest, Reservoir
from menpai.tables.review.pair import Pair
from menpai.tables.review.sample import distance, in_doubt
from menpai.verdict import LABELS

BINS = 20
"Bars of a histogram of similarities."
EXAMPLES, DOUBTS, CLUSTERS, POINTS = 3, 20, 2, 3000
SIZES = (
    (1, "1"),
    (2, "2"),
    (3, "3"),
    (5, "4–5"),
    (10, "6–10"),
    (20, "11–20"),
    (50, "21–50"),
    (10**9, "> 50"),
)
"Sizes of clusters: up to so many rows, and how that is written."
SPELLINGS = 6
"Rows of a cluster that are shown."


class Seen(NamedTuple):
    """A compared pair, the finest level on which it agrees, and the elements that contradict each other."""

    pair: Pair
    level: str = "none"
    conflicts: tuple[str, ...] = ()


class Family(NamedTuple):
    """A cluster: its id, how many rows it has, and the first of their texts."""

    id: str
    size: int
    texts: tuple[str, ...]


class Reliability(NamedTuple):
    """Of labelled pairs, by how sure they were judged: their number, mean sureness and share that is the same place."""

    source: str
    what: str
    bins: tuple[tuple[int, float, float], ...]


@dataclass
class Facts:
    """What is known of a run; `command` is match, link or dedupe. Counts by name in the order in which they are told."""

    command: str
    about: Mapping[str, Any] = field(default_factory=dict)
    counts: dict[str, int | float] = field(default_factory=dict)
    stages: Sequence[Mapping[str, Any]] = ()
    possible: int = 0
    "Pairs that there are in all."
    zone: Mapping[str, Any] | None = None
    reliability: Reliability | None = None
    card: str = ""
    labels: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)
    conflicts: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    similarities: dict[str, list[int]] = field(default_factory=lambda: {name: [0] * BINS for name in LABELS})
    doubted: list[int] = field(default_factory=lambda: [0] * BINS)
    gaps: list[int] = field(default_factory=lambda: [0] * BINS)
    examples: dict[str, Reservoir[Seen]] = field(default_factory=dict)
    doubts: Nearest[Seen] = field(default_factory=lambda: Nearest(DOUBTS))
    clusters: dict[str, Reservoir[Family]] = field(default_factory=dict)
    points: dict[str, Reservoir[Point]] = field(default_factory=dict)

    def add_pair(self, seen: Seen) -> None:
        """A pair that was compared."""
        pair = seen.pair
        if pair.similarity is None:
            return
        at = bin_of(pair.similarity)
        self.labels[pair.label] += 1
        self.levels[seen.level] += 1
        self.similarities[pair.label][at] += 1
        doubt = in_doubt(pair)
        self.doubted[at] += doubt
        if doubt:
            self.doubts.add(distance(pair), seen)
        self.conflicts.update(set(seen.conflicts))
        for name in (pair.label, *dict.fromkeys(seen.conflicts)):
            self.examples.setdefault(name, Reservoir(EXAMPLES)).add(seen)

    def add_gap(self, gap: float | None) -> None:
        """By how much a joined row's best pair is above its runner-up."""
        if gap is not None:
            self.gaps[bin_of(gap)] += 1

    def add_cluster(self, id_: str, size: int, texts: Callable[[], Sequence[str]]) -> None:
        """A cluster; `texts` gives the first of its rows, and is asked only where there are several."""
        name = next(name for most, name in SIZES if size <= most)
        self.sizes[name] += 1
        if size > 1:
            sample = self.clusters.setdefault(name, Reservoir(CLUSTERS))
            sample.add(Family(id_, size, tuple(texts())))

    def add_point(self, point: Point | None, outcome: str) -> None:
        """Where a row lies, in WGS-84 degrees, and what came of it."""
        if point is not None:
            self.points.setdefault(outcome, Reservoir(POINTS)).add(point)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of a report: everything but the map, whose points are those of the table."""
        return {
            "command": self.command,
            "about": {name: str(value) for name, value in self.about.items()},
            "counts": self.counts,
            "problems": dict(self.problems),
            "stages": [dict(stage) for stage in self.stages],
            "pairs_possible": self.possible,
            "labels": {name: self.labels[name] for name in LABELS},
            "levels": dict(self.levels.most_common()),
            "conflicts": dict(self.conflicts.most_common()),
            "sizes": {name: self.sizes[name] for _, name in SIZES if self.sizes[name]},
            "similarities": self.similarities,
            "doubted": self.doubted,
            "gaps": self.gaps,
            "grey_zone": self.zone,
            "reliability": self.reliability and self.reliability._asdict(),
            "doubts": [_plain(seen) for seen in self.doubts],
            "examples": {name: [_plain(seen) for seen in sample] for name, sample in self.examples.items()},
            "clusters": [family._asdict() for sample in self.clusters.values() for family in sample],
        }


def bin_of(share: float) -> int:
    """Which bar of a histogram a share is in; 1 is in the last."""
    return min(BINS - 1, max(0, int(share * BINS)))


def _plain(seen: Seen) -> dict[str, Any]:
    pair = seen.pair._asdict()
    return pair | {"level": seen.level, "conflicts": list(seen.conflicts)}
