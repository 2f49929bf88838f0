"""What follows the divisions, one claim a row with its nearest misses: tests/cases/elements.tsv."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given

from menpai.address import ELEMENTS
from menpai.parsing import parse
from menpai.parsing.detail import read_detail
from menpai.parsing.draft import CONFIDENCE
from menpai.text import normalize
from tests import strategies
from tests.timing import least_time

CASES = Path(__file__).parent.parent / "cases" / "elements.tsv"
# Ten thousand characters in processor seconds; the goal is 0.05, the rest is for busy machines.
LONGEST = 0.25


def cases() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def elements(text: str) -> list[tuple[str, str]]:
    """Kind and value of every element."""
    return [(e.kind, e.value) for e in parse(normalize(text)).elements]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, str]) -> None:
    found = "; ".join(f"{kind}={value}" for kind, value in elements(case["raw"]))
    assert (found or "-") == case["expected"]


def test_case_ids_are_unique() -> None:
    ids = [case["id"] for case in cases()]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("北京大学", "北京大学第一医院"), ("浙江大学", "浙江大学玉泉校区"), ("浙江大学玉泉校区", "浙江大学石湖校区"),
        ("文三路123号张记面馆", "文三路123号李记面馆"), ("翠微苑3区", "翠微苑3期"), ("玉泉路12号", "玉泉路12弄"),
        ("玉泉路甲12号", "玉泉路12号"), ("玉泉路28弄3支弄5号", "玉泉路28弄4支弄5号"), ("翠微苑3号楼", "翠微苑3层"),
        ("草塘村3组", "草塘村3连"), ("京藏高速1206公里", "京藏高速1206号"), ("翠微苑A区", "翠微苑A座"),
        ("玉泉路与石桥街交叉口", "玉泉路石桥大厦"), ("草塘村三组", "草塘村东坡三组"),
    ],
)  # fmt: skip
def test_neighbours_stay_apart(one: str, other: str) -> None:
    assert elements(one) != elements(other)


@pytest.mark.parametrize(
    "spellings",
    [
        (
            "翠微苑7-2-802",
            "翠微苑7—2—802",
            "翠微苑7号楼2单元802室",
            "翠微苑七栋二单元802",
            "翠微苑7#2单元802",
        ),
        ("玉泉路26-3号", "玉泉路26号-3", "玉泉路26号之三", "玉泉路26之3号"),
        ("玉泉路12号甲", "玉泉路12甲号"),
        ("G104国道", "104国道", "G104"),
        ("石桥医院(东院)", "石桥医院东院"),
        ("石桥·翠微苑9栋", "石桥翠微苑9号楼"),
        ("草塘村三组", "草塘村3组", "草塘村第三村民小组"),
        ("玉泉路与石桥街交叉口", "玉泉路石桥街交叉口", "玉泉路和石桥街路口"),
    ],
)
def test_spellings_of_one_place_have_one_value(spellings: tuple[str, ...]) -> None:
    assert len({tuple(elements(text)) for text in spellings}) == 1


def test_a_crossing_is_the_same_from_both_sides() -> None:
    one, other = (
        parse(normalize(text)).get("intersection") for text in ("玉泉路石桥街交叉口", "石桥街玉泉路交叉口")
    )
    assert one
    assert other
    assert one.value == other.value


@given(strategies.messy_addresses())
def test_elements_say_what_showed_them(text: str) -> None:
    normalized = normalize(text)
    for element in read_detail(normalized.text, 0, len(normalized.text)):
        assert element.kind in ELEMENTS
        assert element.source == "rule"
        assert element.confidence in CONFIDENCE.values()


def test_a_unit_word_is_surer_than_a_place_in_a_row() -> None:
    sure = {e.kind: e.confidence for e in parse(normalize("玉泉路12号石桥面馆3栋502")).elements}
    assert sure["roadno"] > sure["room"] > sure["poi"]


@pytest.mark.parametrize(
    "piece",
    ["(", "(路", "K1+", "3/(路", "#第(路", "村(东楼", "塔1#1、", "NO 1 AB ", "LANE 1 ", "东座", "期东区",
     "小区", "广场星巴克", "一组", "大学玉泉校区", "银行石桥支行", "12号-", "之1", "1,200", "X-X",
     "附1", "西二环", "1公里", "(A)", "·", "1号-1号", "县城内"],
)  # fmt: skip
@pytest.mark.parametrize("end", ["", "某区", "x"])
def test_time_is_linear(piece: str, end: str) -> None:
    text = piece * (10_000 // len(piece)) + end
    assert least_time(lambda: read_detail(text, 0, len(text)), enough=LONGEST) < LONGEST
