from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.parsing import parse, zones
from menpai.parsing.gazetteer import default
from menpai.text import normalize

ALL = zones._zones()


@given(st.sampled_from(ALL))
def test_a_zone_lies_in_divisions_of_today_and_is_found_by_its_name(zone: zones.Zone) -> None:
    assert zone.codes
    assert all(code in default() for code in (*zone.parents, *zone.districts))
    assert zone in zones.find(zone.name)
    assert zone in zones.find(zone.name + "管委会", zone.parents)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("西安高新区锦业路69号", ["西安高新技术产业开发区"]), ("吉林省长春市经开区临河街道", ["长春经济技术开发区"]),
        ("昆山开发区前进东路88号", ["昆山经济技术开发区"]), ("贵州省贵安新区", ["贵安新区"]),
        ("江西省九江市八里湖新区", ["八里湖新区"]), ("河北省雄安新区容城县", ["雄安新区"]),
        ("杭州大江东产业集聚区临江高新区纬五路3688号", ["大江东产业集聚区", "临江高新技术产业开发区"]),
        ("江苏省靖江市江阴经济开发区靖江园区五星村", ["江阴经济开发区靖江园区"]), ("苏州工业园区星湖街1号", ["苏州工业园区"]),
        ("成都市武侯区高新区天府大道530号", ["成都高新技术产业开发区"]), ("黑龙江省大兴安岭地区加格达奇区", ["加格达奇区"]),
        ("新疆生产建设兵团第八师一四七团", ["第8师", "第8师147团"]), ("可克达拉市兵团六十六团", ["第4师66团"]),
        ("上海市浦东新区张江镇", []), ("光谷大道77号", []), ("北京市朝阳区建国路8号", []),
    ],
)  # fmt: skip
def test_the_zones_of_an_address(text: str, names: list[str]) -> None:
    assert [zone.name for zone in parse(normalize(text)).zones] == names


def test_a_zone_spans_districts_and_a_district_has_zones() -> None:
    (zone,) = zones.find("雄安新区")
    assert zone.districts == ("130638", "130629", "130632")
    in_yuhang = [z.name for z in ALL if "330114" in z.districts]
    assert {"大江东产业集聚区", "杭州经济技术开发区"} <= set(in_yuhang)


def test_a_zone_by_its_kind_alone_needs_its_city() -> None:
    assert zones.find("高新区") == ()
    assert [z.parents for z in zones.find("高新区", ("6101",))] == [("6101",)]
    assert [z.name for z in zones.find("经开区", ("110115",))] == ["北京经济技术开发区"]
    assert zones.find("经开区", ("110105",)) == ()


def test_namesakes_are_told_apart_by_the_city() -> None:
    assert len(zones.find("空港经济区")) == 2
    assert [z.parents for z in zones.find("空港经济区", ("5301",))] == [("5301",)]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("第八师", "659001"), ("农八师", "659001"), ("8师", "659001"), ("兵团第十四师", "659009"), ("一四七团", "659001"),
        ("147团", "659001"), ("第八师一四七团", "659001"), ("芳草湖农场", "659004"), ("第一师16团", "659002"),
    ],
)  # fmt: skip
def test_the_corps(written: str, code: str) -> None:
    assert [zone.parents for zone in zones.corps(written)] == [(code,)]


@pytest.mark.parametrize("written", ["", "第九十师", "第八师十六团", "999团", "教师", "旅行团"])
def test_what_is_not_of_the_corps(written: str) -> None:
    assert zones.corps(written) == ()


def test_where_a_named_zone_ends() -> None:
    assert zones.end_of("江阴-靖江工业园区五星村", 0) == len("江阴-靖江工业园区")
    assert zones.end_of("光谷大道77号", 0) is None
