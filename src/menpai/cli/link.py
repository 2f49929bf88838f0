"""`menpai link`: which row of the right table each row of the left one is."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from menpai.cli.arguments import Commands, add_json, add_pack, add_reading, add_writing, positive_count
from menpai.cli.commands import summary_of as help_of
from menpai.cli.console import note, print_json
from menpai.cli.convert import about, noting, read_options, report
from menpai.cli.grey import add_grey, grey_facts, grey_zone
from menpai.cli.language import say
from menpai.cli.outputs import Outputs, Second, check_places, open_outputs
from menpai.cli.progress import shares
from menpai.cli.report import add_report, check_reports, write_reports
from menpai.settings import Settings
from menpai.tables.grey import GreyZone, review_column, with_review
from menpai.tables.linkage import Links, Plan, Records, link, make_records
from menpai.tables.linkage.decided import decide
from menpai.tables.linkage.decisions import read_decisions, rows_of_both
from menpai.tables.linkage.forecast import forecast
from menpai.tables.linkage.linked import ADDED, PAIRS, pairs_of, rows_of, summary_of
from menpai.tables.linkage.reading import Chosen, read_raw, shared_columns, told_columns
from menpai.tables.linkage.room import matcher_for
from menpai.tables.output import STDOUT
from menpai.tables.readers import open_table
from menpai.tables.report.runs import see_links
from menpai.tables.roles import ROLES
from menpai.tables.table import Row, Table

COLUMNS = {
    "address": ("地址列；几列用逗号隔开", "address column; several with commas between"),
    "name": ("名称列；- 表示没有", "column of names (- if there is none)"),
    "id": ("编号列", "column of ids"),
    "lat": ("纬度列", "column of latitudes"),
    "lon": ("经度列", "column of longitudes"),
    "point": ("经纬度写在一起的列", "column that holds both, such as 120.13,30.27"),
    "phone": ("电话列，只比较末四位", "column of phone numbers, of which the last four digits count"),
    "crs": ("坐标系：wgs84、gcj02、bd09", "system of the coordinates: wgs84, gcj02, bd09"),
}


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = help_of("link")
    parser = subparsers.add_parser("link", help=summary, description=summary)
    parser.add_argument(
        "left", metavar="LEFT", help=say("左表，每行都会写出", "left table; each of its rows is written")
    )
    parser.add_argument("right", metavar="RIGHT", help=say("右表", "right table"))
    add_columns(parser)
    group = parser.add_argument_group(say("连接", "linking"))
    group.add_argument("--accept", choices=("exact", "partial"), default="exact", help=say(
        "到哪一级算连上", "the weakest label that joins two rows",
    ))  # fmt: skip
    group.add_argument("--assign", choices=("auto", "one", "many"), default="auto", help=say(
        "右表一行可给左表几行：one 一行，many 多行，auto 有名称时一行、只有地址时多行",
        "how often a right row is given away: one, many, or auto: once where both have names, else often",
    ))  # fmt: skip
    group.add_argument(
        "--pairs-out", metavar="FILE", help=say("写出所有比较过的对", "write all pairs that were compared")
    )
    group.add_argument("--decisions", metavar="FILE", help=say(
        "人定的对：三列 id_a（左表）、id_b（右表）、decision（same 或 different）",
        "what people decided: columns id_a (left), id_b (right), decision (same or different)",
    ))  # fmt: skip
    group.add_argument("--plan", action="store_true", help=say(
        "只取样，估计各阶段的对数、时间和内存", "only take a sample: pairs, time and memory of each stage",
    ))  # fmt: skip
    add_workers(group)
    add_grey(parser)
    add_report(parser)
    add_json(parser)
    add_pack(parser)
    add_reading(parser)
    add_writing(parser)
    parser.set_defaults(run=run, parser=parser)


def add_workers(group: argparse._ArgumentGroup) -> None:
    """--workers."""
    group.add_argument("--workers", type=positive_count, default=0, metavar="N", help=say(
        "用几个进程读和判断，默认与核数相同；结果不变", "processes that judge; as many as cores by default",
    ))  # fmt: skip


def add_columns(parser: argparse.ArgumentParser) -> None:
    """--address, --name, … for both tables, and --right-address, … where the right one differs."""
    group = parser.add_argument_group(say("列", "columns"))
    for role, (zh, en) in COLUMNS.items():
        group.add_argument(f"--{role}", metavar="COLUMN" if role != "crs" else "CRS", help=say(zh, en))
    for role, (zh, en) in COLUMNS.items():
        group.add_argument(f"--right-{role}", metavar="COLUMN" if role != "crs" else "CRS", help=say(
            f"右表的{zh}", f"of the right table: {en}",
        ))  # fmt: skip


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Read both, link, write the left one; exit code 1 if rows had problems."""
    outputs = (args.output, args.pairs_out, *args.report)
    check_places(outputs, (args.left, args.right, args.decisions, args.calibration))
    check_reports(args)
    with ExitStack() as stack:
        table = stack.enter_context(open_table(args.left, read_options(args)))
        rows, left, right, taken = _read(args, settings, table)
        decided = _decided(args.decisions, left, right)
        matcher = matcher_for(len(left.entities), settings)
        zone = grey_zone(args, matcher, args.accept)
        if zone and left.named and right.named:
            note(say(
                "两表都有名称：错误率只对地址本身成立",
                "both tables have names: the error holds for what addresses say alone",
            ))  # fmt: skip
        plan = Plan(args.accept, args.assign, workers=args.workers, unsure=zone.unsure if zone else None)
        if args.plan:
            return show_plan(forecast(left, right, matcher, plan), args.json)
        meaning = (matcher.behaviour, plan.accept, plan.read)
        outputs = _open(args, settings, table, zone, meaning, stack)
        outputs.about.update(
            {"table": table.name} | taken | about(matcher) | {"accept": plan.accept} | grey_facts(zone)
        )
        with shares() as told:
            links = link(left, right, matcher, plan, told, outputs.journal)
        if decided is not None:
            links = decide(links, left, right, matcher, plan, *decided)
        summary = summary_of(links, left, right, plan.accept) | (
            {"grey_zone": zone.to_dict()} if zone else {}
        )
        outputs.about["linked"] = summary["linked"]
        _write(outputs, rows, links, left, right, zone is not None)
        told_of = outputs.about | {"right_table": args.right, "accept": args.accept, "assign": args.assign}
        write_reports(
            args, "link", told_of, matcher, lambda facts: see_links(facts, links, left, right, summary)
        )
    if args.json and args.output != STDOUT:
        print_json(summary, indent=2)
    else:
        _tell(summary)
    report(len(rows), len(left.problems), args.output)
    return 1 if left.problems else 0


