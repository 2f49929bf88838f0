"""A table in, a table out: each row keeps its cells and gets new ones. Shared by match and parse."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from menpai.cli.arguments import refuse_unused
from menpai.cli.console import note
from menpai.cli.language import say
from menpai.cli.progress import watched
from menpai.errors import Language, Problem
from menpai.tables import sql
from menpai.tables.columns import added_names
from menpai.tables.journal import Added, Note, fingerprint_of
from menpai.tables.output import STDOUT
from menpai.tables.readers import open_table
from menpai.tables.resume import Feed, write_rows
from menpai.tables.source import count_lines
from menpai.tables.table import ReadOptions, Row, Table, WriteOptions
from menpai.tables.workroom import JOURNAL, folder_of
from menpai.tables.writers import TEXTS, open_sink

if TYPE_CHECKING:
    from menpai.matcher import Matcher


@dataclass(frozen=True, slots=True)
class Work:
    """Each row with what it gets; what, beside the rows, that depends on; and what a person should know of it."""

    done: Iterator[tuple[Row, Added]]
    meaning: Sequence[Any]
    about: dict[str, Any] = field(default_factory=dict)


def read_options(args: argparse.Namespace) -> ReadOptions:
    """What the options of `add_reading` say."""
    return ReadOptions(args.encoding, args.delimiter, args.header, args.sheet)


def write_options(args: argparse.Namespace, table: Table, language: Language, added: int = 0) -> WriteOptions:
    """What the options of `add_writing` say; where the path has no ending, JSON Lines for --json."""
    needs = say("写到数据库", "an output in a database")
    if not sql.is_url(args.output):
        refuse_unused(args, needs, "key")
    if not any(sql.is_url(getattr(args, name, None) or "") for name in ("output", "pairs_out", "golden_out")):
        refuse_unused(args, needs, "replace")
    format_ = ".jsonl" if args.json else table.format if table.format in TEXTS else ".csv"
    return WriteOptions(
        format_, args.out_encoding, args.raw_cells, language, added,
        sheet=table.sheet, others=table.others, key=args.key, replace=args.replace,
    )  # fmt: skip


def convert(
    path: str,
    args: argparse.Namespace,
    language: Language,
    added: Sequence[str],
    work: Callable[[Table], Work],
) -> int:
    """Write each row of the table with what `work` adds; exit code 1 if the last added cell held problems."""
    rows = problems = 0
    with open_table(path, read_options(args)) as table:
        feed = Feed(table.rows)
        found = work(replace(table, rows=feed))
        columns = [*table.columns, *added_names(table.columns, added)]
        options = replace(write_options(args, table, language, len(added)), about=found.about)
        fingerprint = fingerprint_of((*found.meaning, language, columns))
        tell = noting(language)
        with (
            open_sink(args.output, columns, options, path, fingerprint, tell) as (writer, journal),
            kept(args.output, tell),
        ):
            for failed in watched(write_rows(feed, found.done, writer, journal, tell), _count(table, path)):
                rows += 1
                problems += failed
    report(rows, problems, args.output)
    return 1 if problems else 0


def _count(table: Table, path: str) -> int | None:
    """About how many rows there are, if somebody is looking."""
    return table.count or (count_lines([path]) if sys.stderr.isatty() else None)


def about(matcher: Matcher) -> dict[str, Any]:
    """What a person should know of the judge: pack, behaviour, settings that move a verdict, thresholds."""
    moves = ("engine", "mode", "cascade", "max_length", "overrides")
    return {
        "pack": matcher.pack_id,
        "behaviour": matcher.behaviour,
        "thresholds": say("结论取三个概率中最大的", "the label is the likeliest of the three"),
        "settings": ", ".join(f"{name}={getattr(matcher.settings, name)}" for name in moves),
    }


@contextmanager
def kept(output: str, tell: Note) -> Iterator[None]:
    """Say where the journal is if the block is cut off."""
    try:
        yield
    except BaseException:
        journal = folder_of(Path(output).resolve()) / JOURNAL
        if output != STDOUT and journal.is_file():
            tell(Problem("journal_kept", {"path": str(journal)}))
        raise


def noting(language: Language) -> Note:
    """Says what had to be assumed, on standard error."""
    return lambda problem: note("menpai: " + ". ".join(filter(None, problem.render(language))))


def report(rows: int, problems: int, output: str) -> None:
    """Say what was done, on standard error; silent if standard output has it all and nothing went wrong."""
    shown = sql.shown(output) + "#" + output.partition("#")[2] if sql.is_url(output) else output
    parts = [say(f"已写出 {rows} 行：{shown}", f"{rows} rows written: {shown}")] if output != STDOUT else []
    if problems:
        parts.append(
            say(
                f"{rows} 行中有 {problems} 行出了问题，见 problem 列",
                f"{problems} of {rows} rows had a problem, see the column problem",
            )
        )
    for part in parts:
        note(part)
