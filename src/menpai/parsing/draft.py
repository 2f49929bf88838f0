"""The reading that grows: elements found so far, and where the name that is still open began."""

from __future__ import annotations

import re

from menpai.address import Element
from menpai.parsing.name_patterns import DAO_CITIES, NAME, NAME_WITH_DAO
from menpai.parsing.patterns import MARKET, TALL
from menpai.text.edits import compiled

# Kinds whose neighbours can be members of one list or range: 37号、70号 and 3号-17号.
LISTED = frozenset(("roadno", "building", "unit", "room", "floor"))
PLACES = frozenset(("poi", "subpoi"))
ON_ROADS = frozenset("路街道巷段弄")
INSIDE = frozenset(("building", "unit", "floor", "room"))
_BRACKET = re.compile("[()]")
# How sure an element is by what showed it: the share of such elements whose span a public tagged set has too
# (5,000 sentences each of swei412 and leodotnet, the lower of the two, rounded down; "dash" by the second alone, the
# first has lost its dashes). A tagger or a person may overrule the low ones.
CONFIDENCE = {
    "unit": 0.95,  # a number with its own unit word: 3号楼, 2单元, 12号
    "sign": 0.9,  # a word of a closed list: 交叉口, 对面, 负1层
    "dash": 0.9,  # numbers told apart by dashes: 3-2-501
    "suffix": 0.85,  # a name with the suffix of its kind: 文三路, 引凤社区
    "bare": 0.85,  # a number known by what stands before it: 3号楼|501
    "estate": 0.8,  # a place with the suffix of an estate: 阳光花园
    "part": 0.75,  # the part of a place that its tail names: 三期, 东区 (the mean: one set counts it to the name)
    "place": 0.65,  # any other name
    "remark": 0.4,  # what a bracket says
}
_LIST_SIGNS = "、,和及/; "
_RANGE_SIGNS = "-~至到"


class Draft:
    """Elements of text[begin:end] in order; `begin` moves on with every element.

    `names` is the pattern of names here; `word` is where the separated word began that is being read, `end` where it ends.
    """

    __slots__ = ("_pairs", "begin", "end", "names", "out", "text", "word")

    def __init__(self, text: str, begin: int, end: int) -> None:
        self.text, self.begin, self.end, self.word = text, begin, end, begin
        self.out: list[Element] = []
        self._pairs: dict[int, int] | None = None
        self.names = NAME
        if begin and text.find("道", begin, end) > 0 and any(city in text[:begin] for city in DAO_CITIES):
            self.names = compiled(NAME_WITH_DAO)

    @property
    def last(self) -> str:
        """The kind of the last element, or ""."""
        return self.out[-1].kind if self.out else ""

    @property
    def last_text(self) -> str:
        """The text of the last element, or ""."""
        return self.out[-1].text if self.out else ""

    @property
    def inside(self) -> bool:
        """Whether one of the last elements was part of a building."""
        return any(e.kind in INSIDE for e in self.out[-3:])

    @property
    def on_tall(self) -> bool:
        """Whether the last element is a tower or mall, whose B1 is a floor."""
        return self.last_text.endswith(TALL)

    def closing(self, start: int, longest: int) -> int:
        """Where the bracket that opens at `start` closes, within this word and `longest` characters, or -1."""
        if self._pairs is None:
            self._pairs = _bracket_pairs(self.text)
        close = self._pairs.get(start, -1)
        return close if close < min(self.end, start + longest) else -1

    @property
    def in_market(self) -> bool:
        """Whether a place read shortly before is a market: its 楼 are floors, its numbers stalls."""
        return any(e.kind == "poi" and MARKET.search(e.text) for e in self.out[-6:])

    def add(self, kind: str, start: int, end: int, value: str, how: str = "unit") -> None:
        """Append an element, or widen the last one when both are members of one list or range.

        `how` says what showed it, one of CONFIDENCE.
        """
        out = self.out
        if out and kind in LISTED and kind == out[-1].kind:
            joint = self._joint(kind, start, end, value)
            if joint:
                first = out.pop()
                value = f"{first.value}{joint}{value}"
                start = first.start
        out.append(Element(kind, self.text[start:end], start, end, value, "rule", CONFIDENCE[how]))
        self.begin = end

    def _joint(self, kind: str, start: int, end: int, value: str) -> str:
        """ "," or "-" if the last element and text[start:end] belong together, else ""."""
        gap = self.text[self.out[-1].end : start]
        if not gap:
            letters = value.isalpha() and self.out[-1].value.isalpha()
            return "," if kind == "roadno" or (letters and self.last_text[-1] == self.text[end - 1]) else ""
        if len(gap) > 2 or gap.isspace():
            return ""
        return "," if not gap.strip(_LIST_SIGNS) else "-" if not gap.strip(_RANGE_SIGNS) else ""

    def lists_on(self) -> bool:
        """Whether only a list or range sign stands between the last element and the open name."""
        gap = self.text[self.out[-1].end : self.begin] if self.out else ""
        return bool(gap) and not gap.strip(_LIST_SIGNS + _RANGE_SIGNS)


def _bracket_pairs(text: str) -> dict[int, int]:
    """Opening → closing bracket of every pair."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            pairs[opened.pop()] = match.start()
    return pairs
