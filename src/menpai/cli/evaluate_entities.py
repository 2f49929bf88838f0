"""`menpai evaluate --task entities`: linking measured against true pairs of ids."""

from __future__ import annotations

import argparse
from typing import Any

from menpai.cli.console import print_grid, print_json
from menpai.cli.convert import read_options
from menpai.cli.language import say
from menpai.cli.link import COLUMNS, add_columns
from menpai.cli.outputs import check_places
from menpai.cli.progress import shares
from menpai.cli.words import figure
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables.entities import Report, evaluate_entities
from menpai.tables.linkage import Plan
from menpai.tables.linkage.reading import Chosen
from menpai.tables.table import WriteOptions
from menpai.tables.writers import open_writer

_FIGURES = {
    "precision": ("精度", "precision"),
    "recall": ("召回", "recall"),
    "f1": ("F1", "F1"),
    "compared_recall": ("真对中比较过的", "true pairs that were compared"),
    "true_pairs": ("真对", "true pairs"),
    "found_pairs": ("连上的对", "pairs that were joined"),
    "right_pairs": ("连对的", "of them right"),
    "unknown_pairs": ("编号不在表里的真对", "true pairs whose ids no table has"),
    "seconds": ("秒", "seconds"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """The columns of tables, --accept and --assign: as of `menpai link`."""
    add_columns(parser)
    group = parser.add_argument_group(say("连接（--task entities）", "linking (--task entities)"))
    group.add_argument("--accept", choices=("exact", "partial"), default="exact", help=say(
        "到哪一级算连上", "the weakest label that joins two rows",
    ))  # fmt: skip
    group.add_argument("--assign", choices=("auto", "one", "many"), default="auto", help=say(
        "右表一行可给左表几行，同 menpai link", "how often a right row is given away, as in menpai link",
    ))  # fmt: skip


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Figures as a table or JSON; with --errors the pairs that were missed and those that are wrong."""
    check_places([args.errors], args.files)
    left = Chosen(**{role: getattr(args, role) for role in COLUMNS})
    right = Chosen(**{role: getattr(args, f"right_{role}") for role in COLUMNS}).over(left)
    with shares() as told:
        report = evaluate_entities(
            args.files,
            read_options(args),
            (left, right),
            lambda: Matcher.open(settings=settings),
            Plan(args.accept, args.assign),
            told,
        )
    if args.errors:
        _write_errors(args.errors, args.files[0], report, settings)
    if args.json:
        print_json(report.figures, indent=2)
    else:
        _show(report.figures)
    return 0


def _write_errors(path: str, source: str, report: Report, settings: Settings) -> None:
    columns = ("kind", "left_id", "right_id", "compared", "label", "similarity")
    with open_writer(path, columns, WriteOptions(language=settings.lang), source) as writer:
        for kind, pairs in (("missed", report.missed), ("wrong", report.wrong)):
            for (a, b), answer in pairs:
                says = (answer.label, answer.similarity) if answer else (None, None)
                writer.write((kind, a, b, answer is not None, *says))


def _show(figures: dict[str, Any]) -> None:
    rows = [[say(*names), figure(figures[key])] for key, names in _FIGURES.items() if key in figures]
    print_grid(rows, right=True)
