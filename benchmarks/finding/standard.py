"""How often standardize names a row, how often rightly, and why it names none.

Run: python benchmarks/finding/standard.py --work WORK --set nation|city|hangzhou [--most 300]
In the city a query that leaves the room out means several rows; standardize is to say so.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from measure import INDEX, is_right, read_queries

from menpai.library import Library


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--set", choices=INDEX, required=True)
    parser.add_argument("--part", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--most", type=int, default=300)
    options = parser.parse_args()
    library = Library.open(options.work / f"{INDEX[options.set]}.menpai")
    outcomes: Counter[str] = Counter()
    for row in read_queries(options.work, options.set, options.part, options.most):
        found = library.standardize(row["query"])
        if found.candidate is None:
            outcomes[found.problem.code if found.problem else ""] += 1
        else:
            one = found.candidate
            outcomes["right" if is_right(options.set, row, one.id, one.record.text) else "wrong"] += 1
    named, total = outcomes["right"] + outcomes["wrong"], sum(outcomes.values())
    print(
        f"{options.set}: named {named / total:.3f} of {total}, rightly {outcomes['right'] / max(1, named):.4f} of those"
    )
    print("  " + ", ".join(f"{name} {count}" for name, count in outcomes.most_common()))


if __name__ == "__main__":
    main()