def _read(
    args: argparse.Namespace, settings: Settings, table: Table
) -> tuple[list[Row], Records, Records, dict[str, str]]:
    """The rows of the left table, both tables as what is compared, and which columns that is."""
    rows, told_of = list[Row](), noting(settings.lang)
    given = [_chosen(args, prefix) for prefix in ("", "right_")]
    with open_table(args.right, read_options(args)) as other:
        first = shared_columns(given[0], table, other)
        both = given[1].over(shared_columns(given[0], other, table))
        read = read_raw(table, first, told_of)
        taken = {"columns": tell_columns(table, first), "right_columns": tell_columns(other, both)}
        left = make_records(_kept(read, rows), settings.max_length)
        right = make_records((raw for _, raw in read_raw(other, both, told_of)), settings.max_length)
    return rows, left, right, taken


def tell_columns(table: Table, chosen: Chosen) -> str:
    """Which columns are taken, also on standard error: a name or an id that was overlooked is seen before the work."""
    found = told_columns(table, chosen)
    zh, en = ([f"{ROLES[role][at]} {column}" for role, column in found.items()] for at in (0, 1))
    for role, none in (
        ("name", ("没有名称列", "no names")),
        ("id", ("没有编号列，用行号", "no ids: numbers of rows")),
    ):
        if role not in found:
            zh, en = [*zh, none[0]], [*en, none[1]]
    told = say("；".join(zh), "; ".join(en))
    note(f"{table.name}{say('：', ': ')}{told}")
    return told


