"""Tables as entries: columns by their names in both languages, coordinate systems, payloads, what is wrong with a row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from menpai.errors import Problem, UsageError
from menpai.search.ingest import Source
from menpai.search.values import Entry, Trouble
from menpai.tables.entries import plan_of, read_sources, source_of
from menpai.tables.roles import Columns
from menpai.tables.source import count_lines
from menpai.tables.table import ReadOptions


def _read(path: Path, columns: Columns | None = None) -> tuple[list[Entry | Trouble], str, list[Problem]]:
    notes: list[Problem] = []
    found: list[Entry | Trouble] = []
    crs = ""
    for source in read_sources([str(path)], columns or Columns(), notes.append):
        crs = source.crs
        found += source.items
    return found, crs, [note for note in notes if note.code != "columns_taken"]


def _write(folder: Path, text: str, name: str = "rows.csv", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    "header",
    ["id,address,name,lng,lat,weight,tel", "编号,地址,名称,经度,纬度,权重,tel", "uid,addr,店名,lon,Latitude,热度,tel",
     "shop_id,详细地址,title,x,y,popularity,tel"],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_columns_are_found_by_their_names(tmp_path: Path, header: str, encoding: str) -> None:
    path = _write(
        tmp_path, f"{header}\n7,文三路1号,数源科技,120.13,30.27,2.5,0571\n8,,西湖,,,,\n", encoding=encoding
    )
    found, crs, notes = _read(path)
    assert found == [
        Entry("7", "文三路1号", "数源科技", 30.27, 120.13, 2.5, '{"tel": "0571"}', 2),
        Entry("8", "", "西湖", None, None, 1.0, "", 3),
    ]
    assert crs == "wgs84"
    assert [note.code for note in notes] == ["crs_assumed"]


@pytest.mark.parametrize(
    ("name", "header", "crs", "code"),
    [
        ("rows.csv", "address,gcj_lng,gcj_lat", "gcj02", "crs_guessed"),
        ("高德.csv", "address,lng,lat", "gcj02", "crs_guessed"),
        ("baidu_poi.csv", "address,lng,lat", "bd09", "crs_guessed"),
        ("rows.csv", "address,lng_bd09,lat_bd09", "bd09", "crs_guessed"),
        ("rows.csv", "address,wgs_lon,wgs_lat", "wgs84", "crs_guessed"),
        ("rows.csv", "address,x,y", "wgs84", "crs_assumed"),
    ],
)
def test_the_coordinate_system_is_as_a_name_says(
    tmp_path: Path, name: str, header: str, crs: str, code: str
) -> None:
    path = _write(tmp_path, f"{header}\n文三路1号,120.13,30.27\n", name)
    found, system, notes = _read(path)
    assert system == crs
    assert [note.code for note in notes] == [code]
    assert isinstance(found[0], Entry)
    assert (found[0].lat, found[0].lon) == (30.27, 120.13)
    assert _read(path, Columns(crs="bd09"))[1:] == ("bd09", [])


def test_rows_may_name_their_own_system(tmp_path: Path) -> None:
    path = _write(tmp_path, "address,lng,lat,crs\n文三路1号,120.13,30.27,gcj02\n文三路2号,120.13,30.27,\n")
    found, crs, notes = _read(path)
    assert (crs, notes) == ("wgs84", [])
    first, second = found
    assert isinstance(first, Entry) and isinstance(second, Entry)  # noqa: PT018 (for the type checker)
    assert first.lat is not None
    assert 0.001 < abs(first.lat - 30.27) < 0.01
    assert second.lat == 30.27


def test_columns_as_given(tmp_path: Path) -> None:
    path = _write(tmp_path, "省,市,街,门,甲,乙\n浙江省,杭州市,文三路,1号,A,B\n")
    columns = Columns(address="省,市,街,门", id="甲", payload=("乙",))
    assert _read(path, columns)[0] == [Entry("A", "浙江省杭州市文三路1号", payload='{"乙": "B"}', line=2)]
    with pytest.raises(UsageError, match="no column 丙"):
        _read(path, Columns(address="丙"))
    with pytest.raises(UsageError, match=r"no address column found .* --address"):
        _read(path)
    with pytest.raises(UsageError, match=r"no longitude column found .* --lon"):
        _read(path, Columns(address="省", lat="甲"))
    with pytest.raises(UsageError, match="give one of wgs84, gcj02, bd09"):
        _read(path, Columns(address="省", crs="utm"))


def test_what_is_wrong_with_rows(tmp_path: Path) -> None:
    text = "id,address,lng,lat,weight\n1,,120,30,\n"
    text += "2,文三路1号,东边,30,\n3,文三路2号,,,重\n4,文三路3号,,,-1\n5,文三路4号,1,2,3,4\n"
    told = [item for item in _read(_write(tmp_path, text))[0] if isinstance(item, Trouble)]
    assert [(t.id, t.line, t.problem.code) for t in told] == [
        ("1", 2, "row_without_address"), ("2", 3, "point_unread"), ("3", 4, "weight_invalid"), ("4", 5, "weight_invalid"),
        ("5", 6, "row_ragged"),
    ]  # fmt: skip
    rows = {item.id: item for item in _read(_write(tmp_path, text))[0] if isinstance(item, Entry)}
    assert rows["2"].lon is None
    assert rows["3"].weight == rows["4"].weight == 1.0


def test_columns_of_divisions_stand_before_the_address_and_what_is_taken_is_told() -> None:
    rows = [
        {"序号": 1, "店名": "数源科技", "省": "浙江省", "市": "杭州市", "区": "西湖区", "地址": "文三路1号",
         "坐标": "120.1,30.2"},
        {"序号": 2, "店名": "海龙大厦", "省": "北京市", "市": "北京市", "区": 110108, "地址": "北京市海淀区中关村大街1号"},
        {"序号": 3, "店名": "黄龙店", "省": "浙江省", "市": "杭州市", "备注": "新"},
        {"序号": 4, "省": "浙江省"},
    ]  # fmt: skip
    notes: list[Problem] = []
    items = list(source_of(rows, Columns(), notes.append).items)
    assert items[:3] == [
        Entry("1", "浙江省杭州市西湖区文三路1号", "数源科技", 30.2, 120.1, line=1),
        Entry("2", "北京市海淀区中关村大街1号", "海龙大厦", line=2),
        Entry("3", "浙江省杭州市", "黄龙店", payload='{"备注": "新"}', line=3),
    ]
    assert isinstance(items[3], Trouble)
    assert items[3].problem.code == "row_without_address"
    assert notes[0].render("zh")[0] == "rows：地址 省+市+区+地址；名称 店名；编号 序号；经纬度 坐标"
    given = list(source_of(rows[:1], Columns(address="地址", name="-", id="-", point="-")).items)
    payload = {key: value for key, value in rows[0].items() if key != "地址"}
    assert given == [Entry("", "文三路1号", payload=json.dumps(payload, ensure_ascii=False), line=1)]


def test_json_lines_keep_their_values(tmp_path: Path) -> None:
    lines = [
        {"id": 12, "address": "文三路1号", "lat": 30.27, "lng": 120.13, "tags": ["a"], "n": 3},
        {"id": 13.0, "address": 7},
    ]
    path = _write(tmp_path, "\n".join(map(json.dumps, lines)) + "\n[1]\n", "rows.jsonl")
    found, _, _ = _read(path)
    assert found[0] == Entry("12", "文三路1号", "", 30.27, 120.13, 1.0, '{"tags": ["a"], "n": 3}', 1)
    assert found[1] == Entry("13", "7", line=2)
    assert isinstance(found[2], Trouble)


def test_mappings_are_a_source_too() -> None:
    source = source_of(
        [{"id": "a", "address": "文三路1号", "floor": 3}, {"address": "文三路2号", "crs": "x"}], Columns()
    )
    assert list(source.items) == [
        Entry("a", "文三路1号", payload='{"floor": 3}', line=1),
        Entry("", "文三路2号", payload='{"crs": "x"}', line=2),
    ]
    assert source_of([], Columns()) == Source("rows", ())
    with pytest.raises(UsageError, match="no mapping but str"):
        source_of({"id": "a"}, Columns())  # type: ignore[arg-type]


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path, "id,address\n1," + "路" * (1 << 24))
    with pytest.raises(UsageError, match="after line 1 a line or cell is longer than"):
        _read(path)


def test_a_row_in_another_encoding_is_trouble_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(
        b"id,address\n"
        + "1,杭州市西湖区文三路1号\n".encode() * 30
        + "2,杭州市西湖区文三路2号\n".encode("gb18030")
    )
    (*good, bad), _, _ = _read(path)
    assert len(good) == 30
    assert isinstance(bad, Trouble)
    assert (bad.problem.code, bad.line) == ("row_undecodable", 32)


def test_the_plan_knows_the_files(tmp_path: Path) -> None:
    path = _write(tmp_path, "id,address\n1,文三路1号\n")
    plan = plan_of([str(path)], Columns())
    assert plan == plan_of([str(path)], Columns())
    assert plan != plan_of([str(path)], Columns(crs="gcj02"))
    assert plan != plan_of([str(path)], Columns(reading=ReadOptions(header=False)))
    assert plan_of([str(path), "-"], Columns()) == plan_of(["/none"], Columns()) == {}
    assert count_lines([str(path)]) == 2
    assert count_lines([str(path), "-"]) == 0
