"""Where the elements of an address end, as `parse` reads them, but quicker over many rows that share beginnings.

Heads (province to town) are read once and used again where nothing follows that would lengthen them; tails, and whole
plain texts, whose digits alone differ are cut alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from menpai.address import Division, Element, Normalized
from menpai.parsing import parse
from menpai.parsing.detail import read_detail
from menpai.parsing.divisions import read_chains
from menpai.parsing.gazetteer import Codes, default
from menpai.parsing.meaning import Mention
from menpai.parsing.mentions import read as read_mention
from menpai.search.segment import KINDS
from menpai.text import normalize
from menpai.text.normalize import is_plain

Cuts = tuple[tuple[int, int], ...]
"""(end in bytes of the UTF-8 text, number of the kind in KINDS) of stretches that follow one another."""
_KIND = {kind: number for number, kind in enumerate(KINDS)}
_DIGITS = str.maketrans("123456789", "000000000")
_REMEMBERED = 200_000
# Heads are looked up by their first characters.
_START = 2


class Head(NamedTuple):
    """The divisions at the beginning of a text: their codes, the one for the column, the cuts, the last name."""

    codes: Codes
    division: int
    cuts: Cuts
    last: Mention


class Reading(NamedTuple):
    """A normalized text, the code of its division as a number, and its cuts."""

    text: str
    division: int = 0
    cuts: Cuts = ()


class Reader:
    """Reads addresses one after another and remembers what they share; one for each process."""

    def __init__(self) -> None:
        self._gazetteer = default()
        self._met: set[str] = set()
        self._shapes: dict[str, tuple[int, Cuts]] = {}
        self._heads: dict[str, Head] = {}
        self._last = ""
        self._lengths: dict[str, list[int]] = {}
        self._tails: dict[str, Cuts] = {}

    def read(self, raw: str) -> Reading:
        """A text normalized, with the code of its deepest division (0 for none or several) and its cuts."""
        shape = raw.translate(_DIGITS)
        if shape == raw:
            normalized = normalize(raw)
            return Reading(normalized.text, *self._read(normalized))
        known = self._shapes.get(shape)
        if known is not None and is_plain(raw):
            return Reading(raw, *known)
        normalized = normalize(raw)
        reading = Reading(normalized.text, *self._read(normalized))
        if normalized.text == raw and is_plain(raw):
            self._learn(shape, reading)
        return reading

    def _learn(self, shape: str, reading: Reading) -> None:
        """Remember a shape that is met a second time, if normalize leaves it alone: of plain texts, only repeats are
        changed, and texts of one shape repeat no more than the shape does."""
        if shape not in self._met:
            if len(self._met) >= _REMEMBERED:
                self._met.clear()
            self._met.add(shape)
        elif normalize(shape).text == shape:
            if len(self._shapes) >= _REMEMBERED:
                self._shapes.clear()
            self._shapes[shape] = (reading.division, reading.cuts)

    def _read(self, normalized: Normalized) -> tuple[int, Cuts]:
        text = normalized.text
        if not text:
            return 0, ()
        if len(normalized.raw) > len(text) or text.isascii():
            address = parse(normalized)
            return _code(address.divisions), cuts_of(text, address.elements)
        # Sorted texts mostly begin as the last one did.
        if self._last and text.startswith(self._last) and self._ends(text, head := self._heads[self._last]):
            return head.division, self._with_tail(text, head.last.end, head.cuts)
        for length in self._lengths.get(text[:_START], ()):
            found = self._heads.get(text[:length])
            if found is not None:
                if not self._ends(text, found):
                    break
                self._last = text[:length]
                return found.division, self._with_tail(text, length, found.cuts)
        return self._whole(text, normalized)

    def _ends(self, text: str, head: Head) -> bool:
        """Whether the chain of a text that begins with this head ends with it."""
        at = head.last.end
        return at == len(text) or read_mention(self._gazetteer, text, at, [head.last], head.codes) is None

    def _whole(self, text: str, normalized: Normalized) -> tuple[int, Cuts]:
        """The reading from the chain on; the chain is remembered where it is a head."""
        chain, *others = read_chains(self._gazetteer, text)
        if others or chain.settled_by or chain.start:
            address = parse(normalized)
            return _code(address.divisions), cuts_of(text, address.elements)
        division, cuts = _code(chain.divisions), cuts_of(text[: chain.end], chain.elements)
        last = chain.elements[-1] if chain.elements else None
        # A head ends with the full name of a unit: 宝安 may go on as 宝安区, 西乡 as 西乡街道.
        if last and chain.divisions and last.text == last.value:
            codes = tuple(unit.code for unit in chain.divisions)
            mention = Mention(last.start, chain.end, codes, last.kind)
            self._remember(text[: chain.end], Head(codes, division, cuts, mention))
        return division, self._with_tail(text, chain.end, cuts)

    def _remember(self, text: str, head: Head) -> None:
        if len(self._heads) >= _REMEMBERED:
            self._heads.clear()
            self._lengths.clear()
            self._last = ""
        self._heads[text] = head
        lengths = self._lengths.setdefault(text[:_START], [])
        if len(text) not in lengths:
            lengths.append(len(text))
            lengths.sort(reverse=True)

    def _with_tail(self, text: str, start: int, cuts: Cuts) -> Cuts:
        """The cuts of the head and of what follows, which are the same for texts that differ in digits alone."""
        shape = text[start:].translate(_DIGITS)
        known = self._tails.get(shape)
        if known is None:
            if len(self._tails) >= _REMEMBERED:
                self._tails.clear()
            elements = read_detail(text, start, len(text))
            shifted = [element._replace(end=element.end - start) for element in elements]
            known = self._tails[shape] = cuts_of(shape, shifted)
        base = cuts[-1][0] if cuts else 0
        return cuts + tuple((base + stop, kind) for stop, kind in known)


def cuts_of(text: str, elements: Sequence[Element]) -> Cuts:
    """The ends of elements as cuts that cover the text."""
    cuts, at = list[tuple[int, int]](), 0
    for element in elements:
        if element.end > at:
            at = element.end
            cuts.append((len(text[:at].encode()), _KIND[element.kind]))
    if at < len(text):
        cuts.append((len(text.encode()), 0))
    return tuple(cuts)


def _code(divisions: Sequence[Division]) -> int:
    """The code of the division, or of what several possible ones have in common; 0 for nothing."""
    if not divisions:
        return 0
    codes = [division.code for division in divisions]
    shared = (codes[0][:n] for n in (9, 6, 4, 2) if len(codes[0]) >= n and len({c[:n] for c in codes}) == 1)
    return int(next(shared, 0))
