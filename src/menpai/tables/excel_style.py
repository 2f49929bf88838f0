"""How a written sheet looks: colours of verdicts and clusters, formats of numbers and dates, names of sheets."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any
from zlib import crc32

from menpai.errors import Language, Problem

OURS = "menpai_"
"Stands before a column of ours where the table has one of that name."
SUMMARY: dict[Language, str] = {"zh": "概要", "en": "summary"}
TITLES: dict[str, dict[Language, str]] = {
    "rows": {"zh": "行数", "en": "rows"},
    "label": {"zh": "结论", "en": "label"},
    "problem": {"zh": "问题", "en": "problem"},
    "table": {"zh": "表格", "en": "table"},
    "columns": {"zh": "所用的列", "en": "columns taken"},
    "right_columns": {"zh": "右表所用的列", "en": "columns taken of the right table"},
    "a": {"zh": "第一列地址", "en": "first address"},
    "b": {"zh": "第二列地址", "en": "second address"},
    "pack": {"zh": "模型包", "en": "pack"},
    "behaviour": {"zh": "行为摘要", "en": "behaviour"},
    "settings": {"zh": "设置", "en": "settings"},
    "thresholds": {"zh": "阈值", "en": "thresholds"},
    "accept": {"zh": "算连上的最低结论", "en": "weakest label that joins"},
    "column": {"zh": "地址列", "en": "address column"},
    "vetoed": {"zh": "因矛盾没有做的合并", "en": "merges not made"},
    "clusters": {"zh": "类数", "en": "clusters"},
    "duplicates": {"zh": "重复行", "en": "duplicates"},
    "linked": {"zh": "已连上的行", "en": "linked rows"},
}
CUT: dict[Language, str] = {
    "zh": "截断到 {limit} 字的单元格",
    "en": "cells cut to {limit} characters",
}
# Fill and ink of what Excel calls good, neutral and bad.
_VERDICTS = {
    "exact_match": ("C6EFCE", "006100"),
    "partial_match": ("FFEB9C", "7F6000"),
    "not_match": ("FFC7CE", "9C0006"),
}
_PROBLEM = ("F4B084", "833C0B")
_BANDS = ("DDEBF7", "E2EFDA", "FFF2CC", "FCE4D6", "EDEDED", "E4DFEC", "9DC3E6", "A9D08E", "FFD966", "F8CBAD", "C9C9C9",
          "CDB5E0", "B7DEE8", "D5DBA1", "F4C7D9", "AEE0D0")  # fmt: skip
_LONGEST_NAME = 31
_LONG_NUMBER = 10**11  # from here on a sheet shows 1.2E+11, unless told not to


class Style:
    """The formats of a workbook, each made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._made: dict[tuple[tuple[str, Any], ...], Any] = {}

    def head(self, ours: bool) -> Any:
        """A column's name; those of menpai are told apart."""
        fill = "1F4E78" if ours else "D9E1F2"
        ink = "FFFFFF" if ours else "000000"
        return self._format(bold=True, bg_color=fill, font_color=ink, bottom=1)

    def of_row(self, said: Mapping[str, Any]) -> dict[str, str]:
        """The look of each of our cells that has one: the label, the problem, a cluster of more than one row."""
        found = {}
        if said.get("label") in _VERDICTS:
            found["label"] = str(said["label"])
        if isinstance(said.get("problem"), Problem):
            found["problem"] = "problem"
        if isinstance(said.get("cluster_size"), int) and said["cluster_size"] > 1:
            band = f"band{crc32(str(said['cluster_id']).encode()) % len(_BANDS)}"
            found |= {"cluster_id": band, "cluster_size": band}
            found["is_golden"] = f"{band}+" if said.get("is_golden") else band
        return found

    def text(self, look: str, formula: bool) -> Any:
        """A text; one that would be a formula once somebody edits it is marked as a text."""
        marked = {"quote_prefix": True} if formula else {}
        return self._format(**_look(look), **marked) if look or formula else None

    def number(self, value: float, look: str, ours: bool) -> Any:
        """A number in all its digits; one of ours that is no whole number in four places."""
        if ours and not float(value).is_integer():
            return self._format(num_format="0.0000", **_look(look))
        if abs(value) >= _LONG_NUMBER and float(value).is_integer():
            return self._format(num_format="0", **_look(look))
        return self._format(**_look(look)) if look else None

    def date(self, value: datetime.date | datetime.time) -> Any:
        """A date, a time, or both."""
        day, clock = isinstance(value, datetime.date), isinstance(value, datetime.datetime | datetime.time)
        if isinstance(value, datetime.datetime) and value.time() == datetime.time():
            clock = False
        return self._format(num_format=" ".join(["yyyy-mm-dd"] * day + ["hh:mm:ss"] * clock))

    def _format(self, **wanted: Any) -> Any:
        key = tuple(sorted(wanted.items()))
        if key not in self._made:
            self._made[key] = self._book.add_format(wanted)
        return self._made[key]


def _look(name: str) -> dict[str, Any]:
    if name in _VERDICTS or name == "problem":
        fill, ink = _VERDICTS.get(name, _PROBLEM)
        return {"bg_color": fill, "font_color": ink}
    if name.startswith("band"):
        bold = {"bold": True} if name.endswith("+") else {}
        return {"bg_color": _BANDS[int(name[4:].rstrip("+"))], **bold}
    return {}


def sheet_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that Excel takes for a sheet, and no other sheet has."""
    clean = re.sub(r"[\[\]:*?/\\]", "_", wanted).strip("'")[:_LONGEST_NAME] or "sheet"
    used, name, number = {each.casefold() for each in taken}, clean, 1
    while name.casefold() in used:
        number += 1
        name = f"{clean[: _LONGEST_NAME - 4]} ({number})"
    return name


def wide(text: str) -> int:
    """How many columns of a letter's width the longest line of a text takes."""
    return max(
        (
            sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in line[:60])
            for line in text.splitlines()
        ),
        default=0,
    )
