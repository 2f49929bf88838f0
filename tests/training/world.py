"""A small invented corpus, so that the generator is tested without any data file."""

from __future__ import annotations

from training.gather import Corpus, County, Found

COUNTIES = [
    County("浙江省", "杭州市", "西湖区", ("翠苑街道", "转塘街道", "三墩镇")),
    County("江苏省", "苏州市", "姑苏区", ("平江街道", "双塔街道")),
    County("北京市", "北京市", "朝阳区", ("双井街道", "望京街道", "孙河乡")),
    County("吉林省", "长春市", "朝阳区", ("永昌街道", "乐山镇")),
]
ESTATES = ("海月花园", "翠微苑", "桂语家园", "兰亭新村", "望湖公馆", "松涛雅苑", "紫云府", "竹海半岛")
VILLAGES = ("上坞村", "田心村", "石桥头村", "西塘村", "罗家湾村")
ROADS = ("文丰路", "翠竹东路", "永福街", "长桥大道", "和睦巷", "学士路")


def corpus() -> Corpus:
    """Every kind of place in every county."""
    made = Corpus(counties=list(COUNTIES), strings=["浙江省杭州市西湖区文丰路3号", "姑苏区翠微苑2幢"])
    for i, county in enumerate(COUNTIES):
        town = county.towns[0]
        pools = {
            "estates": [Found(i, town, "", "", "", name) for name in ESTATES],
            "villages": [Found(i, town, name=name) for name in VILLAGES],
            "roads": [
                Found(i, town, "", road, f"{9 + 7 * n}{'弄' if n == 2 else '号'}")
                for n, road in enumerate(ROADS)
            ],
        }
        made.by_county[i] = pools
        for kind, found in pools.items():
            getattr(made, kind).extend(found)
    return made
