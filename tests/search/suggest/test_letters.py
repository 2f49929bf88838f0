"""Short forms and sounds of elements."""

from __future__ import annotations

import pytest

from menpai.search.suggest.letters import initials, other_readings, short_length, sounds


@pytest.mark.parametrize(
    ("element", "short"),
    [
        ("北京市", "北京"), ("海淀区", "海淀"), ("内蒙古自治区", "内蒙古"), ("新疆维吾尔自治区", "新疆"), ("文三路", "文三"),
        ("湘西土家族苗族自治州", "湘西"), ("中关村大街", "中关村"), ("123号", "123"), ("3号楼", "3"), ("2单元", "2"),
        ("301室", "301"), ("赵县", "赵县"), ("村", "村"), ("号", "号"), ("A座", "A座"),
        ("望京街道", "望京"), ("万科城", "万科城"), ("", ""),
    ],
)  # fmt: skip
def test_short(element: str, short: str) -> None:
    assert element[: short_length(element)] == short


def test_sounds() -> None:
    assert sounds("文三路12号A座") == ["wen", "san", "lu", "1", "2", "hao", "a", "zuo"]
    assert initials("文三路12号（A座）") == "wsl12h~az~"


def test_readings_that_people_use_are_known() -> None:
    assert "".join(sounds("重庆")) == "zhongqing"
    assert other_readings("重庆") == [["chong", "qing"]]
    assert ["chang", "an", "jie"] in other_readings("长安街")
    assert other_readings("文三路") == []
