"""Ways to write a division: its full name, forms without suffix or ethnic part, and whom a bare form means first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from menpai.parsing.guards import MINORITIES

SUFFIX = re.compile(
    r"(?:自治区|自治州|自治县|自治旗|特别行政区|行政区|林区|特区|新区|地区|省|市|州|县|区|盟|旗)$"
)
ETHNIC = re.compile(f"(?:(?:{MINORITIES})族?)+$")
_SHORTENED = {"自治州": "州", "自治县": "县", "自治旗": "旗", "自治区": "", "区": "区"}
# Cities whose same-named districts are named first: municipalities, then sub-provincial cities.
FIRST = (
    "11 31 12 50 4401 4403 3301 3201 5101 4201 6101 2101 2201 2301 3701 3702 3302 3502 2102 4301 4101 3401 "
    "3501 1301 1401 3601 5301 5201 4501 4601 6201 6501 1501 6401 6301 5401 3205"
).split()
RANK = {code: rank for rank, code in enumerate(FIRST)}

# Written form → {F full | S short | O former → codes}.
Kinds = dict[str, set[str]]


def short(code: str) -> str:
    """The official 6 or 9 digits cut so that a prefix is the parent: 110000 → 11, 441900 → 4419."""
    if len(code) == 9:
        return code
    return code[:2] if code[2:] == "0000" else code[:4] if code[4:] == "00" else code


def stem(name: str) -> str:
    """The name without its suffix: 余杭 for 余杭县, 余杭市 and 余杭区."""
    return SUFFIX.sub("", name)


def short_forms(code: str, name: str) -> Iterator[str]:
    """Names without their suffix or ethnic part: 恩施州, 恩施, 管城区, 北京. Never of one character."""
    suffix = SUFFIX.search(name)
    if suffix is None or len(code) > 6:
        return
    bare_suffix = name[: suffix.start()]
    bare = ETHNIC.sub("", bare_suffix)
    if bare != bare_suffix and len(bare) >= 2:
        yield bare + _SHORTENED.get(suffix[0], "")
        yield bare
    elif len(bare_suffix) >= 2:
        yield bare_suffix


def order(code: str) -> tuple[int, int, str]:
    """Sort key: coarse before fine, then large cities first, then by code."""
    rank = RANK.get(code[:2], RANK.get(code[:4], len(RANK)))
    return len(code), rank, code


def plain(codes: set[str]) -> set[str]:
    """What a bare short name means: not 长沙县 beside 长沙市, nor 辽源's 西安区 beside 西安市."""
    first = codes & set(RANK)
    return first or {c for c in codes if not any(c != d and c.startswith(d) for d in codes)}


def written_forms(units: Mapping[str, str]) -> defaultdict[str, Kinds]:
    """Every full and short form of the units (code → name)."""
    forms: defaultdict[str, Kinds] = defaultdict(lambda: defaultdict(set))
    for code, name in units.items():
        forms[name]["F"].add(code)
        for form in short_forms(code, name):
            forms[form][kind_of(form)].add(code)
    return forms


def kind_of(form: str) -> str:
    """F for a form that still ends in a suffix (恩施州), S for a bare one (恩施)."""
    return "F" if SUFFIX.search(form) and len(form) > 2 else "S"


def index_lines(forms: Mapping[str, Kinds]) -> Iterable[tuple[str, str]]:
    """(first two characters, rest:Fcodes;Ocodes …): longest rest first, likeliest code first."""
    grouped: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for written, kinds in forms.items():
        codes = ";".join(k + ",".join(sorted(kinds[k], key=order)) for k in "FSOP" if kinds.get(k))
        if codes:
            grouped[written[:2]].append((written[2:], codes))
    for first, entries in sorted(grouped.items()):
        entries.sort(key=lambda entry: (-len(entry[0]), entry[0]))
        yield first, "\t".join(f"{rest}:{codes}" for rest, codes in entries)
