"""The patterns of names: towns, communities, villages, roads, crossings, parts of places. All bounded."""

from __future__ import annotations

import re

# What makes 解放路 part of another name (解放路小学) or of a crossing that is not one (新街口).
_MERGE = (
    "小区|社区|小学|中学|幼儿园|医院|菜市场|市场|店|派出所|大厦|花园|新村|宿舍|家属院|桥|号线|工业|商业|百货|"
    "办事处|街道|支行|公园|校区|立交|步行街|商圈|商城|公馆|广场|一号|壹号|学校|门诊|卫生|客运|车站|地铁站|"
    "[东西南北一二三四五六七八九十][里村](?![面边程委民])|[站镇乡村庄区]"
)
# What a village's name goes on to be the name of: 中关村大厦, 石牌村酒店.
_AFTER_VILLAGE = "大?酒店|大厦|大楼|地铁|宾馆|饭店|公寓|广场|软件园|科技园|商厦|商城|购物|写字楼|国际"
# A name without any of these has no suffix of its own.
SUFFIXED = re.compile("[路街巷道社村居办速环同线弄条]")
_NAME = (
    r"(?!公路|道路|新街口)(?P<name>[^\s()、,]{1,14}?)(?:"
    r"(?P<intown>街道(?:办事处|办)?|办事处)"
    r"|(?P<community>(?:社区)?居民?委员?会|村民?委员?会|村委(?![会员大办])|"
    r"社区(?:居民?委员?会)?(?!卫生|服务|医院|中心|小学|幼儿|食堂|超市|市场|花园))"
    r"|(?P<village>(?:行政|自然)?村(?![口委民桥商]|庄(?!家)|里(?!面)|村(?!委(?!会)|民委(?!员))|镇(?![东西南北中]{1,2}[路街巷])|[东西南北中前后]?大?(?:[街道]|路(?!口(?:$|[\s\d,(])))|小区|社区|花园|小学|中学|卫生|医院|"
    rf"{_AFTER_VILLAGE}|"
    r"[东西南北中一二三四五六七八九十]?(?:路(?!口(?:$|[\s\d,(]))|[街巷])))"
    r"|(?P<road>(?:高速公路|快速路|大道[东西南北中](?=[\d()、,\s与和交口]|$)|大道|大街|公路|高速|国道|省道|县道|乡道|环线|胡同|辅路|(?<![字叉岔铁])路|[街巷]|(?<![\d一二三四五六七八九十X])弄(?=[\d\s,()]|$)|"
    r"(?<=[东西南北][一二三四五六])环(?![东西南北中]{0,2}[路线境保])|(?<=[东西南北中内外一二三四五六])环(?=[\d()、,\s与和交旁]|[东西南北][\d()、,\s]|辅路|$)|"
    r"(?<![通轨隧频味赛管渠航交])道[东西南北中]?(?=[\d()、,\s与和口]|交(?!通)|$)|[一二三四五六七八九十]{1,3}条(?=[\d(),\s]|胡同|$))(?:[东西南北中上下]段|段(?=[\d(),\s]|$)|胡同(?<=条胡同)|[东西南北]?[一二三四五六七八九十\d]{1,3}(?:[段巷弄条]|街(?!坊))|支路|支弄|辅路){0,3}"
    rf"(?!口(?![\s\d,(东西南北往向旁附对]|$|(?<=路口)[^\s\d()、,镇乡村街站小中][^\s\d()、,]{{3}})|{_MERGE}|[灯局径费线由]|子(?!午)))"
    r")"
)
NAME = re.compile(_NAME)
# Where 道 is the usual word for a street, a name may follow it: 淮河道|秋怡家园.
_DAO_END = r"(?=[\d()、,\s与和口]|交(?!通)|$)"
DAO_CITIES = ("天津", "唐山", "廊坊", "秦皇岛", "香港")
NAME_WITH_DAO = _NAME.replace(
    "道[东西南北中]?" + _DAO_END,
    "道(?:[东西南北中]" + _DAO_END + r")?(?![路教观场德理]|口(?![\d(),\s]|$))",
)
CROSSING = re.compile(
    r"的?(?:(?:交[叉汇接界会](?:丁字|十字)?|[十什]字|丁字|三[岔叉]|五[岔叉])(?:路?口|街口|处)?|交口|路口|道口|口)"
)
JOIN = re.compile(r"(?:[与及、/,跟至到]|和(?!平(?:[东西南北中]?[路街]|大[路街道])))\s?")
BESIDE = re.compile(r"(?:旁边?|边上?|上)(?=$|[\s,(])")
# Words of a form or a courier between the divisions and the detail: 城区, 全区, 县城内.
SCOPE = re.compile(
    r"(?:县城(?:城区|以?内)?|城城?区|市区|城内|全境|全区|其[他它]地?区|镇上|街上|镇区)(?=[^\d\s()、,]{3}|$)"
    r"(?!小学|中学|医院|中心|派出所|分局|街道|供电|法院|法庭|市场|支行|大道|改造)"
)
# A place in full, when a name of its own follows: 幸福苑小区|环建, 世茂广场|星巴克.
WHOLE = re.compile(
    r"小区|花园|家园|花苑|新城|新村|公园|广场|商城|商贸城|批发市场|农贸市场|建材市场|菜市场|建材城|工业园|产业园|科技园|"
    r"国际城|世纪城|碧桂园|万科城|购物中心|火车站|客运站|汽车站|小商品城|大市场|家属院|家属区|管理处|4S店|服务中心|商厦|大厦|管理委员会|居委会|村委会|校区|院区"
)
# What only goes on with the name of a place: 阳光花园酒店, 人民公园东门站.
ONGOING = re.compile(
    r"[东西南北中新老大小一二三四五六七八九十\dA-Z]{0,2}(?:路|街|巷|道|大道|大街|里|村|站|桥|店|城|园|苑|区|期|院|门|楼|座|小区|社区|花园|家园|"
    r"新城|公寓|别墅|大厦|大楼|酒店|宾馆|饭店|广场|中心|市场|超市|商场|商城|商圈|公馆|一号|壹号|学校|小学|中学|幼儿园|医院|卫生|服务|物业|"
    r"管理|开发|投资|置业|有限|股份|集团|公司|监督|监管|管委|居委|社区|派出|地铁|停车|公交|国际|商务|购物|商业|办公|综合|写字|住宅|名|豪|"
    r"工业|科技|产业|技术|经济|实业|贸易|电子|信息|网络|置地|地产|建设|支行|分行|分理|营业|改造|保护|管护|公园|菜鸟|丰巢|快递|驿站|图书|食堂|宿舍|学生|教工|体育馆|东|西|南|北)"
)
# The same before a road or village of its own: 黑马市场|半边街, 大港油田|花园路, but not 人民公园东路.
WHOLE_BEFORE = re.compile(
    WHOLE.pattern + r"|国际(?![大路街城])|医院|农场|林场|牧场|油田|园区|工业区|开发区|管理区|市场"
)
BARE_SUFFIX = re.compile(
    r"[东西南北中前后内外新老大小环纵横第一二三四五六七八九十\d]{0,3}(?:路|街|巷|道|大道|大街|公路|胡同|村|里|段)"
)
SUBPLACE = re.compile(
    r"(?:(?:新?[东西南北中]{1,2}|[A-Z]\d?|[一二三四五六七八九十]{1,2}|\d{1,2})(?:区|期|苑区|街区|组团)|"
    r"(?<![东西南北中])[东西南北前后正侧]{1,2}(?:院|大?门)|(?<=..小区|..花园|..家园|..公园)[东西南北中][苑园里]){1,6}$"
)
WING = re.compile(r"(?:[东西南北中主副裙前后辅]楼|[东西南北]?[甲乙丙丁][座栋幢]|(?<=\w)[东西南北中]座|塔楼)$")
SIDE = re.compile(r"[东西南北中]{1,2}户$")
ENTRANCE = re.compile(r"(?:[东西南北中]|[甲乙丙丁一二三四五六])单元$")
# A road that is only near, before or behind another element: 近石门一路, 靠近解放路.
NEAR_ROAD = re.compile(
    r"(?:靠近|临近|邻近|毗邻|紧[邻靠挨]|挨着|[近靠临])(?=[^\d\s()、,]{2,10}?(?:[路街巷]|大道))"
)
NEAR = re.compile("距离?|(?:靠|临)?近(?![平江水岗海塘江山田溪湖])")
GROUP = re.compile(r"[^\d\s]{1,4}(?:村民小组|小组|组)$")
WARD = re.compile(r"第?[一二三四五六七八九十]{1,3}委$")
GROUP_NUMBER = re.compile(r"第?[一二三四五六七八九十]{1,3}(?:村民小组|小组|组|社|生产队|大队|队|连)$")
TRAILING = re.compile(r"(?:旁|内|里面|院内|正对|对|整[套层])$")
# The residents of a ward, before their groups: 前进委|3组.
COMMITTEE = re.compile(r"[^\d\s省市县区政纪党工建农军教计村]{2,3}委")
# A storey that is no number to the steps before: 6号之3|四楼.
STOREY = re.compile("[一二三四五六七八九十]{1,3}[楼层]$")
# The end of a village: 王庄村|东头.
END_OF_VILLAGE = re.compile("[东西南北]头$")
# Alone behind another element.
LEFT_OVER = frozenset(
    "处 上 下 路口 里 前 后 中间 内侧 往前 之间 最里面 到头 全域 片区 某户 段 单号 双号".split()
)
# Unit words that an empty form field leaves behind: 室(号).
EMPTY = frozenset("室 号 栋 幢 单元 楼 层 户 座".split())
# Shops without a name of their own.
SHOPFRONT = re.compile(r"(?:沿街|一楼)?(?:门市|门面|门头|门脸|商铺|店铺|铺面|底铺)(?:房|部)?$")
