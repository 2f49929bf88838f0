"""suggest: what the typed text may become, best first, over all shards of a library."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import exp
from typing import NamedTuple

from menpai.search.question import read_point
from menpai.search.suggest.found import Hits, Piece, Region, State
from menpai.search.suggest.rank import Leaning, Ranked, rank
from menpai.search.suggest.show import Shelf
from menpai.search.suggest.walk import Walk
from menpai.search.suggest.ways import OTHER_WAYS, Typed, in_city, read, straight, walked
from menpai.search.values import Suggestion
from menpai.search.view import View

_FEW = 3
_AHEAD = 0.7
"How far a node must lead to be opened: with four times as many rows, all else equal."


class _Asked(NamedTuple):
    """A shard that is asked: the text read over it, and what was found so far."""

    shelf: Shelf
    leaning: Leaning
    walk: Walk
    hits: list[Hits]

    def take(self, found: Iterable[Hits]) -> None:
        """Keep what is not removed."""
        self.hits.extend(filter(None, map(self.shelf.alive, found)))


def suggest(
    view: View, text: str, k: int = 10, *, city: str = "", point: tuple[float, float] | None = None
) -> list[Suggestion]:
    """The k best completions of a typed text. `city` (any division) and `point` (WGS-84) lean, they do not filter."""
    point = None if point is None else read_point(*point)
    typed = read(text)
    if not typed.text or k < 1:
        return []
    asked = [_ask(Shelf.of(shard), typed, city, point) for shard in view.shards]
    _ask_further(asked, k)
    found: dict[tuple[str, str, str], Suggestion] = {}
    for each in asked:
        for item in _page(each, typed, k):
            key = (item.text, item.name, item.id if item.kind == "row" else "")
            known = found.get(key)
            if known is None:
                found[key] = item
            else:
                score = max(item.score, known.score)
                found[key] = replace(known, count=known.count + item.count, score=score)
    return sorted(found.values(), key=lambda item: -item.score)[:k]


def _ask(shelf: Shelf, typed: Typed, city: str, point: tuple[float, float] | None) -> _Asked:
    """What a shard has as typed."""
    leaning = Leaning(_city(shelf, city) if city else None, point)
    asked = _Asked(shelf, leaning, walked(shelf.index, typed), [])
    asked.take(straight(asked.walk))
    if leaning.city is not None:
        local = Walk(shelf.index, typed.text, typed.breaks).run(State(leaning.city))
        asked.take(in_city(local, leaning))
    return asked


def _ask_further(asked: list[_Asked], k: int) -> None:
    """Where little was found: the middle of names; where nothing was found as typed: the other ways."""

    def found() -> int:
        return sum(len(hits.nodes) for each in asked for hits in each.hits)

    exact = found()
    if exact < k:
        for each in asked:
            for at, state in each.walk.states():
                each.take(each.walk.inside(state, at))
    for way in () if exact else OTHER_WAYS:
        for each in asked:
            each.take(way(each.walk, each.leaning))
        if found() >= _FEW:
            return


def _page(asked: _Asked, typed: Typed, k: int) -> list[Suggestion]:
    """The best of one shard, best first."""
    shelf = asked.shelf
    ranked = rank(shelf.index, shelf.segment, asked.hits, asked.leaning)
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
        self._shown: set[tuple[int | None, int | None]] = set()
        self._opened: set[int] = set()
        self._seen: list[tuple[int, float, tuple[Piece, ...]]] = []

    @property
    def full(self) -> bool:
        """Whether nothing more is wanted."""
        return len(self.items) >= self._k

    def show(self, node: int, score: float, pieces: tuple[Piece, ...]) -> None:
        """Show a node."""
        for spot in self._shelf.spots(node):
            what = (None, spot.row) if spot.rows == 1 else (spot.node, None)
            if what not in self._shown and not self.full:
                self._shown.add(what)
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


def _city(shelf: Shelf, city: str) -> Region | None:
    """The region of a division by its name, None if the library does not have it."""
    typed = read(city)
    if not typed.text:
        return None
    at, state = walked(shelf.index, typed).states()[0]
    return state.region if at == len(typed.text) else None


def _squashed(score: float) -> float:
    """A score as a number in 0..1."""
    return round(1.0 / (1.0 + exp(-score / 3.0)), 4)
