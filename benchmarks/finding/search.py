"""Recall and speed of search on one set of queries, with and without verdicts.

Run: python benchmarks/finding/search.py --work WORK --set nation|city|hangzhou [--part report] [--no-verdicts]
WORK holds what make.py and build.py wrote. Of Hangzhou the point is asked with and without its coordinates.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from measure import INDEX, ask, read_queries, show

from menpai.library import Library


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--set", choices=INDEX, required=True)
    parser.add_argument("--part", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--most", type=int, default=2_000)
    parser.add_argument("--no-verdicts", dest="verdicts", action="store_false")
    parser.add_argument("--noise", action="store_true", help="also by noise")
    options = parser.parse_args()
    library = Library.open(options.work / f"{INDEX[options.set]}.menpai")
    queries = read_queries(options.work, options.set, options.part, options.most)
    for verdicts in (False, True)[: 1 + options.verdicts]:
        find = partial(found, library, verdicts)
        ask(find, options.set, queries[:50])  # what is opened at first use
        title = f"{options.set}, {'with verdicts' if verdicts else 'ranked by text'}"
        show(title, ask(find, options.set, queries), options.noise)
        if options.set == "hangzhou":
            placeless = [row | {"query": without_point(row["query"])} for row in queries]
            show(title + ", no point", ask(find, options.set, placeless), options.noise)
            texts = [row | {"query": "{name} {address}".format(**row["query"])} for row in queries]
            show(title + ", as one text", ask(find, options.set, texts), options.noise)


def found(library: Library, verdicts: bool, query: Any, k: int) -> list[tuple[str, str]]:
    """Ids and addresses of the best k."""
    return [(one.id, one.record.text) for one in library.search(query, k, verdicts=verdicts)]


def without_point(query: dict[str, Any]) -> dict[str, Any]:
    """Name and address alone."""
    return {key: value for key, value in query.items() if key in ("name", "address")}


if __name__ == "__main__":
    main()
