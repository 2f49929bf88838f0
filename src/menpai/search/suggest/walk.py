"""A typed text read element by element: which nodes are reached after each character, and which may come next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from menpai.search.columns import Numbers
from menpai.search.suggest.found import COST, Hits, Piece, Region, State
from menpai.search.suggest.part import Index
from menpai.search.suggest.spaces import NOTHING, Space, letter_codes
from menpai.search.suggest.tree import CROWDED, best, outer, slices

MOST_NODES = 1_024
_ENOUGH = 50
_MOST_ELEMENTS = 16_384
_WIDEST = 200_000
"Nodes below what was typed so far that are looked through one by one."
_LONGEST = {"characters": 24, "pinyin": 30, "initials": 10}
_NUMBER = re.compile(r"(\d+)(?:号楼|号院|单元|号|弄|幢|栋|座|楼|室|层|房|#)")


@dataclass(slots=True)
class Walk:
    """One text over one index. `breaks` are positions that no element crosses; `free` allows the wider element last."""

    index: Index
    text: str
    breaks: frozenset[int] = frozenset()
    free: bool = False
    codes: list[int] = field(init=False)
    letters: list[int] = field(init=False)
    reached: dict[int, dict[bool, State]] = field(init=False)
    ended: set[tuple[str, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.codes = [self.index.codes.get(char, 0) for char in self.text]
        self.letters = letter_codes(self.text.lower())
        self.reached, self.ended = {}, set()

    def run(self, start: State, at: int = 0, before: Walk | None = None) -> Walk:
        """Read the text from `at` on, or from where an earlier walk over its beginning ended.

        Ways in letters are kept apart from those in characters.
        """
        self.reached, first = {at: {False: start}}, at + 1
        if before is not None:
            first = len(before.text) + 1
            self.reached = {position: dict(states) for position, states in before.reached.items()}
            self.ended = set(before.ended)
            if self.text[first - 2 : first].isdecimal():
                self.reached.pop(first - 1, None)  # the number goes on
        for end in range(first, len(self.text) + 1):
            if end < len(self.text) and self.text[end - 1 : end + 1].isdecimal():
                continue  # a number is not cut in two
            for position in sorted(self.reached):
                for piece, elements in self.whole(position, end):
                    for state in self.reached[position].values():
                        self._reach(state, piece, elements)
        return self

    @property
    def size(self) -> int:
        """About how many bytes the regions take."""
        regions = [state.region for states in self.reached.values() for state in states.values()]
        return 1_000 + sum(16 * len(region.nodes) for region in regions if region is not None)

    def states(self) -> list[tuple[int, State]]:
        """What was reached, the furthest first."""
        return [
            (at, state) for at in sorted(self.reached, reverse=True) for state in self.reached[at].values()
        ]

    def whole(self, at: int, end: int) -> Iterator[tuple[Piece, Numbers]]:
        """Elements that are wholly said by a stretch, space by space."""
        if self._stop(at) < end:
            return
        digits = self.text[at].isdecimal()
        if end - at > 1 or digits or (at and self.text[at].isascii()):
            yield from self._whole("characters", at, end)
            if self.text[end - 1] == "新" and end - at > 2:
                yield from self._new_area(at, end)
        if digits or _is_letter(self.text[at]):
            if end - at > 1:
                yield from self._whole("pinyin", at, end)
                yield from self._whole("initials", at, end)
            if digits and (found := _NUMBER.fullmatch(self.text, at, end)):
                yield from self._number(at, end, self.codes[at : found.end(1)])

    def last(self, state: State, at: int) -> Iterator[Hits]:
        """What the rest of the text may begin, the plainest way first."""
        rest = self.text[at:]
        if not rest or self._stop(at) < len(self.text):
            return
        yield from self._last("characters", state, at)
        if _is_letter(rest) and not rest.isdecimal():
            yield from self._last("pinyin", state, at)
            yield from self._last("initials", state, at)

    def inside(self, state: State, at: int) -> Iterator[Hits]:
        """What has the rest of the text in the middle of its name."""
        wanted = self.codes[at:]
        if len(wanted) < 2 or not all(wanted) or self._stop(at) < len(self.text):
            return
        elements, _ = self.index.inside.find(wanted, MOST_NODES)
        nodes = self.nodes(np.unique(elements), state.region)
        if len(nodes):
            piece = self.piece(at, len(self.text), "inside")
            yield Hits(
                nodes,
                (*state.pieces, piece),
                state.cost + COST["inside"],
                len(wanted),
                "inside",
                state.region,
            )

    def nodes(self, elements: Numbers, region: Region | None) -> Numbers:
        """The nodes of elements in a region, ascending; of very many the best."""
        tree = self.index.tree
        if not len(elements):
            return NOTHING
        total = int((tree.posting_at[elements + 1] - tree.posting_at[elements]).sum())
        if region is not None and total > 256 and total > region.size // 2:
            nodes = self._look_through(elements, region)
        else:
            nodes = tree.nodes_of(elements[:_MOST_ELEMENTS] if total > _WIDEST else elements)
            nodes = nodes if region is None else region.holds(nodes)
        if len(nodes) > MOST_NODES:
            nodes = best(tree, nodes, MOST_NODES)
        nodes.sort()
        return nodes

    def piece(self, start: int, end: int, space: str) -> Piece:
        """A stretch of the text."""
        return Piece(start, end, space, self.text[start:end])

    def region(self, nodes: Numbers) -> Region:
        """Ascending nodes as a region."""
        return Region(*outer(nodes, self.index.tree.end[nodes]))

    def _look_through(self, elements: Numbers, region: Region) -> Numbers:
        """The nodes of a region whose element is one of these."""
        tree = self.index.tree
        wanted = np.zeros(len(tree.posting_at) - 1, np.bool_)
        wanted[elements] = True
        if len(region.nodes) == 1:
            start = int(region.nodes[0]) + 1
            stop = min(int(region.ends[0]), start + _WIDEST)
            return np.flatnonzero(wanted[tree.element[start:stop]]) + start
        below = slices(region.nodes + 1, region.ends - region.nodes - 1)[:_WIDEST]
        return below[wanted[tree.element[below]]]

    def _whole(self, name: str, at: int, end: int) -> Iterator[tuple[Piece, Numbers]]:
        if (name, at) in self.ended:
            return
        space: Space = getattr(self.index, name)
        wanted = (self.codes if name == "characters" else self.letters)[at:end]
        spelled = name == "characters" or _is_letter(self.text[end - 1])
        low, high = (
            space.range(wanted) if spelled and wanted[-1] and len(wanted) <= _LONGEST[name] else (0, 0)
        )
        if low >= high:
            self.ended.add((name, at))
            return
        found = space.whole(low, high, end - at)
        if len(found):
            yield self.piece(at, end, name), space.elements(found)

    def _new_area(self, at: int, end: int) -> Iterator[tuple[Piece, Numbers]]:
        """浦东新 for 浦东新区, which is 浦东 when its generic ending is left out."""
        space, wanted = self.index.characters, [*self.codes[at:end], self.index.codes.get("区", 0)]
        low, high = space.range(wanted) if all(wanted) else (0, 0)
        elements = space.whole(low, high, len(wanted))
        if len(elements):
            yield self.piece(at, end, "characters"), elements

    def _number(self, at: int, end: int, digits: list[int]) -> Iterator[tuple[Piece, Numbers]]:
        """3幢 for 3号楼: the number alone, whatever its unit."""
        space = self.index.characters
        low, high = space.range(digits) if all(digits) else (0, 0)
        elements = space.whole(low, high, len(digits))
        if len(elements):
            yield self.piece(at, end, "number"), elements

    def _last(self, name: str, state: State, at: int) -> Iterator[Hits]:
        space: Space = getattr(self.index, name)
        wanted = (self.codes if name == "characters" else self.letters)[at:]
        if not all(wanted):
            return
        low, high = space.range(wanted)
        if low >= high:
            return
        nodes = self._hot(name, space, wanted, state.region)
        if nodes is None:
            many = (
                high - low > CROWDED
            )  # then marked in a table, where it does not matter that some come twice
            elements = space.elements_at(low, high) if many else space.elements(space.spellings(low, high))
            nodes = self.nodes(elements, state.region)
        if len(nodes):
            pieces = (*state.pieces, self.piece(at, len(self.text), name))
            yield Hits(nodes, pieces, state.cost + COST[name], len(wanted), name, state.region)

    def _hot(self, name: str, space: Space, wanted: list[int], region: Region | None) -> Numbers | None:
        """The best nodes of a beginning that very many share, if they are enough: all others have less behind them."""
        hot = self.index.hot.find(name, wanted, space.bits) if len(wanted) < 5 else None
        if hot is None or region is None:
            return None if hot is None else np.sort(hot)
        found = region.holds(hot)
        return np.sort(found) if len(found) >= _ENOUGH else None

    def _reach(self, state: State, piece: Piece, elements: Numbers) -> None:
        """Note what is reached behind a piece; the cheaper way stays, of equals both."""
        nodes = self.nodes(elements, state.region)
        region = self.region(nodes)
        if not len(nodes) and self.free and state.region is not None:
            region = self.region(self.region(self.nodes(elements, None)).holds(state.region.nodes))
        if not len(region.nodes):
            return
        cost = state.cost + COST[piece.space]
        states = self.reached.setdefault(piece.end, {})
        kind = piece.space in ("pinyin", "initials")
        other = states.get(kind)
        pieces, above = (*state.pieces, piece), state.region
        if other is not None and other.region is not None:
            if above is not None and other.above is not None:
                above = self.region(np.union1d(other.above.nodes, above.nodes))
            region = self.region(np.union1d(other.region.nodes, region.nodes))
            pieces, cost = min((other.cost, other.pieces), (cost, pieces))[::-1]
        states[kind] = State(region, pieces, cost, above)

    def _stop(self, at: int) -> int:
        """The next position that no element crosses."""
        if not self.breaks:
            return len(self.text)
        return min((position for position in self.breaks if position > at), default=len(self.text))


def _is_letter(text: str) -> bool:
    """Whether a text is letters and digits of ASCII only."""
    return text.isascii() and text.isalnum()
