"""`menpai model`: which packs there are, and what one holds."""

from __future__ import annotations

import argparse
from typing import Any

from menpai.cli.arguments import Commands, add_json
from menpai.cli.commands import summary_of
from menpai.cli.console import paint, print_grid, print_json
from menpai.cli.language import say
from menpai.packs import Pack, builtin_packs, open_pack
from menpai.settings import Settings


def add(subparsers: Commands) -> None:
    """Register the command and what it can do."""
    summary = summary_of("model")
    parser = subparsers.add_parser("model", help=summary, description=summary)
    actions = parser.add_subparsers(
        metavar="ACTION", dest="action", required=True, title=say("操作", "actions")
    )
    text = say("列出内置模型包", "list the built-in packs")
    listing = actions.add_parser("list", help=text, description=text)
    text = say("核对一个模型包的摘要并显示其内容", "check a pack against its digests and show what it holds")
    info = actions.add_parser("info", help=text, description=text)
    info.add_argument(
        "name",
        nargs="?",
        metavar="PACK",
        help=say(
            "内置模型包的名字，或模型包文件夹；默认为当前设置的包",
            "name of a built-in pack, or the folder of a pack; the one in use if not given",
        ),
    )
    info.add_argument("--pack", help=say("同 PACK", "the same as PACK"))
    for action, run in ((listing, _list), (info, _info)):
        add_json(action)
        action.set_defaults(run=run, parser=action)


def _list(args: argparse.Namespace, settings: Settings) -> int:
    packs = [_facts(open_pack(name)) for name in builtin_packs()]
    if args.json:
        print_json(packs, indent=2)
    elif packs:
        print_grid([[fact["id"], f"{fact['bytes'] / 2**20:.1f} MiB", fact["path"]] for fact in packs])
    return 0


def _info(args: argparse.Namespace, settings: Settings) -> int:
    pack = open_pack(args.name or settings.pack)
    if args.json:
        print_json(_facts(pack) | {"manifest": dict(pack.manifest), "card": pack.card}, indent=2)
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


def _facts(pack: Pack) -> dict[str, Any]:
    return {
        "id": pack.id,
        "name": pack.name,
        "version": pack.version,
        "path": str(pack.path),
        "digest": pack.digest,
        "bytes": sum((pack.path / name).stat().st_size for name in pack.files),
        "files": dict(pack.files),
    }
