"""The outputs of link and dedupe, open before the work: what forbids one of them is told at once, not after hours."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, NamedTuple

from menpai.cli.convert import kept, noting, write_options
from menpai.errors import Language, UsageError
from menpai.tables.columns import added_names
from menpai.tables.journal import PairJournal, fingerprint_of
from menpai.tables.source import STDIN
from menpai.tables.sql import is_url
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


def check_places(outputs: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """Before any work: nothing is written over what is read, and no two outputs over one another."""
    read = {_place(path) for path in inputs if path and path != STDIN}
    written = set[object]()
    for path in filter(None, outputs):
        place = _place(path)
        if place in read:
            raise UsageError("output_is_input", path=path)
        if place in written:
            raise UsageError("outputs_same", path=path)
        if not _is_device(path):
            written.add(place)


def _place(path: str) -> object:
    """The same for two names of one file: the file itself, or where it would be."""
    if path == STDIN or is_url(path):
        return path
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return os.path.realpath(path) if "\0" not in path else path
    return found.st_dev, found.st_ino


def _is_device(path: str) -> bool:
    """Something that many may write to, such as /dev/null."""
    return path != STDIN and os.path.exists(path) and not os.path.isfile(path)


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
