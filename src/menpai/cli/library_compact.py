"""`menpai library compact`: one segment, without removed rows, with the indexes of this version."""

from __future__ import annotations

import argparse
from pathlib import Path

from menpai.cli.arguments import Commands, add_json, positive_count
from menpai.cli.console import print_json
from menpai.cli.language import say
from menpai.cli.library_asked import add_library
from menpai.cli.library_rows import add_wait
from menpai.settings import Settings, available_cores


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "合并各段，去掉已删除的行，重建旧版本的索引",
        "merge segments, drop removed rows, build indexes of older versions again",
    )
    parser = actions.add_parser("compact", help=text, description=text)
    add_library(parser)
    parser.add_argument("--workers", type=positive_count, metavar="N", help=say(
        "进程数；默认全部可用核心", "processes; as many as there are cores if not given",
    ))  # fmt: skip
    add_wait(parser)
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do it, and say what it was before and is now."""
    from menpai.library import info_of  # noqa: PLC0415 (a verb loads its work when it runs)
    from menpai.search.compact import compact  # noqa: PLC0415

    path = Path(args.library)
    before, after = (
        info_of(path, found) for found in compact(path, args.workers or available_cores(), args.wait)
    )
    if args.json:
        print_json({"before": before, "after": after}, indent=2)
        return 0
    for word, info in ((say("之前", "before"), before), (say("现在", "now"), after)):
        segments = say(f"{info['segments']} 段", f"{info['segments']} segments")
        rows = say(f"{info['rows']:,} 行", f"{info['rows']:,} rows")
        print(f"{word}  {rows}  {segments}  {info['bytes'] / 2**20:.1f} MiB")
    return 0
