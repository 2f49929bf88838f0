"""dashes: the signs that people write for the dash between building, unit and room: 3/2/501 is 3-2-501."""

from __future__ import annotations

import re

from menpai.text.edits import Edit, Sign

_END = r"(?![0-9A-Z/.|\\_-]|期)"
# Three parts are building, unit, room when the last is a room's number; 1/2/3号楼 is a list.
_THREE = re.compile(
    rf"(?<![0-9A-Z/.|\\_-])([0-9]{{1,2}}|[A-Z])( ?[/.|\\] ?)([0-9]{{1,2}})( ?[/.|\\] ?)(?=[0-9]{{3,4}}[A-Z]?{_END})"
)
_TWO = re.compile(rf"(?<![0-9A-Z/.|\\_])[0-9]{{1,2}}( ?/ ?)(?=[0-9]{{3,4}}[A-Z]?{_END})")
# 一 that was meant as a dash, the underline, and 之 of Taiwan: 2一605, 3_2_501, 5之3号.
_BETWEEN = re.compile("(?<=[0-9A-Z])[一_](?=[0-9])|(?<=[0-9])之(?=[0-9])")
_AFTER_UNIT = re.compile("(?<=[楼栋幢座元])一(?=[0-9]{1,2}[一-][0-9])")
SIGN = Sign("0-9A-Z楼栋幢座元", "[0-9A-Z][一_][0-9]|[0-9]之[0-9]|[楼栋幢座元]一[0-9]")
_MAY_MATCH = (SIGN | Sign("0-9A-Z", r"[0-9A-Z] ?[/.|\\] ?[0-9]")).finder()


def dashes(text: str) -> list[Edit]:
    """Edits that write a plain dash where another sign parts the numbers of a door."""
    if _MAY_MATCH(text) is None:
        return []
    edits = [(*m.span(group), "-") for m in _THREE.finditer(text) for group in (2, 4)]
    if not edits:
        edits = [(*m.span(1), "-") for m in _TWO.finditer(text)]
    edits += [
        (m.start(), m.end(), "-") for pattern in (_BETWEEN, _AFTER_UNIT) for m in pattern.finditer(text)
    ]
    return sorted(edits)
