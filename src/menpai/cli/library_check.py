"""`menpai library check`: every file of a library against its checksum."""

from __future__ import annotations

import argparse
from pathlib import Path

from menpai.cli.arguments import Commands, add_json
from menpai.cli.console import print_error, print_json
from menpai.cli.language import say
from menpai.cli.library_asked import add_library
from menpai.errors import Problem
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("用校验和核对每个文件", "compare every file with its checksum")
    parser = actions.add_parser("check", help=text, description=text)
    add_library(parser)
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """0 if the library is whole, 3 if not."""
    from menpai.search.compact import check  # noqa: PLC0415 (a verb loads its work when it runs)

    found = dict(check(Path(args.library)))
    bad = [name for name, whole in found.items() if not whole]
    if args.json:
        print_json({"path": args.library, "files": len(found), "damaged": bad}, indent=2)
    elif not bad:
        print(say(f"{len(found)} 个文件完好", f"{len(found)} files as they were written"))
    for name in bad:
        print_error(Problem("library_file_bad"), f"{name}: ")
    return 3 if bad else 0
