"""The patterns of the part after the divisions. Each is linear: bounded lazy names, possessive numbers."""

from __future__ import annotations

import re

# Unit words after a number, by the kind of element they make; 号 and 楼 are decided by what stands before.
UNIT_KINDS: dict[str, str] = {
    unit: line.split()[0]
    for line in (
        "building 号居民楼 号住宅楼 号商务楼 号办公楼 号写字楼 号教学楼 号宿舍楼 号公寓楼",
        "building 号厂房 号库房 号楼 号栋 号塔 号座",
        "building 号别墅 号公寓 栋楼 幢楼 #楼 #栋 #幢 楼栋 # 栋 幢 座 排 舍",
        "roadno 号大院 号院 弄 号",
        "unit 单元 单 门",
        "floor 层 楼",
        "room 号商铺 号门面 号铺 号室 号房 室 户 房 铺",
        "village_group 村民小组 居民小组 生产队 小组 组 队 社",
        "subpoi 号门 街区 组团 网格 区 期",
        "distance 公里 米 KM M",
        "name 号地块 号线 号路 号大街 号大道 号街坊 号街 号小区 大街 街 路 村 里",
        "lane 巷 段 条",
    )
    for unit in line.split()[1:]
}
_GUARD = {
    "单": r"单(?=[\d、,\s)]|$)", "门": r"门(?=\d|$|[\s,、)])", "号楼": "号楼(?![山兰])", "房": "房(?![地产屋])",
    "铺": "铺(?![路子])", "组": "组(?!团)", "队": "队(?!伍)", "社": "社(?!区)", "排": "排(?![水沟骨])",
    "区": "区(?!间)", "M": "M(?![A-Z])", "段": "段(?!家)", "条": "条(?!件)", "里": r"里(?![\d程])",
    "村": "村(?!民)", "路": "路(?!口)", "街": "街(?!口)",
}  # fmt: skip
_UNITS = "|".join(_GUARD.get(unit, unit) for unit in sorted(UNIT_KINDS, key=len, reverse=True))
_ATOM = r"[A-Z]{0,2}\d{1,8}(?:[A-Z](?![A-Z]))?"
TOKEN = re.compile(
    rf"(?P<num>第?(?P<pre>[甲乙丙丁戊己东西南北附]字?|塔(?=\d{{1,2}}(?![\d号栋幢座单层楼室#])))?(?:(?<![A-Z0-9])|(?<=[A-Z]{{3}})(?=\d))"
    rf"(?P<list>{_ATOM}(?:(?:[-~、,/至到和及]|号[、,和及])?+(?<![A-Z0-9]){_ATOM})*+(?:-[A-Z](?![A-Z0-9]))?)"
    rf"(?P<unit>{_UNITS})?(?P<sub>(?<=号)(?:之[一二三四五六\d]{{1,2}}|[甲乙丙丁](?=[\s,、(]|$)))?)"
    r"|(?P<let>(?<![A-Z0-9])(?P<letter>[A-Z]{1,2})(?P<lunit>座(?!公寓)|栋|幢|号楼|单元|楼|区|室|户|组团|段|塔|馆))"
    r"|(?P<low>负\d{1,2}[层楼F]?|地下\d{1,2}[层楼]|地下室|底商)"
    r"|(?P<assist>(?:斜?对面|对过|旁边|附近|隔壁|周[边围]|后[面身](?!街)|背后|楼[上下]|[东西南北]{1,2}侧|以[东西南北内外]|"
    r"[东西南北正大]{0,2}门口|(?<![新])[村巷街]口(?=[\s,(旁附]|$)|门前|交叉处)(?:的|及)?)"
    r"|(?P<open>\()|(?P<close>\))|(?P<sep>[\s,;.:、·|/\"'!?。_-]+)"
)
# What makes 解放路 part of another name (解放路小学) or of a crossing that is not one (新街口).
_MERGE = (
    "小区|社区|小学|中学|幼儿园|医院|菜市场|市场|店|派出所|大厦|花园|新村|宿舍|家属院|桥|号线|工业|商业|百货|"
    "办事处|街道|支行|公园|校区|立交|步行街|商圈|商城|公馆|广场|一号|壹号|学校|门诊|卫生|客运|车站|地铁站|"
    "[站镇乡村庄区]"
)
NAME = re.compile(
    r"(?!公路|道路)(?P<name>[^\s()、,]{1,14}?)(?:"
    r"(?P<intown>街道(?:办事处|办)?|办事处)"
    r"|(?P<community>(?:社区)?居民?委员?会|村民?委员?会|"
    r"社区(?:居民?委员?会)?(?!卫生|服务|医院|中心|小学|幼儿|食堂|超市|市场|花园))"
    r"|(?P<village>(?:行政|自然)?村(?![口委民村镇庄里桥商]|大[街道]|小区|社区|花园|小学|中学|卫生|医院|"
    r"[东西南北中一二三四五六七八九十]?[路街巷]))"
    r"|(?P<road>(?:高速公路|快速路|大道|大街|公路|高速|国道|省道|县道|环线|胡同|辅路|[路街巷]|"
    r"道[东西南北]?(?=[\d()、,\s]|$|与|和))(?:[东西南北中]段|[东西南北]?[一二三四五六七八九十\d]{1,3}[段巷弄条街]|支路|辅路){0,3}"
    rf"(?!口(?![\s\d,(东西南北往向旁附对]|$)|{_MERGE}|[灯局径费线由]))"
    r")"
)
CROSSING = re.compile(r"的?(?:交叉路?口|十字路?口|丁字路?口|交[汇接界]处|交口|路口|口)")
JOIN = re.compile(r"[与和及、/,跟]\s?")
BESIDE = re.compile(r"(?:旁边?|边上?|上)(?=$|[\s,(])")
SUBPLACE = re.compile(
    r"(?:(?:新?[东西南北中]{1,2}|[A-Z]\d?|[一二三四五六七八九十]{1,2}|\d{1,2})(?:区|期|苑区|街区|组团)|"
    r"(?<![东西南北中])[东西南北前后]{1,2}[院门])+$"
)
WING = re.compile(r"(?:[东西南北中主副裙前后辅]楼|[东西南北]?[甲乙丙丁]座|(?<=\w)[东西南北中]座|塔楼)$")
ENTRANCE = re.compile(r"(?:[东西南北中]|[甲乙丙丁一二三四五六])单元$")
GATE = re.compile(r"[东西南北正侧后大]{1,2}门$")
NEAR = re.compile("(?:靠|临)?近")
GROUP = re.compile(r"[^\d\s]{1,4}(?:村民小组|小组|组)$")
GROUP_NUMBER = re.compile(r"第?[一二三四五六七八九十]{1,3}(?:村民小组|小组|组|社|队)$")
TRAILING = re.compile(r"(?:旁|内|里面|院内|正对|对)$")
TOWARDS = re.compile(r"(?:往|向|以)?[东西南北]{1,2}(?:方向|侧|面|边)?$")
ESTATE = re.compile(
    r"(?:小区|苑|园|庭|城|府|轩|阁|居|邸|墅|新村|公寓|花园|家园|[区期院里座]|广场|中心|大厦)$"
)
TALL = ("广场", "中心", "大厦", "城")
BRANCH = re.compile(r"[^\d]{1,12}(?:店|校区|院区|分校|分行|支行|[区期院馆部])$")
HIGHWAY = re.compile(r"[GSXY]\d{2,4}$")
BUILDING = re.compile(r"[A-Z]?\d{1,3}(?:栋|幢|号楼|#|座)")
ASIDE = re.compile("除|不包?含|含|原|现")
READABLE = re.compile(r"\d|.[路街巷]|小区|社区")
