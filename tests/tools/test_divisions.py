"""The tools that build the division tables, on lists small enough to read; CI runs them on the real sources."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from divisions import history, sources, villages, zones
from divisions.history import Unit
from divisions.latin import key
from divisions.sources import BrokenRowError

from menpai.parsing.history import TODAY, History, Spell

SMALL = {
    "33": "浙江省", "3301": "杭州市", "330110": "余杭区", "330102": "上城区", "330114": "钱塘区", "330110001": "临平街道",
    "330110100": "塘栖镇", "330110101": "仁和镇",
}  # fmt: skip


@pytest.fixture
def resources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(sources, "RESOURCES", tmp_path)
    for module in (history, villages, zones):
        monkeypatch.setattr(module, "official", lambda: SMALL)
    zones._paths.cache_clear()
    return tmp_path


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    yield
    zones._paths.cache_clear()


def listed(monkeypatch: pytest.MonkeyPatch, *units: tuple[str, str, int, int]) -> None:
    """Yearly lists of units, each with its first and last year."""
    rows = [(Unit(code, name), year) for code, name, first, last in units for year in range(first, last + 1)]
    monkeypatch.setattr(history, "_listed", lambda: iter(rows))


def spells(monkeypatch: pytest.MonkeyPatch, events: list[dict[str, object]]) -> dict[tuple[str, str], Spell]:
    monkeypatch.setattr(history, "events", lambda: events)
    return {(spell.code, spell.name): spell for spell in history.spells()}


def event(year: int, old: Unit, new: Unit, kind: str = "更名") -> dict[str, object]:
    sides = {side: {"code": unit.code.ljust(6, "0") + "000000", "name": unit.name} for side, unit in
             (("old", old), ("new", new))}  # fmt: skip
    return {"year": year, "type": kind, **sides}


def test_a_county_is_followed_by_name_stem_and_events(
    resources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (resources / "history.tsv").write_text("", "utf-8")
    listed(
        monkeypatch,
        ("3301", "杭州市", 1980, TODAY),
        ("330125", "余杭县", 1980, 1993),
        ("330184", "余杭市", 1994, 2000),
        ("330110", "余杭区", 2001, TODAY),
        ("332127", "甲县", 1980, 1985),
        ("330127", "甲县", 1986, TODAY),
        ("330104", "乙区", 1980, 1999),
        ("330105", "丙区", 2000, TODAY),
    )
    found = spells(monkeypatch, [event(2000, Unit("330104", "乙区"), Unit("330105", "丙区"))])
    assert found["330125", "余杭县"][4:6] == (("330184",), "upgraded")
    assert found["330184", "余杭市"][4:6] == (("330110",), "upgraded")
    assert found["332127", "甲县"][4:6] == (("330127",), "moved")
    assert found["330104", "乙区"][4:7] == (("330105",), "renamed", "events")
    assert History(found.values()).forward(found["330125", "余杭县"]) == ("330110",)


def test_reassigned_codes_are_no_successors(resources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (resources / "history.tsv").write_text("", "utf-8")
    listed(
        monkeypatch,
        ("330122", "甲县", 1980, 1981),
        ("330122", "乙县", 1982, TODAY),
        ("330123", "甲县", 1982, TODAY),
    )
    found = spells(monkeypatch, [event(1982, Unit("330122", "甲县"), Unit("330122", "乙县"), "码位改派")])
    assert found["330122", "甲县"].after == ("330123",)
    assert found["330122", "甲县"].kind == "recoded"


def test_the_hand_table_goes_first_and_can_split(resources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (resources / "history.tsv").write_text("330104\t江干区\t2021\t上城区,330114\tby hand\n", "utf-8")
    listed(
        monkeypatch,
        ("330104", "江干区", 1980, 2020),
        ("330102", "上城区", 1980, TODAY),
        ("330114", "钱塘区", 2021, TODAY),
    )
    assert spells(monkeypatch, [])["330104", "江干区"][4:7] == (("330102", "330114"), "split", "by hand")


def test_a_year_that_the_lists_skip_is_no_end(resources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (resources / "history.tsv").write_text("", "utf-8")
    rows = [(Unit("330122", "甲县"), year) for year in (1980, 1981, 1983, TODAY)]
    monkeypatch.setattr(history, "_listed", lambda: iter(rows))
    assert spells(monkeypatch, [])["330122", "甲县"].until == 0


@pytest.mark.parametrize(
    ("row", "cure"),
    [
        ("330104\t江干区\t2021\t上城区", "has 4 columns, needs 5"),
        ("330104\t江干区\t2020\t上城区\tx", "no 江干区 330104 in the list of 2019"),
        ("330104\t江干区\t1981\t没有区\tx", "没有区 is 0 units of 1981"),
    ],
)
def test_a_broken_row_names_table_line_and_cure(
    row: str, cure: str, resources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (resources / "history.tsv").write_text(f"# head\n{row}\n", "utf-8")
    listed(monkeypatch, ("330104", "江干区", 1980, 1980), ("330102", "上城区", 1980, TODAY))
    with pytest.raises(BrokenRowError, match=rf"resources/history\.tsv, line 2: .*{cure}"):
        spells(monkeypatch, [])


def test_zones_are_given_by_names_and_checked(resources: Path) -> None:
    table = resources / "zones.tsv"
    table.write_text("zone\t大江东\t浙江省杭州市\t浙江省杭州市钱塘区,浙江省余杭区\t江东\tx\n", "utf-8")
    assert list(zones.zones_table()) == ["大江东\tzone\t3301\t330114,330110\t江东"]
    for row, cure in (
        ("zone\t甲\t浙江省没有市\t\t\tx", "is 0 units today"),
        ("zoo\t甲\t浙江省\t\t\tx", "kind 'zoo'"),
        ("zone\t甲\t浙江省\t\t\tx\nzone\t甲\t浙江省\t\t\tx", "stands here twice"),
    ):
        table.write_text(row + "\n", "utf-8")
        with pytest.raises(BrokenRowError, match=cure):
            list(zones.zones_table())


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("茶沟新村村民委员会", "茶沟新村"), ("新民村委会", "新民村"), ("东门社区居民委员会", "东门社区"),
        ("东门居委会", "东门社区"),
        ("村委会", "村委会"), ("一连生活区", "一连生活区"),
    ],
)  # fmt: skip
def test_villages_are_named_as_people_write_them(name: str, plain: str) -> None:
    assert villages.plain(name) == plain


def tarball(path: Path, **tables: str) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in tables.items():
            info = tarfile.TarInfo(f"package/dist/{name}.csv")
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def test_villages_go_to_the_town_of_today(resources: Path, tmp_path: Path) -> None:
    archive = tarball(
        tmp_path / "list.tgz",
        streets="code,name\n330110001,临平街道\n330110109,塘栖镇\n330110200,仁和乡\n330110400,经济开发区\n330110101,另一镇\n",
        villages="code,name,streetCode\n330110001001,东门社区居委会,330110001\n330110001003,西门社区居委会,330110001\n"
        "330110109200,甲村委会,330110109\n330110200200,乙村委会,330110200\n330110400498,虚拟社区,330110400\n"
        "330110101200,丙村委会,330110101\n",
    )
    known = History([Spell("330110", "余杭区", 2001, 0, (), "", "")])
    matcher = villages.Matcher(known)
    texts = villages.members(villages.read_towns(archive), matcher)
    assert texts["3301"].splitlines() == [
        "330110001\t:001东门,003西门",
        "330110100\t330110109:200甲",
        "330110101\t330110200:200乙",
        "330110400\t:498虚拟社区!",
    ]
    assert matcher.how["left out"] == 1
    villages.write(texts, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as found:
        assert found.namelist() == ["3301.txt"]
    assert villages.digest(tmp_path / "a.zip") == villages.digest(tmp_path / "a.zip")


def test_letters_alone_are_a_latin_name() -> None:
    assert (key("Lu'an"), key("Ürümqi"), key("Shangri-La")) == ("luan", "urumqi", "shangrila")
