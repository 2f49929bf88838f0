"""Policies: each applies where a person would state it, and its near misses are left to the model."""

from __future__ import annotations

import pytest

from menpai.evidence import compare, conflicts
from menpai.parsing import parse
from menpai.policy import RULES, apply_policies
from menpai.text import normalize
from menpai.verdict import Probabilities


def applied(a: str, b: str, given: Probabilities) -> tuple[Probabilities, list[str]]:
    comparison = compare(parse(normalize(a)), parse(normalize(b)))
    probabilities, edits = apply_policies(comparison, given, "en")
    return probabilities, [e.name for e in edits]


PARTIAL = Probabilities(0.15, 0.8, 0.05)
NOT = Probabilities(0.05, 0.05, 0.9)


@pytest.mark.parametrize(
    ("a", "b"), [("文三路123号", "西湖区文三路123号A座"), ("杭州市文三路123号B座1502", "文三路123号")]
)
def test_a_lettered_block_at_a_house_number_is_the_same_door(a: str, b: str) -> None:
    probabilities, names = applied(a, b, PARTIAL)
    assert names == ["policy_block_at_door"]
    assert probabilities.label == "exact_match"
    assert sum(probabilities) == pytest.approx(1)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("立新工业区永佳厂宿舍楼1103", "航城街道立新工业区永佳厂宿舍楼"),
        ("彩虹路金禧大厦6D", "彩虹路18号金禧大厦"),
        ("海月花园3幢2单元501", "文三路12号海月花园3幢"),
        ("文三路123号3楼", "文三路123号"),
    ],
)
def test_a_room_that_one_side_names_is_in_the_same_house(a: str, b: str) -> None:
    probabilities, names = applied(a, b, PARTIAL)
    assert names == ["policy_room_inside"]
    assert probabilities.label == "exact_match"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("永佳厂宿舍楼1103", "永佳厂宿舍楼1203"),
        ("海月花园1103", "海月花园"),  # of which building?
        ("海月花园3幢501", "海月花园5幢"),
        ("海月花园3幢501", "海月花园3幢对面"),
        ("文三路123号3单元", "文三路123号"),
        ("海月花园二期3幢501", "海月花园3幢"),
        ("海月花园3幢501", "海月花园"),
        ("南京市金禧大厦501", "洛阳市金禧大厦"),
    ],
)
def test_a_room_says_nothing_where_the_house_is_not_sure(a: str, b: str) -> None:
    assert "policy_room_inside" not in applied(a, b, PARTIAL)[1]


EXACT = Probabilities(0.8, 0.15, 0.05)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("南京市中山路18号", "无锡市中山路20号"),
        ("北京市朝阳区建国路8号", "长春市朝阳区建国路10号"),
        ("江苏省南京市鼓楼区中山路18号", "江苏省无锡市梁溪区中山路20号"),
        ("南京市东泰花园3栋", "洛阳市东泰花园5栋"),
    ],
)
@pytest.mark.parametrize("given", [EXACT, PARTIAL])
def test_another_city_is_never_a_match(a: str, b: str, given: Probabilities) -> None:
    probabilities, names = applied(a, b, given)
    assert probabilities.label == "not_match"
    assert names
    assert set(names) <= {"policy_division_conflict", "policy_other_city"}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("海月花园", "海月花园3幢"),
        ("文三路123号", "文三路123号11栋2单元903室"),
        ("翠苑小区", "翠苑小区11-2-903"),
    ],
)
def test_a_numbered_building_lies_in_the_estate_or_at_the_number(a: str, b: str) -> None:
    probabilities, names = applied(a, b, EXACT)
    assert names == ["policy_building_inside"]
    assert probabilities.label == "partial_match"


@pytest.mark.parametrize(
    ("a", "b"),
    [("海月花园3幢", "海月花园3幢2单元"), ("海月花园3幢", "翠苑小区3幢"), ("文三路123号", "文三路123号A座")],
)
def test_units_and_blocks_are_no_building_inside(a: str, b: str) -> None:
    assert "policy_building_inside" not in applied(a, b, EXACT)[1]


