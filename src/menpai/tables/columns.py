"""Columns found by their usual names, or given by name or number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from menpai.errors import UsageError, near
from menpai.tables.table import Table

# Names are compared without case, blanks, hyphens and underscores.
PAIRS = (
    ("addressa", "addressb"), ("address1", "address2"), ("addra", "addrb"), ("addr1", "addr2"),
    ("sentence1", "sentence2"), ("sentencea", "sentenceb"), ("text1", "text2"), ("texta", "textb"),
    ("地址1", "地址2"), ("地址a", "地址b"), ("地址一", "地址二"), ("a", "b"),
)  # fmt: skip
ADDRESSES = (
    "address", "addr", "地址", "详细地址", "完整地址", "收货地址", "联系地址", "单位地址", "注册地址",
    "fulladdress", "addresstext", "text",
)  # fmt: skip
_WHOSE = "(?:门店|店铺|商店|商户|商家|客户|网点|站点|机构|企业|公司|单位|供应商|经销商|项目|场所|主数据)"
LIKE_ADDRESSES = re.compile(
    f"{_WHOSE}.{{0,4}}地址|(?:办公|经营|通讯|通信|送货|配送|家庭|居住|户籍|安装|所在|具体)地址|.{{0,2}}住址"
)
LIKE_NAMES = re.compile(f"{_WHOSE}(?:名称?|全称)|(?:shop|store|company|place)name")
LIKE_IDS = re.compile(f"{_WHOSE}(?:编号|编码|代码|序号|号|id)|(?:记录|地址|订单|行)(?:编号|编码|号|id)")
"Names that are not among the usual ones, but say what they are: whose address, name or number."
LABELS = ("label", "samebuilding", "标签", "gold")
_VERDICT = ("label", "similarity", "level", "conflicts")
"Columns that an output of menpai has together."
LEVELS = ("level", "级别")
CONFLICTS = ("conflict", "conflicts", "冲突")

_ROLES = {
    "a": ("地址", "address"),
    "b": ("地址", "address"),
    "column": ("地址", "address"),
    "address": ("地址", "address"),
    "label": ("标签", "label"),
}
_ONE_ADDRESS = {
    "near_zh": "每行只有一条地址的表格，去重用 menpai dedupe，与另一张表对应用 menpai link；",
    "near_en": "a table with one address a row is for menpai dedupe, or menpai link with another table; ",
}
# In a first row, these mark an address rather than a column name.
_ADDRESS_SIGNS = frozenset("省市区县镇路街巷弄号栋幢楼村")
_HEADING_WORDS = ("地址", "名称", "编码", "编号", "代码", "省市", "区县", "address", "name", "id")


def find_pair(table: Table, a: str | None = None, b: str | None = None) -> tuple[int, int]:
    """The positions of the two address columns; a UsageError lists the columns if they cannot be told."""
    usual = _usual_pair(table)
    first = find_given(table, a) if a else usual[0]
    second = find_given(table, b) if b else usual[1]
    if first is None or second is None:
        missing = _not_found(table, "a" if first is None else "b")
        if missing.code == "column_not_found" and not (a or b) and _one_address(table):
            missing.details |= _ONE_ADDRESS
        raise missing
    if first == second:
        raise UsageError("columns_same", column=table.columns[first])
    return first, second


def find_column(table: Table, given: str | None, usual: Sequence[str], option: str) -> int:
    """The position of a column given by name or number, else of the first usual name that occurs, else of the only
    one, unless it looks like data."""
    found = find_given(table, given) if given else find_optional(table, usual)
    if found is None and usual is ADDRESSES:
        found = find_like(table, LIKE_ADDRESSES)
    if found is None and len(table.columns) == 1 and not _looks_like_data(table):
        return 0
    if found is None:
        raise _not_found(table, option)
    return found


def find_optional(table: Table, usual: Sequence[str]) -> int | None:
    """The position of the first usual name that occurs, or None; a name that occurs twice is an error."""
    bare = [_bare(name) for name in table.columns]
    for name in usual:
        if (count := bare.count(name)) > 1:
            repeated = table.columns[bare.index(name)]
            raise UsageError("column_repeated", path=table.name, column=repeated, count=count)
        if count:
            return bare.index(name)
    return None


def find_like(table: Table, pattern: re.Pattern[str]) -> int | None:
    """The position of the only column whose whole name is like the pattern, or None."""
    found = [at for at, name in enumerate(table.columns) if pattern.fullmatch(_bare(name).rpartition("/")[2])]
    return found[0] if len(found) == 1 else None


def find_address(table: Table) -> int | None:
    """The position of the column of addresses by its name, or None."""
    usual = find_optional(table, ADDRESSES)
    return find_like(table, LIKE_ADDRESSES) if usual is None else usual


def refuse_own_labels(table: Table, given: str | None) -> None:
    """Raise a UsageError where the labels are those of menpai's own output, and nobody asked for them by name."""
    if not given and wrote_labels(table):
        raise UsageError("labels_of_menpai", path=table.name, column="label")


