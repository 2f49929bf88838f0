"""From a tag of a scheme to a kind of ours: what a tagger of that scheme proposes."""

from __future__ import annotations

import re

from menpai.parsing.schemes.scheme import Scheme

_KINDS = {
    "prov": "province", "subroad": "road", "subroadno": "roadno", "village": "community", "group": "village_group",
    "houseno": "building", "cellno": "unit", "floorno": "floor", "roomno": "room", "direction": "assist",
    "redundant": "", "country": "", "person": "", "otherinfo": "",
}  # fmt: skip
# A house number of these schemes is a door number of ours (12号, 12弄, 12号院) unless a building word ends it.
_DOOR = re.compile(r"(?:号院?|弄|附?号)$|^附")
_LANE = re.compile(r"[\d一二三四五六七八九十]+弄$")
_GROUP = re.compile(r"[\d一二三四五六七八九十]+(?:组|社|队)$")


def kind_of(tag: str, text: str, scheme: Scheme) -> str:
    """Our kind for a tagged text, or "" where we have none: houseno is a building in 3幢, a roadno in 3号."""
    if scheme.name == "menpai":
        return tag
    name = tag.casefold()
    if name == "houseno" and _DOOR.search(text):
        return "roadno"
    if name in ("road", "subroad") and _LANE.fullmatch(text):
        return "roadno"
    if name in ("road", "poi") and _GROUP.fullmatch(text):
        return "village_group"
    return _KINDS.get(name, name)
