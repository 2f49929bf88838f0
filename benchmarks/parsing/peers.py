"""The test suites of other parsers: menpai in each library's convention, and every library on all of them.

Usage: python benchmarks/parsing/peers.py DATA [--show]
Reads DATA/cases/peer_tests.jsonl. A case is right if every field that it names is right. Cases left out stand
in EXCLUDED with their reasons.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conventions import CONVENTIONS, bag
from libraries import Answer, Read, answer, of_code, peers, read_menpai

from menpai.parsing import parse
from menpai.text import normalize

# Start of the input → why the expectation of the case is not what a reader of addresses would want.
EXCLUDED: dict[str, str] = {
    "灵山镇海榆大道4号": "several towns have this name; the library picks one by chance",
    "香港九龙半岛清水湾": "清水湾 lies in 西贡区; the library takes 九龙 for 九龙城区",
    "广东省 东莞市 东城街道": "the code is of the library's own numbering",
}
# Codes of bitlap's list as of 2017 are not compared: names are. A note to the courier, which menpai drops, is not either.
_DIVISIONS = frozenset(("province", "city", "county", "district", "code", "adcode"))
_NOTE = "到了联系"
_COMPARED = ("province", "city", "district", "street", "road", "roadNum", "buildingNum", "text")


def read_cases(data: Path) -> list[dict[str, Any]]:
    """The cases with `excluded`, the reason or ""."""
    lines = (data / "cases" / "peer_tests.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return [case | {"excluded": _reason(case["input"])} for case in cases]


def _reason(text: str) -> str:
    return next((why for start, why in EXCLUDED.items() if text.startswith(start)), "")


def expected(case: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a case that are compared, None as ""."""
    fields = {name: value if value is not None else "" for name, value in (case["expected"] or {}).items()}
    if not case["source"].startswith("bitlap"):
        return fields
    wanted = {name: fields[name] for name in _COMPARED}
    wanted["street"] = fields["street"] or fields["town"]
    return wanted | {"text": bag(wanted["text"].replace(_NOTE, ""))}


def judge(case: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The fields that menpai has wrong: what is wanted and what was read."""
    found = CONVENTIONS[case["source"]](parse(normalize(case["input"])))
    return {
        name: (value, found.get(name))
        for name, value in expected(case).items()
        if value != (found.get(name) or "")
    }


def divisions(case: Mapping[str, Any]) -> Answer | None:
    """The unit that a case expects, to the county; None if it expects none."""
    fields = case["expected"] or {}
    if code := fields.get("code"):
        return of_code(code)
    if "province" not in fields:
        return None
    province = fields["province"] or ""
    return answer(
        province if len(province) != 2 else f"{province}市",
        fields["city"],
        fields.get("county") or fields.get("district"),
    )


def table(cases: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, str]]]:
    """For each library, per suite and over all: cases whose division fields are all right."""
    wanted = [(case, unit) for case in cases if (unit := divisions(case)) is not None]
    readers: dict[str, Read] = {"menpai": read_menpai, **peers()}
    totals = Counter(case["source"] for case, _ in wanted)
    for name, read in readers.items():
        answers = read([case["input"] for case, _ in wanted])
        if name == "menpai":  # its names in each suite's convention: 辽中县, as it was then called
            answers = [[] if _DIVISIONS & set(judge(case)) else [unit] for case, unit in wanted]
        right = Counter(
            case["source"]
            for (case, unit), found in zip(wanted, answers, strict=True)
            if found and found[0].says(unit)
        )
        yield (
            name,
            {**{s: f"{right[s]}/{n}" for s, n in totals.items()}, "all": f"{right.total()}/{totals.total()}"},
        )


def main() -> None:
    """Print both tables, what is excluded and (with --show) what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    cases = read_cases(args.data)
    kept = [case for case in cases if not case["excluded"]]
    wrong = [(case, faults) for case in kept if (faults := judge(case))]
    sources = Counter(case["source"] for case in kept)
    failed = Counter(case["source"] for case, _ in wrong)
    print("| suite | cases | all fields right |\n|---|---|---|")
    for source, count in sources.items():
        print(f"| {source} | {count} | {count - failed[source]} |")
    print(f"| all | {len(kept)} | {len(kept) - len(wrong)} = {1 - len(wrong) / len(kept):.4f} |\n")
    out = [case for case in cases if case["excluded"]]
    print(f"excluded: {len(out)} of {len(cases)}")
    for case in out:
        print(f"- {case['input']}: {case['excluded']}")
    if args.show:
        for case, faults in wrong:
            print(f"\n{case['source']}: {case['input']}")
            for name, (want, got) in faults.items():
                print(f"    {name}: wanted {want!r}, read {got!r}")
    print("\nprovince, city and county right:\n")
    for at, (name, row) in enumerate(table(kept)):
        if not at:
            print(f"| library | {' | '.join(row)} |\n|{'---|' * (len(row) + 1)}")
        print(f"| {name} | {' | '.join(row.values())} |")


if __name__ == "__main__":
    main()
