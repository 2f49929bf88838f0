"""How two addresses relate on one element."""

from __future__ import annotations

from enum import IntEnum


class Relation(IntEnum):
    """ABSENT: neither gives it; MISSING: only one does; the rest: both do."""

    ABSENT = 0
    MISSING = 1
    EQUAL = 2
    CONTAINS = 3
    SIMILAR = 4
    DIFFERS = 5
