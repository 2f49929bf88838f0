"""`menpai spark`: link, dedupe and match of tables that outgrow one machine, with the answers of the other commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from menpai.cli.arguments import Commands, add_json, add_pack, positive_count
from menpai.cli.commands import summary_of
from menpai.cli.console import note, print_json
from menpai.cli.language import say
from menpai.cli.link import COLUMNS, add_columns
from menpai.errors import UsageError
from menpai.settings import Settings
from menpai.tables.linkage.plan import Plan
from menpai.tables.spark.deduping import dedupe
from menpai.tables.spark.files import (
    check_output,
    read_frame,
    summary_of_clusters,
    summary_of_links,
    write_frame,
)  # fmt: skip
from menpai.tables.spark.linking import link
from menpai.tables.spark.matching import match
from menpai.tables.spark.room import Room
from menpai.tables.spark.session import failures, start

Run = Callable[[argparse.Namespace, Settings, Any, Room], dict[str, Any]]


def add(subparsers: Commands) -> None:
    """Register the command and its three actions."""
    summary = summary_of("spark")
    parser = subparsers.add_parser("spark", help=summary, description=summary)
    actions: Commands = parser.add_subparsers(
        metavar="ACTION", dest="action", required=True, title=say("操作", "actions")
    )
    _add_link(actions)
    _add_dedupe(actions)
    _add_match(actions)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Start or join a session, do the work, remove the folder of its stages; exit code 1 if rows had problems."""
    spark = start(args.master, dict(map(_setting, args.conf)))
    with failures():
        check_output(spark, args.out)
        room = Room(spark, args.work or f"{args.out.rstrip('/')}-work")
        summary = args.work_on(args, settings, spark, room)
        room.clear()
    if args.json:
        print_json(summary, indent=2)
    else:
        note(", ".join(f"{name} {value}" for name, value in summary.items() if not isinstance(value, list)))
    return 1 if summary["problems"] else 0


def _link(args: argparse.Namespace, settings: Settings, spark: Any, room: Room) -> dict[str, Any]:
    roles = [*COLUMNS, *(f"right_{role}" for role in COLUMNS)]
    columns = {role: getattr(args, role) for role in roles if getattr(args, role)}
    left, right = (read_frame(spark, path, args.encoding) for path in (args.left, args.right))
    found = link(
        left, right, accept=args.accept, assign=args.assign, work=room, settings=settings,
        tables=(args.left, args.right), **columns,
    )  # fmt: skip
    write_frame(found, args.out)
    return summary_of_links(room, read_frame(spark, args.out), found.columns[len(left.columns)])


def _dedupe(args: argparse.Namespace, settings: Settings, spark: Any, room: Room) -> dict[str, Any]:
    columns = {role: getattr(args, role) for role in COLUMNS if getattr(args, role)}
    table = read_frame(spark, args.table, args.encoding)
    found = dedupe(
        table,
        accept=args.accept,
        largest=args.largest,
        work=room,
        settings=settings,
        name=args.table,
        **columns,
    )
    write_frame(found, args.out)
    return summary_of_clusters(room)


def _match(args: argparse.Namespace, settings: Settings, spark: Any, room: Room) -> dict[str, Any]:
    table = read_frame(spark, args.table, args.encoding)
    found = match(table, args.a, args.b, settings=settings)
    write_frame(found, args.out)
    written = read_frame(spark, args.out)
    problems = written.where(f"`{found.columns[-1]}` IS NOT NULL").count()
    return {"rows": written.count(), "problems": problems}


def _add_link(actions: Commands) -> None:
    text = say("左表每行是右表的哪一行", "which right row each left row is")
    parser = actions.add_parser("link", help=text, description=text)
    parser.add_argument("left", metavar="LEFT", help=say("左表", "left table"))
    parser.add_argument("right", metavar="RIGHT", help=say("右表", "right table"))
    add_columns(parser)
    _add_accept(parser)
    parser.add_argument("--assign", choices=("auto", "one", "many"), default="auto", help=say(
        "右表一行可给左表几行，同 menpai link", "how often a right row is given away, as in menpai link",
    ))  # fmt: skip
    _add_common(parser, _link)


def _add_dedupe(actions: Commands) -> None:
    text = say("一个表里哪些行是同一处", "which rows of one table are the same place")
    parser = actions.add_parser("dedupe", help=text, description=text)
    parser.add_argument("table", metavar="TABLE", help=say("表格", "the table"))
    group = parser.add_argument_group(say("列", "columns"))
    for role, (zh, en) in COLUMNS.items():
        group.add_argument(f"--{role}", metavar="COLUMN" if role != "crs" else "CRS", help=say(zh, en))
    _add_accept(parser)
    parser.add_argument("--largest", type=positive_count, default=Plan().largest, metavar="N", help=say(
        "一类最多几种写法", "spellings of a cluster at most",
    ))  # fmt: skip
    _add_common(parser, _dedupe)


def _add_match(actions: Commands) -> None:
    text = say("判断两列地址", "judge two columns of addresses")
    parser = actions.add_parser("match", help=text, description=text)
    parser.add_argument("table", metavar="TABLE", help=say("表格", "the table"))
    for side in "ab":
        parser.add_argument(
            f"--{side}", metavar="COLUMN", required=True, help=say("地址列", "column of addresses")
        )
    _add_common(parser, _match)


def _add_accept(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--accept", choices=("exact", "partial"), default="exact", help=say(
        "到哪一级算连上", "the weakest label that joins two rows",
    ))  # fmt: skip


def _add_common(parser: argparse.ArgumentParser, work_on: Run) -> None:
    parser.add_argument("out", metavar="OUT", help=say(
        "输出目录：Parquet，或以 .jsonl 结尾", "folder of the output: Parquet, or JSON Lines if it ends in .jsonl",
    ))  # fmt: skip
    group = parser.add_argument_group("Spark")
    group.add_argument("--work", metavar="FOLDER", help=say(
        "中间结果的目录，所有执行器都能访问；默认在 OUT 旁边，做完删除",
        "folder of the stages, which all executors reach, removed at the end; beside OUT by default",
    ))  # fmt: skip
    group.add_argument("--master", metavar="URL", help=say(
        "如 local[8]、spark://主机:7077；用 spark-submit 时不必给",
        "such as local[8] or spark://host:7077; spark-submit gives its own",
    ))  # fmt: skip
    group.add_argument("--conf", metavar="NAME=VALUE", action="append", default=[], help=say(
        "Spark 的设置，可多次给出", "a setting of Spark; may be given several times",
    ))  # fmt: skip
    group.add_argument("--encoding", metavar="NAME", default="UTF-8", help=say(
        "CSV 的编码", "encoding of CSV",
    ))  # fmt: skip
    add_json(parser)
    add_pack(parser)
    parser.set_defaults(run=run, parser=parser, work_on=work_on)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError("link_option", value=text[:40], known="NAME=VALUE")
    return name, value
