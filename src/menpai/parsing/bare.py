"""Read numbers without a unit word by what stands before them, and numbers joined by dashes."""

from __future__ import annotations

import re

from menpai.parsing import names, patterns, values
from menpai.parsing.draft import INSIDE, ON_ROADS, PLACES, Draft

_FLOOR = re.compile(r"(?:\d{1,2}F|[FL][1-9]\d?|B\d)$")
_ROOM = re.compile(r"\d{3}")
_STOREY = re.compile(r"\d{1,2}F|L\d{1,2}|B\d")
_TOWER = re.compile(r"T\d{1,2}$")
_SLASHED = re.compile(r"\d{1,3}/\d{1,2}/\d{3,4}|[A-Z]?\d{1,2},\d{3,4}")
# 13-14-898 on a road: its number, a building, a room.
_ON_ROAD = re.compile(r"\d{1,4}-\d{1,3}-\d{3,4}")
# Behind a house number there 24-8 is the 8th room of the 24th floor.
_STOREYED = "重庆"
# 雨山阁11B: flat B on the 11th floor. In an estate of houses 11B may be one of them.
_FLAT = re.compile(r"\d{1,2}[A-H]")
_TWO = re.compile(r"\d{1,2}")
_ONE_HOUSE = ("阁", "座", "楼", "厦", "轩", "公寓", "宿舍")
# 三巷15103, 上围村12101: door and room run together. No house has so high a number without a 号.
_GLUED = re.compile(r"(?P<door>[1-9]\d{0,2})(?P<room>[1-9](?:0[1-9]|[1-3]\d))")
_DOOR = 2
_VILLAGES = ("村", "坊")
# 5号101-2: a part of room 101, no building 101.
_SUBROOM = re.compile(r"\d{3,4}-\d{1,2}")
_DASH = re.compile("[-/,]")
# After a room: its side, or a note that ends the address.
_SIDE = re.compile(r"[东西南北中左右]{0,2}户|[东西南北左右中](?=$|[\s,()])")
# After G6: what shows that it is a motorway and no building.
_ON_HIGHWAY = re.compile(r"\s*(?:\d+公里|\d+KM|K\d|[与和交旁附]|$|[\s,()])")


def read(draft: Draft, match: re.Match[str]) -> None:
    """A number without a unit word; one that opens or continues a name (798艺术区) is left to the name."""
    start, end = match.span()
    written = match[0]
    following = draft.text[end : end + 1] if end < draft.end else ""
    closed = not following.isalpha() or _SIDE.match(draft.text, end, draft.end) is not None
    if draft.text.startswith("航站楼", end):
        return
    special = _special(written, match["pre"])
    if special == "road" and not _is_highway(draft, written, start, end):
        special = ""
    if special:
        names.cut(draft, start)
        draft.add(special, start, end, _special_value(written, special))
        return
    if match["pre"] in ("附", "副") and draft.last == "roadno" and draft.begin >= start:
        annex(draft, end, values.numbers(match["list"]))
        return
    counts = written[0] != "第" and _after_number_or_road(draft, start)
    opens = not closed and written.count("-") < 2 and not counts
    if opens or patterns.COUNTED.match(draft.text, end):
        return
    names.cut(draft, start)
    if end < draft.end and (flat := _is_flat_number(draft, written, end)):
        draft.add("room", start, flat, draft.text[start:flat], "bare")
        return
    if _has_dashes(written) and draft.last not in ("road", ""):
        dashed(draft, written.removeprefix("#"), end - len(written.removeprefix("#")), end, "")
        return
    if draft.last == "road" and _ON_ROAD.fullmatch(written):
        dashed(draft, written, start, end, "road")
        return
    kind = _bare_kind(draft, written, start)
    if (glued := _GLUED.fullmatch(written)) and _runs_together(draft, kind, glued["door"], start):
        between = start + glued.end("door")
        house = draft.last == "road" or draft.last_text.endswith(_VILLAGES)
        draft.add("roadno" if house else "building", start, between, glued["door"], "bare")
        draft.add("room", between, end, glued["room"], "bare")
        return
    value = written if kind == "poi" else values.numbers(written)
    draft.add(kind, start, end, value, "place" if kind == "poi" else "bare")


def _special(written: str, pre: str | None) -> str:
    """The kind of T1, 塔1, F3, 3F, B1, G104; "" of other numbers."""
    if pre == "塔":
        return "building"
    if written.isdigit():
        return ""
    if _TOWER.match(written):
        return "building"
    if _FLOOR.match(written):
        return "floor"
    return "road" if patterns.HIGHWAY.match(written) else ""


def _is_highway(draft: Draft, written: str, start: int, end: int) -> bool:
    """Whether G104 is a highway here: a kilometre, a crossing or nothing follows; G6 not in an estate."""
    if not _ON_HIGHWAY.match(draft.text, end, draft.end):
        return False
    return len(written) > 2 or (draft.begin == start and draft.last not in (*PLACES, *INSIDE))


def _special_value(written: str, kind: str) -> str:
    if kind == "building":
        return written.replace("塔", "T")
    return written.strip("FL") if kind == "floor" else written


