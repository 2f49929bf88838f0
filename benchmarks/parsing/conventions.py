"""A reading of menpai in the fields and conventions of the libraries whose tests are in peer_tests.jsonl.

What each convention is was read off those tests: where the detail begins, how a municipality's city is called,
what counts as a building number. Nothing here looks at what a case expects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from libraries import Answer, of_address, of_code

from menpai.address import Address, Element

Fields = dict[str, Any]
MUNICIPALITIES = ("北京市", "上海市", "天津市", "重庆市")
_BETWEEN = re.compile(r"(?:省直辖县级行政区划|市辖区|[\s,，、;；。]+)+")
_SIGNS = re.compile(r"[\s\W_]+")
_TOWN_SUFFIXES = ("街道", "镇", "乡", "办事处", "街道办", "地区", "苏木")
_NUMBERS = frozenset(("building", "unit", "floor", "room", "roadno", "village_group"))
_TAIL = re.compile("(?:特别行政区|(?:维吾尔|壮族|回族)?自治区|[省市县区旗盟]|自治[州县]|地区|林区)$")


def code_of(address: Address) -> str:
    """The code of the first unit, to the county; "" if the text names none."""
    return address.divisions[0].code[:6] if address.divisions else ""


def jionlp(address: Address) -> Fields:
    """province, city, county, detail, town, full_location, orig_location."""
    unit = _first(address)
    city = unit.city or (unit.province if unit.province in MUNICIPALITIES else "")
    detail, county = rest(address, once=True), unit.county
    if unit.province == "台湾省" and city.endswith("县"):  # its districts are part of the detail there
        unit, city, county = Answer(unit.province, "", city), "", city
        detail = rest(address, once=True, unit=unit)
    zone = address.get("devzone") if unit.city and not county else None
    if zone and detail.startswith(zone.text):
        county, detail = zone.text, detail.removeprefix(zone.text)
    names = dict.fromkeys((unit.province, city, county))
    towns = [e for e in address.all("town") if e.source == "gazetteer" or e.value]
    return {
        "province": unit.province, "city": city, "county": county, "detail": detail,
        "full_location": "".join(names) + detail, "orig_location": address.raw,
        "town": towns[0].value if towns else "", "village": "",
    }  # fmt: skip


def cpca(address: Address) -> Fields:
    """province, city (市辖区 in a municipality), county, detail, adcode of six digits."""
    unit = _first(address)
    shadow = "市辖区" if address.raw.endswith("市辖区") and unit.city and not unit.county else ""
    code = code_of(address)[:4] + "01" if shadow else code_of(address).ljust(6, "0")
    inner = "市辖区" if unit.province in MUNICIPALITIES and unit.county else ""
    return {
        "province": unit.province, "city": unit.city or inner, "county": unit.county or shadow,
        "detail": rest(address, once=True).removeprefix(shadow), "adcode": code if unit.province else "",
    }  # fmt: skip


def address_parse(address: Address) -> Fields:
    """code, name of the receiver, details behind the county with repetitions folded."""
    return {"code": code_of(address), "name": receiver(address), "details": rest(address, once=False)}


def bitlap(address: Address, custom: bool) -> Fields:
    """Names of the divisions, road, its number, the building's number, and what else the text says."""
    unit = _first(address)
    province, city = unit.province, unit.city
    if province in MUNICIPALITIES:
        province, city = (province, "直辖区") if custom else (province.removesuffix("市"), province)
    old = next((f.written for f in address.former if f.level == "district" and _TAIL.search(f.written)), "")
    road, number = _road(address), None
    if road:
        number = next((e for e in address.all("roadno") if e.start - road[1] in (0, 1)), None)
    building = _building(address, number)
    taken = [part for part in (road, building, number and (number.start, number.end)) if part]
    return {
        "province": province, "city": city, "district": old or unit.county, "street": _town(address),
        "road": address.text[slice(*road)] if road else "", "roadNum": number.text if number else "",
        "buildingNum": address.text[slice(*building)] if building else "",
        "text": bag(_remaining(address, taken)),
    }  # fmt: skip


def bag(text: str) -> str:
    """The characters of a text in a fixed order: bitlap moves bracketed parts about."""
    return "".join(sorted(_SIGNS.sub("", text)))


