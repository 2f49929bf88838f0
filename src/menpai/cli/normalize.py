"""`menpai normalize`: the cleaned text of addresses."""

from __future__ import annotations

import argparse

from menpai.address import Normalized
from menpai.cli.arguments import Commands, add_json
from menpai.cli.commands import summary_of
from menpai.cli.console import paint, print_json
from menpai.cli.language import say
from menpai.cli.reading import normalizer
from menpai.cli.texts import answer_each, given_texts
from menpai.settings import Settings
from menpai.tables.source import STDIN


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("normalize")
    parser = subparsers.add_parser("normalize", aliases=["normalise"], help=summary, description=summary)
    parser.add_argument(
        "texts",
        nargs="+",
        metavar="TEXT",
        help=say("地址；- 表示标准输入的每一行", "an address; - takes each line of standard input"),
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help=say(
            "显示哪些步骤改动了文本，以及括号里的备注", "show which steps changed the text, and remarks"
        ),
    )
    parser.add_argument(
        "--encoding",
        help=say("标准输入的编码；默认自动识别", "encoding of standard input; found if not given"),
    )
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """A line, or a JSON object, for each text."""
    single = len(args.texts) == 1 and args.texts[0] != STDIN

    def show(found: Normalized) -> None:
        if args.json:
            print_json(found.to_dict())
        else:
            print(found.text)
            if args.explain:
                _explain(found)

    return answer_each(given_texts(args.texts, args.encoding), normalizer(settings), show, args.json, single)


def _explain(found: Normalized) -> None:
    steps = ", ".join(found.steps) or say("无", "none")
    print(paint(f"  {say('原文', 'raw')}    {found.raw}", "dim"))
    print(f"  {say('步骤', 'steps')}  {steps}")
    for remark in found.remarks:
        print(f"  {say('备注', 'remark')} {remark.text}")
