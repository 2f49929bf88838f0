"""The encoding of a table is found from its bytes, also when they are few, late, mixed with a fault."""

from __future__ import annotations

import codecs

import pytest

from menpai.errors import UsageError
from menpai.tables.encodings import checked_encoding, find_encoding, reading_encoding

SIMPLIFIED = "地址1,地址2\n杭州市西湖区文三路123号,西湖区文三路123号A座\n"
TRADITIONAL = "地址1,地址2\n臺北市信義區松仁路58號,臺北市信義區松仁路58號3樓\n"


def read_as(text: str, encoding: str) -> str:
    data = text.encode(encoding)
    return data.decode(find_encoding([data]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "gb2312", "utf-16", "utf-32"])
def test_simplified(encoding: str) -> None:
    assert read_as(SIMPLIFIED, encoding).removeprefix("\ufeff") == SIMPLIFIED


@pytest.mark.parametrize("encoding", ["utf-8", "big5", "cp950", "gbk", "utf-16-le", "utf-16-be"])
def test_traditional(encoding: str) -> None:
    assert read_as(TRADITIONAL, encoding) == TRADITIONAL


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("朝阳路", "gbk"),
        ("地址\n", "gbk"),
        ("海淀区", "gb18030"),
        ("松仁路", "big5"),
        ("臺北市大安區", "big5"),
        ("新北市板橋區中山路", "big5"),
        ("九龍旺角彌敦道", "big5"),
        ("广州市天河区", "gbk"),
        ("幸福里", "gbk"),
    ],
)
def test_few_characters_are_enough(text: str, encoding: str) -> None:
    assert read_as(text, encoding) == text


def test_plain_ascii_and_nothing_are_utf8() -> None:
    assert find_encoding([b"a,b\n1,2\n"]) == find_encoding([b""]) == find_encoding([]) == "utf-8"


def test_chinese_after_a_long_ascii_part() -> None:
    chunks = [b"a,b\n" * 50_000, b"x,y\n" * 60_000 + SIMPLIFIED.encode("gbk")]
    assert find_encoding(chunks) == "gb18030"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_one_bad_byte_does_not_change_the_verdict(encoding: str) -> None:
    data = (SIMPLIFIED * 20).encode(encoding)
    assert find_encoding([data.replace(b"\n", b"\xff\n", 1)]) == encoding


def test_a_character_cut_by_chunks_is_whole() -> None:
    data = SIMPLIFIED.encode()
    assert find_encoding([data[:1], *(data[i : i + 1] for i in range(1, len(data)))]) == "utf-8"


def test_utf8_mark_is_no_part_of_the_text() -> None:
    data = codecs.BOM_UTF8 + b"a,b"
    assert data.decode(find_encoding([data])) == "a,b"


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_marks_of_both_byte_orders(order: str) -> None:
    assert read_as("\ufeff" + SIMPLIFIED, order) == SIMPLIFIED


@pytest.mark.parametrize("name", ["klingon", "base64", "rot13", "", "undefined", "idna", "\udcff", "a\0b"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no encoding"):
        checked_encoding(name)


def test_a_long_name_is_cut() -> None:
    with pytest.raises(UsageError) as caught:
        checked_encoding("x" * 5000)
    assert len(str(caught.value)) < 150


def test_a_named_encoding_is_read_in_its_widest_form() -> None:
    assert [reading_encoding(name) for name in ("GBK", "UTF8", "big5", "utf-16")] == [
        "gb18030", "utf-8-sig", "big5hkscs", "utf-16"
    ]  # fmt: skip
