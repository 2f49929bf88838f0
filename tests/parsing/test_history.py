from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.address import Address, Former
from menpai.errors import UsageError
from menpai.parsing import parse
from menpai.parsing.dated import gazetteer_as_of, gazetteer_of, year_of
from menpai.parsing.gazetteer import default, history
from menpai.parsing.history import TODAY, History, Spell, read_spell
from menpai.text import normalize

KNOWN = history()
SPELLS = [spell for spell in KNOWN if spell.code]
KINDS = {"", "recoded", "moved", "renamed", "upgraded", "merged", "split"}


def read(text: str, as_of: int | None = None) -> Address:
    return parse(normalize(text), gazetteer_as_of(as_of))


@given(st.sampled_from(SPELLS))
def test_every_unit_since_1980_is_a_unit_of_today_or_became_one(spell: Spell) -> None:
    codes = KNOWN.forward(spell)
    assert codes
    assert all(code in default() for code in codes)
    assert spell.kind in KINDS
    assert bool(spell.until) == bool(spell.kind)


@given(st.sampled_from(SPELLS), st.integers(1980, TODAY))
def test_forward_to_a_year_gives_units_of_that_year(spell: Spell, year: int) -> None:
    for code in KNOWN.forward(spell, year):
        assert KNOWN.at(code, year) is not None


@given(st.sampled_from(SPELLS))
def test_a_code_means_one_unit_at_a_time(spell: Spell) -> None:
    last = (spell.until or TODAY + 1) - 1
    assert KNOWN.at(spell.code, last) == spell
    assert read_spell(spell.line()) == spell


def test_the_list_of_today_is_the_gazetteer() -> None:
    assert set(KNOWN.units(TODAY)) == set(default())


@pytest.mark.parametrize(
    ("text", "code", "former"),
    [
        ("北京市崇文区永定门外大街1号", "110101", ("崇文区", "merged", "2010")),
        ("上海市闸北区共和新路1号", "310106", ("闸北区", "merged", "2015")),
        ("上海闸北共和新路1号", "310106", ("闸北", "merged", "2015")),
        ("湖北省襄樊市檀溪路1号", "4206", ("襄樊市", "renamed", "2010")),
        ("山东省莱芜市莱城区文化路1号", "370116", ("莱城区", "merged", "2018")),
        ("广西柳州地区忻城县", "451321", ("柳州地区", "renamed", "2002")),
        ("安徽省巢湖地区无为县", "340281", ("无为县", "upgraded", "2019")),
        ("江苏省扬州市泰兴市", "321283", ("泰兴市", "moved", "1996")),
        ("安徽省阜阳市蒙城县", "341622", ("蒙城县", "moved", "2000")),
        ("四川省万县市五桥区", "500101", ("五桥区", "merged", "1997")),
        ("四川省涪陵地区丰都县", "500230", ("涪陵地区", "upgraded", "1995")),
        ("台湾省台中县和平乡", "710417", ("台中县", "merged", "2010")),
        ("浙江省余杭市星桥路1号", "330110", ("余杭市", "upgraded", "2001")),
    ],
)  # fmt: skip
def test_a_former_name_is_read_as_the_unit_of_today_and_said_so(
    text: str, code: str, former: tuple[str, str, str]
) -> None:
    address = read(text)
    assert [d.code for d in address.divisions] == [code]
    assert former in [(f.written, f.kind, f.date) for f in address.former]
    assert address.conflicts == ()


def test_a_unit_can_live_on_in_several() -> None:
    address = read("杭州市江干区庆春东路1号")
    assert [d.code for d in address.divisions] == ["330102", "330114"]
    assert address.former == (Former("江干区", "district", ("330102", "330114"), "split", "2021"),)
    assert {d.code for d in read("山西省大同市南郊区").divisions} == {"140214", "140213"}


