"""What may follow a division name, and how towns and zones look when the tables do not have them."""

from __future__ import annotations

import re
from functools import cache

# Names of a direction or a part: a district only when the city stands before it.
GENERIC = frozenset("东区 西区 南区 北区 中区 城区 郊区 矿区 新区 市区 市中区 市郊区 新城区".split())
# In the midst of other text these are parts of an estate's name (绿城城东区).
INSIDE = GENERIC | frozenset("城东区 城西区 城南区 城北区 城中区 东城区 西城区 北城区 南城区".split())

# After 朝阳市, 海淀区: what makes it another word.
FULL = re.compile(r"场(?!镇)|[路街巷](?![道坊])|大[道街厦]|[东西南北中][路街]|小区|立交|公交|域")
# After 北京, 山西: what makes it a road, firm, school, dish or estate.
SHORT = re.compile(
    r"[东西南北中上下前后新老环]{0,2}(?:[一二三四五六七八九十百\d]{0,3})(?:路|街|大道|大街|巷|胡同|弄|里(?!水|程)|道(?!里|外|真|县|孚))|"
    r"大[学道街厦酒]|学院|师范|理工|工业大|农业大|医科|中医药|财经|科技大|交通大|外国语|中学|小学|一中|二中|"
    r"医院|饭店|宾馆|酒店|银行|公司|集团|证券|广场|花园|公寓|小区|家园|新村|新城|名城|名都|公馆|山庄|别墅|豪庭|"
    r"城(?![东西南北中关厢区])|小吃|小面|拉面|烤|热干面|火锅|饭|面馆|面庄|包子|米粉|牛肉|羊肉|菜|鸡|鸭|人家|"
    r"门|桥|寺|庙|湾|港(?!区)|站|机场|村|庄(?!河)|屯|园|苑|府|湖(?!北|南|里|州|滨|口)|饺|料理"
)
_NAME = r"[^\d\s()、,;.\-#A-Z路街号村]"
TOWN = re.compile(
    rf"(?P<stem>[^\d\s()、,;.\-#A-Z]{{1,8}}?)(?:\(?(?:地区|街道)\)?(?:[镇乡]|办事处)|街道(?:办事处|办)?|街办|"
    rf"(?<![小水故古老])(?:镇(?![上中里街江海宁远平雄安巴沅远原坪赉康])|(?<![水])乡(?![村镇间政宁都])|苏木|办事处))"
)
_ZONE = re.compile(
    rf"(?:{_NAME}{{0,10}}?(?:高新技术(?:产业)?开发区|高新技术产业园区|经济技术开发区|经济开发区|技术开发区|产业集聚区|"
    r"产业开发区|高新区|经开区|开发区|工业园区|保税区|起步区|示范区|度假区|自贸区|产业园区|管理区)|"
    rf"{_NAME}{{2,4}}?新区)(?:管委会|管理委员会)?(?![\dA-Z])"
)
_CANONICAL = (
    (re.compile("高新技术(?:产业)?开发区|高新技术产业园区"), "高新区"),
    (re.compile("经济技术开发区|经济开发区|技术开发区"), "经开区"),
    (re.compile("管委会|管理委员会"), ""),
)
_ETHNIC = re.compile(r"(?:[^族]{1,5}族)+$")


def zone(text: str, at: int) -> int | None:
    """Where a development zone that begins here ends."""
    if text.find("区", at, at + 22) < 0:
        return None
    match = _ZONE.match(text, at)
    return match.end() if match else None


def zone_value(written: str) -> str:
    """高新区 for 高新技术产业开发区, 长春经开区 for 长春经济技术开发区."""
    for pattern, short in _CANONICAL:
        written = pattern.sub(short, written)
    return written


@cache
def stem(name: str) -> str:
    """A town's name without 街道, 镇, 乡 and without the ethnic part."""
    bare = re.sub(r"(?:街道|镇|乡|苏木|地区)$", "", name)
    short = re.sub(r"(?:[^\W\d_]{1,5}族)+$", "", bare) if bare.endswith("族") else bare
    return short or bare
