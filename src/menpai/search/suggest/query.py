"""suggest: what the typed text may become, best first, over all shards of a library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import exp
from typing import NamedTuple

from menpai.search.suggest import typos
from menpai.search.suggest.letters import sounds
from menpai.search.suggest.part import Index
from menpai.search.suggest.rank import Leaning, Ranked, rank
from menpai.search.suggest.show import Shelf
from menpai.search.suggest.walk import COST, Hits, Piece, Region, State, Walk
from menpai.search.values import Suggestion
from menpai.search.view import View
from menpai.text import normalize

LONGEST = 64
"Characters of a typed text that are read."
_START = State(None)
_DIVISION_ENDS = frozenset("省市区县旗盟镇乡道村路街")
_FEW = 3
_SLIPPED = 20
"Characters behind what is known in which a slip is looked for."
_KEYS = 7
"An earlier text shorter by fewer than so many keys is gone on from: one character may be six letters."
_AHEAD = 0.7
"How far a node must lead to be opened: with four times as many rows, all else equal."


class Typed(NamedTuple):
    """A text as it is read: normalized, and the positions at which a space or a comma stood."""

    text: str
    breaks: frozenset[int] = frozenset()

    def until(self, end: int) -> Typed:
        """Its beginning."""
        return Typed(self.text[:end], frozenset(at for at in self.breaks if at < end))


def suggest(
    view: View, text: str, k: int = 10, *, city: str = "", point: tuple[float, float] | None = None
) -> list[Suggestion]:
    """The k best completions of a typed text. `city` (any division) and `point` (WGS-84) lean, they do not filter."""
    typed = read(text)
    if not typed.text or k < 1:
        return []
    found: dict[tuple[str, str, str], Suggestion] = {}
    for shard in view.shards:
        shelf = Shelf.of(shard)
        leaning = Leaning(_city(shelf, city) if city else None, point)
        for item in _of_shelf(shelf, typed, k, leaning):
            key = (item.text, item.name, item.id if item.kind == "row" else "")
            known = found.get(key)
            if known is None:
                found[key] = item
            else:
                score = max(item.score, known.score)
                found[key] = replace(known, count=known.count + item.count, score=score)
    return sorted(found.values(), key=lambda item: -item.score)[:k]


def read(text: str) -> Typed:
    """A typed text, cleaned as the rows were; what stood apart stays apart, but for the syllables of pinyin."""
    cleaned = normalize(text[: 4 * LONGEST])
    said = [at for at, char in enumerate(cleaned.text) if char not in " '"][:LONGEST]
    kept = "".join(cleaned.text[at] for at in said)
    gaps = (
        at
        for at in range(1, len(said))
        if cleaned.offsets[said[at]] - cleaned.offsets[said[at - 1]] > 1
        and not kept[at - 1 : at + 1].isascii()
    )
    return Typed(kept, frozenset(gaps))


def _of_shelf(shelf: Shelf, typed: Typed, k: int, leaning: Leaning) -> list[Suggestion]:
    """The best of one shard, best first."""
    ranked = [one for one in find(shelf, typed, k, leaning) if shelf.count(one.node)]
    page = _Page(shelf, k)
    opened = _said_whole(ranked)
    for one in ranked:
        if page.full:
            break
        if one is not opened or shelf.rows(one.node) or shelf.text(one.node) != typed.text:
            page.show(one.node, one.score, one.pieces)
        if one is opened:
            page.open(one.node, one.score, one.pieces)
    page.fill()
    return page.items


class _Page:
    """At most k suggestions of a shelf, each spot once."""

    def __init__(self, shelf: Shelf, k: int) -> None:
        self.items: list[Suggestion] = []
        self._shelf, self._k = shelf, k
        self._shown: set[tuple[int, int | None]] = set()
        self._opened: set[int] = set()
        self._seen: list[tuple[int, float, tuple[Piece, ...]]] = []

    @property
    def full(self) -> bool:
        """Whether nothing more is wanted."""
        return len(self.items) >= self._k

    def show(self, node: int, score: float, pieces: tuple[Piece, ...]) -> None:
        """Show a node."""
        for spot in self._shelf.spots(node):
            if (spot.node, spot.row) not in self._shown and not self.full:
                self._shown.add((spot.node, spot.row))
                self._seen.append((spot.node, score, pieces))
                self.items.append(self._shelf.suggestion(spot, _squashed(score), pieces))

    def open(self, node: int, score: float, pieces: tuple[Piece, ...]) -> None:
        """Show what comes next below a node."""
        if node not in self._opened:
            self._opened.add(node)
            for step, child in enumerate(self._shelf.children(node, self._k)):
                self.show(child, score - 0.01 * step, pieces)

    def fill(self) -> None:
        """Use the room that is left for what lies below the nodes shown, those that came first first."""
        at, lowest = 0, min((score for _, score, _ in self._seen), default=0.0)
        while at < len(self._seen) and not self.full:
            node, _, pieces = self._seen[at]
            at, lowest = at + 1, lowest - 0.5
            self.open(node, lowest, pieces)


def _said_whole(ranked: list[Ranked]) -> Ranked | None:
    """The node to go on from: the one that leads, if it was typed to its end and no other one comes near it."""
    whole = [one.score for one in ranked if one.whole == 2]
    leads = bool(whole) and ranked[0].whole == 2 and (len(whole) == 1 or whole[0] - whole[1] > _AHEAD)
    return ranked[0] if leads else None


def find(shelf: Shelf, typed: Typed, k: int, leaning: Leaning) -> list[Ranked]:
    """The nodes that the text may mean: as typed; else inside names, in another order, by sound, with a slip."""
    index, segment = shelf.index, shelf.segment
    walk = _walk(index, typed)
    hits = list(_straight(walk))
    if leaning.city is not None:
        hits += _in_city(Walk(index, typed.text, typed.breaks).run(State(leaning.city)), leaning)
    if sum(len(found.nodes) for found in hits) < k:
        for at, state in walk.states():
            hits += walk.inside(state, at)
    exact = any(found.space != "inside" for found in hits)
    if not exact:
        for way in (_free, _by_sound, _slipped, _skipping, _deepest):
            hits += way(walk, leaning)
            if sum(len(found.nodes) for found in hits) >= _FEW:
                break
    return rank(index, segment, hits, leaning)


def _in_city(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """What the text means in the default city: as typed, else by sound or with a slip."""
    for way in (_straight, partial(_by_sound, leaning=leaning), partial(_slipped, leaning=leaning)):
        found = list(way(walk))
        yield from found
        if found:
            return


def _walk(index: Index, typed: Typed, *, free: bool = False) -> Walk:
    """The text read from its beginning; what was typed a key or a few ago is not read again."""
    known: Walk | None = index.walks.get((typed, free))
    if known is not None:
        return known
    shorter = (
        (typed.until(len(typed.text) - keys), free) for keys in range(1, _KEYS) if len(typed.text) > keys
    )
    before = next(filter(None, map(index.walks.get, shorter)), None)
    walk = Walk(index, typed.text, typed.breaks, free).run(_START, before=before)
    index.walks.put((typed, free), walk)
    return walk


def _straight(walk: Walk) -> Iterator[Hits]:
    """What the text begins, element by element as typed."""
    for at, state in walk.states():
        if at < len(walk.text):
            yield from walk.last(state, at)
        elif state.region is not None and state.pieces:
            typed, space = state.pieces[-1].typed, state.pieces[-1].space
            yield Hits(state.region.nodes, state.pieces, state.cost, len(typed), space, state.above)


def _free(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """The elements in another order: 文三路 西湖区."""
    for breaks in {walk.breaks, frozenset[int]()}:
        free = _walk(walk.index, Typed(walk.text, breaks), free=True)
        yield from _straight(free)
        for at, state in free.states()[:2]:
            if state.region is not None and at < len(walk.text):
                for hits in free.last(_START, at):
                    nodes = free.region(hits.nodes).holds(state.region.nodes)
                    if len(nodes):
                        pieces = (*state.pieces, *hits.pieces)
                        yield Hits(nodes, pieces, state.cost + hits.cost + 0.5, 0, "inside")


def _by_sound(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """The text in letters: homophones, and pinyin between characters."""
    known = [(at, state) for at, state in walk.states() if state.region is not None]
    furthest = known[0][0] if known else 0
    if walk.text[furthest:].isascii():
        return  # the characters are understood
    if not known:
        spoken = _walk(walk.index, Typed("".join(sounds(walk.text[: 2 * _SLIPPED]))))
        yield from (hits._replace(cost=hits.cost + COST["sound"]) for hits in _straight(spoken))
    for at, state in known[:2]:
        if 0 < len(walk.text) - at <= _SLIPPED:
            rest = Walk(walk.index, "".join(sounds(walk.text[at:])))
            yield from _straight(rest.run(State(state.region, state.pieces, state.cost + COST["sound"])))


def _slipped(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """One slip in the element behind what was found, nearest to the end first."""
    starts = [(at, state) for at, state in walk.states() if at < len(walk.text)]
    known = [(at, state) for at, state in starts if state.region is not None]
    for at, state in known[:2] or starts[:1]:
        if leaning.city is not None and state.region is None:
            state = State(leaning.city)
        found = list(typos.near(walk, state, at, "characters")) if len(walk.text) - at <= _SLIPPED else []
        if walk.text[at:].isascii():
            found += typos.near(walk, state, at, "pinyin")
        yield from found
        if found:
            return


def _skipping(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """Without a division or road that the library does not have."""
    ends = [at for at, char in enumerate(walk.text, 1) if char in _DIVISION_ENDS and 1 < at < len(walk.text)]
    for at in [end for end in ends if end not in walk.reached][-2:]:
        known = max(position for position in walk.reached if position < at)
        for state in walk.reached[known].values():
            rest = Walk(walk.index, walk.text, walk.breaks)
            yield from _straight(
                rest.run(State(state.region, state.pieces, state.cost + COST["typo"] + 1.0), at)
            )


def _deepest(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """The longest beginning that is known."""
    _, state = walk.states()[0]
    if state.region is not None and state.pieces:
        yield Hits(state.region.nodes, state.pieces, state.cost + COST["typo"] + 2.0, 0, "inside")


def _city(shelf: Shelf, city: str) -> Region | None:
    """The region of a division by its name, None if the library does not have it."""
    typed = read(city)
    if not typed.text:
        return None
    at, state = _walk(shelf.index, typed).states()[0]
    return state.region if at == len(typed.text) else None


def _squashed(score: float) -> float:
    """A score as a number in 0..1."""
    return round(1.0 / (1.0 + exp(-score / 3.0)), 4)
