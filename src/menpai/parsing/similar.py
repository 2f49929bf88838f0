"""How likely one character was written for another: by sound, by shape."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from menpai.parsing.tables import read_table
from menpai.text.pinyin import blurred, syllables

# Characters that tell one place from its neighbour: 东阳 is no slip of 冬阳, nor 上街 of 下街.
TELLING = frozenset("东西南北中上下前后左右内外大小新老一二三四五六七八九十百千两双甲乙丙丁")


class Slip(NamedTuple):
    """How two characters resemble each other, and what it costs to take one for the other."""

    kind: str
    cost: float


_SAME_SOUND = Slip("homophone", 0.2)
_OTHER_READING = Slip("homophone", 0.25)
_CLOSE_SOUND = Slip("homophone", 0.35)
_SHAPE = Slip("shape", 0.25)
_BOTH = Slip("homophone", 0.1)


def slip(written: str, meant: str) -> Slip | None:
    """The resemblance of two characters, None where there is none."""
    if written in TELLING and meant in TELLING:
        return None
    sound = _sound(written, meant)
    if written in _lookalikes().get(meant, "") or meant in _lookalikes().get(written, ""):
        return _BOTH if sound is _SAME_SOUND else _SHAPE if sound is None or sound is _CLOSE_SOUND else sound
    return sound


def _sound(written: str, meant: str) -> Slip | None:
    one, other = syllables(written), syllables(meant)
    if not one or not other:
        return None
    if one[0] == other[0]:
        return _SAME_SOUND
    if one[0] in other or other[0] in one:
        return _OTHER_READING
    return _CLOSE_SOUND if blurred(one[0]) == blurred(other[0]) else None


@cache
def _lookalikes() -> dict[str, str]:
    """Character → those it is taken for."""
    return read_table("lookalikes.tsv")
