"""`menpai library update`: put the rows of tables in place of those with the same ids; new ones are added."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands
from menpai.cli.language import say
from menpai.cli.library_asked import add_library
from menpai.cli.library_rows import add_sources, take
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "用表格的行替换地址库里编号相同的行，没有的就加入",
        "put the rows of tables in place of those with the same ids; new ones are added",
    )
    parser = actions.add_parser("update", help=text, description=text)
    add_library(parser)
    add_sources(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Take them in."""
    return take(args, args.library, "update")
