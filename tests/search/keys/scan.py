"""Keys and their weights, plainly: one text after another, with keys as words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

TOKEN = re.compile(r"[一-鿿]|[0-9A-Za-z]+")


def keys_of(text: str) -> set[tuple[str, ...]]:
    """Pairs of characters, numbers, numbers with the two characters before them, and numbers behind numbers."""
    found: set[tuple[str, ...]] = set()
    tokens = list(TOKEN.finditer(text))
    for at, token in enumerate(tokens):
        before = [t for t in tokens[max(0, at - 2) : at] if _joined(text, t, token)]
        if not _number(token[0]):
            if before and before[-1].end() == token.start() and not _number(before[-1][0]):
                found.add((before[-1][0], token[0]))
            continue
        found.add(("number", token[0][:12]))
        if len(before) == 2 and not any(_number(t[0]) for t in before):
            found.add(("behind", before[0][0], before[1][0], token[0][:12]))
        last = next((t for t in reversed(tokens[:at]) if _number(t[0])), None)
        if (
            last is not None
            and token.start() - last.end() <= 4
            and "\n" not in text[last.end() : token.start()]
        ):
            found.add(("after", last[0][:12], token[0][:12]))
    return found


def best(texts: Sequence[str], query: str) -> list[tuple[int, float]]:
    """Every row that shares a key with the query, and the weight of what it shares, greatest first."""
    rows = [keys_of(text) for text in texts]
    counts = Counter(key for row in rows for key in row)
    wanted = keys_of(query)
    shared = [
        (at, sum(weight(counts[key], len(texts)) for key in wanted & row)) for at, row in enumerate(rows)
    ]
    return sorted(((at, value) for at, value in shared if value > 0), key=lambda entry: (-entry[1], entry[0]))


def weight(count: int, rows: int) -> float:
    return math.log(1 + (rows - count + 0.5) / (count + 0.5))


def _number(token: str) -> bool:
    return token.isascii()


def _joined(text: str, first: re.Match[str], last: re.Match[str]) -> bool:
    """Whether nothing but tokens stands from the first to the last."""
    return not TOKEN.sub("", text[first.start() : last.end()])
