"""`menpai dedupe`: which rows of one table are the same place."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from menpai.cli.arguments import (
    Commands,
    add_json,
    add_pack,
    add_reading,
    add_writing,
    positive_count,
    refuse_unused,
)
from menpai.cli.commands import summary_of as help_of
from menpai.cli.console import note, print_json
from menpai.cli.convert import about, noting, read_options, report
from menpai.cli.dedupe_undo import append_journal, undo
from menpai.cli.grey import add_grey, grey_facts, grey_zone
from menpai.cli.language import say
from menpai.cli.link import COLUMNS, add_workers, show_plan, tell_columns, tell_stages
from menpai.cli.outputs import Outputs, Second, check_places, open_outputs
from menpai.cli.progress import shares
from menpai.cli.report import add_report, check_reports, write_reports
from menpai.settings import Settings
from menpai.tables.columns import added_names, find_given
from menpai.tables.entries import cell_text
from menpai.tables.grey import GreyZone, review_column, with_review
from menpai.tables.linkage import Plan, Raw, Records, make_records
from menpai.tables.linkage.cluster_ids import Change, fresh_ids, kept_ids, old_ids
from menpai.tables.linkage.clustered import ADDED, GOLDEN, golden_of, pairs_of, rows_of, summary_of
from menpai.tables.linkage.decisions import Decisions, read_decisions, rows_of_pairs
from menpai.tables.linkage.deduping import Clusters, dedupe
from menpai.tables.linkage.forecast import forecast_clusters
from menpai.tables.linkage.linked import PAIRS
from menpai.tables.linkage.reading import Chosen, read_raw, without
from menpai.tables.linkage.room import matcher_for
from menpai.tables.linkage.undo import Moved, lines_of_run, read_journal
from menpai.tables.output import STDOUT
from menpai.tables.readers import open_table
from menpai.tables.report.runs import see_clusters
from menpai.tables.table import Row, Table

_CHANGES = {
    "merged": ("类合并，留下", "clusters merged, kept is"),
    "split": ("类拆开，留下", "a cluster split, kept is"),
    "gone": ("类没有了", "a cluster is gone"),
}


class _Read(NamedTuple):
    """A table that was read: its name and columns, its rows, what they are compared by."""

    table: Table
    rows: list[Row]
    raws: list[Raw]


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = help_of("dedupe")
    parser = subparsers.add_parser("dedupe", help=summary, description=summary)
    parser.add_argument("table", metavar="TABLE", help=say("表格", "the table"))
    group = parser.add_argument_group(say("列", "columns"))
    for role, (zh, en) in COLUMNS.items():
        group.add_argument(f"--{role}", metavar="COLUMN" if role != "crs" else "CRS", help=say(zh, en))
    group = parser.add_argument_group(say("聚类", "clusters"))
    group.add_argument("--accept", choices=("exact", "partial"), default="exact", help=say(
        "到哪一级算同一处", "the weakest label that joins two rows",
    ))  # fmt: skip
    group.add_argument("--largest", type=positive_count, default=Plan().largest, metavar="N", help=say(
        "一类最多几种写法；更大的只报告，不合并", "spellings of a cluster at most; larger ones are reported, not made",
    ))  # fmt: skip
    group.add_argument("--golden-out", metavar="FILE", help=say(
        "另写一表：每类的代表行，和选它的规则", "also write one row for each cluster, with the rule that chose it",
    ))  # fmt: skip
    group.add_argument("--pairs-out", metavar="FILE", help=say(
        "写出所有比较过的对", "write all pairs that were compared",
    ))  # fmt: skip
    group.add_argument("--plan", action="store_true", help=say(
        "只取样，估计各阶段的对数、时间和内存", "only take a sample: pairs, time and memory of each stage",
    ))  # fmt: skip
    add_workers(group)
    group.add_argument("--against", metavar="FILE", help=say(
        "上一次的输出：沿用其中的 cluster_id", "an output of before: its cluster ids are kept",
    ))  # fmt: skip
    group.add_argument("--journal", metavar="FILE", help=say(
        "与 --against 一起：追加合并、拆分、消失的类", "with --against: append which clusters merged, split or went",
    ))  # fmt: skip
    group.add_argument("--decisions", metavar="FILE", help=say(
        "人定的对：三列 id_a、id_b、decision（same 或 different）",
        "what people decided: columns id_a, id_b, decision (same or different)",
    ))  # fmt: skip
    group.add_argument("--undo", action="store_true", help=say(
        "撤销 --journal 里最后一次合并和拆分：TABLE 是那次的输出；有 --decisions 就记下不再这样做",
        "undo the last merges and splits of --journal: TABLE is the output of that run; with --decisions they are kept from "
        "coming again",
    ))  # fmt: skip
    add_grey(parser)
    add_report(parser)
    add_json(parser)
    add_pack(parser)
    add_reading(parser)
    add_writing(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Read, find the clusters, write; exit code 1 if rows had problems."""
    _check_output(args)
    check_reports(args)
    chosen = Chosen(**{role: getattr(args, role) for role in COLUMNS})
    if args.undo:
        needs = say("不带 --undo", "a run without --undo")
        refuse_unused(args, needs, "plan", "against", "golden-out", "pairs-out", "report", "max-error")
        return undo(args, settings, chosen)
    with ExitStack() as stack:
        table = stack.enter_context(open_table(args.table, read_options(args)))
        told_of = read_raw(table, chosen, noting(settings.lang))
        taken = tell_columns(table, chosen)
        pairs = list(told_of)
        read = _Read(table, [row for row, _ in pairs], [raw for _, raw in pairs])
        before, decided = _before(args, chosen), _decided(args)
        if args.journal:
            read_journal(args.journal)
        records = make_records(read.raws, settings.max_length)
        same, different = (rows_of_pairs(told, records.ids) for told in (decided.same, decided.different))
        matcher = matcher_for(len(records.entities), settings)
        zone = grey_zone(args, matcher, args.accept)
        plan = Plan(
            args.accept, largest=args.largest, workers=args.workers, unsure=zone.unsure if zone else None
        )
        if args.plan:
            return show_plan(forecast_clusters(records, matcher, plan), args.json)
        meaning = (matcher.behaviour, plan.accept, plan.read)
        outputs = _open(args, settings, table, zone, meaning, stack)
        outputs.about.update(
            {"table": table.name, "columns": taken}
            | about(matcher)
            | {"accept": plan.accept}
            | grey_facts(zone)
        )
        with shares() as told:
            clusters = dedupe(
                records,
                matcher,
                plan,
                told,
                same,
                different,
                outputs.journal,
            )
        ids, changes = fresh_ids(records, clusters), list[Change]()
        old = old_ids(read.raws, before)
        if args.against:
            ids, changes = kept_ids(records, clusters, old, {cluster for _, cluster in before if cluster})
        summary = summary_of(clusters, records, ids, changes)
        outputs.about.update({name: summary[name] for name in ("clusters", "duplicates", "vetoed")})
        _write(outputs, read, records, clusters, ids, zone is not None)
        whole = summary | ({"grey_zone": zone.to_dict()} if zone else {})
        write_reports(
            args,
            "dedupe",
            outputs.about | {"accept": args.accept},
            matcher,
            lambda facts: see_clusters(facts, clusters, records, ids, plan, whole),
        )
    if args.journal:
        moved = (
            Moved(records.ids[row], was, ids[clusters.of_row[row]])
            for row, was in old.items()
            if row in clusters.of_row and was != ids[clusters.of_row[row]]
        )
        append_journal(args.journal, lines_of_run(read_journal(args.journal), changes, moved))
    _tell(args, whole)
    report(len(records), len(records.problems), args.output)
    return 1 if records.problems else 0