@pytest.mark.parametrize(
    ("a", "b"),
    [("康桥镇康沈路1199弄", "浦东新区康呻路1199弄"), ("南岸区弘坤玉龙城3栋", "鸿坤玉龙城3幢")],
)
def test_a_slip_in_the_name_of_one_numbered_door_is_the_same_door(a: str, b: str) -> None:
    for given, name in ((NOT, "policy_name_slip"), (PARTIAL, "policy_slip_alone")):
        probabilities, names = applied(a, b, given)
        assert names == [name]
        assert probabilities.label == "exact_match"


@pytest.mark.parametrize(
    ("a", "b"), [("弘坤玉龙城3栋", "鸿坤玉龙城3幢2单元"), ("康沈路1199弄", "康呻路1199弄海月花园")]
)
def test_a_slip_is_not_all_that_parts_them_where_one_goes_on(a: str, b: str) -> None:
    assert "policy_slip_alone" not in applied(a, b, PARTIAL)[1]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("康沈路1199弄", "康呻路1197弄"),
        ("康沈路", "康呻路"),
        ("中山东路8号", "中山西路8号"),
        ("无锡市康沈路8号", "南京市康呻路8号"),
        ("长沙县黄兴镇张家湾5号", "长沙县黄兴镇章家湾5号"),
        ("丰县赵庄镇徐庄12号", "丰县赵庄镇许庄12号"),
        ("沙坪坝区民主路3号", "沙坪坝区民族路3号"),
    ],
)
def test_a_slip_with_nothing_to_hold_it_is_left_to_the_model(a: str, b: str) -> None:
    assert "policy_name_slip" not in applied(a, b, NOT)[1]
    assert "policy_slip_alone" not in applied(a, b, PARTIAL)[1]


def test_a_town_that_is_named_alone_contradicts_no_city() -> None:
    """高新区梧桐办事处 is in Zhengzhou; the official list knows a 梧桐街道 elsewhere only."""
    a, b = "高新区梧桐办事处布袋李小区2号楼", "河南省郑州市高新区梧桐办事处布袋李小区2号楼"
    assert applied(a, b, EXACT) == (EXACT, [])


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("文三路123号", "文三路123号3幢"),  # a numbered building of a compound
        ("文三路123弄", "文三路123弄A座"),  # a lane holds many doors
        ("文三路123号院", "文三路123号院A座"),
        ("文三路123号海月花园", "文三路123号海月花园A座"),
        ("文三路123号A座", "文三路123号B座"),
        ("文三路123号", "文二路123号A座"),
    ],
)
def test_other_buildings_are_left_to_the_model(a: str, b: str) -> None:
    assert "policy_block_at_door" not in applied(a, b, PARTIAL)[1]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("杭州市西湖区", "杭州市西湖区文三路123号"),
        ("西湖区文三路", "浙江省杭州市"),
        ("上地街道", "北京市海淀区上地街道3号"),
        ("杭州市", "西湖区"),
        ("湖南省", "长沙市岳麓区"),
    ],
)
def test_an_area_and_a_place_in_it_are_partial(a: str, b: str) -> None:
    probabilities, names = applied(a, b, NOT)
    assert names[-1:] == ["policy_area_around"]
    assert {*names} <= {"policy_area_inside", "policy_area_around"}
    assert probabilities.label == "partial_match"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("杭州市西湖区", "杭州市上城区文三路123号"),
        ("杭州市西湖区", "杭州市西湖区"),
        ("杭州市西湖区海月花园", "杭州市西湖区文三路123号"),
    ],
)
def test_other_areas_are_left_to_the_model(a: str, b: str) -> None:
    assert "policy_area_around" not in applied(a, b, NOT)[1]


def test_each_policy_has_a_text_in_both_languages() -> None:
    for rule in RULES:
        assert rule.zh != rule.en
        assert rule.find.__doc__


