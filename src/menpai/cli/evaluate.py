"""`menpai evaluate`: verdicts measured against labelled pairs, readings against tagged sentences."""

from __future__ import annotations

import argparse
from typing import Any

from menpai.cli import evaluate_compare, evaluate_entities, evaluate_tags
from menpai.cli.arguments import Commands, add_json, add_pack, add_reading, refuse_unused
from menpai.cli.commands import summary_of
from menpai.cli.console import print_grid, print_json
from menpai.cli.convert import read_options
from menpai.cli.language import say
from menpai.cli.words import DECIDED_BY, LABELS, figure, word
from menpai.errors import Language, UsageError
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables import pairs
from menpai.tables.columns import added_names
from menpai.tables.evaluate import Report, evaluate
from menpai.tables.labels import read_positive
from menpai.tables.readers import open_table
from menpai.tables.table import Table, WriteOptions
from menpai.tables.writers import open_writer

_FIGURES = {
    "pairs": ("地址对", "pairs"),
    "problems": ("无法判断", "not judged"),
    "accuracy": ("准确率", "accuracy"),
    "macro_f1": ("宏平均 F1", "macro F1"),
    "f1": ("F1（相同）", "F1 (same)"),
    "ece": ("校准误差 ECE", "calibration error (ECE)"),
    "level_agreement": ("级别一致", "same level"),
    "conflict_agreement": ("冲突一致", "same conflict"),
    "pairs_per_second": ("每秒地址对", "pairs a second"),
}


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("evaluate")
    parser = subparsers.add_parser("evaluate", help=summary, description=summary)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help=say(
            "带标签的表格；- 为标准输入；entities 时为两个表和它们的真对",
            "a labelled table; - is standard input; for entities two tables and their true pairs",
        ),
    )
    parser.add_argument(
        "--task",
        choices=("pairs", "tags", "entities"),
        default="pairs",
        help=say(
            "衡量什么：pairs 地址对的判断，tags 地址要素的标注，entities 两表的连接",
            "what is measured: pairs, verdicts on pairs; tags, elements of tagged sentences; entities, the linking of tables",
        ),
    )
    parser.add_argument("--a", metavar="COLUMN", help=say("第一列地址", "first address column"))
    parser.add_argument("--b", metavar="COLUMN", help=say("第二列地址", "second address column"))
    parser.add_argument(
        "--label",
        metavar="COLUMN",
        help=say("标签列；默认 label 或 same_building", "label column; label or same_building if not given"),
    )
    parser.add_argument(
        "--positive",
        default="exact",
        metavar="LABELS",
        help=say(
            "两类文件中算作相同的标签，例如 exact,partial",
            "labels that count as the same in a file of two classes, such as exact,partial",
        ),
    )
    parser.add_argument(
        "--errors",
        metavar="OUT",
        help=say(
            "把判错和无法判断的行（或标错的句子）写到这个文件",
            "write the rows judged wrong or not at all (or the sentences tagged wrong) to this file",
        ),
    )
    evaluate_tags.add_options(parser)
    evaluate_entities.add_options(parser)
    evaluate_compare.add_options(parser)
    add_json(parser)
    add_pack(parser)
    add_reading(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Figures as a table or JSON; exit code 1 if rows could not be judged."""
    if args.task != "pairs":
        refuse_unused(args, "--task pairs", "compare", "moved")
    elif not args.compare:
        refuse_unused(args, "--compare P2", "moved")
    elif args.errors:
        raise UsageError("option_unused", name="errors", needs="--moved OUT")
    if args.task == "entities":
        return evaluate_entities.run(args, settings)
    if len(args.files) > 1:
        args.parser.refuse(args.files[1])
    (args.file,) = args.files
    if args.task == "tags":
        return evaluate_tags.run(args, settings)
    if args.file.lower().endswith((".conll", ".bio", ".bmes")):
        raise UsageError("evaluate_tagged", path=args.file)
    if args.compare:
        return evaluate_compare.run(args, settings)
    positive = read_positive(args.positive)
    with open_table(args.file, read_options(args)) as table:
        given = {"a": args.a, "b": args.b, "label": args.label}
        report = evaluate(table, Matcher.open(settings=settings), given, positive)
    if args.errors:
        _write_errors(args.errors, args.file, table, report, settings.lang)
    if args.json:
        print_json(report.figures, indent=2)
    else:
        _show(report.figures)
    return 1 if report.problems else 0


def _write_errors(path: str, source: str, table: Table, report: Report, language: Language) -> None:
    """Wrong rows with the predicted class and the rest of the verdict, then rows with problems."""
    columns = [*table.columns, *added_names(table.columns, ("predicted", *pairs.COLUMNS[1:]))]
    options = WriteOptions(table.format, language=language)
    with open_writer(path, columns, options, source) as writer:
        for one in report.wrong:
            writer.write((*one.row.cells, one.predicted, *pairs.cells_of(one.verdict)[1:]))
        for row, problem in report.problems:
            writer.write((*row.cells, *pairs.cells_of(problem)))


def _show(figures: dict[str, Any]) -> None:
    print_grid(
        [[say(*names), figure(figures[key])] for key, names in _FIGURES.items() if key in figures],
        right=True,
    )
    print()
    heads = [say("精度", "precision"), say("召回", "recall"), "F1", say("数量", "count")]
    rows = [[word(LABELS, name), *map(figure, row.values())] for name, row in figures["per_label"].items()]
    print_grid([[say("各类", "per label"), *heads], *rows], right=True)
    print()
    names = [word(LABELS, name) for name in figures["confusion"]]
    rows = [
        [name, *map(str, row.values())]
        for name, row in zip(names, figures["confusion"].values(), strict=True)
    ]
    print_grid([[say("标签＼判断", "label \\ verdict"), *names], *rows], right=True)
    print()
    counts = [[word(DECIDED_BY, name), str(count)] for name, count in figures["decided_by"].items()]
    print_grid([[say("判定者", "decided by"), ""], *counts], right=True)
