"""Two readings laid side by side: for each element, how the two relate."""

from __future__ import annotations

from dataclasses import dataclass

from menpai.address import Address
from menpai.evidence.coordinates import metres, to_wgs84
from menpai.evidence.divisions import common_division
from menpai.evidence.names import relate_names, relate_rest
from menpai.evidence.numbers import relate_numbers
from menpai.evidence.relation import Relation
from menpai.verdict import Conflict

_NAMES = ("community", "road", "poi", "devzone")
_NUMBERS = ("roadno", "subpoi", "village_group", "building", "unit", "floor", "room")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Element → relation, and element → the two texts that were compared (empty where a side gives none)."""

    a: Address
    b: Address
    relations: dict[str, Relation]
    texts: dict[str, tuple[str, str]]
    division_level: str
    division_conflict: Conflict | None
    metres: float | None = None
    "Distance between the two, if both came with coordinates."

    @property
    def identical(self) -> bool:
        """Both normalize to the same text."""
        return self.a.text == self.b.text


def compare(a: Address, b: Address) -> Comparison:
    """The comparison of two readings; symmetric but for the order of the texts it quotes."""
    divisions = common_division(a, b)
    relations = dict(divisions.relations)
    texts = dict(divisions.texts)
    values_a, values_b = _values(a), _values(b)
    for kinds, relate in ((_NAMES, relate_names), (_NUMBERS, relate_numbers)):
        for kind in kinds:
            side_a, side_b = values_a.get(kind), values_b.get(kind)
            if side_a or side_b:
                relations[kind], *quoted = relate(side_a or [], side_b or [])
                texts[kind] = (quoted[0], quoted[1])
    if values_a.get("poi") and values_b.get("poi"):
        relations["rest"], *quoted = relate_rest(values_a["poi"], values_b["poi"])
        texts["rest"] = (quoted[0], quoted[1])
    return Comparison(a, b, relations, texts, divisions.level, divisions.conflict, _metres(a, b))


def _metres(a: Address, b: Address) -> float | None:
    points = [
        to_wgs84(place["lat"], place["lon"], place.get("crs", "wgs84"))
        for place in (a.place, b.place)
        if place and place.get("lat") is not None
    ]
    return metres(*points) if len(points) == 2 else None


def _values(address: Address) -> dict[str, list[str]]:
    """Kind → values, a crossing's roads counted as roads."""
    values: dict[str, list[str]] = {}
    for element in address.elements:
        values.setdefault("road" if element.kind == "intersection" else element.kind, []).append(
            element.value
        )
    return values
