"""The hard cases of public issues: every field that a case's `expected` names, against menpai's reading.

Usage: python benchmarks/parsing/hard.py DATA [--show]
Reads DATA/cases/hard_cases.tsv. `expected` is free text; `claims` reads from it, case by case and without
knowing any of them, what it says about a reading: "district 朝阳区", "road 河北路 (not …)", "茂名市电白区", "not
延川县". Pairs, and cases in which it finds nothing that a reading could show, are left out and listed.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from libraries import of_address

from menpai.address import Address
from menpai.parsing import parse, values
from menpai.parsing.gazetteer import default
from menpai.parsing.hints import make_hints
from menpai.text import normalize

# A word of `expected` → the kinds of ours that may answer it.
KINDS: dict[str, tuple[str, ...]] = {
    "province": ("province",), "city": ("city", "province"), "prefecture": ("city",), "county-level": ("district",),
    "district": ("district",), "county": ("district",), "town": ("town",), "village": ("community", "poi"),
    "community": ("community",), "group": ("village_group",), "zone": ("devzone",), "road": ("road",),
    "section": ("road",), "number": ("roadno", "building"), "building": ("building",), "floor": ("floor",),
    "unit": ("unit", "room", "building", "devzone"), "room": ("room",), "poi": ("poi", "subpoi", "assist"),
    "rest": ("any",), "detail": ("any",), "recognise": ("any",),
}  # fmt: skip
_HAN = r"[㐀-鿿〇]"
_VALUE = rf"(?:(?:{_HAN}|[A-Z]?\d)(?:{_HAN}|[A-Za-z0-9#-])*)"
_KEYS = "|".join(sorted(KINDS, key=len, reverse=True))
_KEYED = re.compile(
    rf"\b({_KEYS})((?:/\w+)*)(?:\s+(?:is|only|keeps?|the))*\s+({_VALUE}(?: / {_VALUE})*)", re.IGNORECASE
)
_CROSSING = re.compile(rf"crossing of ({_HAN}+) and ({_HAN}+)")
_NOT = re.compile(
    rf"\b(?:not|never)\b(?:\s+(?:as|be|become|take|answer|trigger|completed to|fall into))*\s+({_HAN}+)"
)
_INSIDE = re.compile(rf"(?<={_HAN})\(({_HAN}+)\)(?={_HAN})")
_ASIDE = re.compile(r"\([^()]*\)")
_RUN = re.compile(_VALUE)
_NUMBERED = re.compile(rf"(?:{_VALUE}[\s,]*)+")
_SECTION = re.compile(r"[东西南北中\d一二三四五六七八九十]*段")
_DIVISIONS = frozenset(("province", "city", "district", "county", "county-level", "prefecture"))


class Claim(NamedTuple):
    """What a case says of a reading: a value of one of these kinds ("any" for whatever stands there), a "division"
    that it must name, units that it must "not" name together, or that it must report a "conflict"."""

    kinds: tuple[str, ...]
    value: str


def claims(expected: str, kind: str = "") -> list[Claim]:
    """The claims of one `expected`, in order."""
    found = [Claim(("conflict",), "")] if kind == "conflict" else []
    for part in re.split(r"[;；]|, (?=not )", _INSIDE.sub(r"\1", expected)):
        found += [Claim(("not",), match[1]) for match in _NOT.finditer(part) if _names(match[1])]
        if " inside " in part:  # 山东 inside 老山东里 is not a province
            continue
        part = _ASIDE.sub("", part[: match.start()] if (match := _NOT.search(part)) else part)
        keyed = [Claim(KINDS[word], value) for word, value in _keyed(part) if _fits(word, value)]
        roads = [Claim(("road",), road) for match in _CROSSING.finditer(part) for road in match.groups()]
        found += keyed + roads
        if not keyed and not roads:
            found += [Claim(("division",), name) for run in _RUN.findall(part) for name in _names(run)]
        if _NUMBERED.fullmatch(part.strip()):
            found += [Claim(("any",), run) for run in _RUN.findall(part) if not _names(run)]
    return list(dict.fromkeys(found))


def _keyed(part: str) -> Iterator[tuple[str, str]]:
    """province/city 重庆市 as two pairs of a word and a value; recognise A / B as two of one word."""
    for match in _KEYED.finditer(part):
        for word in (match[1], *match[2].split("/")):
            if word.lower() in KINDS:
                yield from ((word.lower(), value) for value in match[3].split(" / "))


def _fits(key: str, value: str) -> bool:
    """Whether a value can be one of this key: a county that is a name, not a word of the sentence."""
    return key not in _DIVISIONS or bool(_names(value))


@cache
def _official() -> dict[str, str]:
    """Name → official name: of all units, and of provinces by their short names."""
    units = default()
    names = {units.division(code).name for code in units}
    towns = {name for code in units for name in units.towns(code).values()}
    provinces = [units.division(code).name for code in units if len(code) == 2]
    short = {re.sub("(?:特别行政区|(?:维吾尔|壮族|回族)?自治区|省)$", "", name): name for name in provinces}
    return short | {name: name for name in (*towns, *names)}


def _names(run: str) -> list[str]:
    """The official names of the divisions with which a run of characters begins."""
    names, at = [], 0
    while at < len(run):
        ends = range(min(len(run), at + 15), at + 1, -1)
        end = next((end for end in ends if run[at:end] in _official()), None)
        if end is None:
            break
        names.append(_official()[run[at:end]])
        at = end
    return names


def holds(claim: Claim, address: Address) -> bool:
    """Whether the reading shows what the claim says."""
    if claim.kinds == ("conflict",):
        return bool(address.conflicts)
    units = {name for answer in of_address(address) for name in answer} | {d.name for d in address.divisions}
    if claim.kinds == ("not",):
        return not set(_names(claim.value)) <= units
    named = [e for e in address.elements if e.kind in ("province", "city", "district", "town", "devzone")]
    path = units | {text for e in named for text in (e.value, e.text)} | {z.name for z in address.zones}
    path |= {former.written for former in address.former} | {c.suggested for c in address.corrections}
    if claim.kinds == ("division",) or {"province", "city", "district", "devzone"} & set(claim.kinds):
        return claim.value in path or (
            claim.kinds[-1] == "devzone" and claim.value in set(_runs(address, claim.kinds))
        )
    wanted = normalize(claim.value).text or claim.value
    alone = (text for e in address.elements if e.kind in claim.kinds for text in (e.text, e.value))
    if claim.kinds == ("road",):
        return any(_same_road(values.road(wanted), values.road(text)) for text in alone)
    if claim.kinds == ("town",):
        return wanted.removesuffix("办事处") in path or wanted in alone
    return wanted in alone or wanted in _runs(address, claim.kinds)


def _same_road(wanted: str, text: str) -> bool:
    """A road with or without its section, or the section alone."""
    section = _SECTION.fullmatch(wanted) and text.endswith(wanted)
    return (
        text == wanted
        or bool(section)
        or (text.startswith(wanted) and bool(_SECTION.fullmatch(text[len(wanted) :])))
    )


def _runs(address: Address, kinds: Sequence[str]) -> Iterator[str]:
    """The texts of elements that touch, where the first is of these kinds: 11楼3门501, 7组22号."""
    elements = address.elements
    for first, element in enumerate(elements):
        if element.kind not in kinds and kinds != ("any",):
            continue
        for last in range(first, len(elements)):
            if last > first and not 0 <= elements[last].start - elements[last - 1].end <= 1:
                break
            yield address.text[element.start : elements[last].end]


class Case(NamedTuple):
    """Id, input, claims, and the default city with which a case says that it is read."""

    id: str
    text: str
    claims: list[Claim]
    city: str | None

    def read(self) -> Address:
        """menpai's reading."""
        units = default()
        return parse(normalize(self.text), units, make_hints(units, self.city, None))


