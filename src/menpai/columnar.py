"""Verdicts for a table of the Arrow C stream protocol, column by column: polars, pandas, pyarrow, DuckDB."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from menpai.errors import Language, NotReadyError, Problem, UsageError, near
from menpai.verdict import Verdict

BATCH = 8192
COLUMNS = ("label", "similarity", "level", "conflicts", "decided_by")
EXPLAINED = (*COLUMNS, "probabilities", "evidence")
Answer = Verdict | Problem
Judge = Callable[[Iterable[tuple[Any, Any]]], Iterator[Answer]]


def judged(table: Any, a: str, b: str, judge: Judge, evidence: bool, language: Language) -> Any:
    """The table, a `pyarrow.Table`, with the columns of the verdicts and `problem`; rows keep their order."""
    arrow = import_arrow()
    given = arrow_table(table, arrow)
    first, second = (_column(given, name) for name in (a, b))
    names = EXPLAINED if evidence else COLUMNS
    types = [_types(arrow)[name] for name in (*names, "problem")]
    chunks: list[list[Any]] = [[] for _ in types]
    answers = judge(zip(_addresses(given, first), _addresses(given, second), strict=True))
    for size in _sizes(given.num_rows):
        rows = [_cells(next(answers), names, language) for _ in range(size)]
        for chunk, cells, kind in zip(chunks, zip(*rows, strict=True), types, strict=True):
            chunk.append(arrow.array(cells, kind))
    for name, chunk, kind in zip((*names, "problem"), chunks, types, strict=True):
        while name in given.column_names:
            name = f"menpai_{name}"
        given = given.append_column(name, arrow.chunked_array(chunk, kind))
    return given


def address_in(cell: Any) -> Any:
    """A cell as the address that it holds: nothing is the empty text, a number is the text that it shows as."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell) if isinstance(cell, int | float) and not isinstance(cell, bool) else cell


def arrow_table(table: Any, arrow: Any) -> Any:
    """The table as a `pyarrow.Table`; UsageError for what is none, or cannot be made one."""
    if not hasattr(table, "__arrow_c_stream__"):
        raise UsageError("link_not_arrow", type=type(table).__name__)
    try:
        return arrow.table(table)
    except (arrow.ArrowException, TypeError, ValueError) as error:
        reason = "; ".join(map(str, error.args))[:200]
        raise UsageError("arrow_failed", type=type(table).__name__, reason=reason) from error


def import_arrow() -> Any:
    """The package, or the error that names the extra."""
    try:
        return import_module("pyarrow")
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="pyarrow", extra="tables") from error


def _column(table: Any, name: str) -> int:
    found = [at for at, column in enumerate(table.column_names) if column == name]
    if len(found) > 1:
        raise UsageError("column_repeated", path="table", column=name, count=len(found))
    if not found:
        listed = ", ".join(table.column_names[:20])
        raise UsageError(
            "column_missing", path="table", column=name, columns=listed, **near(name, table.column_names)
        )
    return found[0]


def _addresses(table: Any, at: int) -> Iterator[Any]:
    for chunk in table.column(at).chunks:
        for start in range(0, len(chunk), BATCH):
            yield from map(address_in, chunk.slice(start, BATCH).to_pylist())


def _sizes(rows: int) -> Iterator[int]:
    for start in range(0, rows, BATCH):
        yield min(BATCH, rows - start)


def _cells(answer: Answer, names: Sequence[str], language: Language) -> tuple[Any, ...]:
    """A cell for each column; a problem leaves all but the last one empty."""
    if isinstance(answer, Problem):
        return (*[None] * len(names), f"{answer.code}: {answer.render(language)[0]}")
    cells: list[Any] = [answer.label, answer.similarity, answer.level]
    cells += [";".join(conflict.name for conflict in answer.conflicts) or None, answer.decided_by]
    if len(names) > len(cells):
        cells += [answer.probabilities._asdict(), [each.to_dict() for each in answer.evidence]]
    return (*cells, None)


def _types(arrow: Any) -> dict[str, Any]:
    text, number = arrow.string(), arrow.float64()
    shares = arrow.struct([(name, number) for name in ("exact_match", "partial_match", "not_match")])
    reasons = arrow.list_(arrow.struct([("name", text), ("weight", number), ("text", text)]))
    texts = dict.fromkeys(("label", "level", "conflicts", "decided_by", "problem"), text)
    return texts | {"similarity": number, "probabilities": shares, "evidence": reasons}
