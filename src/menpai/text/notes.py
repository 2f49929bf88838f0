"""notes: words to the courier or the shop are cut off: 放门口, 到了请打电话, 周末送货, 谢谢."""

from __future__ import annotations

import re

from menpai.text.edits import Edit, Sign, compiled

_SEP = " ,;:。.、/|!?"
_EDGE = f"[{_SEP}]{{0,4}}"
_STOP = frozenset(f"{_SEP})")
_SPOT = (
    "门口|门外|门边|前台|门卫室?|保安室?|物业|传达室|收发室|驿站|菜鸟驿站|菜鸟|快递柜|快递箱|丰巢柜?|蜂巢|自提柜|自提点|代收点|"
    "柜子里?|鞋柜上?|消防栓里?|电表箱里?|水表箱里?"
)
_DAY = "周[一二三四五六日末天](?:[至到和]周[一二三四五六日天])?|工作日|节假日|休息日|双休日?|白天|晚上|上午|下午|中午"
_HOUR = "(?:[0-9一二三四五六七八九十]{1,3}点(?:半)?(?:以?后|之?[后前]|左右)?)"
# Notes by themselves, and words that are notes where the text stops behind them.
_NOTE = (
    "(?:到(?:了|后|前)?|去前|请|送货前?|送前|提前|来前|先|麻烦|务必){1,3}(?:勿|不要|别)?再?(?:给我)?(?:打?电话|联系|致电)(?:联系)?"
    "|(?:勿|不要|别)?打(?:我|本人)?电话|电联(?![产网合营社盟])|(?:地址|位置)不详|(?:请|务必|不要|勿|别){1,2}(?:敲门|按门铃|按铃)"
    f"|(?:(?:快递(?:员|小哥|师傅)?|外卖小?哥?|骑手|小哥|师傅)[{_SEP}]?(?=请|麻烦|直接|放))?(?:请|麻烦|可|就|直接){{0,3}}(?:不要|不能|不可|别|勿)?[放送存投][到在至进]{{0,2}}(?:{_SPOT})"
    "(?:就行|即可|就好|就可以|就可|里面?|吧|了)?"
    "|(?P<closing>(?:请|务必|麻烦|尽量|一定|需要?|要求?){0,3}(?:送货上门|送上门|送到家(?:门口)?|亲自签收|本人签收|当面签收)"
    "|(?:请|务必|麻烦|尽量|尽快|加急|马上){1,3}(?:发货|送达|配送|送货|派送|发出)"
    f"|(?:只|仅|请|可|最好){{0,2}}(?:{_DAY}){{1,2}}{_HOUR}?(?:再|后)?(?:送货?|配送|派送|收货|送达|在家|有人|不在家?|没人|签收)"
    "|家[里中]?(?:没|无|有)人(?:在家)?|易碎品?|轻拿轻放|小心轻放|加急件?|急件|致电|开箱验货|验货(?:后)?签收|货到付款|保密发货"
    "|(?:非常|多)?(?:谢谢|感谢|辛苦)(?:您|你|了|啦|师傅|老板|小哥|快递){0,3})"
)
_NO_PLACE = "[^0-9()省市区县镇乡村路街道号]"
_GREETING = (
    f"^{_EDGE}(?:(?:你好|您好|亲|麻烦您?|在吗)[{_SEP}]+)*(?:请|麻烦|帮我|给我){{0,3}}(?:(?:寄|送|发货?|派送|配送)[到至往][{_SEP}(]*)+"
    f"|^{_EDGE}(?:(?:你好|您好|亲|在吗)[{_SEP}]+)+"
    f"|^{_EDGE}{_NO_PLACE}{{0,20}}地址(?:是|为|在|如下)?[,:。;]{_EDGE}|^{_EDGE}{_NO_PLACE}{{0,8}}地址(?:是|为|在|如下)"
    f"|^{_EDGE}[^0-9(){_SEP}省市区县镇乡村路街道号]{{1,20}}地址[^0-9(){_SEP}省市区县镇乡村路街道号]{{0,10}}[,:。;]{_EDGE}"
)
# A closing sentence that talks: two words of talk, no number and nothing that a place ends with.
_TALK = "我您你们的了吗吧呢啊请是就会要能可"
_LONGEST_SENTENCE = 60
_SENTENCE = (
    f"[。!?;](?=(?:[^{_TALK}]{{0,20}}[{_TALK}]){{2}})"
    f"[^0-9A-Z()。!?;省市区县镇乡村路街道号楼栋室弄巷]{{4,{_LONGEST_SENTENCE}}}[。!?;]?$"
)
# What a text must hold for anything here to matter; the signs of a sentence are on the fast path's list.
SIGN = Sign(
    "电联致不敲按放存送投配派地寄发签收有没无在谢感辛易轻加急验货付",
    "电话|联系|致电|电联|不详|敲门|按门?铃|[放存送投][到在至进门驿菜快丰蜂前保物传收自代柜鞋消电水货达上]|配送|派送|地址|"
    "[寄发][到至往]|签收|收货|发货|有人|没人|无人|在家|不在|谢谢|感谢|辛苦|易碎|轻放|加急|急件|验货|付款",
)
_MAY_NOTE = SIGN.finder()
_MAY_GREET = re.compile("好|亲|在吗").search
_MAY_TALK = re.compile("[。!?;]").search


def notes(text: str) -> list[Edit]:
    """Put a comma where a note, a greeting or a closing sentence stands."""
    noted = _MAY_NOTE(text)
    edits = _notes(text) if noted else []
    if (noted or _MAY_GREET(text, 0, 8)) and (greeting := compiled(_GREETING).match(text)):
        edits = [(0, greeting.end(), ","), *(edit for edit in edits if edit[0] >= greeting.end())]
    tail = max(len(text) - _LONGEST_SENTENCE - 2, edits[-1][1] if edits else 0)
    if _MAY_TALK(text, tail) and (sentence := compiled(_SENTENCE).search(text, tail)):
        edits.append((sentence.start(), sentence.end(), ","))
    return edits


def _notes(text: str) -> list[Edit]:
    """The notes; one that must close the text may stand before others."""
    edits: list[Edit] = []
    follower = len(text)
    for match in reversed(list(compiled(_NOTE).finditer(text))):
        end = match.end()
        if not match["closing"] or end == follower or text[end] in _STOP:
            edits.append((match.start(), end, ","))
            follower = match.start()
    return edits[::-1]
