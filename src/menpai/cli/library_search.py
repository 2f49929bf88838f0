"""`menpai library search`: the rows of a library that an address may mean, judged and ranked."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands, add_pack
from menpai.cli.language import say
from menpai.cli.library_asked import add_place, add_question, asked_query, open_asked, show_candidates
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "在地址库里找一条地址，给出候选和判断", "find an address in a library: candidates, judged and ranked"
    )
    parser = actions.add_parser("search", help=text, description=text)
    add_question(parser, "TEXT", say("地址或名称", "address or name"))
    add_place(parser)
    parser.add_argument("--no-verdicts", dest="verdicts", action="store_false", help=say(
        "只排序，不判断（更快）", "rank only, without verdicts (quicker)",
    ))  # fmt: skip
    parser.add_argument("--rerank", metavar="PACK", help=say(
        "用导入的排序模型包（MGeo rerank）给最佳候选排序",
        "imported ranking pack (MGeo rerank) that puts the best candidates in order",
    ))  # fmt: skip
    add_pack(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """One line for each candidate."""
    with open_asked(args, settings) as (library, text):
        query = asked_query(args, text)
        found = library.search(query, args.k, radius=args.radius, verdicts=args.verdicts, rerank=args.rerank)
    return show_candidates(found, args.json)
