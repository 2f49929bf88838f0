"""Read what follows the divisions: community, village, road, numbers, estate, building, unit, floor, room."""

from __future__ import annotations

import re

from menpai.address import Element
from menpai.parsing import patterns, values

# Unit word → kind; words that depend on what stands before (号 楼 门) are decided in `_kind`.
_KIND = (
    dict.fromkeys(
        "号居民楼 号住宅楼 号商务楼 号办公楼 号写字楼 号教学楼 号宿舍楼 号厂房 号库房 号楼 号栋 号塔 号座 号别墅 号公寓 "
        "栋楼 #楼 #栋 楼栋 # 栋 幢 座 排".split(),
        "building",
    )
    | dict.fromkeys("号院 号大院 弄".split(), "roadno")
    | dict.fromkeys("单元 门".split(), "unit")
    | dict.fromkeys("室 户 房 铺 号室 号房 号铺 号商铺 号门面".split(), "room")
    | dict.fromkeys("村民小组 生产队 居民小组 小组 组 队 社".split(), "village_group")
    | dict.fromkeys("区 期 街区 组团 号门 网格".split(), "subpoi")
    | dict.fromkeys("米 公里 KM M".split(), "distance")
    | {"层": "floor"}
)
_IN_NAME = frozenset("号线 号店 号路 号地 号机 号井 号桥 号小区".split())
_INSIDE = ("building", "unit", "floor", "room")
_JOINING = re.compile(r"[、,和及/;\s-]{1,2}$")


