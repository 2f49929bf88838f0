"""What may follow a division name, and how towns and zones look when the tables do not have them."""

from __future__ import annotations

import re
from functools import lru_cache

from menpai.parsing import values


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Names of a direction or a part: a district only when the city stands before it.
GENERIC = _words("东区 西区 南区 北区 中区 城区 郊区 矿区 新区 市区 市郊区")
# In the midst of other text these are parts of an estate's name (绿城城东区).
INSIDE = GENERIC | _words(
    "新城区 市中区 城东区 城西区 城南区 城北区 城中区 东城区 西城区 北城区 南城区 平房区"
)
# 浦东区, 红谷滩新区; but 昆山县城, 清徐县医院.
WRONG_SUFFIX = re.compile("新?[区县](?![城政人医委])")
# What stands before an address in a sentence: 我家的地址是江苏淮安…, 住在…, 寄到….
LEADS = frozenset("是在到于址寄")
# Short names that are common words: divisions only before a deeper one, or at the end.
COMMON = _words(
    "阿里 大同 大庆 中山 黄山 白山 红河 海南 安康 吉安 三明 文山 海东 海北 海西 黄南 白银 新乡 莱芜 永善 桃园 "
    "互助 信丰 南部 大内 大名 市北 市南 中站 中方 东至 平利 威信 天全 利通 港南 港北 西和 "
    "海港 光山 光泽 开阳 建始"
)
TOWN_SUFFIXES = ("街道", "镇", "乡", "苏木")

# After 朝阳市, 海淀区, 白马镇: what makes it another word.
_FULL = re.compile(r"场(?!镇)|域|小区|立交|大厦")
_FULL_TOWN = re.compile(r"[路街巷](?![道坊])|小区|大厦")
_ROAD = re.compile("[东西南北中]?(?:路|街|大道)")
_AFTER_FULL = frozenset("场域小立大路街巷东西南北中")
OFFICE = re.compile(r"[人民市县区]*(?:政府|公安|法院|检察|医院|委|政协|局|驻)|第?[一二三四五六]|宿舍|分公司")
# After 北京, 山西: what makes it a road, firm, school, dish or estate.
SHORT = re.compile(
    r"(?!路(?:环(?![岛球境城])(?<=澳门路环)|[凼氹]城)|(?:五一|八一|七一|三八)[东西南北中]?(?:路|大道|大街))[东西南北中上下前后新老环]{0,2}[一二三四五六七八九十百\d]{0,3}"
    r"(?:路|街|大道|大街|大路|公路|巷|胡同|弄|站|里(?![水程])|道(?![里外真县孚]|(?<=[一二三四五六七八九十]道)口))|"
    r"[^\d\s]路(?=\d)|[镇乡]|街道|河|"
    r"大[学道街厦酒]|学院|师范|理工|工业大|农业大|医科|中医药|财经|科技大|交通大|外国语|[中小]学|[一二三四五六]中|"
    r"医院|饭店|宾馆|酒店|银行|公司|集团|证券|广场|花园|公寓|小区|家园|新村|新城|名城|名都|公馆|山庄|别墅|豪庭|"
    r"城(?![东西南北中关厢区]|[^\d\s]{1,3}(?:社区|村|街道|[镇乡]))|小吃|小面|拉面|烤|热干面|火锅|饭|面馆|面庄|包子|米粉|牛肉|羊肉|菜|鸡|鸭(?!脷)|人家|"
    r"[门桥寺庙湾站村屯园苑府]|港(?![区岛])|机场|庄(?!河)|湖(?![北南里州滨口])|山(?![东西海丹亭阳城])|饺|料理"
)
# After the bare name of a district it makes the name of a place of work that lies anywhere: 芙蓉工业区.
WORKS = re.compile(r"第?[一二三四五六七八九十\d]?(?:工业|科技|创业|产业)(?:区|园(?!区)|城)|厂")
# After that of a city as well: 南昌第三工业区, 南昌二队.
NUMBERED_WORKS = re.compile(r"第?[一二三四五六七八九十\d]{1,2}(?:工业|队(?!伍))")
# The zone of a place by its kind alone: 昆山开发区; not 东海旅游度假区.
PLAIN_ZONE = re.compile("(?:经济|技术|高新|产业|工业|经开){0,4}(?:开发)?(?:园区|区)")
TOWN_SIGN = re.compile("[镇乡街办木地](?:(?<!地)|区)")
TOWN_IN_ZONE = re.compile("[镇乡]|街道")
# A road with a name of its own, not one of the same name as what stands before it (临平东路, 望京街).
OWN_ROAD = re.compile(
    r"(?![东西南北中上下前后新老内外大小路街道巷])[^\d\s\W]{2,3}?(?:[东西南北中]?路|[东西南北中]?街(?!道)|大道)"
)
_NAME = r"[^\d\s()、,;.\-#A-Z路街号村]"
TOWN = re.compile(
    r"(?P<stem>[^\d\s()、,;.\-#A-Z路街号村]{1,8}?路?)(?:"
    r"\((?:地区|街道)\)(?:[镇乡]|办事处)|地区(?:[镇乡]|办事处)?|街道(?:办事处|办)?|街办|苏木|办事处|"
    r"(?<!小)镇(?!上(?:$|[\s),])|政府)|(?<!水)乡(?!村|镇|政府|间))"
)
# A road of the same name as a town, with the road that it meets: 花园路|与农科路, 红旗街|湖西路路口.
_CROSSED = (
    r"(?:[与及跟、/&]|和(?!平(?:[东西南北中]?[路街]|大[路街道])|[谐睦顺兴美])|[靠临]?近(?![平江水岗海塘江山田溪湖]))[^\d\s()]{1,8}?(?:[路街巷]|大道)|"
    r"[^\d\s()]{1,8}?(?:[路街巷]|大道)(?:路?口|交[叉汇界]|十字|相交|[东西南北]{1,2}角)"
)
# 劝业场街 for 劝业场街道, when a street, community or village of its own follows.
STREET_TOWN = re.compile(
    rf"(?P<stem>[^\d\s()、,;路街村]{{2,6}})街(?!{_CROSSED})"
    r"(?=[^\d\s道区口()、,]{1,12}?(?:[路街巷村]|社区|大道))"
)
UNKNOWN_DISTRICT = re.compile(rf"{_NAME}{{2,4}}?(?:(?<![小社校院园景片厂林矿城])区|[县市旗])")
NO_TOWN = re.compile(r"[市区县省]|..古$|大[道街]|胡同|社区|小区")
_ZONE = re.compile(
    rf"(?:{_NAME}{{0,10}}?(?:高新技术(?:产业)?开发区|高新技术产业园区|经济技术开发区|经济开发区|技术开发区|产业集聚区|"
    r"产业开发区|高新区|经开区|开发区|工业园区|保税区|起步区|示范区|度假区|自贸区|产业园区|管理区)|"
    rf"{_NAME}{{2,4}}?新区)(?:管委会|管理委员会)?(?![\dA-Z](?!区))"
)
# The Xinjiang corps outside the county table: 兵团, 第八师, 一四七团.
CORPS = re.compile(
    r"(?P<devzone>(?:生产建设)?兵团|(?:第|农)?[一二三四五六七八九十\d]{1,3}师(?![范大院]))|"
    r"(?P<town>[〇零一二三四五六七八九十百\d]{2,4}团(?![结员]))"
)
_CANONICAL = (
    (re.compile("高?新技术(?:产业)?开发区|高新技术产业园区"), "高新区"),
    (re.compile("经济技术开发区|经济开发区|技术开发区"), "经开区"),
    (re.compile("管委会|管理委员会"), ""),
)
_OFFICE = re.compile(r"(?:办事处|街办|(?<=街道)办)$")
_SUFFIX = re.compile(r"(?:街道|镇|乡|苏木|地区)$")
# The 55 minorities as they occur in names of units, longest first.
MINORITIES = (
    "克尔克孜|柯尔克孜|乌孜别克|俄罗斯|鄂伦春|鄂温克|哈萨克|维吾尔|塔吉克|塔塔尔|达斡尔|保安|东乡|裕固|蒙古|朝鲜|布依|"
    "高山|拉祜|景颇|土家|哈尼|傈僳|纳西|仡佬|锡伯|普米|布朗|撒拉|毛南|仫佬|阿昌|德昂|基诺|独龙|门巴|珞巴|赫哲|"
    "黎|傣|畲|佤|水|怒|京|羌|土|回|藏|苗|彝|壮|满|侗|瑶|白|各"
)
_ETHNIC = re.compile(f"(?:(?:{MINORITIES})族)+$")


