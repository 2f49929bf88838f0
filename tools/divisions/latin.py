"""latin.tsv: provinces, cities and counties by their pinyin (pypinyin) and by the Latin names of resources/."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from divisions.sources import numbered_rows, official
from divisions.zones import code_of
from menpai.parsing.written import ETHNIC, order, stem

# In names of places these characters are read so, whatever the dictionary puts first.
READINGS = {
    "长": "chang",
    "都": "du",
    "朝": "chao",
    "勒": "le",
    "什": "shi",
    "乐": "le",
    "佛": "fo",
    "棱": "ling",
}
_LETTERS = re.compile(r"[^a-z]")


def key(name: str) -> str:
    """The letters of a Latin name alone: luan for Lu'an, urumqi for Ürümqi."""
    return _LETTERS.sub("", unicodedata.normalize("NFKD", name.replace("ü", "u")).lower())


def _pinyin(name: str) -> str:
    from pypinyin import lazy_pinyin  # noqa: PLC0415 (needed to build this one table, not to test the rest)

    read = lazy_pinyin(name, v_to_u=False)
    return "".join(READINGS.get(char, one) for char, one in zip(name, read, strict=True))


def latin_names() -> dict[str, set[str]]:
    """Key → codes."""
    found: dict[str, set[str]] = defaultdict(set)
    table, corrected = "latin_names.tsv", set()
    for number, (path, names, source) in numbered_rows(table, 3):
        code = code_of(path, table, number)
        for written in names.split("|"):
            found[key(written)].add(code)
        if source.endswith("replaces the pinyin"):
            corrected.add(code)
    for code, name in official().items():
        if len(code) <= 6 and code[0] not in "78" and code not in corrected:
            bare = stem(name) if len(stem(name)) >= 2 else name
            for written in (bare, ETHNIC.sub("", bare)):
                if len(written) >= 2:
                    found[key(_pinyin(written))].add(code)
    return found


def latin_table() -> Iterator[str]:
    """Lines `letters, codes`, likeliest first."""
    for letters, codes in sorted(latin_names().items()):
        yield f"{letters}\t{','.join(sorted(codes, key=order))}"
