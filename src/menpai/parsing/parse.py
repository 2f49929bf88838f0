"""parse: the elements of a normalized address, with spans and canonical values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from menpai.address import Address, Element, Normalized
from menpai.parsing.detail import read_detail
from menpai.parsing.divisions import Chain, read_chains
from menpai.parsing.gazetteer import Gazetteer, default
from menpai.parsing.hints import NO_HINTS, Hints
from menpai.parsing.latin import end_of_chain, read_latin
from menpai.parsing.local import home_of_villages, without_guess
from menpai.parsing.overrides import apply_places, rename_places
from menpai.parsing.typos import find_typos
from menpai.parsing.zones import read_zones

# A dropped space does not part a number from its unit word (3 号楼), nor a road from its number.
_UNIT_WORDS = frozenset("号楼栋幢座单层室户房弄组队社区期排门院元米路街#-()、,./")
# Dots within a name: 保利·香槟国际.
_INSIDE_NAMES = frozenset("·•‧・")
_ENDS = frozenset("号楼栋幢座层室户元弄院")


def parse(normalized: Normalized, gazetteer: Gazetteer | None = None, hints: Hints = NO_HINTS) -> Address:
    """The most likely reading of a normalized text; a text in which nothing is found gives no elements.

    Divisions are those of the gazetteer: today's if none is given. Hints settle what the text leaves open.
    """
    gazetteer = gazetteer or default()
    address = _read(normalized, gazetteer, hints)
    if not gazetteer.places:
        return address
    renamed = rename_places(gazetteer, address)
    return apply_places(gazetteer, address if renamed is normalized else _read(renamed, gazetteer, hints))


def _read(normalized: Normalized, gazetteer: Gazetteer, hints: Hints) -> Address:
    """The reading by the tables alone, without the places of a user."""
    text = normalized.text
    breaks = _breaks(normalized) if len(normalized.raw) > len(text) else ()
    best, *others = read_chains(gazetteer, text, breaks, hints)
    alternatives = tuple(_address(normalized, chain, breaks) for chain in others) if others else ()
    address = _address(normalized, best, breaks, alternatives)
    if not address.divisions and text.isascii():
        if start := end_of_chain(text):
            address = replace(address, elements=tuple(read_detail(text, start, len(text), breaks)))
        address = read_latin(gazetteer, address)
    if address.settled_by:
        if homes := home_of_villages(gazetteer, address):
            best = read_chains(gazetteer, text, breaks, hints._replace(cities=homes))[0]
            address = _address(normalized, best, breaks, alternatives)
        address = without_guess(gazetteer, address)
    if typos := find_typos(gazetteer, text, best, address.elements):
        address = replace(address, corrections=typos)
    return address


def _address(
    normalized: Normalized, chain: Chain, breaks: tuple[int, ...], alternatives: tuple[Address, ...] = ()
) -> Address:
    """The address of one reading of the chain, with the details around it."""
    text = normalized.text
    before = read_detail(text, 0, chain.start, breaks) if chain.start else []
    after = read_detail(text, chain.end, len(text), breaks)
    return Address(
        normalized,
        (*before, *chain.elements, *after),
        chain.divisions,
        chain.former,
        None,
        chain.penalty,
        alternatives,
        chain.conflicts,
        (),
        read_zones(chain.elements, chain.divisions) if _zones(chain.elements) else (),
        chain.settled_by,
    )


def _zones(elements: Sequence[Element]) -> bool:
    """Whether the chain may name a zone: a regiment of the corps is a town."""
    for element in elements:  # noqa: SIM110 (any() with its generator takes three times as long)
        if element.kind == "devzone" or element.text[-1] == "团":
            return True
    return False


def _breaks(normalized: Normalized) -> tuple[int, ...]:
    """Where a separator was dropped between two words; () if it looks like spaces between all characters."""
    text, offsets = normalized.text, normalized.offsets
    raw = normalized.raw
    gaps = [
        at
        for at, (before, here) in enumerate(pairwise(offsets), 1)
        if here - before > 1 and raw[before + 1] not in _INSIDE_NAMES
    ]
    if len(gaps) * 2 > len(text):
        return ()
    return tuple(
        at for at in gaps if (text[at - 1] in _ENDS if text[at].isdigit() else text[at] not in _UNIT_WORDS)
    )
