"""`menpai cache`: what the service remembers outside its own memory, and how to make it forget."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from menpai.cli.arguments import Commands, add_json
from menpai.cli.commands import summary_of
from menpai.cli.console import note, print_grid, print_json
from menpai.cli.language import say
from menpai.errors import Problem
from menpai.serving.cache.store import Store, StoreError
from menpai.serving.cache.stores import make_stores, open_stores
from menpai.settings import Settings

UNAVAILABLE = 3


def add(subparsers: Commands) -> None:
    """Register the command and its two actions."""
    summary = summary_of("cache")
    parser = subparsers.add_parser("cache", help=summary, description=summary)
    actions: Commands = parser.add_subparsers(
        metavar="ACTION", dest="action", required=True, title=say("操作", "actions")
    )
    _add_info(actions)
    _add_clear(actions)


def info(args: argparse.Namespace, settings: Settings) -> int:
    """Entries and bytes of file and Redis; 3 if one cannot be reached."""
    rows = _each(make_stores(settings), lambda store: store.info()._asdict(), settings)
    if args.json:
        print_json({"layers": rows, "days": settings.cache_days}, indent=2)
    else:
        _show(rows, "where", "entries", "bytes")
    return _code(rows)


def clear(args: argparse.Namespace, settings: Settings) -> int:
    """Delete all verdicts, or those on an address; a running service forgets within two seconds. 3 if one failed."""
    address: bytes | None = None
    if args.address is None:
        stores = make_stores(settings)
    else:
        keys, stores = open_stores(settings)
        address = keys.address(args.address)
    rows = _each(stores, lambda store: {"deleted": store.clear(address)}, settings)
    if args.json:
        print_json({"layers": rows}, indent=2)
    else:
        _show(rows, "deleted")
    return _code(rows)


def _add_info(actions: Commands) -> None:
    text = say("文件和 Redis 里有多少结论", "how many verdicts file and Redis hold")
    parser = actions.add_parser("info", help=text, description=text)
    _add_places(parser)
    parser.set_defaults(run=info, parser=parser)


def _add_clear(actions: Commands) -> None:
    text = say("删除全部结论，或与一条地址有关的结论", "delete all verdicts, or those on one address")
    parser = actions.add_parser("clear", help=text, description=text)
    parser.add_argument(
        "--address",
        metavar="A",
        help=say(
            "只删除含这条地址的，写法与当时发送的一致", "only those with this address, written as it was sent"
        ),
    )
    _add_places(parser)
    parser.set_defaults(run=clear, parser=parser)


def _add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cache-file",
        metavar="FILE",
        help=say("结论文件；默认用设置的", "file of verdicts; that of the settings"),
    )
    add_json(parser)


def _each(
    stores: list[Store], work: Callable[[Store], dict[str, Any]], settings: Settings
) -> list[dict[str, Any]]:
    """What the work gave for each store, or its problem."""
    rows = []
    for store in stores:
        try:
            rows.append({"layer": store.name} | work(store))
        except StoreError as error:
            problem = Problem("cache_unavailable", {"layer": store.name, "reason": str(error)})
            rows.append({"layer": store.name} | problem.to_dict(settings.lang))
        finally:
            store.close()
    return rows


def _show(rows: list[dict[str, Any]], *columns: str) -> None:
    print_grid([_line(row, columns) for row in rows])
    if not rows:
        print(
            say(
                "设置里既没有结论文件，也没有 Redis",
                "the settings name neither a file of verdicts nor a Redis",
            )
        )
    for hint in dict.fromkeys(row["problem"]["hint"] for row in rows if "problem" in row):
        note(say(f"  提示：{hint}", f"  hint: {hint}"))


def _line(row: dict[str, Any], columns: tuple[str, ...]) -> list[str]:
    if "problem" in row:
        return [row["layer"], row["problem"]["message"], *[""] * (len(columns) - 1)]
    named = {
        "entries": say("条数", "entries"),
        "bytes": say("字节", "bytes"),
        "deleted": say("已删除", "deleted"),
    }
    return [row["layer"], *(f"{named.get(name, '')} {row[name]}".strip() for name in columns)]


def _code(rows: list[dict[str, Any]]) -> int:
    return UNAVAILABLE if any("problem" in row for row in rows) else 0
