"""What lies beside a place, or inside it, and only one side names: checked by words that a person would point at."""

from __future__ import annotations

import re

from menpai.address import DIVISION_LEVELS
from menpai.evidence.branches import are_branches, one_branch
from menpai.evidence.comparison import Comparison
from menpai.evidence.posts import with_posts
from menpai.evidence.relation import Relation
from menpai.evidence.side import Side

_OPPOSITE = ("对面", "斜对面")
_METRES = re.compile(r"[0-9]\s*(?:米|M)处?$")
_SAME = (Relation.EQUAL, Relation.CONTAINS)
# Inside a place they are places of their own; a floor or a counter is not.
_FACILITY = re.compile(
    "(?:超市|便利店|停车场|车库|小卖部|图书馆|营业厅|办税厅|地铁站|公交站|地铁站口|公交站场|出入口|入口|食堂|餐厅|快递柜|丰巢|驿站)$"
)


def beside(c: Comparison) -> tuple[str, str] | None:
    """One side ends opposite of what the other names, or some metres from it: the two texts that say so."""
    for one, other, turned in ((c.left, c.right, False), (c.right, c.left, True)):
        said = _remark(one)
        if said and not _remark(other) and not other.relative and _landmark_named(one, other):
            return ("", said) if turned else (said, "")
    return None


def _remark(side: Side) -> str:
    *_, last = with_posts(side.address.elements) or (None,)
    if last is None:
        return ""
    aside = last.kind == "assist" and last.text in _OPPOSITE
    far = last.kind == "distance" and _METRES.search(last.text) is not None
    return last.text if aside or far else ""


def _landmark_named(one: Side, other: Side) -> bool:
    """Whether the other side gives what stands before the remark."""
    mark = one.address.elements[-2] if len(one.address.elements) > 1 else None
    return mark is not None and mark.value in other.given.get(mark.kind, ())


def facility(c: Comparison) -> tuple[str, str] | None:
    """A shop, car park or hall inside a place that only one side names, while the other names the place alone."""
    place = c.relations.get("poi") in _SAME and "building" not in c.relations and not c.division_conflict
    for one, other, turned in ((c.left, c.right, False), (c.right, c.left, True)) if place else ():
        *around, last = one.given["poi"]
        found = _FACILITY.search(last)
        if not found or len(other.given["poi"]) > 1 or found[0] in other.address.text or one.relative:
            continue
        if any(x in other.given["poi"][0] or other.given["poi"][0] in x for x in around):
            return ("", last) if turned else (last, "")
    return None


def other_branch(c: Comparison) -> tuple[str, str] | None:
    """Two branches of one shop or bank, by names that cannot be one branch's; one door has one branch."""
    if c.relations.get("subpoi") != Relation.DIFFERS or c.relations.get("poi") not in _SAME:
        return None
    texts = c.texts["subpoi"]
    at_one_door = Relation.EQUAL in (c.relations.get("roadno"), c.relations.get("building"))
    return texts if are_branches(*texts) and not at_one_door and not one_branch(*texts) else None


def bare(side: Side) -> bool:
    """Whether a side names divisions and nothing else."""
    return side.given.keys() <= set(DIVISION_LEVELS)
