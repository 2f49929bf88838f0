"""markup: what apps and web pages leave in a pasted address: tags, entities, links, [位置], 【默认】."""

from __future__ import annotations

from menpai.text.edits import Edit, Sign, compiled

# Brackets and letters are folded already: <br/> stands here as (BR/), &nbsp; as &NBSP;.
_TAGS = "P|A|B|I|U|BR|HR|DIV|SPAN|UL|OL|LI|TABLE|TBODY|TR|TD|FONT|STRONG|EM|IMG|SECTION"
_ENTITY = "NBSP|ENSP|EMSP|THINSP|LT|GT|QUOT|APOS|MIDDOT|#[0-9]{1,6}|#X[0-9A-F]{1,5}"
_MARKUP = (
    rf"\(/(?:{_TAGS})\)|\((?:BR|HR|DIV|SPAN|FONT|STRONG|IMG|SECTION) ?/?\)|\((?:{_TAGS}) [A-Z-]{{2,12}}=[^()]{{0,300}}\)"
    rf"|&(?:AMP[;,])+(?:(?:{_ENTITY})[;,])?|&(?:{_ENTITY})[;,]"
    r"|(?:HTTPS?|FTP)://[^\s()\u2e80-\U0003ffff]+|(?<![0-9A-Z.])WWW\.[^\s()\u2e80-\U0003ffff]+"
    r"|\\(?:U(?:3000|00A0|200B)|XA0)"
    r"|\((?:位置|定位|图片|表情|语音|链接|地图|微笑|默认(?:地址)?|常用(?:地址)?)\)"
    r"|^[ ,;:]{0,4}\((?:家|家庭|公司|学校|单位|家庭地址|公司地址|收货地址|父母家)\)"
    r"|\(?(?:来自|分享自)(?:高德|百度|腾讯)地图\)?"
)
_OPENING = r"\((?:P|A|B|I|U|UL|OL|LI|TABLE|TBODY|TR|TD|EM)\)"
# What a text must hold for anything here to matter; brackets are on the fast path's list by themselves.
SIGN = Sign("&W自", "&|WWW|自.{2}地图")
_MAY_MATCH = (
    SIGN | Sign(r":\\(", r"://|\\|\((?:/|[ABDFHILOPSTU]|[位定图表语链地微默常家公学单收父])")
).finder()


def markup(text: str) -> list[Edit]:
    """Drop tags, entities, links and the labels of apps; a comma keeps what stood around them apart."""
    if _MAY_MATCH(text) is None:
        return []
    edits = [(m.start(), m.end(), ",") for m in compiled(_MARKUP).finditer(text)]
    if any(text.startswith("(/", start) for start, _, _ in edits):
        edits += [(m.start(), m.end(), ",") for m in compiled(_OPENING).finditer(text)]
    return sorted(edits)
