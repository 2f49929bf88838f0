"""Tag schemes: labels and spans both ways, our readings in each scheme's terms, and what a tag is for us."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import UsageError
from menpai.parsing import parse
from menpai.parsing.schemes import (
    SCHEMES,
    Tagged,
    export,
    find_scheme,
    kind_of,
    labels_of,
    scheme_named,
    spans_of,
)
from menpai.text import normalize


@st.composite
def spans(draw: st.DrawFn) -> tuple[list[Tagged], int]:
    at, found = 0, []
    for _ in range(draw(st.integers(0, 6))):
        start = at + draw(st.integers(0, 3))
        at = start + draw(st.integers(1, 4))
        found.append(Tagged(draw(st.sampled_from(("road", "poi", "prov"))), start, at))
    return found, at + draw(st.integers(0, 3))


@pytest.mark.parametrize("marks", ["BIES", "BMES", "BIIB"])
@given(case=spans())
def test_labels_and_spans_are_inverse(marks: str, case: tuple[list[Tagged], int]) -> None:
    found, length = case
    labels = labels_of(found, length, marks)
    assert len(labels) == length
    assert spans_of(labels) == found


def test_a_lone_inner_label_opens_a_span() -> None:
    assert spans_of(["I-road", "E-road", "O", "E-poi", "M-road", "B-road"]) == [
        ("road", 0, 2), ("poi", 3, 4), ("road", 4, 5), ("road", 5, 6)
    ]  # fmt: skip


def tagged(text: str, scheme: str) -> str:
    found = export(parse(normalize(text)), scheme_named(scheme))
    assert all(text[span.start : span.end] for span in found)
    return " ".join(f"{text[start:end]}/{tag}" for tag, start, end in found)


CASES = [
    ("ccks", "浙江省杭州市西湖区文三路54弄3号", "浙江省/prov 杭州市/city 西湖区/district 文三路/road 54弄/road 3号/roadno"),
    ("swei412", "西湖区文三路54弄3号", "西湖区/district 文三路/road 54弄/roadno 3号/houseno"),
    ("leodotnet", "西湖区文三路54弄3号", "西湖区/district 文三路/road 54弄/subRoad 3号/subroadno"),
    ("ccks", "文三路与学院路交叉口", "文三路/road 学院路/road 交叉口/intersection"),
    ("leodotnet", "文三路与学院路交叉口", "文三路/road 与/assist 学院路/subRoad 交叉口/assist"),
    ("swei412", "文三路与学院路交叉口", "文三路/road 与/redundant 学院路/road 交叉口/intersection"),
    ("ccks", "海月花园3幢2单元501室", "海月花园/poi 3幢/houseno 2单元/cellno"),
    ("mgeo", "海月花园3幢2单元501室", "海月花园/poi 3幢/houseno 2单元/cellno 501室/roomno"),
    ("leodotnet", "海月花园3-2-501", "海月花园/poi 3/houseno -/redundant 2/cellno -/redundant 501/roomno"),
    ("swei412", "上海上海市浦东新区三林路五号", "上海/prov 上海市/city 浦东新区/district 三林路/road 五号/roadno"),
    ("ccks", "环城北路东段12号", "环城北路/road 东段/assist 12号/roadno"),
    ("swei412", "环城北路东段12号", "环城北路东段/road 12号/roadno"),
    ("swei412", "望江路12号院3号楼", "望江路/road 12号院/roadno 3号楼/houseno"),
    ("swei412", "盂县秀水镇秀水镇小学", "盂县/district 秀水镇/town 秀水镇小学/poi"),
    ("swei412", "西湖区海月花园3幢(文三酒店对面)",
     "西湖区/district 海月花园/poi 3幢/houseno 文三酒店/poi 对面/direction"),
    ("leodotnet", "中国浙江省杭州市", "中国/country 浙江省/prov 杭州市/city"),
]  # fmt: skip


@pytest.mark.parametrize(("scheme", "text", "wanted"), CASES)
def test_export(scheme: str, text: str, wanted: str) -> None:
    assert tagged(text, scheme) == wanted


@pytest.mark.parametrize("name", SCHEMES)
def test_every_exported_tag_is_of_the_scheme(name: str) -> None:
    scheme = scheme_named(name)
    text = "中国上海市浦东新区川沙新镇三林路54弄3号楼2单元5层502室对面200米"
    assert {span.tag for span in export(parse(normalize(text)), scheme)} <= set(scheme.tags)
    assert len(set(scheme.labels)) == len(scheme.labels)


def test_own_scheme_is_the_reading() -> None:
    address = parse(normalize("文三路１２号3幢"))
    assert export(address, SCHEMES["menpai"]) == [("road", 0, 3), ("roadno", 3, 6), ("building", 6, 8)]


@pytest.mark.parametrize(
    ("scheme", "tag", "text", "kind"),
    [
        ("ccks", "prov", "浙江省", "province"),
        ("ccks", "houseno", "3号楼", "building"),
        ("ccks", "houseno", "3号", "roadno"),
        ("ccks", "road", "54弄", "roadno"),
        ("leodotnet", "subRoad", "西巷", "road"),
        ("leodotnet", "road", "五组", "village_group"),
        ("leodotnet", "redundant", "电联", ""),
        ("swei412", "direction", "对面", "assist"),
        ("swei412", "village", "前山头", "community"),
        ("mgeo", "roomno", "502", "room"),
        ("menpai", "building", "3号", "building"),
    ],
)
def test_kind_of(scheme: str, tag: str, text: str, kind: str) -> None:
    assert kind_of(tag, text, SCHEMES[scheme]) == kind


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        ({"O", "B-prov", "E-prov", "S-poi"}, "ccks"),
        ({"B-prov", "E-roomno"}, "mgeo"),
        ({"B-prov", "I-devzone", "B-subroad"}, "leodotnet"),
        ({"B-prov", "M-prov", "E-village"}, "swei412"),
        ({"B-province", "E-building"}, "menpai"),
    ],
)
def test_scheme_is_found_from_the_tags(labels: set[str], scheme: str) -> None:
    assert find_scheme(labels, "x").name == scheme


def test_unknown_schemes_and_tags_are_named() -> None:
    with pytest.raises(UsageError, match="street"):
        find_scheme({"B-street", "B-road"}, "x.conll")
    with pytest.raises(UsageError, match="nearest is ccks"):
        scheme_named("cks")
    with pytest.raises(UsageError, match="street"):
        SCHEMES["ccks"].tags_named(["road", "street"])
    assert SCHEMES["leodotnet"].tags_named([" DevZone"]) == {"devZone"}
