"""`menpai library remove`: rows out of a library, by their ids."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from menpai.cli.arguments import Commands, add_json
from menpai.cli.console import print_error
from menpai.cli.language import say
from menpai.cli.library_asked import add_library
from menpai.cli.library_rows import add_wait, tell
from menpai.errors import Problem
from menpai.settings import Settings

_SHOWN = 10


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("按编号删除行", "remove rows by their ids")
    parser = actions.add_parser("remove", help=text, description=text)
    add_library(parser)
    parser.add_argument("ids", metavar="ID", nargs="*", help=say("编号", "ids"))
    parser.add_argument("--from", dest="table", metavar="FILE", help=say(
        "表格，其编号列列出要删的行", "table whose id column lists the rows to remove",
    ))  # fmt: skip
    add_wait(parser)
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Remove them; 1 if the library does not have some."""
    from menpai.search.compact import remove_rows  # noqa: PLC0415 (a verb loads its work when it runs)
    from menpai.search.ingest import Report  # noqa: PLC0415
    from menpai.search.manifest import read_manifest  # noqa: PLC0415

    if not args.ids and args.table is None:
        args.parser.error(say("没有写要删哪些编号", "no ids are given, nor a table with --from"))
    start = time.monotonic()
    removed, unknown = remove_rows(Path(args.library), [*args.ids, *_listed(args.table)], args.wait)
    report = Report(read_manifest(Path(args.library)).rows, removed=removed)
    if unknown:
        report.problems["library_id_unknown"] = len(unknown)
    tell(args, args.library, report, time.monotonic() - start)
    for id_ in unknown[:_SHOWN]:
        print_error(Problem("library_id_unknown", {"id": id_}))
    return 1 if unknown else 0


def _listed(table: str | None) -> Iterator[str]:
    """The ids of a table."""
    from menpai.tables.columns import find_column  # noqa: PLC0415
    from menpai.tables.readers import open_table  # noqa: PLC0415
    from menpai.tables.roles import IDS  # noqa: PLC0415

    if table is None:
        return
    with open_table(table) as rows:
        at = find_column(rows, None, IDS, "id")
        yield from (str(row.cells[at]).strip() for row in rows.rows if row.problem is None)