def _after_number_or_road(draft: Draft, start: int) -> bool:
    """Whether a road ends, or a number stood, just before `start`."""
    if draft.begin < start:
        return draft.text[start - 1] in ON_ROADS
    return start != draft.word and draft.last in ("road", "roadno", *INSIDE)


def _bare_kind(draft: Draft, written: str, start: int) -> str:
    """House number after a road, room after a house number or building, building after an estate."""
    if draft.last == "road":
        return "roadno"
    if draft.inside or draft.last == "roadno":
        return "room"
    if draft.last in PLACES and draft.begin == start:
        return "room" if _ROOM.search(written) or _is_flat(draft, written, start) else "building"
    if draft.last in ("community", "town", ""):
        return "roadno" if "-" in written else "poi"
    return "poi"


def _is_flat(draft: Draft, written: str, start: int) -> bool:
    """Whether 11B ends the address in a single house, or in a place with a house number before it."""
    if start + len(written) < len(draft.text) or not _FLAT.fullmatch(written):
        return False
    tall = draft.on_tall or draft.last_text.endswith(_ONE_HOUSE)
    return tall or any(e.kind == "roadno" for e in draft.out[-2:])


def _is_flat_number(draft: Draft, written: str, end: int) -> int:
    """Where 10B02 ends, flat 02 of part B on the 10th floor, that closes the address; 0 if it is none."""
    rest = _TWO.fullmatch(draft.text, end) if _FLAT.fullmatch(written) else None
    return rest.end() if rest and (draft.last in PLACES or draft.last in INSIDE) else 0


def _runs_together(draft: Draft, kind: str, door: str, start: int) -> bool:
    """Whether the bare number is a door and a room: on a lane from four digits on, with five on a road, in a
    village or a part of a place; six are a postal code."""
    if kind not in ("roadno", "room") or draft.begin != start or draft.inside:
        return False
    if draft.last == "road" and draft.last_text.endswith("巷"):
        return True
    return len(door) == _DOOR and (draft.last in ("road", "subpoi") or draft.last_text.endswith(_VILLAGES))


def _has_dashes(written: str) -> bool:
    """Whether the parts of 3-2-501, 3/2/501 or 3,501 are told apart; other commas and 、 make a list."""
    if _SLASHED.fullmatch(written):
        return True
    return "-" in written and "," not in written and "、" not in written


def dashed(draft: Draft, written: str, start: int, end: int, kind: str) -> None:
    """13-2-502 as building, unit, room; 23-2 as building, unit; 29-10 after a building as one room."""
    if any(e.kind == "room" and e.value == written for e in draft.out[-6:]):
        kind = "room"
    parts = _DASH.split(written)
    if not kind and draft.last == "roadno" and draft.out[-1].end == start and _SUBROOM.fullmatch(written):
        kind = "room"
    known = {e.kind for e in draft.out[-4:]}
    if "roadno" in known and draft.text.find(_STOREYED, 0, 12) >= 0:
        known.add("storeyed")
    storey = len(parts) == 2 and _STOREY.fullmatch(parts[0])
    if storey and (parts[0][0] != "B" or not patterns.is_estate(draft.last_text) or draft.on_tall):
        kinds: tuple[str, ...] | None = ("floor", "room")
    else:
        kinds = _dash_kinds(parts, kind, known)
    if kinds is None or "" in parts:
        draft.add(kind or "room", start, end, values.numbers(written), "dash")
        return
    at = start
    for part, part_kind in zip(parts[:-1], kinds[:-1], strict=True):
        value = part.strip("FL") if part_kind == "floor" else values.numbers(part)
        draft.add(part_kind, at, at + len(part), value, "dash")
        at += len(part) + 1
    draft.add(kinds[-1], at, end, values.numbers(parts[-1]), "dash")


def _dash_kinds(parts: list[str], kind: str, known: set[str]) -> tuple[str, ...] | None:
    """The kinds of dash-joined parts, or None if they are one name together."""
    if kind == "house":
        return "building", "room"
    if kind == "road":
        return "roadno", "building", "room"
    if kind == "floor":
        return ("building", "floor") if "building" not in known else None
    if kind == "unit":
        return ("building", "unit") if len(parts) == 2 and "building" not in known else None
    if len(parts) == 3:
        return ("unit", "floor", "room") if "building" in known else ("building", "unit", "room")
    if len(parts) == 4 and "building" not in known:
        return "building", "unit", "floor", "room"
    if len(parts) != 2:
        return None
    if "building" in known:
        return ("unit", "room") if len(parts[1]) >= 3 and "unit" not in known and len(parts[0]) <= 2 else None
    if len(parts[1]) >= 3:
        return None if kind and len(parts[0]) >= 3 and parts[0].isdigit() else ("building", "room")
    if kind or "storeyed" in known or ("roadno" in known and "poi" not in known):
        return None
    return "building", "unit"


def annex(draft: Draft, end: int, value: str) -> None:
    """12号附3号 is one number: 12附3."""
    house = draft.out.pop()
    draft.add("roadno", house.start, end, f"{house.value}附{value}")
