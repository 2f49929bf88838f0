from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import BrokenArtefactError
from menpai.parsing import gazetteer, parse, tables
from menpai.parsing.centroids import centroid, distance, near
from menpai.parsing.gazetteer import Form, Gazetteer
from menpai.text import normalize

TODAY = gazetteer.default()
UNITS = tuple(TODAY)


@given(st.sampled_from(UNITS))
def test_a_unit_is_found_by_its_name_and_has_its_parent_as_prefix(code: str) -> None:
    unit = TODAY.unit(code)
    assert unit is not None
    form = next(f for f in TODAY.forms(unit.name[:2]) if f.rest == unit.name[2:])
    assert code in form.full
    assert TODAY.division(code).name == unit.name
    assert code.startswith(TODAY.parent(code))


@given(st.sampled_from(UNITS))
def test_towns_know_their_district(code: str) -> None:
    for name, town in TODAY.towns(code).items():
        assert town in TODAY
        assert TODAY.parent(town) == code
        assert TODAY.division(town).name == name


def test_what_does_not_exist_is_empty() -> None:
    assert "999999" not in TODAY
    assert TODAY.unit("999999") is None
    assert TODAY.towns("999999") == {}
    assert TODAY.forms("☃☃") == ()
    assert TODAY.division("110105999").name == ""
    assert TODAY.parent("11") == ""


def test_a_gazetteer_can_be_extended_and_stays_as_it_was() -> None:
    more = TODAY.extended({"110199": "新设区\t"}, {"新设": "区:F110199"}, {})
    assert more.division("110199").name == "新设区"
    assert more.forms("新设")[0].full == ("110199",)
    assert "110199" not in TODAY
    assert not [f for f in TODAY.forms("新设") if f.rest == "区"]
    assert more.forms("朝阳") == TODAY.forms("朝阳")


def test_extra_forms_join_those_of_the_table_and_a_filter_drops_codes() -> None:
    plain = Gazetteer({"11": "甲省\t", "12": "乙省\t"}, {"甲省": ":F11;S11"}, {"甲省": ":F12\t北:P12"})
    assert plain.forms("甲省") == (Form("北", 3, (), (), (), ("12",)), Form("", 2, ("11", "12"), ("11",), ()))
    kept = Gazetteer({"11": "甲省\t"}, {"甲省": ":F11"}, None, lambda kind, code: code != "11")
    assert kept.forms("甲省") == ()


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("双江县", "530925"), ("喀左县", "211324"), ("前郭县", "220721"), ("呼市", "1501"), ("乌市", "6501"), ("巴州", "6528"),
        ("恩施州", "4228"), ("图市", "659003"), ("莫旗", "150722"), ("甘孜州", "5133"), ("大柴旦", "6328"),
    ],
)  # fmt: skip
def test_short_names_are_read(written: str, code: str) -> None:
    assert [d.code for d in parse(normalize(f"{written}建设路1号")).divisions] == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("广东省东莞市长安镇", "441900119"), ("广东中山小榄镇", "442000118"), ("海南省儋州市那大镇", "460400100"),
        ("甘肃省嘉峪关市雄关街道", "620200002"), ("河南省济源市天坛街道", "419001004"), ("湖北神农架松柏镇", "429021100"),
        ("海南省三沙市西沙区", "460302"), ("重庆市城口县", "500229"), ("新疆石河子市北泉镇", "659001100"),
        ("香港特別行政區油尖旺區", "810005"), ("澳門特別行政區花地瑪堂區", "820001"), ("臺灣省臺中市西屯區", "710407"),
        ("台灣高雄縣鳳山市", "710224"), ("黑龙江省哈尔滨市方正县方正林业局", "230124400"),
    ],
)  # fmt: skip
def test_unusual_levels_are_read(text: str, code: str) -> None:
    assert [d.code for d in parse(normalize(text)).divisions] == [code]


@given(st.sampled_from([code for code in UNITS if len(code) == 6]))
def test_every_district_has_a_point_in_china(code: str) -> None:
    point = centroid(code)
    assert point is not None
    assert 3 < point[0] < 54
    assert 73 < point[1] < 136


def test_the_nearest_counties_of_a_point() -> None:
    found = near(39.92, 116.46, 3)
    assert found[0][0] == "110105"
    assert [km for _, km in found] == sorted(km for _, km in found)
    assert TODAY.near(30.26, 120.13) == [("330106", pytest.approx(0, abs=8))]
    assert TODAY.centroid("110105001") == TODAY.centroid("110105")
    assert centroid("99") is None


def test_distance_is_that_of_a_sphere() -> None:
    assert distance((39.9, 116.4), (31.2, 121.5)) == pytest.approx(1068, abs=5)
    assert distance((30, 120), (30, 120)) == 0


def test_a_damaged_table_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "zones.tsv").write_bytes(b"\xff\xfe\n")
    monkeypatch.setattr(tables, "DATA", tmp_path / "data")
    for name in ("zones.tsv", "history.tsv"):
        with pytest.raises(BrokenArtefactError, match=name):
            tables.read_lines(name)


def test_import_reads_no_table() -> None:
    code = "import menpai, sys; sys.exit('menpai.parsing.gazetteer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
