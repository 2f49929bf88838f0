"""`menpai match`: two addresses, or a table with two address columns."""

from __future__ import annotations

import argparse
from typing import Any

from menpai.cli.arguments import Commands, add_json, add_pack, add_reading, add_writing
from menpai.cli.commands import summary_of
from menpai.cli.console import print_json
from menpai.cli.convert import Work, about, convert
from menpai.cli.grey import add_grey, grey_facts, grey_zone
from menpai.cli.language import say
from menpai.cli.outputs import check_places
from menpai.cli.report import add_report, check_reports, write_reports
from menpai.cli.show import show_explained, show_verdict
from menpai.errors import Problem, UsageError
from menpai.explaining import explain
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables import pairs
from menpai.tables.columns import find_pair
from menpai.tables.grey import GreyZone, review_column, with_review
from menpai.tables.journal import Added
from menpai.tables.output import STDOUT
from menpai.tables.readers import is_table_name, open_table
from menpai.tables.report.facts import Facts
from menpai.tables.report.runs import see_matches
from menpai.tables.source import STDIN, exists
from menpai.tables.table import Table
from menpai.verdict import Verdict


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("match")
    parser = subparsers.add_parser(
        "match",
        help=summary,
        description=summary,
        usage="menpai match A B [OPTIONS]\n       menpai match FILE -o OUT [OPTIONS]",
    )
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="A B | FILE",
        help=say(
            "两条地址，或一个有两列地址的表格（- 为标准输入）",
            "two addresses, or a table with two address columns (- is standard input)",
        ),
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help=say(
            "画出两条地址的要素，一句话说明，全部理由和概率，编码器看重的部分；表格则加列",
            "draw both addresses, a sentence, all reasons, probabilities, the parts that decided; columns in a table",
        ),
    )
    parser.add_argument(
        "--a",
        metavar="COLUMN",
        help=say("第一列地址的列名或序号", "name or number of the first address column"),
    )
    parser.add_argument(
        "--b",
        metavar="COLUMN",
        help=say("第二列地址的列名或序号", "name or number of the second address column"),
    )
    add_grey(parser)
    add_report(parser)
    add_json(parser)
    add_pack(parser)
    add_reading(parser)
    add_writing(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """One argument is a table, two are addresses."""
    if len(args.inputs) > 2:
        args.parser.refuse(args.inputs[2])
    if len(args.inputs) == 1:
        (only,) = args.inputs
        if not (only == STDIN or is_table_name(only) or exists(only)):
            raise UsageError("match_one", text=only if len(only) <= 100 else only[:99] + "…")
        return _match_table(args, settings)
    if any(is_table_name(text) and exists(text) for text in args.inputs):
        raise UsageError("match_two_files", first=args.inputs[0], second=args.inputs[1])
    return _match_pair(args, settings)


def _match_pair(args: argparse.Namespace, settings: Settings) -> int:
    a, b = args.inputs
    if args.report:
        raise UsageError("report_of_pair")
    matcher = Matcher.open(settings=settings)
    zone = grey_zone(args, matcher)
    found = explain(matcher, a, b) if args.explain else None
    verdict = found.verdict if found else matcher.match(a, b)
    review = None if zone is None else zone.unsure(verdict.label, verdict.probabilities)
    if args.json:
        more = {} if found is None else {"explanation": found.to_dict()}
        print_json(verdict.to_dict() | more | ({} if review is None else {"review": review}), indent=2)
        return 0
    if found:
        show_explained(found, matcher.parse(a), matcher.parse(b))
    show_verdict(verdict, args.explain)
    if review:
        print(say("这一对请人看", "a person should look at this pair"))
    return 0


def _match_table(args: argparse.Namespace, settings: Settings) -> int:
    check_places((args.output, *args.report), (*args.inputs, args.calibration))
    check_reports(args)
    if args.report and args.output == STDOUT:
        raise UsageError("report_needs_file")
    told_of = dict[str, Any]()
    matcher = Matcher.open(settings=settings)
    zone = grey_zone(args, matcher)

    def cells_of(answer: Verdict | Problem) -> Added:
        cells = pairs.cells_of(answer, args.explain)
        if zone is None:
            return cells
        return with_review(
            cells, isinstance(answer, Verdict) and zone.unsure(answer.label, answer.probabilities)
        )

    def work(table: Table) -> Work:
        a, b = find_pair(table, args.a, args.b)
        answers = pairs.judge(table.rows, matcher, a, b, evidence=args.explain)
        done = ((row, cells_of(answer)) for row, answer in answers)
        columns = {"a": table.columns[a], "b": table.columns[b]}
        thresholds = zone and (zone.joined.threshold, zone.apart.threshold)
        known = {"table": table.name} | columns | about(matcher) | grey_facts(zone)
        told_of.update(known)
        return Work(done, (matcher.behaviour, a, b, args.explain, thresholds), known)

    added = pairs.EXPLAINED if args.explain else pairs.COLUMNS
    code = convert(args.inputs[0], args, settings.lang, review_column(added) if zone else added, work)
    write_reports(args, "match", told_of, matcher, lambda facts: _see(facts, args, told_of, zone))
    return code


def _see(facts: Facts, args: argparse.Namespace, about: dict[str, Any], zone: GreyZone | None) -> None:
    """The output read again: a run that was resumed has judged only the end of it."""
    facts.zone = zone.to_dict() if zone else None
    with open_table(args.output) as table:
        see_matches(facts, table, about["a"], about["b"])
