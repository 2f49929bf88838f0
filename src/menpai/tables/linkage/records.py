"""A table as records: what its rows are compared by. Rows that are equal in all of it are one entity, read once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Problem
from menpai.evidence.coordinates import Point
from menpai.text import normalize
from menpai.text.readable import find_problem

TAIL = 4
"Digits of a phone number that are compared: often the only ones that are not hidden."

_NOTHING = frozenset({"address_empty", "address_unreadable"})
"Problems of a field that is as good as empty."


class Raw(NamedTuple):
    """A row as it was read: texts as they stand in the cells, the point in WGS-84 degrees."""

    id: str
    address: str = ""
    name: str = ""
    phone: str = ""
    point: Point | None = None
    problem: Problem | None = None


class Entity(NamedTuple):
    """What a row is compared by: normalized address and name (one may be empty), phone tail, point."""

    address: str
    name: str = ""
    phone: str = ""
    point: Point | None = None

    @property
    def text(self) -> str:
        """Address and name, so that no key reaches across."""
        return f"{self.address}\n{self.name}" if self.name else self.address


@dataclass(frozen=True, slots=True)
class Records:
    """Rows by their number from 0: the id of each, its entity (-1 where it has a problem), and the problems.

    Entities ascend by their texts, so they do not depend on the order of the rows.
    """

    ids: Sequence[str]
    entities: tuple[Entity, ...]
    of_row: NDArray[np.int64]
    problems: dict[int, Problem]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def named(self) -> bool:
        """Whether any row has a name."""
        return any(entity.name for entity in self.entities)

    def rows_of(self) -> list[list[int]]:
        """The rows of each entity, in the order of the table."""
        rows: list[list[int]] = [[] for _ in self.entities]
        for row, entity in enumerate(self.of_row.tolist()):
            if entity >= 0:
                rows[entity].append(row)
        return rows


def make_records(rows: Iterable[Raw], longest: int) -> Records:
    """The records of rows; what cannot be read, or is longer than `longest`, is a problem of its row."""
    ids: list[str] = []
    found: list[Entity | None] = []
    problems: dict[int, Problem] = {}
    cleaned: dict[str, str | Problem] = {}
    for number, row in enumerate(rows):
        ids.append(row.id or str(number + 1))
        entity = row.problem or _entity(row, longest, cleaned)
        if isinstance(entity, Problem):
            problems[number] = entity
        found.append(None if isinstance(entity, Problem) else entity)
    entities = sorted({entity for entity in found if entity is not None}, key=_order)
    places = {entity: at for at, entity in enumerate(entities)}
    of_row = np.array([-1 if entity is None else places[entity] for entity in found], np.int64)
    return Records(ids, tuple(entities), of_row, problems)


def _order(entity: Entity) -> tuple[str, str, str, Point]:
    return (entity.address, entity.name, entity.phone, entity.point or (-999.0, -999.0))


def _entity(row: Raw, longest: int, cleaned: dict[str, str | Problem]) -> Entity | Problem:
    """What a row is compared by; equal texts are cleaned once. A name is enough where no address can be read."""
    texts = [_clean(row.address, longest, cleaned), _clean(row.name, longest, cleaned)]
    for text in texts:
        if isinstance(text, Problem) and text.code not in _NOTHING:
            return text
    address, name = ("" if isinstance(text, Problem) else text for text in texts)
    if not address and not name:
        told = next(text for text in texts if isinstance(text, Problem))
        return told if row.address or row.name else Problem("row_without_address")
    digits = "".join(filter(str.isdigit, row.phone))
    return Entity(address, name, digits[-TAIL:] if len(digits) >= TAIL else "", row.point)


def _clean(text: str, longest: int, cleaned: dict[str, str | Problem]) -> str | Problem:
    if text not in cleaned:
        cleaned[text] = find_problem(text, "", longest) or _normal(text, longest)
    return cleaned[text]


def _normal(text: str, longest: int) -> str | Problem:
    """The normalized text; one character may become 18, so its length is looked at again."""
    normal = normalize(text).text
    if len(normal) > longest:
        return Problem("address_too_long", {"side": "", "length": len(normal), "limit": longest})
    return normal if any(map(str.isalnum, normal)) else Problem("address_unreadable", {"side": ""})
