"""The ways to find what a typed text means: as typed; else in another order, by sound, with a slip, skipping a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from menpai.parsing.gazetteer import default
from menpai.search.suggest import typos
from menpai.search.suggest.found import COST, Hits, State
from menpai.search.suggest.letters import sounds
from menpai.search.suggest.part import Index
from menpai.search.suggest.rank import Leaning
from menpai.search.suggest.walk import Walk
from menpai.text import normalize

LONGEST = 64
"Characters of a typed text that are read."
_START = State(None)
_DIVISION_ENDS = frozenset("省市区县旗盟镇乡村路街")
_SLIPPED = 20
"Characters behind what is known in which a slip is looked for."
_KEYS = 7
"An earlier text shorter by fewer than so many keys is gone on from: one character may be six letters."
Way = Callable[[Walk, Leaning], Iterator[Hits]]


class Typed(NamedTuple):
    """A text as it is read: normalized, and the positions at which a space or a comma stood."""

    text: str
    breaks: frozenset[int] = frozenset()

    def until(self, end: int) -> Typed:
        """Its beginning."""
        return Typed(self.text[:end], frozenset(at for at in self.breaks if at < end))


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


def in_city(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """What the text means in the default city: as typed, else by sound or with a slip."""
    for way in (straight, partial(by_sound, leaning=leaning), partial(slipped, leaning=leaning)):
        found = list(way(walk))
        yield from found
        if found:
            return


def walked(index: Index, typed: Typed, *, free: bool = False) -> Walk:
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


def straight(walk: Walk) -> Iterator[Hits]:
    """What the text begins, element by element as typed."""
    for at, state in walk.states():
        if at < len(walk.text):
            yield from walk.last(state, at)
        elif state.region is not None and state.pieces:
            typed, space = state.pieces[-1].typed, state.pieces[-1].space
            yield Hits(state.region.nodes, state.pieces, state.cost, len(typed), space, state.above)


def free(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """The elements in another order: 文三路 西湖区."""
    for breaks in {walk.breaks, frozenset[int]()}:
        free = walked(walk.index, Typed(walk.text, breaks), free=True)
        yield from straight(free)
        for at, state in free.states()[:2]:
            if state.region is not None and at < len(walk.text):
                for hits in free.last(_START, at):
                    nodes = free.region(hits.nodes).holds(state.region.nodes)
                    if len(nodes):
                        pieces = (*state.pieces, *hits.pieces)
                        yield Hits(nodes, pieces, state.cost + hits.cost + 0.5, 0, "inside")


def by_sound(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """The text in letters: homophones, and pinyin between characters."""
    known = [(at, state) for at, state in walk.states() if state.region is not None]
    furthest = known[0][0] if known else 0
    if walk.text[furthest:].isascii():
        return  # the characters are understood
    if not known:
        spoken = walked(walk.index, Typed("".join(sounds(walk.text[: 2 * _SLIPPED]))))
        yield from (hits._replace(cost=hits.cost + COST["sound"]) for hits in straight(spoken))
    for at, state in known[:2]:
        if 0 < len(walk.text) - at <= _SLIPPED:
            rest = Walk(walk.index, "".join(sounds(walk.text[at:])))
            yield from straight(rest.run(State(state.region, state.pieces, state.cost + COST["sound"])))


def slipped(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
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


def skipping(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """Without a division or road that the library does not have: 浙江省, 不知名街道, and 浙江 in 浙江萧山."""
    ends = {at for at, char in enumerate(walk.text, 1) if char in _DIVISION_ENDS and at > 1}
    ends |= {end for at in walk.reached for end in _named(walk.text, at)}
    for at in [end for end in sorted(ends) if end not in walk.reached and end < len(walk.text)][-3:]:
        known = max(position for position in walk.reached if position < at)
        for state in walk.reached[known].values():
            rest = Walk(walk.index, walk.text, walk.breaks)
            yield from straight(
                rest.run(State(state.region, state.pieces, state.cost + COST["typo"] + 1.0), at)
            )


def _named(text: str, at: int) -> Iterator[int]:
    """Where a name of a division of China ends that begins here, with its suffix or without."""
    if not text[at : at + 2].isascii():
        yield from (at + form.length for form in default().written(text, at) if form.full or form.short)


def deepest(walk: Walk, leaning: Leaning) -> Iterator[Hits]:
    """The longest beginning that is known; shorter ones where all its rows are removed."""
    cost = COST["typo"] + 2.0
    for _, state in walk.states():
        if state.region is not None and state.pieces:
            yield Hits(state.region.nodes, state.pieces, state.cost + cost, 0, "inside")
            cost += 3.0


# In the order in which they are tried.
OTHER_WAYS: tuple[Way, ...] = (free, by_sound, slipped, skipping, deepest)
