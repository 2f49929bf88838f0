"""--report: what a run came to, as one HTML file that opens offline, or as JSON. Shared by match, link and dedupe."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from menpai.cli.grey import labels_path
from menpai.cli.language import say, spoken
from menpai.cli.words import KINDS, LABELS
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.tables.calibrate import judge
from menpai.tables.labelled import read_labelled
from menpai.tables.output import STDOUT, open_output
from menpai.tables.report import Facts, Names, page
from menpai.tables.report.reliability import from_labelled, from_review
from menpai.tables.sql import is_url

ENDINGS = (".html", ".htm", ".json")


def add_report(parser: argparse.ArgumentParser) -> None:
    """--report, which may be repeated."""
    parser.add_argument("--report", metavar="FILE", action="append", default=[], help=say(
        "写一份报告：.html 给人看，可离线打开；.json 给程序；可重复",
        "write a report: .html for people, opens offline; .json for programs; may be repeated",
    ))  # fmt: skip


def check_reports(args: argparse.Namespace) -> None:
    """Refuse, before any work, what cannot become a report."""
    for path in args.report:
        if not path.lower().endswith(ENDINGS):
            raise UsageError("report_ending", path=path, known=" ".join(ENDINGS))
        if not Path(path).resolve().parent.is_dir():
            raise UsageError("output_folder_missing", folder=str(Path(path).parent))


def write_reports(
    args: argparse.Namespace,
    command: str,
    about: Mapping[str, Any],
    matcher: Matcher,
    see: Callable[[Facts], None],
) -> None:
    """Make the facts once, if a report is wanted, and write them to each path, whole or not at all."""
    if not args.report:
        return
    facts = Facts(command, dict(about), card=matcher.pack.card)
    see(facts)
    facts.counts |= {"review": sum(facts.doubted)} if facts.labels else {}
    _calibrate(facts, args, matcher)
    names = Names(spoken(), LABELS, KINDS)
    for path in args.report:
        html = not path.lower().endswith(".json")
        text = (
            page(facts, matcher, names) if html else json.dumps(facts.to_dict(), ensure_ascii=False, indent=1)
        )
        with open_output(path) as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))


def _calibrate(facts: Facts, args: argparse.Namespace, matcher: Matcher) -> None:
    """By the labels of --calibration, else by a review beside the output; else the pack's card has to do."""
    accept = getattr(args, "accept", "exact")
    if labels := labels_path(args):
        name = args.calibration or say("本项目标注的地址对", "the pairs judged for this project")
        facts.reliability = from_labelled(judge(read_labelled([labels]), matcher), accept, name)
    elif args.output != STDOUT and not is_url(args.output):
        facts.reliability = from_review(args.output, accept)
