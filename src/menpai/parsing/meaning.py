"""What a name in the text can mean: a mention and the codes of its units, and how codes agree with each other."""

from __future__ import annotations

from typing import NamedTuple

from menpai.parsing.gazetteer import Codes


class Mention(NamedTuple):
    """A name in the text and the units it can mean here; `past` are those that bore it formerly.

    `moved`: a town that the tables have in another district than the one before it, or a county that left its city;
    `left`: such a county, which then means the same whatever stood before it.
    """

    start: int
    end: int
    codes: Codes
    kind: str
    full: bool = True
    past: Codes = ()
    moved: bool = False
    left: bool = False


def narrow(context: Codes, codes: Codes) -> Codes:
    """The deepest units that agree with both: of each agreeing pair the longer code; () if none agree."""
    if not context:
        return codes
    if len(context) == len(codes) == 1:
        return (
            codes if codes[0].startswith(context[0]) else context if context[0].startswith(codes[0]) else ()
        )
    known, named = set(context), set(codes)
    below = [code for code in codes if has_parent(code, known)]
    above = [code for code in context if has_parent(code, named)]
    return tuple(dict.fromkeys((*below, *above))) if above else tuple(below)


def has_parent(code: str, codes: set[str]) -> bool:
    """Whether the code or a parent of it is among the codes."""
    return code[:2] in codes or code[:4] in codes or code[:6] in codes or code in codes


def agreed_codes(codes: Codes, context: Codes) -> Codes:
    """The codes that agree with the context."""
    if not context or not codes:
        return codes
    if len(context) == 1:
        known = context[0]
        if len(codes) == 1:
            return codes if codes[0].startswith(known) or known.startswith(codes[0]) else ()
        return tuple([c for c in codes if c.startswith(known) or known.startswith(c)])
    known_all = set(context)
    parents = {c[:n] for c in context for n in (2, 4, 6, 9)}
    return tuple([c for c in codes if c in parents or has_parent(c, known_all)])
