"""Which encoding a text has: by its mark, as valid UTF-8, or by which reading looks like Chinese."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from itertools import chain

from menpai.errors import UsageError

# A UTF-8 mark is part of no column name; the others read their own. UTF-32 first: its mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_SAMPLE = 1 << 18
# Frequent characters of addresses, headings and street names in both scripts. A wrong decoding spreads over
# thousands of characters and hits these by chance in about one of twenty; the right one in every second.
_COMMON = frozenset(
    "的一二三四五六七八九十百东南西北中上下左右前后内外旁边近口门对面大小新老长平安和兴华民人国公司店场所站"
    "省市区县镇乡村组队路街道巷弄胡同号楼栋幢座单元层室园苑花庭家府城院厦广场期里段交叉桥山河江湖海洋港湾"
    "泉林阳龙凤金银石水田木工业科技学校医院银行超市酒店宾馆小中心开发高新经济自治州盟旗社居委会办事处"
    "京津沪渝冀晋辽吉黑苏浙皖闽赣鲁豫鄂湘粤琼川贵云陕甘青宁蒙桂藏疆台港澳深圳杭州武汉成都重庆天徐"
    "地址名称标签匹配部分完全不是否建设解放文化春光明星友谊联合胜利红永昌福康达丰德庄陈李王张刘杨黄赵周吴"
    "東門對邊後內長興華國場區縣鎮鄉組隊號樓棟單層園廈廣橋灣陽龍鳳銀業學醫開發濟社會辦處臺灣雲陝寧"
    "蘇閩贛魯鄂瓊貴們爾時經東與這個來為過無實體結對於從說點樓衛訊達慶歷義倉師範電話備註萬億訂單類別"
    "、。，：；（）【】《》“”－—·０１２３４５６７８９"
)


def find_encoding(chunks: Iterable[bytes]) -> str:
    """The encoding of a text whose bytes come in chunks (all of them, or a first sample)."""
    walk = iter(chunks)
    first = next(walk, b"")
    for mark, name in _MARKS:
        if first.startswith(mark):
            return name
    if first.count(0) * 4 > len(first):
        return _unmarked_utf16(first)
    decoder = codecs.getincrementaldecoder("utf-8")()
    for chunk in chain([first], walk):
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError:
            return _likeliest(_from_first_high_byte(chunk))
    return "utf-8"


def checked_encoding(name: str) -> str:
    """The name as Python spells it; a UsageError if it is no encoding of texts."""
    try:
        known = codecs.lookup(name).name
        "-".encode(
            known, "backslashreplace"
        )  # refuses what is no encoding of any text: base64, undefined, idna
    except (LookupError, ValueError):
        shown = name if len(name) <= 40 else name[:39] + "…"
        raise UsageError("encoding_unknown", encoding=shown) from None
    return known


def reading_encoding(name: str) -> str:
    """The widest encoding to read under this name: UTF-8 with or without its mark, GB18030 for its parts."""
    known = checked_encoding(name)
    return {"utf-8": "utf-8-sig", "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs"}.get(
        known, known
    )


def _unmarked_utf16(sample: bytes) -> str:
    """The byte order of UTF-16 without a mark: ASCII characters in it have their zero on one side."""
    return "utf-16-be" if sample[0::2].count(0) > sample[1::2].count(0) else "utf-16-le"


def _from_first_high_byte(chunk: bytes) -> bytes:
    """The part of a chunk from its first byte beyond ASCII, at an even place so that UTF-16 stays whole."""
    at = next((i for i, byte in enumerate(chunk) if byte > 0x7F), 0)
    return chunk[at & ~1 :]


def _likeliest(sample: bytes) -> str:
    """GB18030, Big5, UTF-8 with a fault, UTF-16: the one with the largest share of common characters."""
    names = ["gb18030", "big5hkscs", "utf-8", *([_unmarked_utf16(sample)] if 0 in sample else [])]
    return max(names, key=lambda name: _score(sample[:_SAMPLE], name))


def _score(sample: bytes, encoding: str) -> float:
    """Share of common characters among those beyond ASCII; a byte that cannot be read counts against it."""
    beyond = [char for char in sample.decode(encoding, "replace") if char > "\x7f"]
    good = sum(char in _COMMON for char in beyond) - sum(char == "�" for char in beyond)
    return good / max(1, len(beyond))