class _Reader:
    """One pass over text[at:end]; `begin` is where the name that is still open began."""

    def __init__(self, text: str, at: int, end: int) -> None:
        self.text, self.begin, self.end = text, at, end
        self.out: list[Element] = []

    def read(self) -> list[Element]:
        text = self.text
        for match in patterns.TOKEN.finditer(text, self.begin, self.end):
            start, end = match.span()
            if start < self.begin:
                continue
            kind = match.lastgroup
            if kind == "num":
                self._number(match)
            elif kind == "sep":
                self._name(start)
                self.begin = end
            elif kind == "open":
                self._bracket(start)
            elif kind == "let":
                self._letter(match)
            elif kind == "low":
                self._name(start)
                self._add("floor", start, end, _below(text[start:end]))
            elif end == self.end or start > self.begin or self.out:
                self._name(start)
                self._add("assist", start, end, text[start:end])
        self._name(self.end)
        return self.out

    def _add(self, kind: str, start: int, end: int, value: str) -> None:
        """Append an element, or widen the last one when both are members of one list (37号、70号)."""
        out = self.out
        if out and out[-1].kind == kind and kind in _LISTS:
            last = out[-1]
            gap = self.text[last.end : start]
            if not gap.strip("、,和及/; ") and (gap or kind == "roadno"):
                out[-1] = Element(kind, self.text[last.start : end], last.start, end, f"{last.value},{value}")
                self.begin = end
                return
            if gap and not gap.strip("-~至到"):
                out[-1] = Element(kind, self.text[last.start : end], last.start, end, f"{last.value}-{value}")
                self.begin = end
                return
        out.append(Element(kind, self.text[start:end], start, end, value))
        self.begin = end

    def _number(self, match: re.Match[str]) -> None:
        """A number token: with a unit word its kind, bare by what stands before it, or part of a name."""
        unit = match["unit"]
        start, end = match.span()
        if unit is None:
            self._bare(match)
            return
        if unit in _IN_NAME:
            return
        if unit in ("区", "期", "街区", "组团") and self.begin < start and end == self.end:
            return
        if unit in ("区", "期", "街区", "组团") and self.begin < start and not self._is_road(start):
            self._name(end)
            return
        if unit in ("米", "公里", "KM", "M"):
            head = patterns.TOWARDS.search(self.text, max(self.begin, start - 5), start)
            first = head.start() if head else start
            self._name(first)
            self._add("distance", first, end, self.text[first:end])
            return
        list_start, list_end = match.span("list")
        first = match.start("pre") if match["pre"] else list_start
        self._name(start)
        written = self.text[first:list_end]
        if unit == "社" and self.out and self.out[-1].kind not in ("poi", "community", "town"):
            self.begin = start
            return
        kind = self._kind(unit, end)
        if "-" in written and kind in ("unit", "room", "building") and "," not in written:
            self._dashed(written, first, start, end, kind)
            return
        value = values.numbers(written)
        self._add(kind, start, end, value + _kept(unit))

    def _kind(self, unit: str, end: int) -> str:
        """What a number with this unit word is here."""
        last = self.out[-1] if self.out else None
        before = last.kind if last else ""
        if unit == "号":
            if before in _INSIDE:
                return (
                    "room" if before != "building" or not last or not last.text.endswith("号") else "building"
                )
            if last and last.text.endswith(("弄", "号院")):
                return "building"
            if before == "poi" and last and patterns.ESTATE.search(last.text) or before == "subpoi":
                return "building"
            if before == "roadno" and last and not self._listed(last):
                return "building"
            return "roadno"
        if unit == "楼":
            following = self.text[end : end + 4]
            if (
                before in ("poi", "subpoi")
                and last
                and (
                    patterns.ESTATE.search(last.text)
                    and not last.text.endswith(("广场", "中心", "大厦", "城"))
                )
                or "单元" in following
                or "门" in following
            ):
                return "building" if before not in ("building", "unit") else "floor"
            return "floor"
        return _KIND[unit]

    def _listed(self, last: Element) -> bool:
        """Whether only a list or range sign stands between the last element and here."""
        gap = self.text[last.end : self.begin]
        return bool(gap) and not gap.strip("、,和及/;-~至到 ")

    def _bare(self, match: re.Match[str]) -> None:
        """A number without a unit word."""
        start, end = match.span()
        written = self.text[start:end]
        following = self.text[end : end + 1]
        closed = not following or not (following.isalpha() or following == "(")
        after_road = self._is_road(start)
        last = self.out[-1].kind if self.out and self.begin >= start else ""
        if (
            written[0] in "TFLB"
            and len(written) <= 4
            and closed
            and written[1:].isdigit()
            and "-" not in written
        ):
            self._name(start)
            tower = written[0] == "T"
            self._add(
                "building" if tower else "floor", start, end, written if written[0] in "TB" else written[1:]
            )
            return
        if not closed and not after_road and last not in (*_INSIDE, "roadno"):
            return
        if re.match(r"[GSXY]\d{2,4}$", written) and not after_road:
            self._name(start)
            self._add("road", start, end, written)
            return
        self._name(start)
        last = self.out[-1].kind if self.out else ""
        if "-" in written and "," not in written and "、" not in written:
            if last in ("road", "") and not self._inside():
                self._add("roadno", start, end, values.numbers(written))
            else:
                self._dashed(written, start, start, end, "")
            return
        if last == "road":
            kind = "roadno"
        elif self._inside() or last == "roadno" or len(written) >= 3 and last in ("poi", "subpoi"):
            kind = "room"
        else:
            kind = "building" if last in ("poi", "subpoi") and self.begin == start else "poi"
        self._add(kind, start, end, values.numbers(written) if kind != "poi" else written)

    def _inside(self) -> bool:
        return any(e.kind in _INSIDE for e in self.out[-3:])

    def _is_road(self, start: int) -> bool:
        """Whether a road ends just before `start`."""
        if self.begin < start:
            return self.text[start - 1] in "路街道巷" or self.text[start - 1] == "段"
        return bool(self.out) and self.out[-1].kind == "road" and self.out[-1].end == start

    def _dashed(self, written: str, at: int, start: int, end: int, kind: str) -> None:
        """13-2-502 as building, unit, room; 23-2 as building, unit; 29-10 after a building as one room."""
        parts = written.split("-")
        known = {e.kind for e in self.out[-4:]}
        if kind == "building" or any(not p for p in parts):
            self._add(kind or "room", start, end, values.numbers(written))
            return
        kinds = _dash_kinds(parts, kind, known)
        if kinds is None:
            self._add(kind or "room", start, end, values.numbers(written))
            return
        for index, (part, part_kind) in enumerate(zip(parts, kinds, strict=True)):
            stop = end if index == len(parts) - 1 else at + len(part)
            self.out.append(Element(part_kind, self.text[start:stop], start, stop, values.numbers(part)))
            at = start = at + len(part) + 1
        self.begin = end

    def _letter(self, match: re.Match[str]) -> None:
        """A座, B区, C室."""
        start, end = match.span()
        unit = match["lunit"]
        if unit == "区" and self.begin < start and self.text[start - 1] not in "路街":
            self._name(end)
            return
        kind = {"单元": "unit", "室": "room", "户": "room", "区": "subpoi", "段": "subpoi", "组团": "subpoi"}
        self._name(start)
        value = match["letter"] + ("区" if unit == "区" else "")
        self._add(kind.get(unit, "building"), start, end, value)

    def _bracket(self, start: int) -> None:
        """A remark: part of a firm's name, a branch (南山校区), something to read on, or an assist."""
        text, end = self.text, self.end
        close = text.find(")", start, min(end, start + 80))
        if close < 0:
            self._name(start)
            self.begin = start + 1
            return
        inner = text[start + 1 : close]
        before, after = text[start - 1 : start], text[close + 1 : close + 2]
        if (
            self.begin < start
            and before.isalpha()
            and after.isalpha()
            and 1 <= len(inner) <= 4
            and inner.isalpha()
        ):
            return
        self._name(start)
        if any(c.isdigit() for c in inner) or re.search(r"[路街]|小区|社区", inner):
            self.begin = start + 1
            return
        if inner.strip():
            branch = self.out and self.out[-1].kind == "poi" and patterns.BRANCH.fullmatch(inner)
            self._add("subpoi" if branch else "assist", start + 1, close, inner)
        self.begin = close + 1

    def _name(self, end: int) -> None:
        """Cut the open name text[begin:end] into town, community, village, road, crossing and place."""
        text, at = self.text, self.begin
        while at < end:
            at = self._crossing(at, end)
            if at >= end:
                break
            match = patterns.NAME.match(text, at, end)
            if match is None:
                self._place(at, end)
                break
            kind = match.lastgroup or ""
            stop = match.end()
            if kind == "road":
                self._add("road", at, stop, values.name(text[at:stop]))
            elif kind == "community":
                self._add("community", at, stop, values.community(text[at:stop]))
            elif kind == "village":
                self._add("poi", at, stop, values.place(text[at:stop]))
            else:
                self._add("town", at, stop, text[at:stop])
            at = stop
        self.begin = max(self.begin, end)

    def _crossing(self, at: int, end: int) -> int:
        """Past 与 and 交叉口 after a road."""
        roads = [e for e in self.out[-3:] if e.kind == "road"]
        if not roads or self.out[-1].kind != "road":
            return at
        match = patterns.CROSSING.match(self.text, at, end)
        if match:
            self._add("intersection", at, match.end(), ",".join(sorted(e.value for e in roads[-2:])))
            return match.end()
        match = patterns.JOIN.match(self.text, at, end)
        return match.end() if match else at

    def _place(self, at: int, end: int) -> None:
        """The named remainder: estate or other place, with its zone, wing, entrance or assist cut off."""
        text = self.text
        tail = patterns.TRAILING.search(text, at, end)
        stop = tail.start() if tail and tail.start() > at else end
        if self.out and self.out[-1].end == at and tail and tail.start() == at:
            self._add("assist", at, end, text[at:end])
            return
        for pattern, kind in (
            (patterns.WING, "building"),
            (patterns.ENTRANCE, "unit"),
            (patterns.SUBPLACE, "subpoi"),
        ):
            cut = pattern.search(text, at, stop)
            if cut and (cut.start() >= at + 2 or (cut.start() == at and self.out)):
                if cut.start() > at:
                    self._add("poi", at, cut.start(), values.place(text[at : cut.start()]))
                self._add(kind, cut.start(), stop, _part(kind, text[cut.start() : stop]))
                break
        else:
            if stop > at:
                self._add("poi", at, stop, values.place(text[at:stop]))
        if stop < end:
            self._add("assist", stop, end, text[stop:end])


