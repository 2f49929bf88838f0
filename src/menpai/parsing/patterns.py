"""The tokens of the part after the divisions: numbers, letters, posts, assists, brackets, separators.

Linear: possessive lists, bounded numbers, and every token begins with a character of _TRIGGER.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Unit words after a number, by the kind of element they make; 号 and 楼 are decided by what stands before.
UNIT_KINDS: dict[str, str] = {
    unit: line.split()[0]
    for line in (
        "building 号居民楼 号住宅楼 号商务楼 号办公楼 号写字楼 号教学楼 号宿舍楼 号公寓楼",
        "building 号厂房 号库房 号仓库 号车间 号楼 号栋 号塔 号座",
        "building 号别墅 别墅 号公寓 栋楼 幢楼 #楼 #栋 #幢 楼栋 # 栋 幢 座 排 通道 舍",
        "roadno 号大院 号院 院 弄 号",
        "unit 单元 单位 单 门 号门洞 门洞 梯",
        "floor 层楼 层 字楼 楼",
        "room 号商铺 号门面房 号门面 号铺位 号铺 号室 号房 号摊位 号摊 号商位 号档口 号档 号店面",
        "room 档口 摊位 铺位 商位 店面 室 户 房 铺",
        "village_group 村民小组 居民小组 生产队 大队 小组 组 队 社 连",
        "subpoi 号门 号出口 号出入口 号口 出入口 出口 入口 口 街区 街坊 组团 网格 委 区 期 支弄",
        "distance 公里 米 KM M",
        "name 地块 号地块 号线 号路 号大街 号大道 号街坊 号街 号小区 大街 街 路 村 里",
        "lane 巷 段 条",
    )
    for unit in line.split()[1:]
}
_GUARD = {
    "单位": r"单位(?=\d)",
    "单": r"单(?=[\d、,\s)]|$)", "门": r"门(?=\d|$|[\s,、)])", "号楼": "号楼(?![山兰])", "房": "房(?![地产屋])",
    "号门": "号门(?![市诊店面头卫牌])", "院": "院(?![校士区线])", "委": "委(?![会员])", "铺": "铺(?![路子])",
    "组": "组(?!团)", "队": "队(?!伍)", "社": "社(?!区)", "排": "排(?![水沟骨])", "区": "区(?!间)", "M": "M(?![A-Z])",
    "段": "段(?!家)", "条": "条(?!件)", "里": r"里(?![\d程])", "村": "村(?!民)", "路": "路(?!口)", "街": "街(?!口)",
    "梯": r"梯(?=\d|$|[\s,、)-])", "连": r"连(?=\d|$|[\s,、()])", "号档": "号档(?!案)",
}  # fmt: skip


def _by_first_character(units: Iterable[str]) -> str:
    """The units as alternatives, longest first, those of one first character together: quick to rule out."""
    groups: dict[str, list[str]] = {}
    for unit in sorted(units, key=len, reverse=True):
        groups.setdefault(unit[0], []).append(_GUARD.get(unit, unit)[1:])
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in groups.items())


_UNITS = _by_first_character(UNIT_KINDS)
_ATOM = r"(?:[A-Z]{1,2}-?)?\d{1,8}(?:[A-Z](?![A-Z])|[甲乙丙丁](?=号))?"
_IN_NUMBER = r"\dA-Z第甲乙丙丁戊己东西南北附副临塔#"
_IN_ASSIST = "里斜对旁附隔周后背楼东西南北以往向左右正大门村巷街交路沿"
_TRIGGER = rf"[{_IN_NUMBER}{_IN_ASSIST}负地底首顶()\s,;.:、·|/\"'!?。_-]"
TOKEN = re.compile(
    rf"(?={_TRIGGER})(?:"
    # A post on a highway: K12+500, 1206公里+500米.
    rf"(?=[{_IN_NUMBER}])(?:"
    r"(?P<post>(?:(?<![A-Z0-9])K\d{1,4}\+\d{1,4}|(?<![\dA-Z.])\d{1,4}(?:公里|KM)\+?\d{1,4})(?:米|M(?![A-Z]))?处?)"
    rf"|(?P<num>第?(?P<pre>[甲乙丙丁戊己东西南北附副临]字?|#(?=\d)|塔(?=\d{{1,2}}(?![\d号栋幢座单层楼室#])))?(?:(?<![A-Z0-9])|(?<=[A-Z]{{3}})(?=\d)|(?<=\d[A-Z])(?=\d))"
    rf"(?P<list>{_ATOM}(?:(?:[-~、,./至到和及之]|号[、,和及至到]|号-(?=\d{{1,2}}(?![\d栋幢座单楼室层#号-])))?+(?<![A-Z0-9]){_ATOM})*+(?:-[A-Z](?![A-Z0-9]))?)"
    rf"(?P<unit>{_UNITS})?(?P<sub>(?<=[号楼栋幢座])(?:之(?:[一二三四五六七八九十]{{1,2}}|\d{{1,2}}(?!\d)(?:[-至到]之?\d{{1,2}}(?![\d号]))?)|(?<=号)[甲乙丙丁](?=[\s,、(]|$)))?)"
    r"|(?P<let>(?<![A-Z0-9])(?P<letter>[A-Z]{1,2}|X{3,4}|X{1,4}-X{1,4})(?P<lunit>座(?!公寓)|栋|幢|号楼|号院|号|弄|单元|梯|楼|层|区|室|户|铺|组团|段|塔|馆|出入口|[出入]?口))|(?P<flat>(?<=[楼层])[A-Z]{1,2}(?=$|[\s,()])))"
    r"|(?P<low>负\d{1,2}(?:[层楼]?[至到~、,-]?负\d{1,2}){0,3}[层楼F]?|地下\d{1,2}[层楼]|地下室|地下(?=[A-Z]?(?:铺|室|$))|底商|首层|底层|(?<![屋金])顶[楼层](?=$|[\s\d,()])|(?<![0-9A-Z元区期])-(?:[1-5](?:[至到~、,-]?-[1-5]){0,4}层|[1-3](?:楼|F(?![A-Z])))(?!-|\d?单元))"
    rf"|(?=[{_IN_ASSIST}])(?P<assist>(?:里面|斜?对面|对过|旁边|附近|隔壁|周[边围]|后[面身](?!街)|背后|楼[上下]|[东西南北]{{1,2}}(?:侧|[一二]?角(?=$|[^头村山镇乡]))|以[东西南北内外]|"
    r"[东西南北正大]{0,2}门口|村口(?=[\s,(旁附]|$)|门前(?![路街])|交叉处|路[东西南北](?=$|[\s,()]|\d{1,4}米)|"
    r"[往向][东西南北前后左右]{1,2}(?=$|[\s,()])|[左右][转拐侧]|沿街(?!道))(?:的|及)?)"
    r"|(?P<open>\()|(?P<close>\))|(?P<sep>[\s,;.:、·|/\"'!?。_#-]+))"
)
HIGHWAY = re.compile(r"[GSXY]\d{1,4}$")
# A number before these counts something else: 21世纪太阳城, 24小时银行.
COUNTED = re.compile("世纪|小时|天|度|年|级|班")
PHASE = re.compile(r"\d{1,2}期")
# After 半山1号, 天悦1号: what shows that the number belongs to the name.
IN_BRAND = re.compile(
    r"[A-Z]?\d{1,3}(?:栋|幢|号楼|#|座|期|区|-\d{1,2}-|-\d{3})|[^\d\s(,楼院层室]{1,4}[苑园府城轩阁庭][\d\s]"
)
TOWARDS = re.compile(r"(?:往|向|以)?[东西南北前后]{1,2}(?:方向|侧|面|边|[行走])?(?:约|大约)?$")
_ESTATE = re.compile(
    r"(?:小区|[一二三四五六七八九十][村坊]|苑|园|庭|城|府|轩|阁|居|邸|墅|新村|公寓|花园|家园|[区期院里座]|广场|中心|大厦)$"
)
_ESTATE_LONGEST = 2
_ESTATE_ENDS = frozenset("区村坊苑园庭城府轩阁居邸墅寓期院里座场心厦楼")
# In these a 楼 is a floor, and a number a shop or stall.
MARKET = re.compile(
    r"(?:市场|商贸城|商城|批发城|建材城|家具城|服装城|小商品城|轻纺城|电子城|装饰城|购物中心|百货|商场)"
)
TALL = ("广场", "中心", "大厦", "城")
BRANCH = re.compile(
    r"[^\d]{1,12}(?:店|校区|院区|分校|分行|支行|(?<![小社])区|[期院馆部])$|[东西南北正侧后]{1,2}大?门$|[A-Z]?\d?号?口$"
)
ASIDE = re.compile(
    "除|不包?含|含|(?:靠|临|邻)近|紧[邻靠]|毗邻|近(?![平江水岗海塘江山田溪湖])|原|现|旧|老门牌|道路$|街道$|小区$|社区$"
)
READABLE = re.compile(r"\d|.[路街巷]|大道|国道|小区|社区")
LETTERED = re.compile("[A-Z]")
# A bracket that says only what is near: 沙塘小区附近, 二环以内, 近福州路.
BESIDE = re.compile(r"^[^\d]*(?:附近|旁边?|对面|隔壁|[后前侧]面|以[内外])$|^[靠临]\D{2,14}[路街巷道口]$")
# What a road may run past: 工商银行|路西, 李庄村|路口, but not 学院|路西.
BESIDE_ROAD = re.compile(
    r"[路街道段米里处]$|[^\d\s][村庄屯社]$|[东西南北]头$|[叉路街村交]口$|号楼$|卫生[院所室]$|派出所$|加油站$|信用社$|合作社$|"
    r"[^\d\s]{2}(?:银行|广场|商场|市场|大厦|小区|公司|中学|小学|学校|医院|超市|宾馆|酒店|厂|法院|政府|邮政?局|供电所|幼儿园|电信|移动|联通)$"
)
# A bracket that names the place where nothing else does: 人民路8号(阳光大厦).
NAMING = re.compile(
    r"[^\d\s]{2,12}(?:店|[苑园府城轩阁庭馆院]|学校|[中小]学|广场|大厦|超市|市场|中心|公司|公寓|宾馆|酒店|银行|公馆|新村|名居)$"
)


def is_estate(text: str) -> bool:
    """Whether a place's name ends as estates and large buildings do."""
    return text[-1:] in _ESTATE_ENDS and _ESTATE.search(text, len(text) - _ESTATE_LONGEST) is not None
