"""`menpai normalize`: the cleaned text of addresses."""

from __future__ import annotations

import argparse
import difflib

from menpai.address import Normalized
from menpai.cli.arguments import Commands, add_json
from menpai.cli.commands import summary_of
from menpai.cli.console import print_grid, print_json
from menpai.cli.language import say
from menpai.cli.reading import normalizer
from menpai.cli.texts import answer_each, given_texts
from menpai.cli.words import STEPS, word
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
    """The steps that changed the text, each stretch that changed, and the remarks."""
    steps = ", ".join(word(STEPS, step) for step in found.steps) or say("无", "none")
    rows = [[f"  {say('原文', 'raw')}", found.raw], [f"  {say('步骤', 'steps')}", steps]]
    rows += [[f"  {say('改动', 'change')}", change] for change in _changes(found.raw, found.text)]
    rows += [[f"  {say('备注', 'remark')}", remark.text] for remark in found.remarks]
    print_grid(rows)


def _changes(raw: str, text: str) -> list[str]:
    """The stretches that differ, such as １２３ → 123; what was cut goes to ∅."""
    codes = difflib.SequenceMatcher(None, raw, text, autojunk=False).get_opcodes()
    return [f"{raw[i:j] or '∅'} → {text[k:m] or '∅'}" for tag, i, j, k, m in codes if tag != "equal"]
