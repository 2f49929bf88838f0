"""Places of the sources are cleaned and taken apart."""

from __future__ import annotations

import pytest

from training.gather import Found, clean, take_apart


@pytest.mark.parametrize(
    ("place", "kind", "found"),
    [
        ("翠苑街道海月花园3号楼2单元", "estates", Found(0, "翠苑街道", name="海月花园")),
        ("翠苑街道学院社区海月花园小区", "estates", Found(0, "翠苑街道", "学院社区", name="海月花园小区")),
        ("文丰路120号松涛雅苑7幢", "estates", Found(0, "", "", "文丰路", "120号", "松涛雅苑")),
        ("三墩镇上坞村4组", "villages", Found(0, "三墩镇", name="上坞村")),
        ("双井街道长桥大道88号", "roads", Found(0, "双井街道", "", "长桥大道", "88号")),
        ("华明镇和睦路335弄7号", "roads", Found(0, "华明镇", "", "和睦路", "335弄7号")),
        ("12345", "", Found(0)),
    ],
)
def test_take_apart(place: str, kind: str, found: Found) -> None:
    assert take_apart(0, place) == (kind, found)


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        (("北京市", "通州区", "宋庄镇", "白庙村12号"), [("北京市", "北京市", "通州区", "宋庄镇白庙村12号")]),
        (
            ("浙江省", "杭州市", "西湖区", "西湖区翠微苑（3幢）５号"),
            [("浙江省", "杭州市", "西湖区", "翠微苑5号")],
        ),
        (("浙江省", "杭州市", "西湖区", "翠苑街道其他地区"), []),
        (("浙江省", "杭州市", "西湖区", "除高风险以外的区域"), []),
        (("浙江省", "杭州市", "西湖区", "海月花园3号楼、5号楼"), []),
        (("浙江省", "杭州市", "西湖区", "长" * 40), []),
    ],
)
def test_clean(row: tuple[str, str, str, str], kept: list[tuple[str, str, str, str]]) -> None:
    assert list(clean(*row)) == kept
