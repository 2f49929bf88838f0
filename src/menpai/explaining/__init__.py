"""Why a verdict is what it is, for people: one sentence, aligned elements, the part that decided, a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from menpai.explaining.sentence import sentence

if TYPE_CHECKING:
    from menpai.explaining.explanation import Explanation, explain

__all__ = ["Explanation", "explain", "sentence"]


def __getattr__(name: str) -> Any:
    """What asks a matcher is loaded at first use: a drawing of an address needs neither numpy nor an engine."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from menpai.explaining import explanation  # noqa: PLC0415

    return getattr(explanation, name)
