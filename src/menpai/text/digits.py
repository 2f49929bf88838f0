"""digits: letters that a scanner or a hurried thumb wrote for digits, and digits with gaps between them."""

from __future__ import annotations

import re

from menpai.text.edits import Edit, Sign

# The letter O between digits, or behind one and before a unit word, is a zero: 2O1室, 4O号楼.
_ZERO = re.compile("(?<=[0-9])O(?=[0-9O]{0,3}(?:[0-9]|[号弄栋幢室楼层]|单元))")
# A house number behind its road: 民生路L8L号, 庆阳路 3 2 号. Shops have letters too, and 2 4号楼 is a list.
_DOOR = re.compile(
    "(?:(?<=[路街道巷弄])|(?<=[路街道巷弄] ))(?P<run>[0-9OL]{2,6}|[0-9OL](?: [0-9OL]){1,5})(?= ?号(?![楼铺店商厂厅]))"
)
_MEANT = str.maketrans("OL", "01", " ")
SIGN = Sign("0-9OL", "[0-9]O|L ?[0-9OL]|[0-9OL] [0-9OL]")
_MAY_MATCH = SIGN.finder()


def digits(text: str) -> list[Edit]:
    """Edits that write the digits that were meant."""
    if _MAY_MATCH(text) is None:
        return []
    doors = [m for m in _DOOR.finditer(text) if not m["run"].isdecimal() and re.search("[0-9]", m["run"])]
    edits = [(*m.span(), m["run"].translate(_MEANT)) for m in doors]
    zeros = (
        m for m in _ZERO.finditer(text) if not any(door.start() <= m.start() < door.end() for door in doors)
    )
    return sorted([*edits, *((m.start(), m.end(), "0") for m in zeros)])
