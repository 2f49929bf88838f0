"""The outputs of link and dedupe, open before the work: what forbids one of them is told at once, not after hours."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NamedTuple

from menpai.cli.convert import kept, noting, write_options
from menpai.errors import Language
from menpai.tables.columns import added_names
from menpai.tables.journal import PairJournal, fingerprint_of
from menpai.tables.table import Table
from menpai.tables.writers import Writer, open_sink, open_writer


class Second(NamedTuple):
    """A second output: its path, its columns, how many of them are ours."""

    path: str
    columns: Sequence[str]
    added: int


class Outputs(NamedTuple):
    """Where the rows go, where the second output goes, and what a person should know about the run."""

    rows: Writer
    second: Writer | None
    about: dict[str, Any]
    journal: PairJournal
    "Keeps what was scored."
    first: ExitStack
    "Closes the rows, before the second output is written: a SQLite file takes one transaction at a time."
    third: Writer | None = None


def open_outputs(
    args: argparse.Namespace,
    language: Language,
    table: Table,
    source: str,
    names: Sequence[str],
    second: Second | None,
    meaning: Sequence[Any],
    stack: ExitStack,
    third: Second | None = None,
) -> Outputs:
    """The outputs, which appear when the stack closes well. `names` are the columns that the rows get, `meaning` is what
    moves a verdict."""
    options = write_options(args, table, language, len(names))
    others = list[Writer | None]()
    for each in (second, third):
        others.append(None)
        if each is not None:
            chosen = replace(options, added=each.added, about={}, others=tuple, key=None)
            others[-1] = stack.enter_context(open_writer(each.path, each.columns, chosen, source))
    first = stack.enter_context(ExitStack())
    columns = [*table.columns, *added_names(table.columns, names)]
    tell = noting(language)
    sink = open_sink(args.output, columns, options, source, fingerprint_of(meaning), tell)
    rows, journal = first.enter_context(sink)
    first.enter_context(kept(args.output, tell))
    return Outputs(rows, others[0], options.about, journal.pairs(), first, others[1])