def wrote_labels(table: Table) -> bool:
    """Whether `label` is a column that menpai added, and not one that it found and left."""
    names = set(table.columns)
    return names.issuperset(_VERDICT) and names.isdisjoint(("predicted", "menpai_label"))


def others(table: Table, chosen: int, usual: Sequence[str]) -> list[str]:
    """The other columns that have usual names too."""
    return [name for at, name in enumerate(table.columns) if at != chosen and _bare(name) in usual]


def is_heading(cells: Sequence[str], usual: Sequence[str]) -> bool:
    """Whether one of the cells is a usual name of a column, so that they are the first row of a table."""
    return any(_bare(cell.strip().strip('"')) in usual for cell in cells)


def find_given(table: Table, given: str) -> int:
    """The position of a column by its name, loosely by its name, or by its number from 1."""
    for same in (lambda name: name == given, lambda name: _bare(name) == _bare(given)):
        matches = [at for at, name in enumerate(table.columns) if same(name)]
        if len(matches) > 1:
            raise UsageError("column_repeated", path=table.name, column=given, count=len(matches))
        if matches:
            return matches[0]
    if given.isascii() and given.isdigit() and 1 <= int(given) <= len(table.columns):
        return int(given) - 1
    raise UsageError("column_missing", path=table.name, column=given, columns=_listed(table),
                     **near(given, table.columns))  # fmt: skip


def find_name(columns: Sequence[str], name: str, where: str) -> int:
    """The position of a column by its name alone."""
    return find_given(Table(where, "", tuple(columns), iter(())), name)


def unique_names(columns: Sequence[str], fold: bool = False) -> list[str]:
    """The names, each once: the second `地址` is `地址_2`, one without a name its number; `fold`: `ID` is `id` too."""
    taken: set[str] = set()
    found = []
    for at, column in enumerate(columns, 1):
        name, number = column or str(at), 1
        while (name.casefold() if fold else name) in taken:
            number += 1
            name = f"{column or at}_{number}"
        taken.add(name.casefold() if fold else name)
        found.append(name)
    return found


def added_names(columns: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names for added columns: a name that the table has already gets `menpai_` before it."""
    taken, added = set(columns), []
    for name in names:
        while name in taken:
            name = f"menpai_{name}"
        taken.add(name)
        added.append(name)
    return added


def _usual_pair(table: Table) -> tuple[int | None, int | None]:
    """The first usual pair of names that occurs; else the only two columns, unless they look like data."""
    for a, b in PAIRS:
        first, second = find_optional(table, [a]), find_optional(table, [b])
        if first is not None and second is not None:
            return first, second
    if len(table.columns) == 2 and not _looks_like_data(table):
        return 0, 1
    return None, None


def _one_address(table: Table) -> bool:
    """Whether the table has one address a row, by the names of its columns."""
    bare = [_bare(name) for name in table.columns]
    return sum(name in ADDRESSES or LIKE_ADDRESSES.fullmatch(name) is not None for name in bare) == 1


def _not_found(table: Table, option: str) -> UsageError:
    if _looks_like_data(table):
        return UsageError("header_missing", path=table.name, columns=_listed(table))
    zh, en = _ROLES[option]
    usual = {"a": "address_a", "b": "address_b", "label": "label"}.get(option, "address")
    return UsageError("column_not_found", path=table.name, what_zh=zh, what_en=en, columns=_listed(table),
                      option=f"--{option}", **near(usual, table.columns))  # fmt: skip


def _looks_like_data(table: Table) -> bool:
    """Whether a cell of the first row reads like an address: the table has no column names then."""
    shortest = 6 if len(table.columns) > 1 else 2
    return any(
        len(name) >= shortest
        and sum(char in _ADDRESS_SIGNS or char.isdigit() for char in name) >= 2
        and not any(word in name for word in _HEADING_WORDS)
        for name in table.columns
    )


def _listed(table: Table) -> str:
    names = [name if len(name) <= 40 else name[:39] + "…" for name in table.columns]
    return ", ".join(names[:20]) + (", …" if len(names) > 20 else "")


def _bare(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(char for char in folded if char not in " _-")