def receiver(address: Address) -> str:
    """The name among what normalize cut off with the contacts."""
    kept = set(address.normalized.offsets)
    gone = "".join(" " if at in kept else char for at, char in enumerate(address.raw))
    words = [w for w in re.split(r"[\s\W\d]+", gone) if w and not _TAIL.search(w) and len(w) <= 6]
    words = [w for w in words if w not in address.text]
    return words[0] if words else ""


def rest(address: Address, once: bool, unit: Answer | None = None) -> str:
    """The raw text behind the names of province, city and county; `once` lets each be named but once."""
    names = [name for name in unit or _first(address) if name]
    forms = {name: _forms(name, address) for name in names}
    starts = (found for name in names for form in forms[name] if (found := address.raw.find(form)) >= 0)
    return address.raw[_behind(address.raw, min(starts, default=0), forms, once) :].strip()


def _behind(raw: str, at: int, forms: Mapping[str, Sequence[str]], once: bool) -> int:
    """The furthest that names and what may stand between them reach from `at`."""
    skipped = _BETWEEN.match(raw, at)
    here = skipped.end() if skipped else at
    ways = [at]
    for start in {here, here + 2 * raw.startswith("中国", here)}:
        for name, written in forms.items():
            others = {n: w for n, w in forms.items() if n != name} if once else forms
            ways += [_behind(raw, start + len(f), others, once) for f in written if raw.startswith(f, start)]
    return max(ways)


def _forms(name: str, address: Address) -> list[str]:
    """A division's name as it may be written here, longest first: full, short, or as the reading found it."""
    written = [
        address.raw[slice(*address.normalized.raw_span(e.start, e.end))]
        for e in address.elements
        if e.value == name
    ]
    former = [f.written for f in address.former if any(name in of_code(code) for code in f.codes)]
    short = _TAIL.sub("", name)
    forms = {name, *written, *former, *([short] if len(short) > 1 else [])}
    return sorted(forms, key=len, reverse=True)


def _first(address: Address) -> Answer:
    return next(iter(of_address(address)), Answer("", "", ""))


def _town(address: Address) -> str:
    """The town's name today; one written without its suffix is part of the road there (小东门, 泡崖街)."""
    written = address.get("town")
    if written is None or not written.text.endswith(_TOWN_SUFFIXES):
        return ""
    return next((d.name for d in address.divisions[:1] if len(d.code) == 9), written.value)


def _road(address: Address) -> tuple[int, int] | None:
    """The last of the roads before the number, with what stands between the divisions and it."""
    roads = address.all("road")
    if not roads:
        return None
    number = next((e for e in address.elements if e.kind == "roadno" and e.start >= roads[0].end), None)
    last = [r for r in roads if number is None or r.end <= number.start][-1]
    before = [e.end for e in address.elements if _is_division(e) and e.end <= last.start]
    start = max(before, default=0)
    return start + len(address.text[start:]) - len(address.text[start:].lstrip(" ,(")), last.end


def _is_division(element: Element) -> bool:
    named = element.kind in ("province", "city", "district", "town", "devzone")
    return named and not (element.kind == "town" and not element.text.endswith(_TOWN_SUFFIXES))


def _building(address: Address, number: Element | None) -> tuple[int, int] | None:
    """The last run of numbers that touch each other."""
    runs: list[list[Element]] = []
    for element in address.elements:
        if element.kind not in _NUMBERS or element == number:
            continue
        if runs and 0 <= element.start - runs[-1][-1].end <= 1:
            runs[-1].append(element)
        else:
            runs.append([element])
    return (runs[-1][0].start, runs[-1][-1].end) if runs else None


def _remaining(address: Address, taken: Sequence[tuple[int, int]]) -> str:
    """What the reading keeps below the divisions, in the characters of the raw text, without the taken spans."""
    read = [(e.start, e.end) for e in address.elements if not _is_division(e)]
    offsets = {
        address.normalized.offsets[at]
        for start, end in read
        for at in range(start, end)
        if not any(first <= at < last for first, last in taken)
    }
    return "".join(address.raw[at] for at in sorted(offsets))


CONVENTIONS: dict[str, Callable[[Address], Fields]] = {
    "JioNLP test_location_parser": jionlp,
    "cpca test_cpca": cpca,
    "npm address-parse test.js": address_parse,
    "bitlap/geocoding TestNormalizing": lambda a: bitlap(a, custom=False),
    "bitlap/geocoding TestNormalizingCustom": lambda a: bitlap(a, custom=True),
}
