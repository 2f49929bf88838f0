"""`menpai normalize`: the cleaned text of addresses."""

from __future__ import annotations

import argparse
import difflib

from menpai.address import Normalized
from menpai.cli import words
from menpai.cli.arguments import Commands, add_json
from menpai.cli.commands import summary_of
from menpai.cli.console import print_grid, print_json
from menpai.cli.language import say
from menpai.cli.reading import normalizer
from menpai.cli.texts import answer_each, given_texts
from menpai.cli.words import word
from menpai.settings import Settings
from menpai.tables.source import STDIN
from menpai.text import STEPS, Change, changes


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
            "逐步显示每一步把文本改成了什么，以及括号里的备注",
            "show what each step made of the text, and remarks",
        ),
    )
    parser.add_argument(
        "--skip",
        action="append",
        default=[],
        metavar="STEP",
        help=say(
            f"不做这一步，可重复或用逗号分隔：{', '.join(STEPS)}",
            f"leave a step out; repeat it or separate by commas: {', '.join(STEPS)}",
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
    skip = tuple(step for given in args.skip for step in given.split(",") if step)
    read = normalizer(settings, skip)
    read("门牌")  # an unknown step is told once, not for each text

    def show(found: Normalized) -> None:
        steps = changes(found.raw, skip) if args.explain else ()
        if args.json:
            print_json(found.to_dict() | ({"changes": [s._asdict() for s in steps]} if args.explain else {}))
            return
        print(found.text)
        if args.explain:
            _explain(found, steps)

    return answer_each(given_texts(args.texts, args.encoding), read, show, args.json, single)


def _explain(found: Normalized, steps: tuple[Change, ...]) -> None:
    """The text as given, then what each step wrote and which stretches it changed, then the remarks."""
    rows = [[f"  {say('原文', 'raw')}", found.raw, ""]]
    rows += [[f"  {word(words.STEPS, s.step)}", s.after, _stretches(s.before, s.after)] for s in steps]
    if not steps:
        rows.append([f"  {say('步骤', 'steps')}", say("无", "none"), ""])
    rows += [[f"  {say('备注', 'remark')}", remark.text, ""] for remark in found.remarks]
    print_grid(rows)


def _stretches(before: str, after: str) -> str:
    """The stretches that differ, such as １２３ → 123; what was cut goes to ∅."""
    codes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return "; ".join(
        f"{before[i:j] or '∅'} → {after[k:m] or '∅'}" for tag, i, j, k, m in codes if tag != "equal"
    )
