"""The reading that grows: elements found so far, and where the name that is still open began."""

from __future__ import annotations

from menpai.address import Element

# Kinds whose neighbours can be members of one list or range: 37号、70号 and 3号-17号.
LISTED = frozenset(("roadno", "building", "unit", "room", "floor"))
INSIDE = frozenset(("building", "unit", "floor", "room"))
_LIST_SIGNS = "、,和及/; "
_RANGE_SIGNS = "-~至到"


class Draft:
    """Elements of text[begin:end] in order; `begin` moves on with every element.

    `word` is where the separated word began that is being read, `end` where it ends.
    """

    __slots__ = ("begin", "end", "out", "text", "word")

    def __init__(self, text: str, begin: int, end: int) -> None:
        self.text, self.begin, self.end, self.word = text, begin, end, begin
        self.out: list[Element] = []

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

    def add(self, kind: str, start: int, end: int, value: str) -> None:
        """Append an element, or widen the last one when both are members of one list or range."""
        if self.out and kind in LISTED and kind == self.out[-1].kind:
            joint = self._joint(kind, start, value)
            if joint:
                first = self.out.pop()
                value = f"{first.value}{joint}{value}"
                start = first.start
        self.out.append(Element(kind, self.text[start:end], start, end, value))
        self.begin = end

    def _joint(self, kind: str, start: int, value: str) -> str:
        """ "," or "-" if the last element and one that begins at `start` belong together, else ""."""
        gap = self.text[self.out[-1].end : start]
        if not gap:
            return "," if kind == "roadno" or (value.isalpha() and self.out[-1].value.isalpha()) else ""
        if len(gap) > 2 or gap.isspace():
            return ""
        return "," if not gap.strip(_LIST_SIGNS) else "-" if not gap.strip(_RANGE_SIGNS) else ""

    def lists_on(self) -> bool:
        """Whether only a list or range sign stands between the last element and the open name."""
        gap = self.text[self.out[-1].end : self.begin] if self.out else ""
        return bool(gap) and not gap.strip(_LIST_SIGNS + _RANGE_SIGNS)
