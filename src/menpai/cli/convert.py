"""A table in, a table out: each row keeps its cells and gets new ones. Shared by match and parse."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from menpai.cli.console import note
from menpai.cli.language import say
from menpai.cli.progress import watched
from menpai.errors import Language, Problem
from menpai.tables.columns import added_names
from menpai.tables.output import STDOUT
from menpai.tables.readers import open_table
from menpai.tables.table import ReadOptions, Row, Table, WriteOptions
from menpai.tables.writers import TEXTS, open_writer

Added = tuple[Any, ...]


def read_options(args: argparse.Namespace) -> ReadOptions:
    """What the options of `add_reading` say."""
    return ReadOptions(args.encoding, args.delimiter, args.header, args.sheet)


def write_options(args: argparse.Namespace, table: Table, language: Language) -> WriteOptions:
    """What the options of `add_writing` say; where the path has no ending, JSON Lines for --json."""
    format_ = ".jsonl" if args.json else table.format if table.format in TEXTS else ".csv"
    return WriteOptions(format_, args.out_encoding, args.raw_cells, language)


def convert(
    path: str,
    args: argparse.Namespace,
    language: Language,
    added: Sequence[str],
    work: Callable[[Table], Iterator[tuple[Row, Added]]],
) -> int:
    """Write each row of the table with what `work` adds; exit code 1 if the last added cell held problems."""
    rows = problems = 0
    with open_table(path, read_options(args)) as table:
        done = work(table)
        columns = [*table.columns, *added_names(table.columns, added)]
        with open_writer(args.output, columns, write_options(args, table, language), path) as writer:
            for row, cells in watched(done):
                writer.write((*row.cells, *cells))
                rows += 1
                problems += isinstance(cells[-1], Problem)
    report(rows, problems, args.output)
    return 1 if problems else 0


def report(rows: int, problems: int, output: str) -> None:
    """Say what was done, on standard error; silent if standard output has it all and nothing went wrong."""
    parts = [say(f"已写出 {rows} 行：{output}", f"{rows} rows written: {output}")] if output != STDOUT else []
    if problems:
        parts.append(
            say(
                f"{rows} 行中有 {problems} 行出了问题，见 problem 列",
                f"{problems} of {rows} rows had a problem, see the column problem",
            )
        )
    for part in parts:
        note(part)
