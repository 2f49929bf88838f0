"""Rows for the tests of Spark: a town of roads, numbers and shops, each place written in one to four ways."""

from __future__ import annotations

from random import Random
from typing import Any

_HEADS, _TAILS = "文建体天学教莫凤解平延庆秋余登翠", "三国育目院工干起放海安春涛杭云苑"
_ROADS = [
    head + tail + end
    for head, tail in zip(_HEADS * 4, _TAILS * 3 + _TAILS[::-1], strict=True)
    for end in "路街巷"
]
_CITIES = (("浙江省", "杭州市", "西湖区"), ("浙江省", "杭州市", "拱墅区"), ("北京市", "", "朝阳区"))
_OWNERS = "望江 老王 兰州 中国 便民 华联 新华 好又多 顺丰 如家 小李 阿强 金华 东方 和平 胜利 永安 大同 百世 中通".split()
_TRADES = "面馆 五金 拉面 银行 超市 药店 书店 水果 快递 酒店".split()
_SHOPS = [owner + trade for owner in _OWNERS for trade in _TRADES]
_ENDS = ("", "(文三店)", "(总店)", "分店", "有限公司")


def addresses(count: int, seed: int) -> dict[str, list[Any]]:
    """id, address: spellings of places, some equal, some empty or unreadable."""
    chance = Random(seed)
    found = [_spelling(_place(chance), chance) for _ in range(count // 3)]
    places = [_place(chance) for _ in range(count // 6)]
    while len(found) < count - 4:
        found.append(_spelling(chance.choice(places), chance))
    chance.shuffle(found)
    texts: list[str | None] = [*found, None, "", "？？", "址" * 1200]
    return {"id": [f"r{at}" for at in range(len(texts))], "address": texts}


def shops(count: int, seed: int) -> dict[str, list[Any]]:
    """place_id, 店名, 地址, 电话, 纬度, 经度: shops at addresses, the same for each seed, in other spellings."""
    every = Random(1)
    places = [
        (_place(every), every.choice(_SHOPS) + every.choice(_ENDS), every.random()) for _ in range(count)
    ]
    chance = Random(seed)
    rows = []
    for place, name, at in chance.choices(places, k=count):
        name = name if chance.random() < 0.7 else name.partition("(")[0]
        phone = f"138****{int(at * 8999) + 1000}" if chance.random() < 0.4 else None
        point = (30.2 + at / 10, 120.1 + at / 9) if chance.random() < 0.6 else (None, None)
        address = None if chance.random() < 0.03 else _spelling(place, chance)
        rows.append((address, None if chance.random() < 0.05 else name, phone, *point))
    columns = zip(*rows, strict=True)
    named = dict(zip(("地址", "店名", "电话", "纬度", "经度"), map(list, columns), strict=True))
    return {"place_id": [f"s{at}" for at in range(count)], **named}


def _place(chance: Random) -> tuple[Any, ...]:
    room = chance.choice((None, None, chance.randrange(1, 9) * 100 + chance.randrange(1, 6)))
    return (
        *chance.choice(_CITIES),
        chance.choice(_ROADS),
        chance.randrange(1, 160),
        chance.choice((0, 0, 1, 2, 3)),
        room,
    )


def _spelling(place: tuple[Any, ...], chance: Random) -> str:
    province, city, district, road, number, building, room = place
    text = "".join(part for part in (province, city, district) if chance.random() < 0.7)
    text += f"{road}{number}{chance.choice(('号', '号', '弄', ''))}"
    text += f"{building}{chance.choice(('幢', '号楼', '栋'))}" if building else ""
    return text + (f"{room}{chance.choice(('室', '', '房'))}" if room else "")
