"""Parse the addresses of a table: each row with the columns of a style."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from menpai.address import Address
from menpai.columnar import address_in
from menpai.errors import Problem
from menpai.parsing import styled
from menpai.parsing.gazetteer import Gazetteer
from menpai.tables.table import Row

_BATCH = 256
STYLES = {name: (*columns, "problem") for name, columns in styled.STYLES.items()}


def parse_rows(
    rows: Iterable[Row], column: int, parse: Callable[[Sequence[Any]], list[Address | Problem]]
) -> Iterator[tuple[Row, Address | Problem]]:
    """Each row with the reading of its address, or with what was wrong with the row or the address."""
    waiting = iter(rows)
    while batch := list(islice(waiting, _BATCH)):
        answers = parse([address_in(row.cells[column]) if row.problem is None else "" for row in batch])
        for row, answer in zip(batch, answers, strict=True):
            yield row, row.problem or answer


def cells_of(
    answer: Address | Problem, style: str, convention: str | None = None, units: Gazetteer | None = None
) -> tuple[Any, ...]:
    """The cells of a style's columns, the last one for the problem."""
    if isinstance(answer, Problem):
        return (*[None] * (len(STYLES[style]) - 1), answer)
    return (*styled.styled(answer, style, convention, units).values(), None)
