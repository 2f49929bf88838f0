"""`menpai library info`: what a library is."""

from __future__ import annotations

import argparse
from pathlib import Path

from menpai.cli.arguments import Commands, add_json
from menpai.cli.console import print_grid, print_json
from menpai.cli.language import say
from menpai.cli.library_asked import add_library
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("行数、大小、索引、修改时间", "rows, sizes, indexes, when it was changed")
    parser = actions.add_parser("info", help=text, description=text)
    add_library(parser)
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """What the manifest says; the library itself is not opened."""
    from menpai.library import info_of  # noqa: PLC0415 (a verb loads its work when it runs)
    from menpai.search.manifest import read_manifest  # noqa: PLC0415

    info = info_of(Path(args.library), read_manifest(Path(args.library)))
    if args.json:
        print_json(info, indent=2)
        return 0
    sizes = ", ".join(f"{name} {size / 2**20:.1f}" for name, size in sorted(info["sizes"].items()))
    each = info["bytes"] / info["rows"] if info["rows"] else 0
    rows = [
        [say("地址库", "library"), info["path"]],
        [say("行", "rows"), f"{info['rows']:,}"],
        [say("已删除", "removed"), f"{info['removed']:,}"],
        [say("段", "segments"), str(info["segments"])],
        [say("版本", "version"), str(info["generation"])],
        [say("大小", "size"), f"{info['bytes'] / 2**20:.1f} MiB ({sizes}), {each:.0f} B/{say('行', 'row')}"],
        [say("修改", "changed"), str(info.get("changed", "–"))],
        ["menpai", str(info.get("menpai", "–"))],
    ]
    if info["segments"] > 1 or info["removed"]:
        rows.append(
            [
                say("提示", "hint"),
                say("menpai library compact 可合并各段", "menpai library compact merges them"),
            ]
        )
    print_grid(rows)
    return 0