def full(text: str, at: int, end: int) -> bool:
    """Whether what follows the full name text[at:end] makes it another word (朝阳市场, 白马镇街)."""
    if text[end : end + 1] not in _AFTER_FULL:
        return False
    last = text[end - 1]
    pattern = _FULL_TOWN if last in "镇乡道" else _ROAD if last == "州" else _FULL
    return pattern.match(text, end) is not None


def zone(text: str, at: int) -> int | None:
    """Where a development zone that begins here ends."""
    if text.find("区", at, at + 22) < 0:
        return None
    match = _ZONE.match(text, at)
    return match.end() if match else None


def zone_value(written: str) -> str:
    """高新区 for 高新技术产业开发区, 长春经开区 for 长春经济技术开发区."""
    if CORPS.fullmatch(written):
        return values.digits(written.removeprefix("第"))
    for pattern, short in _CANONICAL:
        written = pattern.sub(short, written)
    return written


def town_value(written: str) -> str:
    """An unknown town in the official way: 沙河镇 for 沙河(地区)镇, 七里街道 for 七里办事处."""
    if CORPS.fullmatch(written):
        return values.digits(written)
    bare = written.replace("(地区)", "").replace("(街道)", "街道")
    short = _OFFICE.sub("", bare)
    return bare if short == bare else short if short.endswith("街道") else short + "街道"


@lru_cache(maxsize=4096)
def stem(name: str) -> str:
    """A town's name without 街道, 镇, 乡 and without the ethnic part."""
    bare = _SUFFIX.sub("", name)
    return _ETHNIC.sub("", bare) or bare
