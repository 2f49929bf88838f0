"""Read the public sources and take each place apart, so that pairs can be put together from real names."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HAN = r"[\u4e00-\u9fff]"
_CATCH_ALL = re.compile(
    r"其他|其余|其它|以外|除外|除[^尘]|合围|以[东南西北]|至.*至|不含|全域|区域|风险|病例|行政区划"
)
_OTHER_FORMS = ("台湾", "香港", "澳门", "国外")  # addresses are written in another way there
_MUNICIPALITY_SHIFT = re.compile(r"^(?:北京|天津|上海|重庆)市$")
_NOTE = re.compile(r"[（(【][^（）()【】]*[）)】]")
_TOWN = re.compile(
    rf"^({HAN}{{2,8}}?(?:街道办事处|街道办|街道|地区办事处|办事处|镇|乡|苏木))(?![东西南北大中]?[街路])"
)
_COMMUNITY = re.compile(rf"^({HAN}{{2,8}}?(?:社区|居委会|行政村))(?=.)")
_ROAD = re.compile(
    rf"^({HAN}{{1,7}}?(?:[东西南北中]?大街|大道|公路|胡同|路|街|巷|弄)(?:[东西南北中一二三四五六七八九]段)?)"
    r"(?:(\d+(?:-\d+)?(?:号院|号|弄))(\d+号)?)?"
)
_VILLAGE = re.compile(rf"^({HAN}{{2,6}}村)(?:(\d+|[一二三四五六七八九十]+)(组|社|队|屯))?$")
_ESTATE = re.compile(
    rf"^({HAN}[\u4e00-\u9fff·]{{1,11}}?)(?:小区)?([A-Z一二三四五六七八九东西南北]区|[一二三四五六七八九\d]期)?"
    r"(?:第?[A-Z]?\d+(?:号楼|栋|幢|#楼?|座)|[A-Z]座|$)"
)
_WORDY = re.compile(r"周边|附近|以及|所有|居住|两侧|临街|等|户|楼上|共计|工地|排|底商|及|号|单元|层")
_WIDE = str.maketrans(
    {chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F) if chr(c) not in "（），；：？！"}
)


@dataclass(frozen=True, slots=True)
class County:
    """A county-level division with the names above it; `same` is the city when it repeats the province."""

    province: str
    city: str
    name: str
    towns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """One place of the sources, taken apart; absent elements are empty."""

    county: int
    town: str = ""
    community: str = ""
    road: str = ""
    number: str = ""
    name: str = ""


@dataclass(slots=True)
class Corpus:
    """Pools of real names: divisions, estates, villages, numbered roads, and the raw strings."""

    counties: list[County] = field(default_factory=list)
    short: dict[str, str] = field(default_factory=dict)
    estates: list[Found] = field(default_factory=list)
    villages: list[Found] = field(default_factory=list)
    roads: list[Found] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    by_county: dict[int, dict[str, list[Found]]] = field(default_factory=dict)

    def near(self, kind: str, county: int) -> list[Found]:
        """Places of a kind ("estates", "villages", "roads") in one county."""
        return self.by_county.get(county, {}).get(kind, [])


def gather(data: Path) -> Corpus:
    """Everything the generator draws from, in a fixed order; reads only sources open to the built-in pack."""
    corpus = Corpus()
    index = _divisions(corpus, data / "admin" / "areacity_level4.csv")
    seen: set[tuple[str, Found]] = set()
    for province, city, county, place in read_rows(data):
        where = index.get((city, county), index.get(("", county), -1))
        if where < 0:
            continue
        above = "" if city == province else city
        corpus.strings.append(f"{province}{above}{county}{place}")
        kind, found = take_apart(where, place)
        if kind and (kind, found) not in seen:
            seen.add((kind, found))
            getattr(corpus, kind).append(found)
            corpus.by_county.setdefault(where, {}).setdefault(kind, []).append(found)
    _geonames(corpus, data / "admin" / "geonames_cn_places.csv")
    return corpus


def take_apart(county: int, place: str) -> tuple[str, Found]:
    """Which pool a place belongs to ("" for none), and its elements."""
    town, rest = _cut(_TOWN, place)
    community, rest = _cut(_COMMUNITY, rest)
    if village := _VILLAGE.match(rest):
        return "villages", Found(county, town, name=village[1])
    road, number = "", ""
    if (street := _ROAD.match(rest)) and not rest[street.end() :].startswith(
        ("社区", "小区", "村", "家", "花园")
    ):
        road, number, rest = street[1], (street[2] or "") + (street[3] or ""), rest[street.end() :]
    estate = _ESTATE.match(rest)
    if estate and len(estate[1]) > 1 and not _WORDY.search(estate[1]):
        name = estate[0].rstrip() if estate.end() == len(rest) and not estate[2] else estate[1]
        name = re.sub(r"(?:第?[A-Z]?\d+(?:号楼|栋|幢|#楼?|座)|[A-Z]座)$", "", name)
        return "estates", Found(county, town, community, road, number, name)
    if road and number:
        return "roads", Found(county, town, community, road, number)
    return "", Found(county)


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """The leading element and what follows it."""
    found = pattern.match(text)
    return (found[1], text[found.end() :]) if found and found.end() < len(text) else ("", text)


def _divisions(corpus: Corpus, path: Path) -> dict[tuple[str, str], int]:
    """Fill counties and short names from the four-level list; answers (city, county) → position."""
    names: dict[str, tuple[str, str, str]] = {}
    towns: dict[str, list[str]] = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            names[row["id"]] = (row["pid"], row["ext_name"], row["deep"])
            if row["name"] != row["ext_name"] and len(row["name"]) > 1:
                corpus.short.setdefault(row["ext_name"], row["name"])
            if row["deep"] == "3":
                towns.setdefault(row["pid"], []).append(row["ext_name"])
    index: dict[tuple[str, str], int] = {}
    for key, (parent, name, deep) in names.items():
        if deep != "2" or name.endswith("辖区"):
            continue
        above, city, _ = names[parent]
        if names[above][1][:2] in _OTHER_FORMS:
            continue
        if city.startswith(("重庆", "省直辖", "自治区直辖")) or "直辖" in city:
            city = names[above][1] if "重庆" in city else ""
        index.setdefault((city, name), len(corpus.counties))
        index.setdefault(("", name), len(corpus.counties))
        corpus.counties.append(County(names[above][1], city, name, tuple(towns.get(key, ()))))
    return index


def read_rows(data: Path) -> Iterator[tuple[str, str, str, str]]:
    """Cleaned (province, city, county, place) rows of both address files."""
    with gzip.open(data / "addresses" / "national_places.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if len(row) == 4 and row[0] != "province":
                yield from clean(*row)
    with (data / "addresses" / "shanghai_geo.tsv").open(encoding="utf-8") as file:
        for line in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield from clean("上海市", "上海市", line["district"], line["town"] + line["address"])


def clean(province: str, city: str, county: str, place: str) -> Iterator[tuple[str, str, str, str]]:
    """One usable row or none: levels shifted back, notes and repeated prefixes gone, no catch-alls."""
    if _MUNICIPALITY_SHIFT.match(province) and city != province:
        city, county, place = province, city, county + place
    place = _NOTE.sub("", place.translate(_WIDE)).replace(" ", "").rstrip("。；;，、")
    for prefix in (province, city, county, county):
        place = place.removeprefix(prefix)
    if 2 < len(place) <= 32 and not _CATCH_ALL.search(place) and not re.search(r"[、，；：。—]", place):
        yield province, city, county, place


def _geonames(corpus: Corpus, path: Path) -> None:
    """Add the Chinese names of places as raw strings."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            corpus.strings.extend(n for n in row["zh_names"].split("|") if len(n) > 2)
