"""pinyin: how a character sounds, without tone, by a table built from pypinyin."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from menpai.errors import BrokenArtefactError

_FILE = Path(__file__).parents[1] / "data" / "pinyin.tsv"
# Sounds that many speakers and keyboards do not part: z/zh, c/ch, s/sh, n/l, an/ang, en/eng, in/ing.
_BLURRED = re.compile("^([zcs])h|^n(?!g)|(?<=[aei]n)g$")


def syllables(char: str) -> tuple[str, ...]:
    """The usual syllable of a character, then another that it has; () for what has none."""
    return _table().get(char, ())


def blurred(syllable: str) -> str:
    """One writing for syllables that are easily mixed up: zhang and zan give zan, nan and lan give lan."""
    return _BLURRED.sub(lambda match: match[1] or ("l" if match[0] == "n" else ""), syllable)


@cache
def _table() -> dict[str, tuple[str, ...]]:
    """Character → syllables."""
    first: dict[str, tuple[str, ...]] = {}
    beside: list[tuple[str, str]] = []
    try:
        for line in _FILE.read_text("utf-8").splitlines():
            syllable, usual, *others = line.split("\t")
            first |= dict.fromkeys(usual, (syllable,))
            beside += [(char, syllable) for char in "".join(others)]
        for char, syllable in beside:
            first[char] = (*first[char], syllable)
    except (OSError, ValueError, KeyError) as error:
        raise BrokenArtefactError("table_damaged", file=_FILE.name, reason=str(error)) from error
    return first
