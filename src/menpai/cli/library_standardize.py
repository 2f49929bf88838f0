"""`menpai library standardize`: the row of a library that an address clearly is, or why there is none."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands, add_pack
from menpai.cli.console import print_error, print_json
from menpai.cli.language import say
from menpai.cli.library_asked import add_place, add_question, asked_query, open_asked, show_candidates
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "对照地址库给出标准地址；拿不准就说明原因",
        "the standard address of the library, or why it is not clear",
    )
    parser = actions.add_parser("standardize", aliases=["standardise"], help=text, description=text)
    add_question(parser, "TEXT", say("地址或名称", "address or name"))
    add_place(parser)
    add_pack(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """The row; 1 and the reason if none is clearly the one."""
    with open_asked(args, settings) as (library, text):
        found = library.standardize(asked_query(args, text), radius=args.radius)
    if args.json:
        print_json(found.to_dict(settings.lang), indent=2)
    elif found.candidate is not None:
        show_candidates([found.candidate], as_json=False)
    elif found.problem is not None:
        print_error(found.problem)
        show_candidates(found.rivals, as_json=False)
    return 0 if found.candidate is not None else 1
