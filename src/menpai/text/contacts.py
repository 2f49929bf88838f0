"""contacts: phones with their extensions, receivers, postcodes, accounts and form labels are cut off."""

from __future__ import annotations

import re

from menpai.text.clutter import PROVINCES
from menpai.text.edits import Edit, Sign, Step, compiled

_HAN = "\u3400-\u9fff"
_SEP = " ,;:。.、/|"
_EDGE = f"[{_SEP}]{{0,4}}"
_GAP = f"[{_SEP}]{{1,4}}"
# Characters that tell a place from a person's name.
_PLACE = (
    "省市区县镇乡村路街道号楼室栋幢层园城店院厦座弄里巷组队苑庄港湾屯桥门口场馆社局校厂库"
    "旁内外侧东南西北中上下前后"
)
_SURNAMES = (
    "某王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈"
    "钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤俞葛樊房"
)
_LETTER = f"[^{_PLACE}\\W_0-9A-Z]"
_TITLE = r"(?: ?\(?(?:先生|女士|小姐|老师|师傅|经理)\)?)"
_NAME = f"(?:[{_HAN}]?[A-Z*]{{1,8}}|[{_HAN}]{_LETTER}{{0,2}}){_TITLE}?(?:\\([0-9]{{4}}\\))?"
_HAN_NAME = "某某|[\u3400-\u9fff][A-Z]{1,6}"
_PERSON = f"[{_SURNAMES}]{_LETTER}{{0,2}}"
_END_OF_PLACE = "号室楼栋幢层户房元座组0-9"

