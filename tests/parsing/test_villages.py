from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import BrokenArtefactError
from menpai.parsing import parse, villages
from menpai.parsing.styles import code12
from menpai.parsing.villages import Line, read_line, village_code, write_line
from menpai.text import normalize

NAMES = st.text("东西庄村社区街屯店1A", min_size=1, max_size=5)
LISTS = st.lists(st.tuples(st.integers(0, 998), NAMES), max_size=6, unique_by=lambda entry: entry[0]).map(
    sorted
)


@given(st.lists(LISTS, min_size=1, max_size=3))
def test_a_line_keeps_every_name_and_code(lists: list[list[tuple[int, str]]]) -> None:
    towns = [(f"11010100{number}", found) for number, found in enumerate(lists)]
    read = read_line(write_line(Line("110101000", towns)))
    expected: dict[str, str] = {}
    for town, found in towns:
        for number, name in found:
            expected.setdefault(name, f"{town}{number:03}")
    assert read == expected


def test_the_villages_of_a_town() -> None:
    known = villages.villages("110105035")
    assert known["管庄北里社区"] == "110105035012"
    assert all(len(code) == 12 for code in known.values())
    assert villages.villages("000000000") == villages.villages("110105999") == {}


def test_a_village_is_found_with_and_without_its_suffix() -> None:
    assert village_code("110105035", "管庄北里社区") == "110105035012"
    assert village_code("110105035", "管庄北里") == "110105035012"
    assert village_code("110105035", "管庄北里居委会") == "110105035012"
    assert village_code("110105035", "没有的村") == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("北京市朝阳区管庄乡管庄北里社区3号楼", "110105035012"), ("江苏省靖江市新桥镇五星村3组", "321282101200"),
        ("北京市朝阳区管庄乡没有的村3组", "110105035000"), ("北京市朝阳区", "110105000000"), ("幸福里3号楼", ""),
    ],
)  # fmt: skip
def test_an_address_has_the_code_of_its_village_where_the_town_is_known(text: str, code: str) -> None:
    address = parse(normalize(text))
    if code.endswith("000"):
        assert villages.code_of_village(address) == ""
        assert code12(address) == code
    else:
        assert villages.code_of_village(address) == code12(address) == code


def test_the_archive_is_read_city_by_city() -> None:
    with zipfile.ZipFile(Path(villages.__file__).parents[1] / "data" / villages.TABLE) as archive:
        assert max(info.file_size for info in archive.infolist()) < 100_000
        assert all(info.filename[4:] == ".txt" for info in archive.infolist())


def test_a_damaged_archive_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / villages.TABLE).write_bytes(b"no archive")
    monkeypatch.setattr(villages, "DATA", tmp_path / "data")
    with pytest.raises(BrokenArtefactError, match=r"villages\.zip"):
        villages._city.__wrapped__("1101")
