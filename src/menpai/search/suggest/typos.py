"""One slip: a wrong, missing, doubled or swapped character, found by comparing many elements at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from menpai.search.columns import Numbers
from menpai.search.suggest.found import COST, Hits, Piece, Region, State
from menpai.search.suggest.spaces import NOTHING, Space
from menpai.search.suggest.walk import Walk

_MOST = 1_024
"Elements that are compared for one question."
_LOOKED = 60_000
_HEAD, _LONGEST = 10, 40
"""Symbols by which most elements are told to be others, and at most."""


class Slips(NamedTuple):
    """Elements that fit with one slip: those that the typed text begins, and those it says whole, by where they end."""

    begun: Numbers
    whole: dict[int, Numbers]


def near(walk: Walk, state: State, at: int, name: str) -> Iterator[Hits]:
    """Nodes behind a state that the rest of the text means with one slip, elements after the slipped one included."""
    space = walk.index.pinyin if name == "pinyin" else walk.index.characters
    wanted = (walk.letters if name == "pinyin" else walk.codes)[at:]
    if len(wanted) < (4 if name == "pinyin" else 2) or walk.text[at].isdigit():
        return
    elements = _candidates(walk, space, wanted, state.region)
    if not len(elements):
        return
    slips = compare(space, elements, wanted[:_HEAD])
    if len(wanted) > _HEAD:
        further = compare(space, slips.begun, wanted[:_LONGEST])
        slips = Slips(further.begun, {**further.whole, **slips.whole})
    cost = state.cost + COST["typo"]
    if len(slips.begun):
        nodes = walk.nodes(np.unique(slips.begun), state.region)
        if len(nodes):
            piece = walk.piece(at, len(walk.text), "typo")
            yield Hits(nodes, (*state.pieces, piece), cost, len(wanted), "typo", state.region)
    for length, whole in slips.whole.items():
        nodes = walk.nodes(np.unique(whole), state.region)
        if len(nodes):
            yield from _after(walk, state, nodes, walk.piece(at, at + length, "typo"))


def compare(space: Space, elements: Numbers, wanted: Sequence[int]) -> Slips:
    """Which of the elements are begun or wholly said by the symbols, with exactly one slip or none."""
    size = len(wanted)
    typed = np.array(wanted, np.int64)
    start = space.at[elements].astype(np.int64)
    length = space.at[elements + 1] - start
    columns = np.arange(size + 1)
    inside = columns < length[:, None]
    spelled = np.where(inside, space.blob[np.minimum(start[:, None] + columns, len(space.blob) - 1)], -1)
    begun = np.zeros(len(elements), np.bool_)
    whole: dict[int, list[Numbers]] = {}
    for kind in ("swapped", "wrong", "missing", "extra"):
        fits = _fits(kind, spelled, typed)
        # fits[:, n]: the first n typed symbols say the first n (+1 missing, -1 extra) symbols of the element.
        shift = {"missing": 1, "extra": -1}.get(kind, 0)
        begun |= fits[:, size] & (length >= size + shift)
        for said in (length, space.short[elements].astype(np.int64)):
            end = said - shift
            possible = (end >= 2) & (end < size)
            rows = np.flatnonzero(possible)
            rows = rows[fits[rows, end[rows]]]
            for stop in np.unique(end[rows]).tolist():
                whole.setdefault(stop, []).append(elements[rows[end[rows] == stop]])
    return Slips(elements[begun], {stop: np.concatenate(parts) for stop, parts in whole.items()})


def _fits(kind: str, spelled: Numbers, typed: Numbers) -> Numbers:
    """For each n whether the first n typed symbols say the element's first with one slip of this kind."""
    size = len(typed)
    straight = spelled[:, :size] == typed
    fits = np.zeros((len(spelled), size + 1), np.bool_)
    exact = np.ones((len(spelled), size + 1), np.bool_)
    exact[:, 1:] = np.logical_and.accumulate(straight, axis=1)
    # A state machine over columns: `exact` up to here, or already slipped and straight since.
    for n in range(1, size + 1):
        if kind == "wrong":
            fits[:, n] = (fits[:, n - 1] & straight[:, n - 1]) | (exact[:, n - 1] & ~straight[:, n - 1])
        elif kind == "missing":
            ahead = spelled[:, n] == typed[n - 1]
            fits[:, n] = (fits[:, n - 1] | exact[:, n - 1]) & ahead
        elif kind == "extra":
            behind = spelled[:, n - 2] == typed[n - 1] if n > 1 else np.zeros(len(spelled), np.bool_)
            fits[:, n] = (fits[:, n - 1] & behind) | exact[:, n - 1]
        elif n > 1:
            swap = (spelled[:, n - 2] == typed[n - 1]) & (spelled[:, n - 1] == typed[n - 2])
            fits[:, n] = (fits[:, n - 1] & straight[:, n - 1]) | (exact[:, n - 2] & swap)
    return fits


