"""Operations that keep a place: what they change, and what pins hold back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from training import noise
from training.place import Place, Wording, write

NONE: frozenset[str] = frozenset()
HOME = Place(
    "浙江省", "杭州市", "西湖区", "翠苑街道", "学院社区", name="海月花园", building="3", unit="2", room="501"
)
SHOP = Place(
    "浙江省", "杭州市", "西湖区", "", "", "文丰路", "88号", "悦湖湾广场", "山月面馆", "悦湖湾广场店",
    floor="2", kind="chain", aliases=("山月",),
)  # fmt: skip
ALONE = Place(name="海月花园", building="3")
NUMBER = Place("浙江省", "杭州市", "西湖区", road="文丰路", number="88号")


def results(name: str, place: Place, pins: frozenset[str] = NONE) -> set[str]:
    """All texts that an operation makes of a place over many draws."""
    operation = noise.PLACE_OPERATIONS[name][0]
    made = (operation(place, Random(seed), pins) for seed in range(200))
    return {write(p, Wording()) for p in made if p is not None}


@pytest.mark.parametrize(
    ("name", "place", "expected"),
    [
        ("drop_divisions", HOME, "西湖区海月花园3号楼2单元501室"),
        ("drop_divisions", HOME, "海月花园3号楼2单元501室"),
        ("short_divisions", HOME, "浙江杭州西湖翠苑街道学院社区海月花园3号楼2单元501室"),
        ("former_division", replace(ALONE, county="静安区"), "闸北区海月花园3号楼"),
        ("town_or_street", replace(ALONE, town="翠苑街道"), "翠苑镇海月花园3号楼"),
        ("drop_name_suffix", Place(name="海月花园小区"), "海月花园"),
        ("drop_name_suffix", Place(name="海月花园"), "海月花园小区"),
        ("use_alias", SHOP, "浙江省杭州市西湖区文丰路88号悦湖湾广场2层山月(悦湖湾广场店)"),
        ("drop_road", SHOP, "浙江省杭州市西湖区悦湖湾广场2层山月面馆(悦湖湾广场店)"),
        ("drop_number", SHOP, "浙江省杭州市西湖区文丰路悦湖湾广场2层山月面馆(悦湖湾广场店)"),
        ("drop_branch", SHOP, "浙江省杭州市西湖区文丰路88号悦湖湾广场2层山月面馆"),
        ("drop_host", SHOP, "浙江省杭州市西湖区文丰路88号山月面馆(悦湖湾广场店)"),
        ("short_host", SHOP, "浙江省杭州市西湖区文丰路88号悦湖湾2层山月面馆(悦湖湾广场店)"),
        ("drop_unit_room", HOME, "浙江省杭州市西湖区翠苑街道学院社区海月花园3号楼"),
        ("number_words", NUMBER, "浙江省杭州市西湖区文丰路八十八号"),
        ("number_words", NUMBER, "浙江省杭州市西湖区文丰路88#"),
        ("drop_name", replace(SHOP, host="", floor=""), "浙江省杭州市西湖区文丰路88号"),
    ],
)
def test_operation_writes(name: str, place: Place, expected: str) -> None:
    assert expected in results(name, place)


@pytest.mark.parametrize(
    ("name", "place", "pins"),
    [
        ("drop_road", SHOP, {"road"}),
        ("drop_number", SHOP, {"number"}),
        ("drop_branch", SHOP, {"branch"}),
        ("drop_host", SHOP, {"host"}),
        ("drop_name", replace(SHOP, host="", floor=""), {"name"}),
        ("drop_unit_room", HOME, {"unit", "room"}),
        ("add_room", replace(HOME, room=""), {"room"}),
        ("add_remark", HOME, {"tail"}),
        ("add_note", HOME, {"tail"}),
        ("drop_name", SHOP, set()),  # a mall's number does not name the shop in it
        ("drop_road", replace(SHOP, host="", branch=""), set()),  # a chain without branch needs its road
        ("add_room", HOME, set()),  # another room would be another place
    ],
)
def test_operation_holds_back(name: str, place: Place, pins: set[str]) -> None:
    assert results(name, place, frozenset(pins)) == set()


def test_pinned_divisions_stay() -> None:
    texts = results("drop_divisions", HOME, frozenset({"county"}))
    assert texts
    assert all("西湖区" in text for text in texts)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("numerals", "海月花园13号楼2单元501室", "海月花园十三号楼二单元501室"),
        ("numerals", "上坞村20组", "上坞村二十组"),
        ("full_width", "文丰路88号A座", "文丰路８８号Ａ座"),
        ("traditional", "西湖区3号楼", "西湖區3號樓"),
        ("typo", "翠微园3幢", "翠微圆3幢"),
        ("repeat_prefix", "翠微苑3幢", "浙江省杭州市西湖区翠微苑3幢"),
    ],
)
def test_text_operation_writes(name: str, text: str, expected: str) -> None:
    operation = noise.TEXT_OPERATIONS[name][0]
    assert expected in {operation(text, Random(seed), HOME) for seed in range(60)}


def test_a_lost_character_is_never_one_that_tells_places_apart() -> None:
    place = Place(name="东山南苑二区")
    lost = {noise.lose_character("东山南苑二区", Random(seed), place) for seed in range(100)}
    assert lost == {"东山南苑二区", "东南苑二区", "东山南二区", "东山南苑二"}


@pytest.mark.parametrize(
    ("number", "word"), [(1, "一"), (10, "十"), (12, "十二"), (20, "二十"), (99, "九十九")]
)
def test_chinese(number: int, word: str) -> None:
    assert noise.chinese(number) == word


@pytest.mark.parametrize(
    ("wording", "text"),
    [
        (Wording(building="幢"), "海月花园3幢2单元501室"),
        (Wording(building="#", unit="门", room=""), "海月花园3#2门501"),
        (Wording(dash=True), "海月花园3-2-501"),
    ],
)
def test_wordings_of_one_home(wording: Wording, text: str) -> None:
    assert write(Place(name="海月花园", building="3", unit="2", room="501"), wording) == text
