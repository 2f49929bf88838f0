"""Output styles: fields, standard line, columns after GB/T 23705, codes, conventions, completeness."""

from __future__ import annotations

import pytest
from hypothesis import given

from menpai.address import Address
from menpai.parsing import parse, styles
from menpai.parsing.completeness import completeness
from menpai.text import normalize
from tests.strategies import addresses


def read(text: str) -> Address:
    return parse(normalize(text))


def filled(cells: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in cells.items() if text}


def test_fields_from_province_to_room() -> None:
    assert filled(styles.fields(read("杭州余杭区海月花园二期3#2单元五楼502"))) == {
        "省": "浙江省", "市": "杭州市", "区": "余杭区", "小区": "海月花园2期", "楼栋": "3号楼", "单元": "2单元",
        "层": "5层", "室": "502室",
    }  # fmt: skip
    assert filled(styles.fields(read("上海市浦东新区三林路54弄3号")))["号"].startswith("54弄")


@pytest.mark.parametrize(
    ("text", "convention", "city"),
    [
        ("北京市朝阳区建国路8号", "repeat", "北京市"),
        ("北京市朝阳区建国路8号", "shadow", "市辖区"),
        ("北京市朝阳区建国路8号", "empty", ""),
        ("重庆市忠县忠州街道", "shadow", "县"),
        ("济源市天坛路1号", "repeat", "济源市"),
        ("济源市天坛路1号", "shadow", "省直辖县级行政区划"),
        ("济源市天坛路1号", "empty", ""),
        ("石河子市北泉镇", "shadow", "自治区直辖县级行政区划"),
        ("东莞市樟木头镇", "empty", "东莞市"),
        ("上海市", "repeat", "上海市"),
        ("上海市", "shadow", ""),
    ],
)
def test_conventions_for_counties_without_a_city(text: str, convention: str, city: str) -> None:
    assert styles.fields(read(text), convention)["市"] == city


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("北京朝阳建国路８号", "北京市朝阳区建国路8号"),
        ("杭州余杭区海月花园3#五楼", "浙江省杭州市余杭区海月花园3号楼5层"),
        ("杭州市西湖区文三路与学院路交叉口", "浙江省杭州市西湖区文三路与学院路交叉口"),
        ("海淀区建材城东二里13-2-502", "北京市海淀区建材城东二里13号楼2单元502室"),
        ("东莞樟木头镇生态城3栋B1", "广东省东莞市樟木头镇生态城3栋地下1层"),
        ("上海市浦东新区张江高科技园区张江镇碧波路6号", "上海市浦东新区张江高科技园区张江镇碧波路6号"),
        ("新疆兵团第三师51团8连", "新疆维吾尔自治区图木舒克市兵团第三师51团8连"),
    ],
)
def test_standard_line(text: str, line: str) -> None:
    assert styles.line(read(text)) == line


def test_zones_and_places_beside_places_have_columns() -> None:
    found = styles.fields(read("苏州工业园区星湖街328号对面"))
    assert (found["开发区"], found["方位"]) == ("工业园区", "对面")
    assert styles.gbt(read("文三路与学院路交叉口往北200米"))["方位"] == "往北200米"


def test_columns_after_the_standard() -> None:
    found = filled(styles.gbt(read("上海市浦东新区三林路54弄3号502室")))
    assert (found["街路"], found["巷弄"], found["户室"]) == ("三林路", "54弄", "502室")
    assert filled(styles.gbt(read("杭州市西湖区浙江大学东侧")))["标志物"] == "浙江大学"
    assert filled(styles.gbt(read("杭州市西湖区海月花园")))["小区"] == "海月花园"
    assert tuple(styles.gbt(read("西湖"))) == styles.GBT


def test_an_open_division_is_not_filled() -> None:
    address = read("朝阳区建国路8号")
    assert len(address.divisions) > 1
    assert filled(styles.fields(address)) == {"区": "朝阳区", "路": "建国路", "号": "8号"}
    assert styles.code12(address) == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("浙江省", "330000000000"),
        ("杭州市西湖区", "330106000000"),
        ("东莞市樟木头镇", "441900112000"),
        ("文三路1号", ""),
        ("新疆兵团第三师51团8连", "659003000000"),
        ("苏州工业园区星湖街328号", "320500000000"),
    ],
)
def test_code_of_twelve_digits(text: str, code: str) -> None:
    assert styles.code12(read(text)) == code


@pytest.mark.parametrize(
    ("text", "grade", "settled", "missing"),
    [
        ("杭州市西湖区文三路1号2幢502室", "room", True, ()),
        ("杭州市西湖区文三路1号", "door", True, ()),
        ("杭州市西湖区海月花园3幢2单元", "door", True, ("room",)),
        ("杭州市西湖区海月花园", "place", True, ("building",)),
        ("杭州市西湖区文三路", "place", True, ("roadno",)),
        ("杭州市西湖区文三路与学院路交叉口", "place", True, ()),
        ("杭州市", "area", False, ("district", "place")),
        ("东莞市", "area", False, ("town", "place")),
        ("文三路1号", "door", False, ("city", "district")),
        ("朝阳区建国路8号", "door", False, ("city", "district")),
        ("……", "none", False, ("city", "district", "place")),
    ],
)
def test_completeness(text: str, grade: str, settled: bool, missing: tuple[str, ...]) -> None:
    assert completeness(read(text)) == (grade, settled, missing)


@given(text=addresses())
def test_a_standard_line_is_read_as_the_same_unit(text: str) -> None:
    address = read(text)
    code = styles.code12(address)
    if len(code.rstrip("0")) > 4:
        assert styles.code12(read(styles.line(address))) == code