@pytest.mark.parametrize(
    ("year", "text", "code"),
    [
        (1995, "四川省重庆市渝中区人民路8号", "510202"), (1995, "北京市崇文区天坛路1号", "110103"),
        (1995, "广西柳州地区忻城县", "452231"), (1983, "四川省重庆市市中区", "510202"), (2005, "湖北省襄樊市襄城区", "420602"),
        (2005, "重庆市渝中区", "500103"), (2005, "安徽省巢湖市无为县", "341422"), (1985, "浙江省余杭县", "330125"),
    ],
)  # fmt: skip
def test_as_of_reads_with_the_names_and_codes_of_the_year(year: int, text: str, code: str) -> None:
    address = read(text, year)
    assert [d.code for d in address.divisions] == [code]
    assert address.former == ()


def test_as_of_knows_what_was_a_former_name_then() -> None:
    address = read("浙江省余杭县临平路1号", 2005)
    assert [d.code for d in address.divisions] == ["330110"]
    assert [(f.kind, f.date) for f in address.former] == [("upgraded", "1994")]


def test_as_of_does_not_know_what_came_later() -> None:
    assert read("重庆市两江新区", 2020).divisions[0].code == "50"
    assert [d.code for d in read("浙江省杭州市钱塘区", 2015).divisions] == ["3301"]


def test_towns_stay_where_the_county_keeps_its_code() -> None:
    then = gazetteer_of(2005)
    assert then.towns("110105") == default().towns("110105")
    assert then.towns("110103") == {}
    assert [d.code for d in read("北京市朝阳区望京街道", 2005).divisions] == ["110105026"]


def test_dates_are_taken_in_every_usual_form() -> None:
    assert year_of("2005") == year_of(2005) == year_of("2005-06-30") == year_of(date(2005, 6, 30)) == 2005
    assert gazetteer_of(2099) is default()


@pytest.mark.parametrize("value", ["1979", "20", "2005-13-01", "", "gestern", 0, 1979, -3])
def test_what_is_no_date_since_1980_is_refused(value: str | int) -> None:
    with pytest.raises(UsageError, match="as_of"):
        year_of(value)


def test_a_county_that_left_its_city() -> None:
    assert default().was_under("321283", "3210") is not None
    assert default().was_under("321283", "3212") is None
    assert default().was_under("110105", "31") is None
    assert default().change("朝阳区", ("110105",)) is None


def test_links_are_followed_over_reused_codes() -> None:
    spells = [
        Spell("110001", "甲县", 1980, 1990, ("110002",), "recoded", "x"),
        Spell("110002", "丙县", 1980, 1990, ("110001",), "recoded", "x"),
        Spell("110001", "丙县", 1990, 0, (), "", ""),
        Spell("110002", "甲县", 1990, 0, (), "", ""),
    ]
    known = History(spells)
    assert known.forward(spells[0]) == ("110002",)
    assert known.forward(spells[1]) == ("110001",)
    assert known.forward(spells[2], 1985) == ()
    assert [s.code for s in known.ending_in("110002")] == ["110001"]


COUNTIES = [spell for spell in SPELLS if spell.until and len(spell.code) == 6]


@given(st.sampled_from(COUNTIES))
def test_the_path_of_a_county_of_the_past_leads_to_what_became_of_it(spell: Spell) -> None:
    parents = [KNOWN.at(spell.code[:size], spell.until - 1) for size in (2, 4)]
    address = read("".join(parent.name for parent in parents if parent) + spell.name + "建设路1号")
    wanted, found = set(KNOWN.forward(spell)), {d.code for d in address.divisions}
    related = [code for code in found if any(code.startswith(w) or w.startswith(code) for w in wanted)]
    # Almost all: a few paths of the early 1980s are read as another unit of the same names.
    if spell.until >= 1985:
        assert related


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("安徽省巢湖市和县", "340523"), ("山东省烟台市威海市", "371002"), ("河南省安阳市浚县", "410621"),
        ("浙江省绍兴市绍兴县", "330603"), ("四川省内江市资阳市", "512002"), ("江苏省淮阴市宿迁市", "321302,321311"),
    ],
)  # fmt: skip
def test_a_path_that_was_valid_once_is_no_contradiction(text: str, code: str) -> None:
    address = read(text)
    assert ",".join(sorted(d.code for d in address.divisions)) == code
    assert address.conflicts == ()
