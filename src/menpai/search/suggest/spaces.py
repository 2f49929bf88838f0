"""Sorted spellings of the elements, looked up by their beginnings: by character, by pinyin, by initials.

The first symbols of a spelling are packed into one 64-bit number, so that a prefix is one range of a sorted array.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from menpai.search.columns import Numbers, open_numbers, save_numbers
from menpai.search.suggest.letters import initials, other_readings, short_length, sounds

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LETTER = {char: at for at, char in enumerate(LETTERS, 1)}
_OTHER = len(LETTERS) + 1
_UNSPOKEN = re.compile("[^0-9a-z]")
_BEYOND = 65_535
"Stands for all characters of an alphabet that has more."
NOTHING = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Spelling s is blob[at[s]:at[s + 1]]; `sorted[i]` is the spelling of keys[i] (None: they stand sorted).

    Spellings beyond the number of elements are other readings, `extra` says of which element. `short[s]` is the
    length without the generic ending; `long` and `brief` are both lengths in sorted order.
    """

    bits: int
    width: int
    keys: Numbers
    sorted: Numbers | None
    blob: Numbers
    at: Numbers
    short: Numbers
    long: Numbers
    brief: Numbers
    extra: Numbers

    def range(self, wanted: Sequence[int]) -> tuple[int, int]:
        """The positions in sorted order of the spellings that begin so."""
        low, high = _key_range(self.keys, wanted, self.bits, self.width)
        if len(wanted) > self.width and low < high:
            found = self._narrow(np.arange(low, high), wanted, self.width)
            return (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 0)
        return low, high

    def spellings(self, low: int, high: int) -> Numbers:
        """The spellings at positions of the sorted order."""
        found: Numbers = np.arange(low, high) if self.sorted is None else self.sorted[low:high]
        return found

    def whole(self, low: int, high: int, length: int) -> Numbers:
        """Those spellings of a range that are wholly said by `length` symbols, generic ending or not."""
        found = np.flatnonzero((self.long[low:high] == length) | (self.brief[low:high] == length)) + low
        return found if self.sorted is None else self.sorted[found].astype(np.int64)

    def elements(self, spellings: Numbers) -> Numbers:
        """The elements that are spelled so, once each."""
        owners = self._owners(spellings)
        return owners if owners is spellings else np.unique(owners)

    def elements_at(self, low: int, high: int) -> Numbers:
        """The element of each position of the sorted order."""
        return self._owners(self.spellings(low, high))

    def begins(self, elements: Numbers, wanted: Sequence[int]) -> Numbers:
        """Which of the elements begin so in their usual spelling, as positions."""
        place, end = self.at[elements], self.at[elements + 1]
        kept = np.arange(len(elements))
        for offset, symbol in enumerate(wanted):
            here = place[kept] + offset
            inside = here < end[kept]
            kept, here = kept[inside], here[inside]
            kept = kept[self.blob[here] == symbol]
        return kept

    def _owners(self, spellings: Numbers) -> Numbers:
        if not len(self.extra):
            return spellings
        first = len(self.at) - 1 - len(self.extra)
        beyond = np.flatnonzero(spellings >= first)
        if not len(beyond):
            return spellings
        owners = spellings.copy()
        owners[beyond] = self.extra[spellings[beyond] - first]
        return owners

    def _narrow(self, positions: Numbers, wanted: Sequence[int], known: int) -> Numbers:
        spellings = self.spellings(int(positions[0]), int(positions[-1]) + 1)
        for offset in range(known, len(wanted)):
            here = self.at[spellings] + offset
            fits = here < self.at[spellings + 1]
            fits[fits] = self.blob[here[fits]] == wanted[offset]
            positions, spellings = positions[fits], spellings[fits]
        return positions


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """Where two or more characters stand inside an element, not at its beginning: its number, and at which character."""

    keys: Numbers
    elements: Numbers
    offsets: Numbers
    space: Space

    def find(self, wanted: Sequence[int], most: int) -> tuple[Numbers, Numbers]:
        """Elements that have this inside, and at which character."""
        low, high = _key_range(self.keys, wanted, self.space.bits, self.space.width)
        high = min(high, low + most)
        elements, offsets = self.elements[low:high].astype(np.int64), self.offsets[low:high]
        for further in range(self.space.width, len(wanted)):
            place = self.space.at[elements] + offsets + further
            fits = place < self.space.at[elements + 1]
            fits[fits] = self.space.blob[place[fits]] == wanted[further]
            elements, offsets = elements[fits], offsets[fits]
        return elements, offsets


def build_spaces(elements: Sequence[str], folder: Path) -> None:
    """Write the three spaces of ascending elements, and what stands inside them."""
    short = [short_length(text) for text in elements]
    _characters(elements, short, folder)
    sound = [sounds(text) for text in elements]
    extra, others = list[int](), list[list[str]]()
    for at, text in enumerate(elements):
        for reading in other_readings(text):
            extra.append(at)
            others.append(reading)
    owners = np.array(extra, np.int32)
    spelled = ["".join(reading) for reading in (*sound, *others)]
    cut = [*short, *(short[at] for at in extra)]
    ends = ["".join(reading[:end]) for reading, end in zip((*sound, *others), cut, strict=True)]
    _letters("pinyin", spelled, list(map(len, ends)), owners, folder)
    first = list(map(initials, elements))
    changed = [
        (at, reading) for at, reading in zip(extra, others, strict=True) if _initials(reading) != first[at]
    ]
    owners = np.array([at for at, _ in changed], np.int32)
    spelled = [*first, *(_initials(reading) for _, reading in changed)]
    _letters("initials", spelled, [*short, *(short[at] for at, _ in changed)], owners, folder)


