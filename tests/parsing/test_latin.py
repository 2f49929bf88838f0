from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.parsing import parse
from menpai.parsing.gazetteer import default
from menpai.parsing.latin import latin
from menpai.parsing.tables import read_table
from menpai.text import normalize

KEYS = sorted(read_table("latin.tsv"))


def codes(text: str) -> list[str]:
    return [d.code for d in parse(normalize(text)).divisions]


@given(st.sampled_from(KEYS))
def test_every_latin_name_means_units_of_today(key: str) -> None:
    assert all(code in default() and len(code) <= 6 for code in latin(key))


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("Beijing", "11"), ("Chaoyang", "110105"), ("Lu'an", "3415"), ("Ürümqi", "6501"), ("Shaanxi", "61"), ("Shanxi", "14"),
        ("Changzhi", "1404"), ("Luohe", "4111"), ("Tahe", "232722"), ("Hong Kong", "81"), ("Yueqing", "330382"),
        ("Kaohsiung", "7102"), ("Hohhot", "1501"), ("Lhasa", "5401"), ("Minhang", "310112"), ("Bengbu", "3403"),
    ],
)  # fmt: skip
def test_names_of_places(written: str, code: str) -> None:
    assert code in latin(written)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("No.8 Jianguo Road, Chaoyang District, Beijing", "110105"), ("Beijing Shi Chaoyang Qu Jianguo Lu 8 Hao", "110105"),
        ("Unit 1203, Tower A, Xihu District, Hangzhou City, Zhejiang Province", "330106"),
        ("Flat H, 18/F, Block 3, Kingsford Terrace, 8 King Tung Street, Wong Tai Sin, Kowloon, Hong Kong", "810008"),
        ("Room 305, 36 Baoshan Jiucun, Baoshan District 201900 Shanghai P.R. China", "310113"),
        ("Xinyi District, Taipei, Taiwan", "7101"), ("Inner Mongolia Autonomous Region", "15"),
    ],
)  # fmt: skip
def test_latin_addresses(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(
    "text",
    [
        "Beijing Road 8",
        "123 Nanjing East Road",
        "Shanghai Tower",
        "Room 305",
        "Suzhou Street 12",
        "ABC 123",
        "a",
    ],
)
def test_roads_and_buildings_do_not_name_a_division(text: str) -> None:
    assert codes(text) == []


@given(st.text("ABCHINXIAOYGUSD ,.'-12", max_size=60))
def test_any_latin_text_is_read(text: str) -> None:
    address = parse(normalize(text))
    for element in address.elements:
        assert address.text[element.start : element.end] == element.text
    assert [e.start for e in address.elements] == sorted(e.start for e in address.elements)
