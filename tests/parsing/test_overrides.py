from __future__ import annotations

from pathlib import Path

import pytest

from menpai.address import Address
from menpai.errors import UsageError, render
from menpai.matcher import Matcher
from menpai.parsing import parse
from menpai.parsing.dated import gazetteer_as_of
from menpai.parsing.gazetteer import default
from menpai.parsing.overrides import OverrideWarning, load
from menpai.settings import Settings
from menpai.text import normalize

HEAD = "kind,name,parent,code,aliases,note\n"
OWN = HEAD + (
    "division,云谷街道,浙江省杭州市西湖区,330106099,云谷,founded after the list\n"
    "division,岑岭县,新疆维吾尔自治区喀什地区,653132,,2026\n"
    "division,新华镇,653132,653132100,,\n"
    "alias,重庆市渝中区,,,解放碑区|母城,\n"
    "# a remark\n"
    "\n"
    "place,望京SOHO,北京市朝阳区,,望京搜候,\n"
    "place,阳光花园,浙江省杭州市西湖区,,向阳花园,\n"
    "place,阳光公寓,江苏省南京市鼓楼区,,向阳花园,\n"
    "place,人民广场站,,,人广,\n"
)


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.csv"
    path.write_text(OWN, "utf-8")
    return str(path)


def read(text: str, path: str) -> Address:
    return parse(normalize(text), gazetteer_as_of(None, path))


def write(tmp_path: Path, text: str, encoding: str = "utf-8") -> str:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding)
    return str(path)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("浙江省杭州市西湖区云谷街道云谷路1号", "330106099"), ("新疆喀什地区岑岭县新华镇", "653132100"),
        ("重庆市母城民权路1号", "500103"), ("重庆解放碑区民权路1号", "500103"), ("望京搜候T1", "110105"),
        ("杭州市向阳花园3幢", "330106"), ("南京市向阳花园3幢", "320106"), ("浙江省杭州市西湖区文新街道", "330106006"),
    ],
)  # fmt: skip
def test_own_divisions_names_and_places_are_read(text: str, code: str, own: str) -> None:
    assert [d.code for d in read(text, own).divisions] == [code]
    assert [d.code for d in parse(normalize(text)).divisions] != [code] or "文新" in text


def test_the_names_of_a_place_are_read_as_one_and_lead_back_to_what_was_written(own: str) -> None:
    assert [e[:2] for e in read("望京搜候T1", own).elements] == [("poi", "望京SOHO"), ("building", "T1")]
    address = read("杭州市向阳花园(东门)3幢", own)
    element = address.get("poi")
    assert element is not None
    assert (element.value, element.text, element.source) == ("阳光花园", "阳光花园", "gazetteer")
    start, end = address.normalized.raw_span(element.start, element.end)
    assert address.raw[start:end] == "向阳花园"
    assert "overrides" in address.normalized.steps
    for one in address.elements:
        assert address.text[one.start : one.end] == one.text
    assert read("西安市向阳花园3幢", own).get("poi").value == "向阳花园"  # type: ignore[union-attr]


def test_the_built_tables_stay_as_they_are(own: str) -> None:
    gazetteer_as_of(None, own)
    assert "653132" not in default()
    assert default().places == {}


def test_overrides_and_a_date_go_together(own: str) -> None:
    then = gazetteer_as_of(2005, own)
    assert [d.code for d in parse(normalize("北京市崇文区"), then).divisions] == ["110103"]
    assert [d.code for d in parse(normalize("重庆母城民权路1号"), then).divisions] == ["500103"]


def test_a_changed_file_is_read_anew(own: str) -> None:
    assert "653132" in gazetteer_as_of(None, own)
    Path(own).write_text(HEAD, "utf-8")
    assert "653132" not in gazetteer_as_of(None, own)


def test_gb18030_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + "alias,北京市朝阳区,,,朝外区,\n", "gb18030")
    assert [d.code for d in read("北京朝外区1号", path).divisions] == ["110105"]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (HEAD + "divison,新区县,北京市,110199,,\n", 2, "the nearest is division"),
        (HEAD + "division,新区县,北京市,310199,,\n", 2, "cannot stand below"),
        (HEAD + "division,新区县,北京市,,,\n", 2, "cannot stand below"),
        (HEAD + "division,新区县,没有省,110199,,\n", 2, "means 0 divisions"),
        (HEAD + "division,别的区,北京市,110105,,\n", 2, "belongs to 朝阳区"),
        (HEAD + "\nalias,朝阳区,,,东朝阳,\n", 3, "means 2 divisions"),
        (HEAD + "alias,北京市朝阳区,,,,\n", 2, "has no aliases"),
        (HEAD + "place,东,,,东园,\n", 2, "less than two characters"),
        (HEAD + "place,东园,999999,,东苑,\n", 2, "means 0 divisions"),
    ],
)  # fmt: skip
def test_a_broken_row_names_file_line_and_cure(text: str, line: int, says: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load(path, default())
    shown = " ".join(render(caught.value.code, caught.value.details, "en"))
    assert path in shown
    assert f"line {line}" in shown
    assert says in shown
    assert f"第 {line} 行" in render(caught.value.code, caught.value.details, "zh")[0]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        gazetteer_as_of(None, str(tmp_path / "nowhere.csv"))
    with pytest.raises(UsageError, match="kind"):
        load(write(tmp_path, "name,x\n"), default())
    path = tmp_path / "bytes.csv"
    path.write_bytes(b"\xff\xff\xff")
    with pytest.raises(UsageError, match="GB18030"):
        load(str(path), default())


def test_an_override_that_shadows_an_official_name_warns_and_keeps_both(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD + "alias,上海市浦东新区,,,徐汇区,\n")
    with pytest.warns(OverrideWarning, match=r"(?s)徐汇区.*310115.*310104 徐汇区"):
        gazetteer = load(path, default())
    assert {"310104", "310115"} <= {d.code for d in parse(normalize("上海市徐汇区"), gazetteer).divisions}


def test_overrides_are_part_of_the_behaviour(own: str) -> None:
    plain, other = (Matcher.open(settings=Settings(overrides=path)) for path in ("", own))
    assert plain.behaviour != other.behaviour
    verdict = other.match("望京搜候1201室", "北京市朝阳区望京SOHO1201室")
    assert verdict.label == "exact_match"
    assert other.parse("杭州市向阳花园3幢").divisions[0].code == "330106"