def open_spaces(folder: Path) -> tuple[Space, Space, Space, Inside, dict[str, int]]:
    """Characters, pinyin, initials, inside, and the symbol of each character."""
    spaces = [_open(folder, name, bits, width) for name, bits, width in _SHAPES]
    keys, owners, offsets = (_need(folder, f"inside.{name}") for name in ("keys", "elements", "offsets"))
    inside = Inside(keys, owners, offsets, spaces[0])
    alphabet = _need(folder, "alphabet").tolist()
    codes = {chr(point): min(code, _BEYOND) for code, point in enumerate(alphabet, 1)}
    return spaces[0], spaces[1], spaces[2], inside, codes


def letter_codes(text: str) -> list[int]:
    """Symbols of typed letters and digits."""
    return [_LETTER.get(char, _OTHER) for char in text]


def _characters(elements: Sequence[str], short: Sequence[int], folder: Path) -> None:
    points = np.frombuffer("".join(elements).encode("utf-32-le"), np.uint32)
    alphabet, codes = np.unique(points, return_inverse=True)
    blob = np.minimum(codes + 1, _BEYOND).astype(np.uint16)
    at = _offsets(map(len, elements), len(elements))
    save_numbers(folder, "alphabet", alphabet)
    _save(folder, "characters", _pack(blob, at[:-1], at[1:], 16, 4), blob, at, short)
    places = np.arange(len(blob), dtype=np.int32)
    owner = np.repeat(np.arange(len(elements)), np.diff(at))
    kept = (places > at[owner]) & (places + 2 <= at[owner + 1]) & (places - at[owner] < 256)
    places, owner = places[kept], owner[kept].astype(np.int32)
    keys = _pack(blob, places, at[owner + 1], 16, 4)
    order = np.argsort(keys, kind="stable")
    save_numbers(folder, "inside.keys", keys[order])
    save_numbers(folder, "inside.elements", owner[order])
    save_numbers(folder, "inside.offsets", (places - at[owner]).astype(np.uint8)[order])


def _letters(name: str, spelled: list[str], short: Sequence[int], extra: Numbers, folder: Path) -> None:
    spelled = [text if text.isascii() and text.isalnum() else _UNSPOKEN.sub("~", text) for text in spelled]
    table = np.full(128, _OTHER, np.uint8)
    table[np.frombuffer(LETTERS.encode(), np.uint8)] = np.arange(1, len(LETTERS) + 1)
    blob = table[np.frombuffer("".join(spelled).encode("ascii"), np.uint8)]
    at = _offsets(map(len, spelled), len(spelled))
    order = np.array(sorted(range(len(spelled)), key=spelled.__getitem__), np.int32)
    keys = _pack(blob, at[:-1], at[1:], 6, 10)[order]
    _save(folder, name, keys, blob, at, short, order)
    save_numbers(folder, f"{name}.extra", extra)


def _save(
    folder: Path,
    name: str,
    keys: Numbers,
    blob: Numbers,
    at: Numbers,
    short: Sequence[int],
    order: Numbers | None = None,
) -> None:
    """Write a space; lengths beyond 255 are 255."""
    brief = np.minimum(np.array(short, np.int64), 255).astype(np.uint8)
    long = np.minimum(np.diff(at), 255).astype(np.uint8)
    columns = {"keys": keys, "blob": blob, "at": at, "short": brief}
    if order is None:
        columns |= {"long": long}
    else:
        columns |= {"sorted": order, "long": long[order], "brief": brief[order]}
    for column, values in columns.items():
        save_numbers(folder, f"{name}.{column}", values)


def _open(folder: Path, name: str, bits: int, width: int) -> Space:
    order, extra = open_numbers(folder, f"{name}.sorted"), open_numbers(folder, f"{name}.extra")
    columns = (_need(folder, f"{name}.{column}") for column in ("keys", "blob", "at", "short", "long"))
    keys, blob, at, short, long = columns
    brief = open_numbers(folder, f"{name}.brief")
    extra = NOTHING if extra is None else extra
    return Space(bits, width, keys, order, blob, at, short, long, short if brief is None else brief, extra)


def _need(folder: Path, name: str) -> Numbers:
    found = open_numbers(folder, name)
    if found is None:
        raise FileNotFoundError(folder / f"{name}.npy")
    return found


def _initials(reading: Sequence[str]) -> str:
    return "".join(sound[:1] or "~" for sound in reading)


def _offsets(lengths: Iterable[int], count: int) -> Numbers:
    return np.append(np.int32(0), np.cumsum(np.fromiter(lengths, np.int32, count), dtype=np.int32))


def _pack(blob: Numbers, start: Numbers, end: Numbers, bits: int, width: int) -> Numbers:
    """The first symbols of each stretch as one number that sorts as they do."""
    keys = np.zeros(len(start), np.uint64)
    for offset in range(width):
        keys <<= np.uint64(bits)
        inside = start + offset < end
        keys[inside] |= blob[start[inside] + offset].astype(np.uint64)
    return keys


def _key_range(keys: Numbers, wanted: Sequence[int], bits: int, width: int) -> tuple[int, int]:
    key, size = 0, min(len(wanted), width)
    for symbol in wanted[:size]:
        key = key << bits | symbol
    shift = (width - size) * bits
    edges = np.array((key << shift, (key + 1 << shift) - 1), np.uint64)
    low, high = int(keys.searchsorted(edges[0])), int(keys.searchsorted(edges[1], "right"))
    return low, high


_SHAPES = (("characters", 16, 4), ("pinyin", 6, 10), ("initials", 6, 10))
