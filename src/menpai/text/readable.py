"""What cannot be read as an address at all, and why."""

from __future__ import annotations

from menpai.errors import Problem


def find_problem(text: object, side: str, limit: int) -> Problem | None:
    """Why a value cannot be judged as an address, or None. `side` is " a", " b" or "" for the message."""
    if not isinstance(text, str):
        return Problem("address_not_text", {"side": side, "type": type(text).__name__})
    if not text.strip():
        return Problem("address_empty", {"side": side})
    if len(text) > limit:
        return Problem("address_too_long", {"side": side, "length": len(text), "limit": limit})
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return Problem("address_bad_encoding", {"side": side, "position": error.start})
    return None if any(map(str.isalnum, text)) else Problem("address_unreadable", {"side": side})
