"""`menpai model list`: which packs are inside the wheel."""

from __future__ import annotations

import argparse
from typing import Any

from menpai.cli.arguments import Commands, add_json
from menpai.cli.console import print_grid, print_json
from menpai.cli.language import say
from menpai.packs import Pack, builtin_packs, open_pack
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("列出内置模型包", "list the built-in packs")
    parser = actions.add_parser("list", help=text, description=text)
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """One line a pack."""
    packs = [facts(open_pack(name)) for name in builtin_packs()]
    if args.json:
        print_json(packs, indent=2)
    elif packs:
        print_grid([[fact["id"], f"{fact['bytes'] / 2**20:.1f} MiB", fact["path"]] for fact in packs])
    return 0


def facts(pack: Pack) -> dict[str, Any]:
    """What `model list` and `model info` say of a pack, as JSON."""
    return {
        "id": pack.id,
        "name": pack.name,
        "version": pack.version,
        "path": str(pack.path),
        "digest": pack.digest,
        "bytes": sum((pack.path / name).stat().st_size for name in pack.files),
        "files": dict(pack.files),
    }
