"""Nodes as suggestions: their texts, what lies below them, and which parts of the text were typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from menpai.search.columns import Numbers
from menpai.search.segment import KINDS, Segment
from menpai.search.suggest.found import Hits, Piece
from menpai.search.suggest.letters import spelled
from menpai.search.suggest.part import Index
from menpai.search.suggest.paths import row_ends
from menpai.search.suggest.tree import best
from menpai.search.values import Suggestion
from menpai.search.view import Shard

_MOST_TWINS = 3
"Rows of one address that are shown one by one."


class Spot(NamedTuple):
    """A node to show: how many living rows lie behind it, and its row if only one ends there."""

    node: int
    rows: int
    row: int | None


@dataclass(slots=True)
class Shelf:
    """A shard's tree without its removed rows."""

    segment: Segment
    index: Index
    living: Numbers | None
    dead: Numbers | None

    @classmethod
    def of(cls, shard: Shard) -> Shelf:
        """The shelf of a shard."""
        index: Index = shard.parts["suggest"]
        return cls(shard.segment, index, None if shard.dead is None else index.living(shard.dead), shard.dead)

    def alive(self, hits: Hits) -> Hits | None:
        """Hits without nodes of which all rows are removed, None if nothing is left."""
        if self.living is not None:
            tree, nodes = self.index.tree, hits.nodes
            kept = self.living[tree.low[tree.end[nodes]]] > self.living[tree.low[nodes]]
            hits = hits._replace(nodes=nodes[kept])
        return hits if len(hits.nodes) else None

    def count(self, node: int) -> int:
        """How many living rows lie at or below a node."""
        low, high = self._span(node)
        return high - low if self.living is None else int(self.living[high]) - int(self.living[low])

    def rows(self, node: int) -> list[int]:
        """The living rows that end at a node."""
        return self._alive(self.index.tree.own_rows(node))

    def children(self, node: int, most: int) -> list[int]:
        """The living children of a node with the most behind them; numbers in their order."""
        tree = self.index.tree
        nodes = tree.below(node)
        if not len(nodes):
            return []
        nodes = best(tree, nodes, most if self.dead is None else 8 * most)
        return [child for child in nodes.tolist() if self.count(child)][:most]

    def spots(self, node: int) -> Iterator[Spot]:
        """What to show for a node: further down while there is only one way, then the node or its row."""
        tree, count = self.index.tree, self.count(node)
        while not len(tree.own_rows(node)) and node + 1 < tree.end[node] == tree.end[node + 1]:
            node += 1
        if count == 1:
            low, high = self._span(node)
            yield Spot(node, 1, self._alive(tree.order[low:high])[0])
        elif count:
            rows = self.rows(node)
            if len(rows) == count <= _MOST_TWINS:
                yield from (Spot(node, 1, row) for row in rows)
            else:
                yield Spot(node, count, rows[0] if len(rows) == 1 else None)

    def text(self, node: int) -> str:
        """What a node says."""
        tree = self.index.tree
        texts, name = self._texts(int(tree.order[tree.low[node]]), int(tree.depth[node]))
        return "".join(texts) or name

    def suggestion(self, spot: Spot, score: float, pieces: Sequence[Piece]) -> Suggestion:
        """A spot as it is given back."""
        tree, segment = self.index.tree, self.segment
        node, row = spot.node, spot.row
        if spot.rows == 1 and row is not None:
            texts, name = self._texts(row, None)
            shown, kind = segment.text(row), "row"
        else:
            texts, name = self._texts(int(tree.order[tree.low[node]]), int(tree.depth[node]))
            shown, kind = "".join(texts), KINDS[int(tree.kind[node])]
        spans = _moved(highlights(texts, pieces), "".join(texts), shown)
        point = None if row is None else segment.point(row)
        lat, lon = point or (None, None)
        identity = "" if row is None else segment.ids[row]
        return Suggestion(shown or name, score, kind, spans, spot.rows, identity, name, lat, lon)

    def _texts(self, row: int, depth: int | None) -> tuple[list[str], str]:
        """The elements of a row down to a depth, and its name if it is that deep."""
        key, ends = row_ends(self.segment, row)
        start, texts = 0, list[str]()
        for end in ends if depth is None else ends[: depth + 1]:
            texts.append(key[start:end].decode())
            start = end
        deep = depth is None or depth >= len(ends)
        return texts, self.segment.name_of(row) if deep else ""

    def _span(self, node: int) -> tuple[int, int]:
        tree = self.index.tree
        return int(tree.low[node]), int(tree.low[tree.end[node]])

    def _alive(self, rows: Numbers) -> list[int]:
        kept: list[int] = (rows if self.dead is None else rows[~self.dead[rows]]).tolist()
        return kept


def highlights(texts: Sequence[str], pieces: Sequence[Piece]) -> tuple[tuple[int, int], ...]:
    """The spans of the joined texts that the pieces stand for; each piece in the first element that it fits."""
    starts = [sum(map(len, texts[:at])) for at in range(len(texts))]
    spans, free = list[tuple[int, int]](), list(range(len(texts)))
    for piece in pieces:
        for at in free:
            places = [place for place, char in enumerate(texts[at]) if char not in " '"]
            begin, size = _matched("".join(texts[at][place] for place in places), piece)
            if size:
                spans.append((starts[at] + places[begin], starts[at] + places[begin + size - 1] + 1))
                free.remove(at)
                break
    return _joined(sorted(spans))


def _matched(text: str, piece: Piece) -> tuple[int, int]:
    """Where and how many characters of an element a piece stands for; size 0 if it does not."""
    typed, space = piece.typed, piece.space
    if space == "initials":
        return 0, len(typed) if spelled(text)[0].startswith(typed.lower()) else 0
    if space == "pinyin":
        return 0, _sounded(text, typed.lower())
    if space == "inside":
        return (max(text.find(typed), 0), len(typed)) if typed in text else (0, 0)
    if space == "number":
        typed = typed[: len(typed) - len(typed.lstrip("0123456789"))]
    if space == "typo":
        return 0, _alike(text, typed)
    return 0, len(typed) if typed and text.startswith(typed) else 0


def _sounded(text: str, typed: str) -> int:
    """How many characters typed pinyin stands for, 0 if it does not begin the text's."""
    said = ""
    for size, sound in enumerate(spelled(text)[1], 1):
        said += sound
        if said.startswith(typed):
            return size
        if not typed.startswith(said):
            return 0
    return 0


def _alike(text: str, typed: str) -> int:
    """How many characters a text with a slip stands for: as many as it has, if half of them are there."""
    plain = typed.lower()
    said = "".join(spelled(text)[1]) if plain.isascii() else text
    shared = sum(char in said for char in set(plain if plain.isascii() else typed))
    if 2 * shared < len(set(plain)) or said[:1] not in (plain[:1], typed[:1], typed[1:2], ""):
        return 0
    return min(len(text), len(typed)) if said is text else len(text)


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans that touch, as one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _moved(spans: tuple[tuple[int, int], ...], key: str, shown: str) -> tuple[tuple[int, int], ...]:
    """Spans of the key in the text as it was written; characters that normalizing changed carry none."""
    if key == shown or not spans:
        return spans
    places, at = list[int](), 0
    for char in key:
        found = shown.find(char, at)
        places.append(found)
        at = found + 1 if found >= 0 else at
    singles = [places[at] for start, end in spans for at in range(start, end) if places[at] >= 0]
    return _joined([(place, place + 1) for place in singles])
