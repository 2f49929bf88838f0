"""`menpai library suggest`: completions of what is typed."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands
from menpai.cli.console import note, paint, print_json
from menpai.cli.language import say
from menpai.cli.library_asked import add_crs, add_question, open_asked, plain, read_point
from menpai.cli.words import KINDS
from menpai.evidence.coordinates import to_wgs84
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "补全正在输入的地址：汉字、拼音、首字母", "complete what is typed: characters, pinyin, initials"
    )
    parser = actions.add_parser("suggest", help=text, description=text)
    add_question(parser, "TEXT", say("输入的文字", "what was typed"))
    parser.add_argument("--city", default="", help=say("优先的城市或区县", "city or district to prefer"))
    parser.add_argument("--near", metavar="LAT,LON", help=say("优先的位置", "place to prefer"))
    add_crs(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """One line for each suggestion."""
    near = to_wgs84(*read_point(args.near), args.crs) if args.near else None
    with open_asked(args, settings) as (library, text):
        found = library.suggest(text, args.k, city=args.city, near=near)
    if args.json:
        print_json([suggestion.to_dict() for suggestion in found], indent=2)
        return 0
    if not found:
        note(say("没有找到", "nothing found"))
    for each in found:
        kind = each.id if each.kind == "row" else say(*KINDS.get(each.kind, (each.kind, each.kind)))
        rows = "" if each.count == 1 else say(f"{each.count:,} 行", f"{each.count:,} rows")
        print(
            "  ".join(
                part
                for part in (_marked(plain(each.text), each.highlights), plain(each.name), plain(kind), rows)
                if part
            )
        )
    return 0


def _marked(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    """The text with what was typed in bold."""
    out, at = "", 0
    for start, end in spans:
        out, at = out + text[at:start] + paint(text[start:end], "bold"), end
    return out + text[at:]
