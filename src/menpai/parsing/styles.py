"""Ways to write a reading out: fields, columns after GB/T 23705, one standard line, a 12-digit code.

A style invents nothing: divisions are filled upwards from the unit that was read, where all candidates agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from menpai.address import DIVISION_LEVELS, Address, Element
from menpai.parsing.gazetteer import Gazetteer, default
from menpai.parsing.villages import code_of_village

# How the city of a municipality and of a county straight under its province is written:
# repeat 北京市 / 济源市, shadow 市辖区 / 省直辖县级行政区划 (as in the statistical codes), empty "".
CONVENTIONS = ("repeat", "shadow", "empty")
FIELDS: dict[str, tuple[str, ...]] = {
    "省": ("province",), "市": ("city",), "区": ("district",), "街道": ("town",), "社区": ("community", "village_group"),
    "路": ("road", "intersection"), "号": ("roadno",), "小区": ("poi", "subpoi"), "楼栋": ("building",),
    "单元": ("unit",), "层": ("floor",), "室": ("room",), "开发区": ("devzone",), "方位": ("assist", "distance"),
}  # fmt: skip
# The element names of GB/T 23705-2009 as far as public summaries give them: division names, then street, lane
# and estate as what narrows the area, then door, building, landmark and point of interest as the place in it; two
# columns of our own for what it has no name for, a functional zone and a place beside the place.
GBT = (
    "省级", "地级", "县级", "乡级", "村级", "街路", "巷弄", "小区", "门址", "楼址", "单元", "楼层", "户室", "标志物", "兴趣点",
    "开发区", "方位",
)  # fmt: skip
PATH = ("province", "city", "district", "town", "community")
_MUNICIPAL = frozenset(("11", "12", "31", "50"))
_LENGTHS = (2, 4, 6, 9, 12)
_UNIT_WORDS = {"building": "号楼", "unit": "单元", "floor": "层", "room": "室"}
_WRITTEN = re.compile("号楼|栋|幢|座|号|单元|门|层|室|户|房|铺")
_PLAIN = re.compile(r"[A-Z]{0,2}\d+(?:[-,][A-Z]{0,2}\d+)*[A-Z]?")
_BASEMENT = re.compile(r"B(\d+)|b(\d+)|-(\d+)")
_LANE = re.compile("[弄巷]$")
ESTATE = re.compile(
    r"(?:小区|花园|家园|新村|公寓|山庄|[苑园庭居府邸墅城里坊])(?:[\d一二三四五六七八九十东南西北A-Z]+[区期])?$"
)
_VILLAGE = re.compile(r"(?<![新一二三四五六七八九十])[村庄屯寨]$|村委会$")
_JOINS = frozenset("与和及跟")
_BESIDE = ("assist", "distance")


def path(address: Address, convention: str = "repeat", gazetteer: Gazetteer | None = None) -> dict[str, str]:
    """Level → official name, province to village, where all units that the text can mean have the same; else ""."""
    units = gazetteer or default()
    names = [_names(code, convention, units) for code in _codes(address)]
    shared = {level: {each[level] for each in names} for level in PATH}
    return {level: found.pop() if len(found) == 1 else "" for level, found in shared.items()}


def _names(code: str, convention: str, units: Gazetteer) -> dict[str, str]:
    """Level → name on the way to one unit; a county without a city gets one by the convention."""
    names = {
        level: units.division(code[:size]).name if len(code) >= size and code[:size] in units else ""
        for level, size in zip(PATH, _LENGTHS, strict=True)
    }
    if len(code) >= 6 and not names["city"]:
        names["city"] = _city(code, names, convention)
    elif code in _MUNICIPAL and convention == "repeat":
        names["city"] = names["province"]
    return names


def _city(code: str, names: dict[str, str], convention: str) -> str:
    """What stands for the city above a county that has none."""
    municipal = code[:2] in _MUNICIPAL
    if convention == "repeat":
        return names["province" if municipal or code[:2] in ("81", "82") else "district"]
    if convention == "empty" or code[:2] in ("71", "81", "82"):
        return ""
    if municipal:
        return "县" if code[2:4] == "02" or code[4] == "2" else "市辖区"
    return f"{'自治区' if names['province'].endswith('自治区') else '省'}直辖县级行政区划"


def _codes(address: Address) -> list[str]:
    """The codes of the units that the text can mean; of a zone in one of them that lies in one unit alone, that unit's."""
    codes = [division.code for division in address.divisions]
    zoned = {code for zone in address.zones for code in zone.codes}
    inside = len(codes) == len(zoned) == 1 and all(code.startswith(codes[0]) for code in zoned)
    return list(zoned) if inside else codes