def _before(args: argparse.Namespace, chosen: Chosen) -> list[tuple[Raw, str]]:
    """The rows of the output of before, each with its cluster's id."""
    if not args.against:
        return []
    with open_table(args.against, read_options(args)) as table:
        at = find_given(table, ADDED[0])
        return [(raw, cell_text(row.cells[at])) for row, raw in read_raw(without(table, ADDED), chosen)]


def _decided(args: argparse.Namespace) -> Decisions:
    if not args.decisions:
        return Decisions()
    with open_table(args.decisions) as table:
        return read_decisions(table, one_table=True)


def _check_output(args: argparse.Namespace) -> None:
    """Nothing that is read is written over, but the output of before by that of now; undoing adds to the decisions."""
    others = [args.golden_out, args.pairs_out, args.journal, *args.report]
    read = [args.table, args.calibration]
    (others if args.undo else read).append(args.decisions)
    check_places((args.output, *others), read)
    check_places(others, [args.against])


def _open(
    args: argparse.Namespace,
    settings: Settings,
    table: Table,
    zone: GreyZone | None,
    meaning: Sequence[Any],
    stack: ExitStack,
) -> Outputs:
    names = review_column(ADDED) if zone else ADDED
    columns = [*table.columns, *added_names(table.columns, GOLDEN)]
    second = Second(args.golden_out, columns, len(GOLDEN)) if args.golden_out else None
    third = Second(args.pairs_out, PAIRS, 0) if args.pairs_out else None
    return open_outputs(args, settings.lang, table, args.table, names, second, meaning, stack, third)


def _write(
    outputs: Outputs, read: _Read, records: Records, clusters: Clusters, ids: dict[int, str], reviewed: bool
) -> None:
    """All rows in their order, and the golden rows apart if they are wanted."""
    for at, (row, cells) in enumerate(zip(read.rows, rows_of(clusters, records, ids), strict=True)):
        review = int(records.of_row[at]) in clusters.doubtful
        outputs.rows.write((*row.cells, *(with_review(cells, review) if reviewed else cells)))
    outputs.first.close()
    if outputs.second is not None:
        for at, cells in golden_of(clusters, ids):
            outputs.second.write((*read.rows[at].cells, *cells))
    if outputs.third is not None:
        for cells in pairs_of(clusters, records):
            outputs.third.write(cells)


def _tell(args: argparse.Namespace, summary: dict[str, Any]) -> None:
    """The stages and what came of them; as JSON on standard output, else on standard error."""
    if args.json and args.output != STDOUT:
        print_json(summary, indent=2)
        return
    tell_stages(summary["stages"])
    rows, found, vetoed = summary["rows"], summary["clusters"], summary["vetoed"]
    note(say(f"{rows:,} 行聚成 {found:,} 类", f"{rows:,} rows in {found:,} clusters"))
    if vetoed:
        note(say(
            f"{vetoed:,} 次合并因有矛盾而不做", f"merges not made for what speaks against them: {vetoed:,}",
        ))  # fmt: skip
    for giant in summary["giants"]:
        ids, size = ", ".join(giant["cluster_ids"]), giant["spellings"]
        note(
            say(f"过大而未合并（{size} 种写法）：{ids}", f"too large to be merged ({size} spellings): {ids}")
        )
    for change in summary["changes"]:
        others = ", ".join(change["others"])
        zh, en = _CHANGES.get(change["change"], (change["change"],) * 2)
        note(f"{say(zh, en)} {change['cluster_id']}{say('：', ': ') if others else ''}{others}")
