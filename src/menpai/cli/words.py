"""The words of verdicts and addresses in Chinese and English, for people to read."""

from __future__ import annotations

from menpai.cli.language import say
from menpai.words import DECIDED_BY, KINDS, LABELS

__all__ = [
    "DECIDED_BY", "GRADES", "JUDGED", "KINDS", "LABELS", "SOURCES", "STEPS", "figure", "word",
]  # fmt: skip

STEPS = {
    "characters": ("字形", "characters"),
    "markup": ("网页与应用标记", "markup"),
    "contacts": ("联系方式", "contacts"),
    "notes": ("留言", "notes"),
    "country": ("国名", "country"),
    "brackets": ("括号", "brackets"),
    "digits": ("数字", "digits"),
    "units": ("单位词", "unit words"),
    "dashes": ("连接号", "dashes"),
    "separators": ("分隔符", "separators"),
    "numerals": ("中文数字", "numerals"),
    "repeats": ("重复", "repeats"),
}
SOURCES = {"gazetteer": ("区划表", "gazetteer"), "rule": ("规则", "rule"), "tagger": ("标注模型", "tagger")}
JUDGED = {
    "code": ("代码", "code"),
    "grade": ("完整度", "goes"),
    "missing": ("还缺", "lacks"),
    "doubt": ("存疑", "doubt"),
}
GRADES = {
    "room": ("到房间", "to the room"),
    "door": ("到门牌或楼栋", "to the door or building"),
    "place": ("到道路或地点", "to the road or place"),
    "area": ("到行政区划", "to the division"),
    "none": ("无", "none"),
}


def word(table: dict[str, tuple[str, str]], key: str) -> str:
    """The word for a key in the language being spoken; an unknown key stands for itself."""
    return say(*table[key]) if key in table else key


def figure(value: float) -> str:
    """A number for people: counts whole, shares with four digits, rates with one."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4f}" if value <= 1 else f"{value:,.1f}"
