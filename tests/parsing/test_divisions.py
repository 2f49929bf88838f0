from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.address import Address
from menpai.errors import BrokenArtefactError
from menpai.parsing import gazetteer, parse, tables
from menpai.parsing.meaning import narrow
from menpai.text import normalize

TODAY = gazetteer.default()
DISTRICTS = tuple(code for code in TODAY if len(code) == 6)


def read(text: str) -> Address:
    return parse(normalize(text))


def codes(text: str) -> list[str]:
    return [d.code for d in read(text).divisions]


def lineage(code: str) -> list[str]:
    """Full names of a district's province, city and itself."""
    units = [TODAY.unit(code[:n]) for n in (2, 4, 6)]
    return [unit.name for unit in units if unit is not None]


def test_every_unit_has_its_parent_as_prefix() -> None:
    for code in TODAY:
        assert len(code) in gazetteer.LEVEL
        assert TODAY.unit(code[:2]) is not None
        assert all(town.startswith(code) for town in TODAY.towns(code).values())


def test_every_code_of_a_name_is_a_unit_of_today() -> None:
    known = set(TODAY)
    known |= {town for code in tuple(known) for town in TODAY.towns(code).values()}
    for first in TODAY.beginnings:
        for form in TODAY.forms(first):
            assert {*form.full, *form.short, *form.former} <= known


def test_the_virtual_units_are_left_out() -> None:
    assert not {"1101", "3101", "5001", "4290", "4690", "6590"} & set(TODAY)


@given(st.sampled_from(DISTRICTS))
def test_every_district_is_found_by_its_full_names(code: str) -> None:
    assert codes("".join(lineage(code)) + "建设路1号") == [code]


@given(st.sampled_from(DISTRICTS), st.data())
def test_every_town_is_found_under_its_district(code: str, data: st.DataObject) -> None:
    towns = TODAY.towns(code)
    if towns:
        name = data.draw(st.sampled_from(sorted(towns)))
        assert codes("".join(lineage(code)) + name + "建设路1号") == [towns[name]]


@given(st.lists(st.sampled_from(["11", "1101", "110105", "31", "3101", "310106"]), max_size=4).map(tuple))
def test_narrow_keeps_the_longer_code_of_each_agreeing_pair(context: tuple[str, ...]) -> None:
    names = ("110105", "31")
    agreed = narrow(context, names)
    assert set(agreed) == _plain_narrow(context, names)


def _plain_narrow(context: Sequence[str], names: Sequence[str]) -> set[str]:
    if not context:
        return set(names)
    pairs = [(a, b) for a in context for b in names if a.startswith(b) or b.startswith(a)]
    return {max(pair, key=len) for pair in pairs}


@pytest.mark.parametrize(
    ("written", "today"),
    [
        ("闸北区", "310106"), ("崇文区", "110101"), ("宣武区", "110102"), ("卢湾区", "310101"), ("南汇区", "310115"),
        ("襄樊市", "4206"), ("莱芜市", "370116,370117"), ("江干区", "330102,330114"), ("下城区", "330105"),
        ("大港区", "120116"), ("海门市", "320614"), ("新津县", "510118"), ("蓟县", "120119"), ("电白县", "440904"),
        ("增城市", "440118"), ("余杭市", "330110"), ("即墨市", "370215"), ("郫县", "510117"), ("思茅市", "5308,530802"),
    ],
)  # fmt: skip
def test_a_former_name_gives_the_units_of_today(written: str, today: str) -> None:
    address = read(written)
    assert [d.code for d in address.divisions] == today.split(",")
    assert [(f.written, ",".join(f.codes)) for f in address.former] == [(written, today)]


@pytest.mark.parametrize(
    "text",
    ["绍兴路59号", "延川路116号", "朝阳街8号", "山西北路300弄", "老山东里3号楼", "北仑大道5号", "香港东路6号", "上海城2栋",
     "南京东路100号", "重庆小面", "兰州拉面馆", "浙江大学", "西湖花园", "长安街1号", "桃园7栋", "阿里巴巴西溪园区"],
)  # fmt: skip
def test_roads_estates_and_firms_do_not_name_a_division(text: str) -> None:
    assert codes(text) == []


def test_short_names_stand_only_behind_a_parent() -> None:
    assert codes("浙江杭州西湖") == ["330106"]
    assert codes("西湖") == ["330106", "360103"]
    assert codes("西湖文三路") == []


def test_a_former_and_a_present_name_are_both_possible_until_the_province_is_named() -> None:
    assert codes("江北区") == ["330205", "500157"]
    assert codes("重庆江北区") == ["500157"]
    assert codes("宁波江北区") == ["330205"]


def test_a_damaged_table_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "divisions.tsv").write_bytes(b"11\t\xff\xfe\n")
    monkeypatch.setattr(tables, "DATA", tmp_path / "data")
    for name in ("divisions.tsv", "division_names.tsv"):
        with pytest.raises(BrokenArtefactError, match=name):
            tables.read_table(name)
