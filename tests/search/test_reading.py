"""The quick reader cuts as parse does; what it remembers changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.parsing import parse
from menpai.search import reading
from menpai.search.reading import Reader, Reading, _code, cuts_of
from menpai.text import normalize
from tests.strategies import written


def _slowly(text: str) -> Reading:
    address = parse(normalize(text))
    return Reading(address.text, _code(address.divisions), cuts_of(address.text, address.elements))


@settings(max_examples=30)
@given(st.lists(written().map(lambda one: one.text), min_size=1, max_size=12))
def test_the_quick_reader_reads_as_parse_does(texts: list[str]) -> None:
    reader = Reader()
    numbered = [text.replace("1", digit) for text in sorted(texts) for digit in "1253"]
    for text in [*numbered, *texts]:
        assert reader.read(text) == _slowly(text)


def test_what_is_forgotten_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_REMEMBERED", 2)
    reader = Reader()
    texts = [
        f"{head}{tail}"
        for head in ("杭州市西湖区", "上海市静安区", "北京市海淀区")
        for tail in ("文三路1号", "2号", "3号")
    ]
    for text in [*texts, *texts, *reversed(texts)]:
        assert reader.read(text) == _slowly(text)


@pytest.mark.parametrize(
    "texts",
    [
        [
            "宝安区宝安大道1号",
            "宝安区新安街道1号",
            "宝安新安街道1号",
            "宝安区西乡街道2号",
            "宝安区西乡镇2号",
            "宝安西乡2号",
        ],
        ["西湖区文三路1号", "西湖区文三街道1号", "西湖区", "西湖区西湖街道灵隐路"],
        [
            "3号楼3号楼",
            "3号楼5号楼",
            "文三路3号楼5号楼",
            "文三路3号楼3号楼",
            "文三路8号楼7号楼",
            "文三路4号楼4号楼",
        ],
        [
            "杭州市 西湖区 文三路 1 号",
            "杭州市西湖区文三路1号",
            "",
            "北京市",
            "北京市北京市朝阳区",
            "106台北市大安区",
        ],
        ["杭州文三路13800000000", "杭州文三路13812345678", "杭州文三路23812345678", "杭州文三路33812345678"],
    ],
)
def test_near_misses(texts: list[str]) -> None:
    reader = Reader()
    for text in [*texts, *texts, *reversed(texts)]:
        assert reader.read(text) == _slowly(text), text


def test_cuts_cover_the_text() -> None:
    reading = Reader().read("杭州市西湖区文三路123号A座(旁边)")
    ends = [end for end, _ in reading.cuts]
    assert ends == sorted(set(ends))
    assert ends[-1] == len(reading.text.encode())
