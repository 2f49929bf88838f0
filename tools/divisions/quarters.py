"""quarters.tsv: quarters and regions of Hong Kong and Macau, with the code of the division they lie in."""

from __future__ import annotations

from collections.abc import Iterator

from divisions.sources import numbered_rows
from divisions.zones import code_of


def quarters_table() -> Iterator[str]:
    """Lines `quarter, code of its district`; a region has the code of the province."""
    table = "quarters.tsv"
    for number, (district, quarters, _) in numbered_rows(table, 3):
        code = code_of(district, table, number)
        yield from (f"{quarter}\t{code}" for quarter in quarters.split())
