"""Values as cells: texts for CSV, JSON for JSON Lines, and texts that a spreadsheet must not run."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from menpai.errors import Language, Problem
from menpai.verdict import Conflict, Evidence, Probabilities

# What starts a formula, in narrow and wide form; see OWASP, "CSV Injection".
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?%?")


class Shown(str):
    """A text that is what a spreadsheet shows of a value: a number, a date. Written to a sheet it is that value again."""

    __slots__ = ("value",)
    value: Any

    def __new__(cls, text: str, value: Any = None) -> Shown:
        """The text with the value behind it."""
        made = super().__new__(cls, text)
        made.value = value
        return made


def neutral(text: str) -> str:
    """The text with an apostrophe before it if a spreadsheet would take it for a formula; numbers stay."""
    return "'" + text if starts_formula(text) else text


def unmarked(text: str) -> str:
    """The text without the apostrophe that `neutral` put before it."""
    return text[1:] if text.startswith("'") and starts_formula(text[1:]) else text


def starts_formula(text: str) -> bool:
    """Whether a spreadsheet would take a text for a formula."""
    return text.startswith(_STARTS) and len(text) > 1 and not _NUMBER.fullmatch(text)


def encodable(text: str) -> str:
    """The text with a lone surrogate, which no file can hold, as \\ud800."""
    return text.encode("utf-8", "backslashreplace").decode() if _SURROGATE.search(text) else text


def to_text(value: Any, language: Language = "en") -> str:
    """A cell of CSV: conflicts by name, evidence in words, several joined by `;`, nothing for None."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, Conflict):
        return value.name
    if isinstance(value, Evidence):
        return value.text
    if isinstance(value, Problem):
        return f"{value.code}: {value.render(language)[0]}"
    if isinstance(value, list | tuple):
        return ";".join(to_text(item, language) for item in value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | bool) else str(value)


def to_json(value: Any, language: Language = "en") -> Any:
    """A value of JSON Lines, in the shape that it has in every other answer."""
    if isinstance(value, Conflict | Evidence):
        return value.to_dict()
    if isinstance(value, Problem):
        return value.to_dict(language)["problem"]
    if isinstance(value, Probabilities):
        return value._asdict()
    if isinstance(value, list | tuple):
        return [to_json(item, language) for item in value]
    return value


def finite(value: Any) -> Any:
    """A value with numbers that JSON lacks, such as infinity, as the texts that they are in CSV."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: finite(each) for name, each in value.items()}
    return [finite(each) for each in value] if isinstance(value, list) else value
