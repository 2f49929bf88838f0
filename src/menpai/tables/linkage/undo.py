"""Undoing a run of dedupe: its journal says which rows went from one cluster to another, so they go back.

The journal is JSON Lines. A run with changes writes its lines with one `run` number: `merged`, `split`, `gone` for
clusters, then `moved` (`id`, `from`, `to`) for each row that had another id before. Undoing it writes `undone`.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from menpai.errors import UsageError
from menpai.tables.linkage.cluster_ids import Change
from menpai.tables.linkage.decisions import DIFFERENT, SAME, rows_of_ids


class Moved(NamedTuple):
    """A row that went from one cluster to another."""

    id: str
    old: str
    new: str


class Run(NamedTuple):
    """A run that can be undone: its number, its moves by the id of the row, clusters that took others in."""

    number: int
    moved: dict[str, Moved]
    merged: frozenset[tuple[str, str]]
    "(old id, id that it went into)"


def read_journal(path: str) -> list[dict[str, Any]]:
    """The lines of a journal; none where there is no file. A line that dedupe has not written is named."""
    if Path(path).is_dir():
        raise UsageError("file_is_directory", path=path)
    lines = []
    if Path(path).is_file():
        for number, body in enumerate(Path(path).read_bytes().removeprefix(BOM_UTF8).split(b"\n"), 1):
            try:
                line = json.loads(body) if body.strip() else {}
            except (ValueError, RecursionError) as error:
                raise UsageError("journal_broken", path=path, line=number) from error
            if not _is_line(line):
                raise UsageError("journal_broken", path=path, line=number)
            lines.append(line)
    return lines


def _is_line(line: Any) -> bool:
    """Whether a line has what its change needs; those of the first versions had no number of their run."""
    if not isinstance(line, dict):
        return False
    change, run, others = line.get("change", ""), line.get("run", 0), line.get("others", [])
    texts = [line.get(name, "") for name in ("id", "from", "to", "cluster_id")]
    needed = {"moved": ("run", "id", "from", "to"), "undone": ("run",), "merged": ("cluster_id", "others")}
    return (
        type(run) is int
        and isinstance(others, list)
        and all(isinstance(text, str) for text in (change, *texts, *others))
        and all(name in line for name in needed.get(change, ()))
    )


def lines_of_run(
    before: Iterable[Mapping[str, Any]], changes: Sequence[Change], moved: Iterable[Moved]
) -> list[dict[str, Any]]:
    """What a run appends to the lines of before; nothing where nothing changed."""
    number = 1 + max((line.get("run", 0) for line in before), default=0)
    told = [change.to_dict() | {"run": number} for change in changes]
    moves = [{"change": "moved", "run": number, "id": id_, "from": old, "to": new} for id_, old, new in moved]
    return [*told, *moves]


def last_run(path: str) -> Run:
    """The last run that moved rows and is not undone; UsageError if there is none."""
    lines = read_journal(path)
    undone = {line["run"] for line in lines if line.get("change") == "undone"}
    numbers = {line["run"] for line in lines if line.get("change") == "moved"} - undone
    if not numbers:
        raise UsageError("undo_nothing", path=path)
    number = max(numbers)
    mine = [line for line in lines if line.get("run") == number]
    moved = {
        line["id"]: Moved(line["id"], line["from"], line["to"])
        for line in mine
        if line.get("change") == "moved"
    }
    merged = {
        (old, line["cluster_id"]) for line in mine if line.get("change") == "merged" for old in line["others"]
    }
    return Run(number, moved, frozenset(merged))


def undone_line(run: Run) -> dict[str, Any]:
    """What undoing a run appends."""
    return {"change": "undone", "run": run.number}


def put_back(run: Run, ids: Sequence[str], clusters: Sequence[str]) -> list[str]:
    """The cluster of each row as it was; a row that is elsewhere by now stays there. UsageError if a row that moved cannot
    be told from another one by its id."""
    rows_of_ids(ids, run.moved.keys())
    found = []
    for id_, cluster in zip(ids, clusters, strict=True):
        moved = run.moved.get(id_)
        found.append(moved.old if moved is not None and moved.new == cluster else cluster)
    return found


def decided_by(run: Run, ids: Sequence[str], clusters: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """What keeps the next run from doing the same: for each pair of clusters a pair of rows that are `different`, if the
    run merged them, or `same`, if it split them. `clusters` are those after undoing."""
    stayed: dict[str, str] = {}
    for id_, cluster in zip(ids, clusters, strict=True):
        if id_ not in run.moved:
            stayed.setdefault(cluster, id_)
    told: set[tuple[str, str]] = set()
    for id_, old, new in run.moved.values():
        if (old, new) in told:
            continue
        told.add((old, new))
        if (old, new) in run.merged and new in stayed:
            yield id_, stayed[new], DIFFERENT
        elif (old, new) not in run.merged and old in stayed:
            yield id_, stayed[old], SAME
