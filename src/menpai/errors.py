"""Errors that name the culprit and the cure, in Chinese and English.

Three families: the caller's mistake, not ready yet, our artefact is broken. The edge (cli, serving) maps a
family to an exit code or an HTTP status. In a batch a failed row is a `Problem` value, never a raise.
Every text of the package that a person reads because something went wrong stands in `MESSAGES`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Language = Literal["zh", "en"]

# code: (zh message, zh hint, en message, en hint); the braces are filled from the error's details.
MESSAGES: dict[str, tuple[str, str, str, str]] = {
    "address_empty": (
        "地址{side}是空的", "请填入地址文本",
        "address {side} is empty", "give the text of the address",
    ),
    "address_not_text": (
        "地址{side}不是文本，而是 {type}", "请传入字符串，或带 text 字段的对象",
        "address {side} is not a text but {type}", 'pass a string, or an object with the field "text"',
    ),
    "address_too_long": (
        "地址{side}有 {length} 个字符，上限是 {limit}", "请只留下地址本身",
        "address {side} has {length} characters, the limit is {limit}", "keep only the address itself",
    ),
    "address_unreadable": (
        "地址{side}里没有可读的文字", "请检查这一行是否乱码，或只有符号",
        "address {side} holds no readable text", "check whether the row is garbled or holds only symbols",
    ),
    "address_bad_encoding": (
        "地址{side}含有孤立代理字符（位置 {position}），不是有效的 Unicode", "请按正确的编码重新读取来源",
        "address {side} has a lone surrogate at position {position} and is not valid Unicode",
        "read the source again with its right encoding",
    ),
    "setting_unknown": (
        "没有名为 {name} 的设置（来自 {source}）", "最接近的是 {nearest}",
        "there is no setting {name} (from {source})", "the nearest known name is {nearest}",
    ),
    "setting_invalid": (
        "设置 {name} 的值 {value!r} 无效：应为 {expected}", "请改正 {source} 里的这个值",
        "setting {name} has the invalid value {value!r}: expected {expected}", "correct it in {source}",
    ),
    "extra_missing": (
        "缺少软件包 {package}", "请运行：pip install 'menpai[{extra}]'",
        "the package {package} is not installed", "run: pip install 'menpai[{extra}]'",
    ),
    "pack_not_found": (
        "找不到模型包 {pack}", "请给出内置包的名字（{known}）或一个模型包文件夹",
        "no pack {pack}", "give the name of a built-in pack ({known}) or the folder of a pack",
    ),
    "pack_damaged": (
        "模型包 {pack} 已损坏：{file} 与登记的摘要不符", "请重新安装 menpai，或重新复制这个模型包",
        "pack {pack} is damaged: {file} does not agree with its digest",
        "install menpai again, or copy the pack again",
    ),
    "pack_invalid": (
        "模型包 {pack} 无效：{reason}", "请用 menpai model import 重新生成",
        "pack {pack} is invalid: {reason}", "make it anew with menpai model import",
    ),
    "table_damaged": (
        "内置数据表 {file} 已损坏：{reason}", "请重新安装 menpai",
        "the built-in table {file} is damaged: {reason}", "install menpai again",
    ),
}


def render(code: str, details: dict[str, Any], language: Language = "en") -> tuple[str, str]:
    """Message and hint of a code in the language asked for."""
    zh_message, zh_hint, en_message, en_hint = MESSAGES[code]
    message, hint = (zh_message, zh_hint) if language == "zh" else (en_message, en_hint)
    return message.format(**details), hint.format(**details)


class MenpaiError(Exception):
    """Any error that menpai raises on purpose: a code, the details that fill its texts, and its family."""

    family: Literal["usage", "not_ready", "broken"] = "usage"

    def __init__(self, code: str, **details: Any) -> None:
        self.code = code
        self.details = details
        super().__init__(code, details)

    def render(self, language: Language = "en") -> tuple[str, str]:
        """Message and hint in the language asked for."""
        return render(self.code, self.details, language)

    def __str__(self) -> str:
        message, hint = self.render()
        return f"{message}; {hint}" if hint else message


class UsageError(MenpaiError):
    """The caller's mistake: bad input, unknown option, missing column or file."""

    family = "usage"


class NotReadyError(MenpaiError):
    """Right question, wrong moment: loading, draining, full, or an extra that is not installed."""

    family = "not_ready"


class BrokenArtefactError(MenpaiError):
    """A file of ours (pack, table, library) is damaged or of a version that we cannot read."""

    family = "broken"


@dataclass(frozen=True, slots=True)
class Problem:
    """What stands where a verdict would, when a pair could not be judged. Never a label, never 0.0."""

    code: str
    details: dict[str, Any] = field(default_factory=dict)

    def render(self, language: Language = "en") -> tuple[str, str]:
        """Message and hint in the language asked for."""
        return render(self.code, self.details, language)

    @property
    def message(self) -> str:
        """The message in English."""
        return self.render()[0]

    @property
    def hint(self) -> str:
        """The cure in English."""
        return self.render()[1]

    def to_dict(self, language: Language = "en") -> dict[str, Any]:
        """The JSON shape: {"problem": {"code", "message", "hint"}}."""
        message, hint = self.render(language)
        return {"problem": {"code": self.code, "message": message, "hint": hint}}