def _after(walk: Walk, state: State, nodes: Numbers, piece: Piece) -> Iterator[Hits]:
    """What follows an element with a slip, read without another slip."""
    behind = State(walk.region(nodes), (*state.pieces, piece), state.cost + COST["typo"])
    rest = Walk(walk.index, walk.text, walk.breaks)
    for position, reached in rest.run(behind, piece.end).states():
        yield from rest.last(reached, position)


def _candidates(walk: Walk, space: Space, wanted: Sequence[int], region: Region | None) -> Numbers:
    """Elements worth comparing: in a small region all whose first symbols resemble, else those of near beginnings."""
    if region is not None and region.size <= _LOOKED:
        tree = walk.index.tree
        parts = [tree.element[node + 1 : end] for node, end in zip(*region, strict=True)]
        elements = np.unique(np.concatenate(parts))
        return elements[_resembles(space, elements, wanted)][:_MOST]
    return _of_near_beginnings(walk, space, wanted)


def _resembles(space: Space, elements: Numbers, wanted: Sequence[int]) -> Numbers:
    """Whether the first or second symbol is the first or second typed one, and so the third or fourth."""
    start, end = space.at[elements].astype(np.int64), space.at[elements + 1]
    last = len(space.blob) - 1

    def symbol(at: int) -> Numbers:
        return np.where(start + at < end, space.blob[np.minimum(start + at, last)], -1)

    first, second = symbol(0), symbol(1)
    one, two = wanted[0], wanted[1]
    alike = (first == one) | (second == two) | (first == two) | (second == one)
    if len(wanted) > 3:
        third, fourth = symbol(2), symbol(3)
        alike &= (
            np.isin(third, wanted[1:4]) | np.isin(fourth, wanted[2:5]) | ((first == one) & (second == two))
        )
    return np.flatnonzero(alike)


def _of_near_beginnings(walk: Walk, space: Space, wanted: Sequence[int]) -> Numbers:
    """Elements of the whole index that begin with the typed symbols but for one slip early or late."""
    found = []
    room = _MOST
    for beginning in _beginnings(wanted, 6 if space is walk.index.pinyin else 3):
        low, high = space.range(beginning) if all(beginning) else (0, 0)
        if low < high and room > 0:
            part = space.elements_at(low, min(high, low + min(room, 384)))
            room -= len(part)
            found.append(part)
    if space is walk.index.characters:
        for skipped, place in ((1, 1), (1, 2), (2, 2), (0, 1)):
            if len(wanted) >= skipped + 2 and all(wanted[skipped : skipped + 2]):
                elements, inside = walk.index.inside.find(wanted[skipped : skipped + 2], 512)
                found.append(elements[inside == place])
    return np.unique(np.concatenate(found))[:_MOST] if found else NOTHING


def _beginnings(wanted: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """The first symbols as typed, then with a neighbour swapped or one left out."""
    head = list(wanted[:size])
    yield head
    for at in range(len(head) - 1):
        yield [*head[:at], head[at + 1], head[at], *head[at + 2 :]]
    for at in range(len(head)):
        yield [*head[:at], *wanted[at + 1 : size + 1]]
    half = head[: max(2, (size + 1) // 2)]
    yield half