def _chosen(args: argparse.Namespace, prefix: str) -> Chosen:
    return Chosen(**{role: getattr(args, prefix + role) for role in COLUMNS})


def _kept(pairs: Iterator[tuple[Row, Any]], rows: list[Row]) -> Iterator[Any]:
    """What the rows are compared by; the rows themselves are kept to be written."""
    for row, raw in pairs:
        rows.append(row)
        yield raw


def _decided(
    path: str | None, left: Records, right: Records
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]] | None:
    """What people decided, as rows of both tables: those that are the same place, and those that are not."""
    if path is None:
        return None
    with open_table(path) as table:
        told = read_decisions(table)
    return rows_of_both(told.same, left.ids, right.ids), rows_of_both(told.different, left.ids, right.ids)


def _open(
    args: argparse.Namespace,
    settings: Settings,
    table: Table,
    zone: GreyZone | None,
    meaning: Sequence[Any],
    stack: ExitStack,
) -> Outputs:
    names = review_column(ADDED) if zone else ADDED
    columns = (*PAIRS, "review") if zone else PAIRS
    second = Second(args.pairs_out, columns, len(columns)) if args.pairs_out else None
    return open_outputs(args, settings.lang, table, args.left, names, second, meaning, stack)


def _write(
    outputs: Outputs, rows: list[Row], links: Links, left: Records, right: Records, reviewed: bool
) -> None:
    """All left rows in their order, and the pairs apart if they are wanted."""
    for at, (row, cells) in enumerate(zip(rows, rows_of(links, left, right), strict=True)):
        review = at in links.rows and links.rows[at].review
        outputs.rows.write((*row.cells, *(with_review(cells, review) if reviewed else cells)))
    outputs.first.close()
    if outputs.second is not None:
        for cells, (*_, answer) in zip(pairs_of(links, left, right), links.pairs, strict=True):
            outputs.second.write((*cells, answer.review) if reviewed else cells)


def tell_stages(stages: Sequence[Mapping[str, Any]]) -> None:
    """What each stage took in, let out and cost, on standard error."""
    note(say("阶段          进          出        秒", "stage         in         out   seconds"))
    for stage in stages:
        note(f"{stage['name']:<10}{stage['rows_in']:>8,}{stage['pairs_out']:>12,}{stage['seconds']:>10.2f}")


def _tell(summary: dict[str, Any]) -> None:
    """The stages, on standard error."""
    tell_stages(summary["stages"])
    linked, rows, coverage = summary["linked"], summary["left_rows"], summary["coverage"]
    note(say(
        f"{rows:,} 行中 {linked:,} 行已连上；候选约覆盖 {coverage:.1%} 的真对",
        f"{linked:,} of {rows:,} rows linked; the candidates hold about {coverage:.1%} of the true pairs",
    ))  # fmt: skip
    if given := summary["given_away"]:
        note(say(
            f"另有 {given:,} 行本可连上，但右表那一行已给别的行；左表几行是同一处时，请用 --assign many 或先 menpai dedupe",
            f"{given:,} more rows would join a right row that went to another row; where several left rows are one place, "
            "give --assign many, or run menpai dedupe first",
        ))  # fmt: skip


def show_plan(plan: dict[str, Any], as_json: bool) -> int:
    """Print what a run would take; the exit code."""
    if as_json:
        print_json(plan, indent=2)
        return 0
    for stage in plan["stages"]:
        print(
            f"{stage['name']:<10}{stage['rows_in']:>12,}{stage['pairs_out']:>14,}{stage['seconds']:>10.1f} s"
        )
    print(say(
        f"估计共 {plan['seconds']:.0f} 秒，内存约 {plan['memory_mb']:.0f} MB（取样 {plan['sample_rows']:,} 行）",
        f"about {plan['seconds']:.0f} seconds and {plan['memory_mb']:.0f} MB in all (from {plan['sample_rows']:,} rows)",
    ))  # fmt: skip
    return 0
