"""Written address pairs, for calibration and measuring where the user gives none. No real address is among them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

_HEADS = (
    "浙江省杭州市西湖区文新街道", "杭州西湖", "北京市朝阳区望京街道", "", "四川省成都市武侯区", "江苏省南通市海门区余东镇",
    "广东省深圳市南山区粤海街道", "上海市浦东新区", "新疆乌鲁木齐市天山区", "湖北武汉洪山区关山街道", "河南省开封市兰考县",
)  # fmt: skip
_ROADS = (
    "文三路",
    "建设北大街",
    "中山东路",
    "青年路",
    "科技三路",
    "解放大道",
    "人民南路",
    "滨河西路",
    "长江1路",
)
_PLACES = (
    "阳光花园", "东泰花园", "恒大名都", "万科城三期", "锦绣家园", "翠湖天地", "保利香槟国际", "SOHO现代城", "创业大厦A座",
    "软件园二期", "第一人民医院", "实验小学", "农贸市场", "金色家园北区",
)  # fmt: skip
_TAILS = (
    "{b}号楼{u}单元{r}室", "{b}幢{r}", "{b}栋{u}单元", "-{b}-{u}-{r}", "{b}号楼", "", "B{b}", "{b}号{u}楼", "南门对面",
    "负一层",
)  # fmt: skip


def written_pairs(count: int) -> list[tuple[str, str]]:
    """So many pairs: the same place in other words, another number, another building, another place, another city."""
    return list(islice(_pairs(), count))


def _pairs() -> Iterator[tuple[str, str]]:
    at = 0
    while True:
        a = _address(at, at, at, at)
        other = at // 5
        yield (
            (a, _address(at + 3, at, at, at)),
            (a, _address(at, at, at, at + 7)),
            (a, _address(at, at + 1, at, at)),
            (a, _address(at + other, at + 4, at + 5, at + 2)),
            (_village(at), _village(at + at % 2)),
        )[at % 5]
        at += 1


def _address(head: int, road: int, place: int, tail: int) -> str:
    number = "" if road % 6 == 5 else f"{road * 37 % 899 + 1}号"
    numbers = {"b": tail * 7 % 29 + 1, "u": tail % 4 + 1, "r": tail * 13 % 2300 + 101}
    return (
        _HEADS[head % len(_HEADS)]
        + _ROADS[road % len(_ROADS)]
        + number
        + _PLACES[place % len(_PLACES)]
        + _TAILS[tail % len(_TAILS)].format(**numbers)
    )


def _village(at: int) -> str:
    """An address in the country."""
    towns = ("大营镇", "柳林乡", "双河镇", "红旗农场")
    villages = ("王家村", "李庄", "东湾村", "石桥村", "新建屯")
    return f"{towns[at % 4]}{villages[at % 5]}{at % 12 + 1}组{at % 87 + 1}号"
