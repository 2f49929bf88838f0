"""`menpai library add`: take the rows of tables into a library."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands
from menpai.cli.language import say
from menpai.cli.library_asked import add_library
from menpai.cli.library_rows import add_sources, take
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("把表格的行加进地址库", "take the rows of tables into a library")
    parser = actions.add_parser("add", help=text, description=text)
    add_library(parser)
    add_sources(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Take them in."""
    return take(args, args.library, "add")
