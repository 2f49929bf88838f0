"""Official names one slip away from what is written: the index of the names below a division."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from menpai.parsing import zones
from menpai.parsing.gazetteer import Codes, Gazetteer
from menpai.parsing.guards import stem
from menpai.parsing.similar import slip
from menpai.parsing.written import SUFFIX, kind_of, short_forms

_DROPPED = 0.4
EXTRA = 0.4
_DOUBLED = 0.2
_SWAPPED = 0.35
# What a short name adds: the fewer characters agree, the less is sure.
_ONE_LEFT = {0: 0.35, 1: 0.05}
_LONG_ROAD = 3
_ROADS = (
    "井冈山 长白山 峨眉山 太行山 五台山 武夷山 武当山 大别山 九华山 昆仑山 松花江 鸭绿江 牡丹江 嘉陵江 钱塘江 富春江 "
    "洞庭湖 鄱阳湖 玄武湖 昆明湖 天安门 建国门 复兴门 阜成门 西直门 东直门 宣武门 崇文门 安定门 德胜门 "
    "广渠门 永定门 右安门 左安门 中山门 "
    "火车站 汽车站 体育馆 体育场 博物馆 图书馆 科技园 大学城 新世纪 红旗渠"
).split()


class Near(NamedTuple):
    """A name that may have been meant: its official form, codes, the kind of slip, and the cost."""

    name: str
    codes: Codes
    kind: str
    cost: float


class Names:
    """Names by what is left of them without one character."""

    def __init__(self, named: dict[str, tuple[str, Codes]], short: Collection[str] = ()) -> None:
        """`named`: written form → official name and codes; `short` are the forms without suffix (潍坊)."""
        self.named = named
        self._short = frozenset(short)
        self._left: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for form in named:
            for at in range(len(form)):
                self._left[form[:at] + form[at + 1 :]].append((at, form))

    def near(self, written: str) -> Iterator[Near]:
        """Names that differ from what is written by one slip; the end of a name is never in doubt."""
        yield from self.substituted(written)
        yield from self._dropped(written)
        for at in range(1, len(written)):
            shorter = written[:at] + written[at + 1 :]
            if shorter in self.named:
                yield self._near(shorter, "extra", _DOUBLED if written[at - 1] == written[at] else EXTRA)
            swapped = written[: at - 1] + written[at] + written[at - 1] + written[at + 1 :]
            if swapped in self.named and swapped != written:
                yield self._near(swapped, "swapped", _SWAPPED)

    def substituted(self, written: str) -> Iterator[Near]:
        """Names that differ in one character."""
        for at in range(len(written)):
            for where, form in self._left.get(written[:at] + written[at + 1 :], ()):
                if where == at and form[at] != written[at] and (at < len(form) - 1 or form in self._short):
                    found = slip(written[at], form[at])
                    if found is not None:
                        yield self._near(form, *found)

    def _dropped(self, written: str) -> Iterator[Near]:
        for where, form in self._left.get(written, ()):
            if where < self._stem(form):
                yield self._near(form, "dropped", _DROPPED)

    def _near(self, form: str, kind: str, cost: float) -> Near:
        official, codes = self.named[form]
        sure = self._stem(form) - (kind in ("homophone", "shape", "dropped"))
        if kind == "dropped" or cost == EXTRA:
            sure -= 1
        return Near(official, codes, kind, round(cost + (0 if sure > 1 else _ONE_LEFT.get(sure, 1.0)), 2))

    def _stem(self, form: str) -> int:
        """Characters before the suffix; 新区 and 自治区 are names themselves."""
        if form in self._short:
            return len(form)
        return len(form) - 1 if form.endswith("新区") or "自治" in form else len(SUFFIX.sub("", form))


@lru_cache(maxsize=512)
def units_below(gazetteer: Gazetteer, code: str) -> Names:
    """The full names of the cities and districts below a unit; of nothing (""), of provinces too."""
    named: dict[str, tuple[str, Codes]] = {}
    for unit in gazetteer.units_below(code):
        _add(named, name := gazetteer.division(unit).name, name, unit)
    return Names(named)


@lru_cache(maxsize=512)
def zones_near(code: str) -> Names:
    """The names of the zones in and around a division."""
    return Names({name: (name, codes) for name, codes in zones.names_at(code) if name.endswith("区")})


@lru_cache(maxsize=512)
def towns_below(gazetteer: Gazetteer, code: str) -> Names:
    """The stems of the towns of a city or district: 五常 for 五常街道."""
    named: dict[str, tuple[str, Codes]] = {}
    for unit in (code, *gazetteer.units_below(code)) if len(code) == 4 else (code,):
        for town, town_code in gazetteer.towns(unit).items():
            _add(named, stem(town), town, town_code)
    return Names(named, named)


@lru_cache(maxsize=512)
def names_of(gazetteer: Gazetteer, code: str) -> Names:
    """The names of one division, without its suffix too."""
    name = gazetteer.division(code).name
    short = [form for form in short_forms(code, name) if kind_of(form) == "S"]
    return Names({form: (form, (code,)) for form in (name, *short_forms(code, name))}, short)


@lru_cache(maxsize=8)
def known_roads(gazetteer: Gazetteer) -> Names:
    """What roads of three characters and more are often named after: provinces, cities, and _ROADS."""
    cities = (
        form
        for code in gazetteer
        if len(code) <= 4
        for form in short_forms(code, gazetteer.division(code).name)
    )
    names: dict[str, tuple[str, Codes]] = {
        name: (name, ()) for name in (*cities, *_ROADS) if len(name) >= _LONG_ROAD
    }
    return Names(names, names)


def _add(named: dict[str, tuple[str, Codes]], form: str, name: str, code: str) -> None:
    known = named.get(form)
    named[form] = (name, (*known[1], code)) if known and known[0] == name else (name, (code,))
