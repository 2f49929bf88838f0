"""One feature for each element and relation: road_equal, roadno_differs, unit_missing, …"""

from __future__ import annotations

from menpai.evidence.feature import Feature, Relations, relation_feature
from menpai.evidence.relation import Relation

# element: Chinese name, English name
_ELEMENTS = {
    "province": ("省级区划", "province"),
    "city": ("城市", "city"),
    "district": ("区县", "district"),
    "town": ("乡镇街道", "town"),
    "community": ("社区", "community"),
    "devzone": ("功能区", "development zone"),
    "road": ("道路", "road"),
    "roadno": ("门牌号", "house number"),
    "poi": ("地名", "named place"),
    "rest": ("其余地名", "further named place"),
    "subpoi": ("分期或分区", "phase or part"),
    "village_group": ("村民小组", "village group"),
    "building": ("楼栋", "building"),
    "unit": ("单元", "unit"),
    "floor": ("楼层", "floor"),
    "room": ("房号", "room"),
}
# relation: sign, description, Chinese text, English text
_RELATIONS = {
    Relation.EQUAL: (+1, "Both give the same {en}.", "{zh}相同：{{a}}", "same {en}: {{a}}"),
    Relation.CONTAINS: (
        0, "Both give a {en}, and one contains the other.", "{zh}一方包含另一方：{{a}} / {{b}}",
        "one {en} contains the other: {{a}} / {{b}}",
    ),
    Relation.SIMILAR: (
        0, "Both give a {en}, and the two are alike.", "{zh}相近：{{a}} / {{b}}", "{en} alike: {{a}} / {{b}}",
    ),
    Relation.DIFFERS: (-1, "Both give a {en}, and they contradict.", "{zh}不同：{{a}} ≠ {{b}}", "other {en}: {{a}} ≠ {{b}}"),
    Relation.MISSING: (0, "Only one side gives a {en}.", "只有一方写了{zh}：{{one}}", "only one side gives a {en}: {{one}}"),
}  # fmt: skip
_NAMED = ("community", "devzone", "road", "poi", "rest")


def _make(element: str, relation: Relation) -> Feature:
    zh, en = _ELEMENTS[element]
    sign, description, text_zh, text_en = _RELATIONS[relation]

    def relates(r: Relations) -> float:
        return 1.0 if r.get(element) == relation else 0.0

    relates.__name__ = f"{element}_{relation.name.lower()}"
    relates.__doc__ = description.format(en=en)
    return relation_feature(element, sign, text_zh.format(zh=zh), text_en.format(en=en))(relates)


def _occurs(element: str, relation: Relation) -> bool:
    if element == "rest":
        return relation in (Relation.SIMILAR, Relation.DIFFERS, Relation.MISSING)
    if element in ("province", "city", "district"):  # one that is left out says nothing
        return relation in (Relation.EQUAL, Relation.DIFFERS)
    if element == "town":
        return relation in (Relation.EQUAL, Relation.DIFFERS, Relation.MISSING)
    return relation != Relation.SIMILAR or element in _NAMED


_KNOWN = tuple((e, r) for e in _ELEMENTS for r in _RELATIONS if _occurs(e, r))
ELEMENT_FEATURES = tuple(_make(*known) for known in _KNOWN)
# Where the feature of an element and a relation stands among them.
ELEMENT_COLUMN = {known: at for at, known in enumerate(_KNOWN)}
