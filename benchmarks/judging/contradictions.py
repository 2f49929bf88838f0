"""Contradictions added to pairs: how often one raises P(exact), which none may.

    python benchmarks/judging/contradictions.py WORK/held_pairs.tsv WORK/held_written.tsv [--limit 400]

Each pair once as it is, and once with a value at the end (or the front) of each side that contradicts the other's. An
addition counts as a contradiction where the verdict names one and named none before.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import menpai

# kind: (what goes before the one and the other address, what goes behind them)
ADDED = {
    "province": (("广东省", "浙江省"), ("", "")),
    "city": (("江苏省南京市", "河南省洛阳市"), ("", "")),
    "district": (("成都市武侯区", "成都市青羊区"), ("", "")),
    "house number": (("", ""), ("77号", "79号")),
    "building": (("", ""), ("3栋", "5栋")),
    "unit": (("", ""), ("2单元", "4单元")),
    "room": (("", ""), ("201室", "305室")),
    "branch": (("", ""), ("(东门店)", "(工大店)")),
    "phase": (("", ""), ("一期", "二期")),
}
# Elements whose contradiction is stated, not learned.
COUNTED = {"province", "city", "district", "roadno", "building", "unit", "room"}


def main() -> None:
    """Print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=400, help="pairs of each file, evenly drawn")
    given = parser.parse_args()
    bases = [pair for path in given.files for pair in read(path, given.limit)]
    matcher = menpai.Matcher.open()
    before = matcher.match_many(bases)
    print(
        "| added | pairs | read as a contradiction | P(exact) rises | by at most | of the others: rises | by at most |"
    )
    print("|---|---|---|---|---|---|---|")
    for kind, (heads, tails) in ADDED.items():
        pairs = [(heads[0] + a + tails[0], heads[1] + b + tails[1]) for a, b in bases]
        rises: dict[bool, list[float]] = {True: [], False: []}
        for one, other in zip(before, matcher.match_many(pairs), strict=True):
            if isinstance(one, menpai.Problem) or isinstance(other, menpai.Problem):
                continue
            said = {conflict.element for conflict in other.conflicts} if not one.conflicts else set()
            change = other.probabilities.exact_match - one.probabilities.exact_match
            rises[bool(said & COUNTED)].append(change)
        counts = f"{len(bases)} | {len(rises[True])}"
        print(f"| {kind} | {counts} | {raised(rises[True])} | {raised(rises[False])} |", flush=True)


def raised(changes: list[float]) -> str:
    """How many rise, and the most by which one does."""
    up = [change for change in changes if change > 0]
    return f"{len(up)} | {max(up, default=0):.3f}"


def read(path: Path, limit: int) -> list[tuple[str, str]]:
    """Evenly drawn pairs of a labelled file."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [(row["address_a"], row["address_b"]) for row in rows[:: max(1, len(rows) // limit)]][:limit]


if __name__ == "__main__":
    main()
