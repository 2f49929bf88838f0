"""Tables in a folder of their own, read to the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from menpai.tables.readers import open_table
from menpai.tables.table import ReadOptions, Row

Reading = tuple[tuple[str, ...], list[Row]]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Reading]:
    """Write bytes or a text under a name, read them as a table: its columns and rows."""

    def read_(content: str | bytes, name: str = "t.csv", **options: object) -> Reading:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        with open_table(str(path), ReadOptions(**options)) as table:  # type: ignore[arg-type]
            return table.columns, list(table.rows)

    return read_
