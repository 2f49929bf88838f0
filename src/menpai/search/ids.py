"""Ids that occur more than once, in what comes in or against what is there: refused, or settled as was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from menpai.errors import Problem, UsageError
from menpai.search.columns import Numbers
from menpai.search.segment import Segment
from menpai.search.values import Trouble

Policy = Literal["error", "first", "last"]
POLICIES: tuple[Policy, ...] = ("error", "first", "last")
_LISTED = 10
# With so many ids to look for in a segment, going through all of its ids is quicker than looking each up.
_MANY = 20


@dataclass(slots=True)
class Chunk:
    """A finished chunk: its rows, the line of each in its source, and which of them go into the library."""

    open: Callable[[], Segment]
    lines: Numbers
    keep: Numbers
    source: str

    def leave_out(self, row: int, id_: bytes, code: str) -> Trouble:
        """Take a row out because of its id, and what is told of it."""
        self.keep[row] = False
        text = id_.decode()
        return Trouble(self.source, int(self.lines[row]), text, Problem(code, {"id": text}))

    def all_ids(self) -> Iterator[bytes]:
        """The ids of all rows."""
        return self.open().ids.all_bytes()

    def ids(self) -> Iterator[tuple[int, bytes]]:
        """(row, id) of the rows that stay."""
        return ((row, id_) for row, id_ in enumerate(self.all_ids()) if self.keep[row])


def settle_repeats(chunks: Sequence[Chunk], policy: Policy) -> list[Trouble]:
    """Keep the first or last of the rows that share an id, by their order in the sources; UsageError lists them."""
    seen: set[bytes] = set()
    repeated: set[bytes] = set()
    for chunk in chunks:
        for id_ in chunk.all_ids():
            (repeated if id_ in seen else seen).add(id_)
    if not repeated:
        return []
    places: dict[bytes, list[tuple[int, int, int]]] = {}
    for number, chunk in enumerate(chunks):
        for row, id_ in enumerate(chunk.all_ids()):
            if id_ in repeated:
                places.setdefault(id_, []).append((number, int(chunk.lines[row]), row))
    for found in places.values():
        found.sort()
    if policy == "error":
        shown = [f"{_shown(id_)} ({_lines(found, chunks)})" for id_, found in islice(places.items(), _LISTED)]
        raise UsageError("library_ids_repeated", count=len(repeated), ids=_joined(shown, len(repeated)))
    troubles = []
    for id_, found in places.items():
        found.pop(0 if policy == "first" else -1)
        troubles += [chunks[number].leave_out(row, id_, "row_repeated") for number, _, row in found]
    return troubles


def settle_taken(
    chunks: Sequence[Chunk], known: Sequence[tuple[Segment, Numbers | None]], policy: Policy
) -> tuple[dict[str, list[int]], list[Trouble]]:
    """Rows of segments that incoming rows replace (policy "last"), or incoming rows that are left out ("first").

    `known` are the segments with the rows that live in them. UsageError lists the ids for "error".
    """
    incoming = {id_: (chunk, row) for chunk in chunks for row, id_ in chunk.ids()}
    taken: list[bytes] = []
    replaced: dict[str, list[int]] = {}
    for segment, live in known:
        rows = [row for row in find_rows(segment, incoming) if live is None or live[row]]
        if rows:
            replaced[segment.name] = rows
            taken += [segment.ids.bytes_at(row) for row in rows]
    if policy == "last" or not taken:
        return replaced, []
    if policy == "error":
        taken.sort(key=lambda id_: (incoming[id_][0].source, int(incoming[id_][0].lines[incoming[id_][1]])))
        shown = [_shown(id_) for id_ in taken[:_LISTED]]
        raise UsageError("library_ids_taken", count=len(taken), ids=_joined(shown, len(taken)))
    troubles = []
    for id_ in taken:
        chunk, row = incoming[id_]
        troubles.append(chunk.leave_out(row, id_, "row_taken"))
    return {}, troubles


def find_rows(segment: Segment, ids: dict[bytes, object] | dict[bytes, tuple[Chunk, int]]) -> list[int]:
    """The rows of a segment that have one of these ids."""
    if len(ids) * _MANY > len(segment):
        return [row for row, id_ in enumerate(segment.ids.all_bytes()) if id_ in ids]
    found = (segment.find_id(id_.decode()) for id_ in ids)
    return [row for row in found if row is not None]


def _shown(id_: bytes) -> str:
    text = id_.decode()
    return text if len(text) <= 40 else text[:39] + "…"


def _lines(found: list[tuple[int, int, int]], chunks: Sequence[Chunk]) -> str:
    """Where the rows stand: the lines, with the sources where there are several."""
    several = len({chunk.source for chunk in chunks}) > 1
    shown = [f"{chunks[number].source}:{line}" if several else str(line) for number, line, _ in found[:3]]
    return ", ".join(shown) + (", …" if len(found) > 3 else "")


def _joined(shown: list[str], count: int) -> str:
    return ", ".join(shown) + (", …" if count > len(shown) else "")