def code_of(address: Address) -> str:
    """The code of the deepest unit that holds all candidates: 2, 4, 6, 9 or 12 digits, "" if there is none."""
    codes = _codes(address)
    shared = (size for size in reversed(_LENGTHS) if len({code[:size].ljust(size) for code in codes}) == 1)
    return codes[0][: next(shared, 0)].strip() if codes else ""


def code12(address: Address) -> str:
    """The same as 12 digits, 0 for the levels that are open: that of the village if the town has it listed."""
    code = code_of_village(address) or code_of(address)
    return code.ljust(12, "0") if code else ""


def fields(
    address: Address, convention: str = "repeat", gazetteer: Gazetteer | None = None
) -> dict[str, str]:
    """The fields 省 to 室; what a kind says twice stands together, in the order of the text."""
    names = path(address, convention, gazetteer)
    found = {name: _joined(address, [e for e in address.elements if field_of(e) == name]) for name in FIELDS}
    return found | {
        name: names[kind] or (found[name] if kind == "town" else "")
        for name, kind in (("省", "province"), ("市", "city"), ("区", "district"), ("街道", "town"))
    }


def gbt(address: Address, convention: str = "repeat", gazetteer: Gazetteer | None = None) -> dict[str, str]:
    """The columns of GBT."""
    plain = fields(address, convention, gazetteer)
    out = dict.fromkeys(GBT, "")
    for name, field in zip(GBT[:5], ("省", "市", "区", "街道", "社区"), strict=True):
        out[name] = plain[field]
    out |= {
        "街路": plain["路"],
        "单元": plain["单元"],
        "楼层": plain["层"],
        "户室": plain["室"],
        "楼址": plain["楼栋"],
        "开发区": plain["开发区"],
        "方位": plain["方位"],
    }
    numbers = address.all("roadno")
    out["巷弄"] = "".join(standard(e) for e in numbers if _LANE.search(e.text))
    out["门址"] = "".join(standard(e) for e in numbers if not _LANE.search(e.text))
    for place, after in _places(address.elements):
        column = "标志物" if after in _BESIDE else "小区" if ESTATE.search(place[0].text) else "兴趣点"
        out[column] += "".join(map(standard, place))
    return out


def _places(elements: Sequence[Element]) -> Iterator[tuple[list[Element], str]]:
    """Each named place with its parts, and the kind of what follows."""
    place: list[Element] = []
    for element in elements:
        if place and element.kind != "subpoi":
            yield place, element.kind
            place = []
        if field_of(element) == "小区":
            place.append(element)
    if place:
        yield place, ""


def line(address: Address, convention: str = "empty", gazetteer: Gazetteer | None = None) -> str:
    """One standard line: full official names of the divisions, then the elements in the order of the text; a zone
    before the town stays there."""
    names = path(address, convention, gazetteer)
    town, start = fields(address, convention, gazetteer)["街道"], _start(address, "town")
    zones = [e for e in address.elements if e.kind == "devzone" and e.start < start]
    rest = [e for e in address.elements if e.kind not in DIVISION_LEVELS and e not in zones]
    head = dict.fromkeys((names["province"], names["city"], names["district"], _joined(address, zones), town))
    return "".join(head) + _joined(address, rest)


def _start(address: Address, kind: str) -> int:
    """Where the first element of a kind stands; behind the text if there is none."""
    first = address.get(kind)
    return first.start if first else len(address.text)


def standard(element: Element) -> str:
    """An element in its usual form: 3号楼 for 3# and 三号楼, 5层 for 5F and 五楼, 地下1层 for B1, 502室 for 502."""
    kind, text, value = element.kind, element.text, element.value
    if kind not in _UNIT_WORDS or not _PLAIN.fullmatch(value.upper().replace("-", "", value.startswith("-"))):
        return text.strip()
    if kind == "floor":
        below = _BASEMENT.fullmatch(value)
        return f"地下{next(filter(None, below.groups()))}层" if below else f"{value.upper()}层"
    written = _WRITTEN.search(text)
    word = written[0] if written else _UNIT_WORDS[kind]
    return f"{value.upper()}{word}"


def field_of(element: Element) -> str:
    """The field of an element, "" if it has none; a village that is read as a place stands with the villages."""
    if element.kind == "poi" and _VILLAGE.search(element.text):
        return "社区"
    return next((name for name, kinds in FIELDS.items() if element.kind in kinds), "")


def _joined(address: Address, elements: Sequence[Element]) -> str:
    """The standard texts in a row, each once; 与 between two roads that the text joins."""
    out: dict[str, None] = {}
    for at, element in enumerate(elements):
        before = elements[at - 1] if at else element
        between = address.text[before.end : element.start].strip()
        out[
            ("与" if before.kind == element.kind == "road" and between in _JOINS else "") + standard(element)
        ] = None
    return "".join(out)
