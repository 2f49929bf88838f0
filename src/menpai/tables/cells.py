"""Values as cells: texts for CSV, JSON for JSON Lines, and texts that a spreadsheet must not run."""

from __future__ import annotations

import json
import re
from typing import Any

from menpai.errors import Language, Problem
from menpai.verdict import Conflict, Evidence, Probabilities

# What starts a formula, in narrow and wide form; see OWASP, "CSV Injection".
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?%?")


def neutral(text: str) -> str:
    """The text with an apostrophe before it if a spreadsheet would take it for a formula; numbers stay."""
    if not text.startswith(_STARTS) or len(text) == 1 or _NUMBER.fullmatch(text):
        return text
    return "'" + text


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