def read_cases(data: Path) -> Iterator[Case]:
    """The cases that are no pairs."""
    with (data / "cases" / "hard_cases.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if not row["input_b"]:
                wanted = claims(row["expected"], row["kind"])
                cities = (claim.value for claim in wanted if claim.value.endswith("市"))
                city = next(cities, None) if "default city" in row["expected"] else None
                yield Case(row["id"], row["input_a"], wanted, city)


def main() -> None:
    """Print the share of claims that hold, and (with --show) all claims and those that do not."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    right = count = whole = cases = 0
    silent = []
    for case in read_cases(args.data):
        wanted, address = case.claims, case.read()
        if not wanted:
            silent.append(case.id)
            continue
        wrong = [claim for claim in wanted if not holds(claim, address)]
        cases, whole = cases + 1, whole + (not wrong)
        count, right = count + len(wanted), right + len(wanted) - len(wrong)
        if args.show:
            print(case.id, case.text, *(f"{'/'.join(c.kinds)}={c.value}" for c in wanted))
            if wrong:
                print("    WRONG", *(f"{'/'.join(c.kinds)}={c.value}" for c in wrong))
                print(
                    "    READ ",
                    *(f"{e.kind}={e.value}" for e in address.elements),
                    [d.name for d in address.divisions][:4],
                )
    print(
        f"fields right: {right} of {count} = {right / count:.4f}; cases all right: {whole} of {cases} = {whole / cases:.4f}"
    )
    print(f"no field named in: {' '.join(silent)}")


if __name__ == "__main__":
    main()
