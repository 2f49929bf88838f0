"""A program that changes a library until it is killed; what it says was done must be there afterwards.

`python writer.py build FOLDER ROWS`, `add FOLDER START`, `compact FOLDER`: each line of the output is a change that is
in force.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from menpai.search import ingest as ingesting
from menpai.search import tiers
from menpai.search.compact import compact, remove_rows
from tests.search.libraries import entries, take


def main() -> None:
    verb, folder = sys.argv[1], Path(sys.argv[2])
    ingesting.CHUNK = 2000
    tiers.FANOUT = 4
    print("ready", flush=True)
    if verb == "build":
        report = take(folder, entries(int(sys.argv[3])), workers=2, plan={"rows": sys.argv[3]})
        print(f"built {report.rows} {report.resumed}", flush=True)
    elif verb == "add":
        for start in itertools.count(int(sys.argv[3]), 3):
            take(folder, entries(3, start), "add")
            print(start, flush=True)
            if start % 2:
                remove_rows(folder, [f"r{start}"])
                print(f"-{start}", flush=True)
    else:
        for n in itertools.count():
            take(folder, entries(1, 10_000_000 + n), "update")
            remove_rows(folder, [f"r{10_000_000 + n}"])
            compact(folder)
            print(n, flush=True)


if __name__ == "__main__":
    main()
