"""characters: one form for every character: width, radicals, traditional and variant forms, dashes, case."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

from menpai.errors import BrokenArtefactError

_FILE = Path(__file__).parent.parent / "data" / "characters.txt"
_DASHES = "‐‑‒–—―−﹘﹣－⁃~～〜〰∼˗ー➖一"[:-1]
_BRACKETS = dict.fromkeys("[{<《〈【〔〖『「〘﹝⟨", "(") | dict.fromkeys("]}>》〉】〕〗』」〙﹞⟩", ")")
_SEPARATORS = dict.fromkeys("\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029", ",")
_OTHERS = {
    "○": "〇",
    "◯": "〇",
    "⁄": "/",
    "∕": "/",
    "•": "·",
    "‧": "·",
    "・": "·",
    "●": "·",
    "․": ".",
    "∶": ":",
    "×": "X",
}
_QUOTES = dict.fromkeys("'\"`´^¨“”‘’‛‟„‚″′〝〞＂＇", "")
_FILLERS = dict.fromkeys("\u115f\u1160\u3164\uffa0", "")  # Hangul fillers: letters that show nothing
_OWN = dict.fromkeys(_DASHES, "-") | _FILLERS | _BRACKETS | _SEPARATORS | _OTHERS | _QUOTES
# Control, format, private, unassigned, surrogate, symbols such as emoji, and marks on them: dropped.
_DROPPED = {"Cc", "Cf", "Co", "Cn", "Cs", "So", "Sk", "Me"}


class _Table(dict[int, str]):
    """A translation table for str.translate that works out an entry when it is first asked for."""

    common: dict[str, str] | None = None

    def __missing__(self, point: int) -> str:
        if self.common is None:
            self.common = _read()
        out = _fold(chr(point), self.common)
        if point < 0x10000:
            self[point] = out
        return out


def _read() -> dict[str, str]:
    """Character → common form, from the built table."""
    try:
        variants, common = _FILE.read_text("utf-8").split()
        return dict(zip(variants, common, strict=True))
    except (OSError, ValueError) as error:
        raise BrokenArtefactError("table_damaged", file=_FILE.name, reason=str(error)) from error


def _fold(char: str, common: dict[str, str]) -> str:
    """The final form of one character: nothing, one, or a few characters that fold to themselves."""
    if char in _OWN:
        return _OWN[char]
    if char.isascii():
        return char.upper() if char.isprintable() else ""
    if char in common:
        return common[char]
    if char > "\U0001ffff":
        return _rare(char)
    category = unicodedata.category(char)
    if category == "Zs":
        return " "
    if "\u2160" <= char <= "\u217b":  # Roman: `numerals` knows whether it is a number or letters
        return char.upper()
    compatible = unicodedata.normalize("NFKC", char)
    if compatible != char:
        return "".join(_fold(part, common) for part in compatible)
    if category in _DROPPED or (category == "Mn" and _is_latin_mark(char)):
        return ""
    return _digits(char) if category in ("No", "Nd") else _without_accent(char)


def _digits(char: str) -> str:
    """The ASCII digits of a number in one character (❶, ⓬, ٣); other number signs stay."""
    value = unicodedata.numeric(char, -1)
    return str(int(value)) if value >= 0 and value == int(value) < 100 else char


def _rare(char: str) -> str:
    """A character of the higher planes: ideographs stay, whether or not this Python knows them yet."""
    if char > "\U0003ffff":
        return ""
    return unicodedata.normalize("NFKC", char)


def _is_latin_mark(char: str) -> bool:
    return "\u0300" <= char <= "\u036f" or "\u20d0" <= char <= "\u20ff" or char > "\ufdff"


def _without_accent(char: str) -> str:
    """The bare capital letter of a Latin letter with an accent (běi → BEI); else the character itself."""
    base = unicodedata.normalize("NFKD", char)[0]
    return base.upper() if base.isascii() and base.isalpha() else char


_TABLE = _Table()
# Characters seen that stand for themselves, and those that have one character for another: quick to look up.
_SAME: set[str] = set()
_ONE: set[str] = set()


def characters(raw: str) -> tuple[str, tuple[int, ...] | list[int]]:
    """The text with every character folded, and for each character its index in `raw`."""
    if _SAME.issuperset(raw):
        return raw, identity(len(raw))
    text = raw.translate(_TABLE)
    if _ONE.issuperset(raw):
        return text, identity(len(raw))
    look: Callable[[int], str] = _TABLE.__getitem__
    sizes = [len(look(ord(char))) for char in raw]
    if max(sizes) == min(sizes) == 1:
        known = {char for char in raw if char < "\U00010000"}
        _ONE.update(known)
        _SAME.update(char for char in known if look(ord(char)) == char)
        return text, identity(len(raw))
    return text, [at for at, size in enumerate(sizes) for _ in range(size)]


_RANGES = tuple(tuple(range(length)) for length in range(129))


def identity(length: int) -> tuple[int, ...]:
    """The offsets of an unchanged text; short ones are shared."""
    return _RANGES[length] if length < len(_RANGES) else tuple(range(length))