_LISTS = frozenset(("roadno", "building", "unit", "room", "floor"))


def read_detail(text: str, at: int, end: int) -> list[Element]:
    """The elements of text[at:end] in order."""
    return _Reader(text, at, end).read()


def _kept(unit: str) -> str:
    """The part of a unit word that belongs to the value: 455弄 is not 455号."""
    return unit if unit in ("弄", "期", "区", "街区", "组团", "排", "网格", "号门") else ""


def _part(kind: str, text: str) -> str:
    """The value of a wing, entrance or zone: 西楼 → 西, 东单元 → 东, 三期 → 3期."""
    if kind == "subpoi":
        return values.digits(text)
    for tail in ("单元", "楼", "座", "门"):
        if text.endswith(tail) and len(text) > len(tail):
            return values.digits(text.removesuffix(tail))
    return text


def _below(text: str) -> str:
    """B1 for 负1层, 地下1层 and B1."""
    number = "".join(c for c in text if c.isdigit())
    return "B" + number if number else text


def _dash_kinds(parts: list[str], kind: str, known: set[str]) -> tuple[str, ...] | None:
    """The kinds of dash-joined parts, or None if they are one name together."""
    if kind == "unit":
        return ("building", "unit") if len(parts) == 2 and "building" not in known else None
    if len(parts) == 3:
        return ("building", "unit", "room") if "building" not in known else ("unit", "floor", "room")
    if len(parts) != 2:
        return None
    if "building" in known:
        return ("unit", "room") if len(parts[1]) >= 3 and "unit" not in known and len(parts[0]) <= 2 else None
    if len(parts[1]) >= 3:
        return ("building", "room")
    if "roadno" in known and "poi" not in known:
        return None
    return ("building", "unit") if kind == "" else None
