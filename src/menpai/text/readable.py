"""What cannot be read as an address at all, and why."""

from __future__ import annotations

from menpai.errors import Problem

# What tables put into a cell that is empty, and what a spreadsheet puts there when a formula fails.
_EMPTY_CELLS = frozenset(
    "null none nan nil n/a na #n/a #ref! #value! #name? #null! #num! #div/0! 无 暂无 未知 不详 空 - --"
    " 没有 待定 待补 待补充 待填 待确认 待核实 见备注 详见备注 同上 地址不详 无地址".split()
)


def find_problem(text: object, side: str, limit: int) -> Problem | None:
    """Why a value cannot be judged as an address, or None. `side` is " a", " b" or "" for the message."""
    if not isinstance(text, str):
        return Problem("address_not_text", {"side": side, "type": _type_name(text)})
    if not text.strip() or text.strip().lower() in _EMPTY_CELLS:
        return Problem("address_empty", {"side": side})
    if len(text) > limit:
        return Problem("address_too_long", {"side": side, "length": len(text), "limit": limit})
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return Problem("address_bad_encoding", {"side": side, "position": error.start})
    sum_ = text.strip().startswith(("=", "＝")) and not any(map(str.isalpha, text))  # =1+1, of a spreadsheet
    words = any(map(str.isalnum, text)) and not text.strip().isnumeric() and not sum_
    return None if words else Problem("address_unreadable", {"side": side})


def _type_name(value: object) -> str:
    """The name of a value's type as JSON has it."""
    names = {
        type(None): "null",
        bool: "boolean",
        int: "number",
        float: "number",
        list: "array",
        dict: "object",
    }
    return names.get(type(value), type(value).__name__)
