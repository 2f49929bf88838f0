"""`menpai model info`: check a pack against its digests and show what it holds."""

from __future__ import annotations

import argparse

from menpai.cli.arguments import Commands, add_json
from menpai.cli.console import paint, print_grid, print_json
from menpai.cli.language import say
from menpai.cli.model_list import facts
from menpai.packs import open_pack
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("核对一个模型包的摘要并显示其内容", "check a pack against its digests and show what it holds")
    parser = actions.add_parser("info", help=text, description=text)
    parser.add_argument(
        "name",
        nargs="?",
        metavar="PACK",
        help=say(
            "内置模型包的名字，或模型包文件夹；默认为当前设置的包",
            "name of a built-in pack, or the folder of a pack; the one in use if not given",
        ),
    )
    parser.add_argument("--pack", help=say("同 PACK", "the same as PACK"))
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Identity, files and card."""
    pack = open_pack(args.name or settings.pack)
    if args.json:
        print_json(facts(pack) | {"manifest": dict(pack.manifest), "card": pack.card}, indent=2)
        return 0
    print(paint(pack.id, "bold"))
    print_grid([[say("路径", "path"), str(pack.path)], [say("摘要", "digest"), pack.digest]])
    print()
    print_grid(
        [[name, f"{(pack.path / name).stat().st_size:,}", digest[:16]] for name, digest in pack.files.items()]
    )
    print()
    print(pack.card.rstrip())
    return 0