_PHONE = (
    r"(?:(?:\+|00)?86[- ]?)?1[3-9][0-9][- ]?(?:[0-9]{4}|[*X]{4,5})[- ]?[0-9]{4}|1[3-9][0-9]\*{8}"
    r"|\(?0(?:10|2[0-9]|[3-9][0-9]{2})[- )]?[1-9][0-9]{6,7}(?:-[0-9]{1,6})?|[48]00-?[0-9]{3}-?[0-9]{4}"
)
# What a shop writes behind a number that hides the receiver's own: -2568, 转2568, [2568].
_EXTENSION = r"(?:-[0-9]{3,4}|\([0-9]{2,4}\)|[ ,]?\(?(?:转|分机|EXT\.?)[: ]?[0-9]{2,6}\)?)?"
_AFTER_PHONE = rf"{_EXTENSION}(?![0-9A-Z*]|-[0-9]|[号弄室栋幢楼组巷单国])"
_NUMBER_LABEL = "(?:联系|收货|收件|公司|咨询|办公|家庭)?(?:电话|手机)(?:号码?)?|联系方式|座机|固话"
_PHONE_LABEL = f"(?:(?:{_NUMBER_LABEL}|TEL|PHONE|MOBILE){_EDGE})"
_WHO = "(?:收[货件]人|联系人|寄件人|姓名)"
_FULL_PHONE = f"(?<![0-9A-Z*+-]){_PHONE_LABEL}?(?:{_PHONE}){_AFTER_PHONE}"
_LAST = f"(?={_EDGE}(?:[0-9]{{6}}{_EDGE})?$)"
_PHONES = (
    f"^{_EDGE}(?:{_NAME}{_GAP})?(?:{_FULL_PHONE})"
    f"|\\({_PERSON}{_TITLE}?{_EDGE}(?:{_FULL_PHONE}){_EDGE}\\)|\\((?:{_FULL_PHONE}){_EDGE}{_PERSON}{_TITLE}?{_EDGE}\\)"
    f"|(?:{_WHO}{_EDGE}{_PERSON}{_EDGE}|[{_SEP}]{_PERSON}{_EDGE}|(?<=[{_END_OF_PLACE}]){_PERSON})(?:{_FULL_PHONE}){_LAST}"
    f"|(?:{_WHO}{_EDGE}{_PERSON}{_EDGE})?(?:{_FULL_PHONE})(?:{_EDGE}{_NAME}{_EDGE}$)?"
    f"|{_PHONE_LABEL}[0-9]{{7,8}}(?![0-9号弄室])"
)
# Beside a phone somewhere in the text: the receiver at an edge, and the extension written once more.
_BESIDE = f"^{_EDGE}(?:{_PERSON}|{_HAN_NAME}){_TITLE}?{_GAP}|{_GAP}{_PERSON}{_TITLE}?{_EDGE}$|\\([0-9]{{4}}\\)(?={_EDGE}$)"
_PART_LABEL = (
    "国家|地区|省份|省/市/区|省市区|所在省市|城市|所在城市|区县|区/县|县区|街道|乡镇|街道/乡镇|小区名?称?"
    "|楼栋号?|楼号|门牌号?|房间号|省|市|区|县|镇"
)
_FORM = (
    f"(?:收[货件]人|联系人|寄件人|发件人|签收人)(?:姓名)?{_EDGE}:{_EDGE}[^{_SEP}()0-9]{{1,12}}"
    f"|(?:^|(?<=[{_SEP}(]))(?:姓名|客户|顾客){_EDGE}:{_EDGE}[^{_SEP}()0-9]{{1,12}}"
    f"|(?:邮政编码|邮编){_EDGE}[0-9]{{6}}(?![0-9])"
    f"|(?:^|(?<=[{_SEP}(]))[{_HAN}]{{0,6}}地址{_EDGE}:"
    f"|(?:^|(?<=[{_SEP}(]))(?:{_PART_LABEL})(?:名称)?{_EDGE}:"
    f"|(?:^|(?<=[{_SEP}(]))(?:收[货件]|详细|联系|家庭|送货)地址(?={_EDGE}(?:{PROVINCES}))"
    f"|(?:(?:所在|收[货件]|详细|送货|联系|通讯)(?:地区|地址)|地址|收[货件]人|{_NUMBER_LABEL}|邮编|(?:公司)?(?:网址|官网)){_EDGE}:"
    f"|(?:微信号?|QQ号?|VX|WX|旺旺|昵称|用户名){_EDGE}:{_EDGE}[0-9A-Z_-]{{2,24}}"
    f"|(?<![0-9A-Z])(?:(?:订单|运单|快递|物流|取件)(?:单?号|编号|码)|单号|验证码)"
    f"(?:{_EDGE}:{_EDGE}[0-9A-Z-]{{4,30}}|{_EDGE}[0-9A-Z]{{10,20}})"
    f"|(?:(?:E-?MAIL|电子邮箱|邮箱){_EDGE}:?{_EDGE})?(?<![A-Z0-9._])[A-Z0-9._]{{1,40}}@[A-Z0-9.-]{{1,40}}"
)
_RECEIVER = (
    f"(?:{_GAP}{_NAME}|(?<=[{_END_OF_PLACE}]){_PERSON}) ?{_TITLE}? ?(?:收|\\(收\\)){_EDGE}$"
    f"|{_GAP}{_PERSON}{_TITLE}{_EDGE}$|^{_EDGE}{_PERSON}{_TITLE}{_GAP}|\\({_PERSON}{_TITLE}?收\\)"
    f"|(?<=[{_END_OF_PLACE}]) {{2,20}}{_PERSON}{_EDGE}$"
)
_NOT_PERSON = re.compile("回收|税收|征收|丰收|验收|招收")
_POSTCODE = (
    f"(?<=[{_HAN})0-9]){_GAP}[0-9]{{6}}{_EDGE}$"
    f"|^{_EDGE}[0-9]{{6}}{_EDGE}(?=[{_HAN}])(?![号弄室栋幢楼组巷部单路])"
)
# What a text must hold for a pattern to matter; quick to search.
_DIGITS_SIGN = Sign(
    "0-9电手联座固TPM",
    "[0-9]{6}|[0-9][*X]{4}|[0-9]{3}-[0-9*X]|电话|手机|联系方式|座机|固话|TEL|PHONE|MOBILE",
)
_FORM_SIGN = Sign(":@邮地单取验", "[:@邮]|地址|单号|取件|验证码")
_PERSON_SIGN = Sign("收先女小老师经 ", "收|先生|女士|小姐|老师|师傅|经理|  ")
_POSTCODE_SIGN = Sign("0-9", "[0-9]{6}")
# The same for the fast path, which has looked for separators and brackets already.
SIGN = _DIGITS_SIGN | Sign("邮@收地单取验", "邮|@|收$|地址|单号|取件|验证码")


def _cutter(pattern: str, sign: Sign) -> Step:
    """A step that puts a comma where the pattern matches, so that numbers around it do not fuse."""
    may_match = sign.finder()

    def cut(text: str) -> list[Edit]:
        if may_match(text) is None:
            return []
        return [
            (m.start(), m.end(), ",")
            for m in compiled(pattern).finditer(text)
            if not _NOT_PERSON.search(m[0])
        ]

    return cut


_cut_phones = _cutter(_PHONES, _DIGITS_SIGN)


def _phones(text: str) -> list[Edit]:
    """Phones, and beside one the receiver at an edge of the text and the extension written again."""
    edits = _cut_phones(text)
    if not edits:
        return []
    first, last = edits[0][0], edits[-1][1]
    beside = [
        (m.start(), m.end(), ",") for m in compiled(_BESIDE).finditer(text) if not first < m.end() <= last
    ]
    return sorted(edits + [edit for edit in beside if edit[1] <= first or edit[0] >= last])


CUTTERS: tuple[Step, ...] = (
    _cutter(_FORM, _FORM_SIGN),
    _phones,
    _cutter(_RECEIVER, _PERSON_SIGN),
    _cutter(_POSTCODE, _POSTCODE_SIGN),
)
