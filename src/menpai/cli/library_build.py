"""`menpai library build`: a library of the rows of tables."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands
from menpai.cli.language import say
from menpai.cli.library_rows import add_sources, take
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "用表格建一个地址库；中断后用同样的参数再运行会接着做",
        "build a library of tables; run again with the same arguments, an interrupted build goes on",
    )
    parser = actions.add_parser("build", help=text, description=text)
    parser.add_argument("-o", "--output", metavar="LIBRARY", required=True, help=say(
        "地址库的文件夹；已有的库在新库建好时被替换", "folder of the library; an old one is replaced when all is ready",
    ))  # fmt: skip
    add_sources(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Build it."""
    return take(args, args.output, "build")