@pytest.mark.parametrize(
    ("a", "b", "name"),
    [
        ("海月花园3幢对面", "海月花园3幢", "policy_beside"),
        ("龙翔超市往北200米", "龙翔超市", "policy_beside"),
        ("龙翔广场 停车场", "烟台市芝罘区龙翔广场", "policy_facility_inside"),
        ("龙翔大厦 负一层 便利店", "龙翔大厦", "policy_facility_inside"),
        ("上海市", "上海市浦东新区", "policy_area_inside"),
    ],
)
def test_beside_or_inside_a_place_is_not_the_place(a: str, b: str, name: str) -> None:
    for pair in ((a, b), (b, a)):
        probabilities, names = applied(*pair, EXACT)
        assert names == [name]
        assert probabilities.label == "partial_match"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("海月花园3幢对面", "海月花园3幢对面"),
        ("长寿村22号 龙翔加油站对面", "长寿村22号"),
        ("龙翔广场 便利店", "龙翔广场 龙翔便利店"),
        ("龙翔广场 超市", "海月广场"),
        ("海月花园3号楼 便利店", "海月花园3号楼"),
        ("上海市浦东新区", "上海市浦东新区"),
        ("沪昆高速K1200+300", "沪昆高速1200公里300米处"),
    ],
)
def test_what_both_name_or_neither_lies_beside_nothing(a: str, b: str) -> None:
    names = set(applied(a, b, EXACT)[1])
    assert names.isdisjoint(("policy_beside", "policy_facility_inside", "policy_area_inside"))


def test_two_branches_are_two_places() -> None:
    a, b = "龙翔百货(金水店)", "龙翔百货(东门店)"
    assert applied(a, b, EXACT)[0].label == applied(a, b, PARTIAL)[0].label == "not_match"
    assert "policy_other_branch" in applied(a, b, PARTIAL)[1]
    assert "policy_other_branch" not in applied(a, "龙翔百货(金水店)", PARTIAL)[1]
    assert (
        "policy_other_branch"
        not in applied("中山路8号龙翔百货(金水店)", "中山路8号龙翔百货(东门店)", PARTIAL)[1]
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("龙翔百货(东站店)", "龙翔百货(杭州东站店)"),
        ("龙翔百货(金水店)", "龙翔百货(金水广场店)"),
        ("龙翔百货(金水路店)", "龙翔百货(金水路分店)"),
        ("龙翔银行(高新技术开发区支行)", "龙翔银行(高新区支行)"),
    ],
)
def test_a_branch_and_its_shorter_name_contradict_nothing(a: str, b: str) -> None:
    for pair in ((a, b), (b, a)):
        assert applied(*pair, EXACT) == (EXACT, [])
    assert not conflicts(compare(parse(normalize(a)), parse(normalize(b))), "exact_match")


@pytest.mark.parametrize(
    ("a", "b"),
    [("大学城店", "大学城北店"), ("金水路店", "金水西路店"), ("师大店", "师大东门店"), ("一中店", "二中店")],
)
def test_a_direction_or_number_more_makes_two_branches(a: str, b: str) -> None:
    assert applied(f"龙翔百货({a})", f"龙翔百货({b})", PARTIAL)[0].label == "not_match"


def test_a_division_and_itself_are_one() -> None:
    assert applied("伊春市美溪区美溪镇", "黑龙江省伊春市伊美区美溪镇", NOT)[1] == ["policy_same_area"]
    assert applied("锡林郭勒盟东乌珠穆沁旗", "东乌旗", NOT)[0].label == "exact_match"
    assert "policy_same_area" not in applied("上海市浦东新区", "上海市黄浦区", NOT)[1]


@pytest.mark.parametrize("b", ["hello world", "今天天气不错", "x", "北京大学"])
def test_texts_without_a_common_character_are_no_one_place(b: str) -> None:
    probabilities, names = applied("杭州市西湖区文三路123号", b, EXACT)
    assert names[:1] == ["policy_nothing_shared"]
    assert probabilities.label == "not_match"


@pytest.mark.parametrize(("a", "b"), [("文三路12号", "12"), ("一号楼", "1号楼"), ("文三路", "西湖三路")])
def test_what_means_the_same_or_shares_a_character_is_left_to_the_model(a: str, b: str) -> None:
    assert "policy_nothing_shared" not in applied(a, b, EXACT)[1]
