"""Strategies that write Chinese addresses, clean and as people send them, for every property test."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

# (province, city, district, town), official names of today; a municipality is its own city.
DIVISIONS = (
    ("北京市", "北京市", "朝阳区", "望京街道"), ("北京市", "北京市", "海淀区", "上地街道"),
    ("上海市", "上海市", "浦东新区", "张江镇"), ("上海市", "上海市", "静安区", "共和新路街道"),
    ("重庆市", "重庆市", "渝北区", "两路街道"), ("重庆市", "重庆市", "忠县", "忠州街道"),
    ("浙江省", "杭州市", "西湖区", "文新街道"), ("浙江省", "金华市", "义乌市", "稠城街道"),
    ("江苏省", "南京市", "鼓楼区", "湖南路街道"), ("江苏省", "徐州市", "鼓楼区", "琵琶街道"),
    ("广东省", "广州市", "海珠区", "凤阳街道"), ("广东省", "东莞市", "", "虎门镇"),
    ("吉林省", "长春市", "朝阳区", "清和街道"), ("吉林省", "吉林市", "昌邑区", "双吉街道"),
    ("四川省", "成都市", "成华区", "二仙桥街道"), ("湖北省", "", "潜江市", "张金镇"),
    ("陕西省", "西安市", "长安区", "王曲街道"), ("陕西省", "咸阳市", "乾县", "城关街道"),
    ("内蒙古自治区", "通辽市", "科尔沁左翼后旗", "甘旗卡镇"), ("海南省", "三亚市", "天涯区", ""),
    ("河南省", "郑州市", "二七区", "德化街街道"), ("新疆维吾尔自治区", "伊犁哈萨克自治州", "伊宁市", ""),
)  # fmt: skip
ROADS = (
    "文三路", "建国路", "中山北路", "八一路", "五四大街", "经三路", "纬五路", "东二路", "人民南路二段",
    "三里河东路", "六号大街", "迎春巷", "南锣鼓巷", "解放大道", "一匡街", "高新中一道", "G104国道",
)  # fmt: skip
ESTATES = (
    "海月花园", "望京园", "三里屯SOHO", "明发滨江新城", "万达广场", "十里铺小区", "七里香榭", "芳城园一区",
    "绿地城润园", "科技大厦", "中国银行", "二七塔", "五道口购物中心", "千户苗寨", "A座公寓", "阳光100",
)  # fmt: skip
VILLAGES = ("东艾家庄村", "上寮村", "四十里堡村", "三元里村", "五星村", "梅湾村", "二道沟村")
_NUMERALS = str.maketrans("123456789", "一二三四五六七八九")


@dataclass(frozen=True)
class Written:
    """An address by its parts, in order of writing; `text` puts them together."""

    parts: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(self.parts.values())

    def change(self, **parts: str) -> Written:
        """The same with other parts; an empty part is left out."""
        return replace(self, parts={k: v for k, v in {**self.parts, **parts}.items() if v})


def numbers(most: int = 1999) -> st.SearchStrategy[str]:
    """House numbers as digits."""
    return st.integers(1, most).map(str)


@st.composite
def written(draw: st.DrawFn) -> Written:
    """A clean address with its parts: divisions, then road or estate or village, then building to room."""
    province, city, district, town = draw(st.sampled_from(DIVISIONS))
    parts = {"province": province, "city": city if city != province else "", "district": district}
    parts |= {"town": draw(st.sampled_from(("", town)))}
    kind = draw(st.sampled_from(("road", "estate", "both", "village")))
    if kind == "village":
        parts |= {"community": draw(st.sampled_from(VILLAGES)), "village_group": draw(numbers(30)) + "组"}
        return Written().change(**parts)
    if kind != "estate":
        unit = draw(st.sampled_from(("号", "弄", "号院", "-2号", "号附3号")))
        parts |= {"road": draw(st.sampled_from(ROADS)), "roadno": draw(numbers()) + unit}
    if kind != "road":
        building = draw(numbers(60)) + draw(st.sampled_from(("号楼", "栋", "幢", "座")))
        parts |= {"poi": draw(st.sampled_from(ESTATES)), "building": building}
        if draw(st.booleans()):
            parts |= {"unit": draw(numbers(9)) + "单元", "room": draw(numbers(3999)) + "室"}
    return Written().change(**parts)


def addresses() -> st.SearchStrategy[str]:
    """Clean addresses as one text."""
    return written().map(lambda address: address.text)


_TRADITIONAL = str.maketrans("号楼栋东广县乡镇单层门国", "號樓棟東廣縣鄉鎮單層門國")
_FULL_WIDTH = str.maketrans({chr(c): chr(c + 0xFEE0) for c in range(0x21, 0x7F)})
_NOISE = (
    lambda text: text.translate(_TRADITIONAL),
    lambda text: text.translate(_FULL_WIDTH),
    lambda text: text.translate(_NUMERALS),
    lambda text: text[:6] + " " + text[6:],
    lambda text: text[:9] + "，" + text[9:],
    lambda text: text[:9] + text,
    lambda text: text + text,
    lambda text: f"{text}（{text[-4:]}附近）",
    lambda text: f"{text}【到了联系】",
    lambda text: f"{text[:8]}[{text[8:]}",
    lambda text: f"中国{text}",
    lambda text: f"{text} 13800000000",
    lambda text: f"张某某，138****0000，{text}",
    lambda text: f"收货人: 某某 手机号码: 13800000000 所在地区: {text[:6]} 详细地址: {text[6:]}",
    lambda text: f"{text}，邮编100000",
    lambda text: f"{text}\u200b\ufeff📦",
    lambda text: text.replace("单元", "(单元)").replace("-", "—"),
    lambda text: text[1:],
    lambda text: text[:-1],
    lambda text: text.lower(),
)


@st.composite
def messy_addresses(draw: st.DrawFn) -> str:
    """Addresses as people send them: up to three kinds of noise over a clean one."""
    text = draw(addresses())
    for noise in draw(st.lists(st.sampled_from(_NOISE), max_size=3)):
        text = noise(text)
    return text


def any_text(**sizes: Any) -> st.SearchStrategy[str]:
    """Any text at all, lone surrogates and control characters included."""
    return st.text(st.characters(exclude_categories=()), **sizes)


# The pieces of which the steps of normalize are afraid, in any order.
_PIECES = (
    *"省市区县号楼栋室一二三十百零〇廿壹两019A-—~,，、。 ()（）【[】.·:/|*中收某张门户层段",
    "中国", "北京市", "上海", "长春市", "忠县", "13800000000", "138****0000", "010-12345678", "315200",
    "收货人:", "电话", "打电话", "先生", "到了", "联系", "(栋)", "单元", "Ⅲ", "⻄", "①", "㎡", "\ud800",
)  # fmt: skip


def pieces() -> st.SearchStrategy[str]:
    """Texts made of the pieces that normalize looks for."""
    return st.lists(st.sampled_from(_PIECES), max_size=24).map("".join)
