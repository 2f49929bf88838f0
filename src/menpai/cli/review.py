"""`menpai review`: people decide the pairs in doubt of what `match`, `link` or `dedupe` wrote."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import nullcontext, redirect_stdout
from typing import Any

from menpai.cli.arguments import Commands, add_json, add_pack, add_reading, positive_count
from menpai.cli.commands import summary_of as about
from menpai.cli.console import note, print_json
from menpai.cli.convert import read_options
from menpai.cli.language import say
from menpai.cli.outputs import check_places
from menpai.cli.review_end import told_of
from menpai.cli.review_terminal import ask
from menpai.cli.serve import import_extra
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables.linkage.reading import Chosen
from menpai.tables.output import STDOUT
from menpai.tables.review import (
    Asked,
    Session,
    draw,
    fingerprint_of,
    make_plan,
    open_labels,
    path_of,
    read_labels,
    read_output,
)
from menpai.tables.review.clusters import UNJUDGED, judge
from menpai.tables.review.exports import COLUMNS, rows_of
from menpai.tables.review.labels import Labels
from menpai.tables.review.sample import Sample
from menpai.tables.table import WriteOptions
from menpai.tables.writers import open_writer

MOST = 200
KEPT = 1000
"Pairs of each kind that are kept to choose from, if no more are to be asked."


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = about("review")
    parser = subparsers.add_parser("review", help=summary, description=summary)
    parser.add_argument("out", metavar="OUT", help=say(
        "match、link、dedupe 的输出，或 link 的 --pairs-out", "an output of match, link or dedupe, or the --pairs-out of link",
    ))  # fmt: skip
    _add_asking(parser)
    _add_columns(parser)
    group = parser.add_argument_group(say("标签", "labels"))
    group.add_argument("--labels", metavar="FILE", help=say(
        "标签文件；默认在 OUT 旁边，名为 OUT.labels.jsonl", "file of labels; OUT.labels.jsonl beside OUT if not given",
    ))  # fmt: skip
    group.add_argument("--export", choices=tuple(COLUMNS), help=say(
        "导出已有标签：pairs 地址对，mgeo 供 MGeo 微调，decisions 供 dedupe、link 的 --decisions",
        "write the labels given so far: pairs, mgeo for MGeo's fine-tuning, decisions for --decisions of dedupe and link",
    ))  # fmt: skip
    group.add_argument("-o", "--output", metavar="FILE", default=STDOUT, help=say(
        "与 --export 一起：写到哪个文件；- 为标准输出", "with --export: the file to write; - is standard output",
    ))  # fmt: skip
    add_json(parser)
    add_pack(parser)
    add_reading(parser)
    parser.set_defaults(run=run, parser=parser)


def _add_asking(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(say("复核", "asking"))
    group.add_argument("--terminal", action="store_true", help=say(
        "在终端里问，不打开网页", "ask in the terminal, without a page",
    ))  # fmt: skip
    group.add_argument("--summary", action="store_true", help=say(
        "不提问，只说到目前为止的进度和估计", "ask nothing, tell progress and estimates so far",
    ))  # fmt: skip
    group.add_argument("--most", type=positive_count, default=MOST, metavar="N", help=say(
        "最多问几对；约一半存疑，一半随机", "pairs to be asked at most, about half of them in doubt and half at random",
    ))  # fmt: skip
    group.add_argument("--accept", choices=("exact", "partial"), help=say(
        "到哪一级算同一处；默认与输出一致", "the weakest label that counts as the same place; that of the output if not given",
    ))  # fmt: skip
    group.add_argument("--no-browser", dest="browser", action="store_false", help=say(
        "只显示网址，不打开浏览器", "only print the address of the page, open no browser",
    ))  # fmt: skip
    group.add_argument("--port", dest="page_port", type=int, default=0, metavar="PORT", help=say(
        "网页的端口；默认取一个空闲的", "port of the page; a free one if not given",
    ))  # fmt: skip


def _add_columns(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(say("列", "columns"))
    for name, zh, en in (
        ("a", "match 输出的第一列地址", "first address column of an output of match"),
        ("b", "match 输出的第二列地址", "second address column of an output of match"),
        ("address", "link、dedupe 输出的地址列；几列用逗号隔开",
         "address column of an output of link or dedupe; several with commas between"),
        ("name", "其名称列", "column of names there"),
        ("id", "其编号列", "column of ids there"),
    ):  # fmt: skip
        group.add_argument(f"--{name}", metavar="COLUMN", help=say(zh, en))


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Ask, tell or export."""
    if not args.export and args.output != STDOUT:
        raise UsageError("option_unused", name="output", needs="--export")
    path = args.labels or path_of(args.out)
    check_places([path], [args.out])
    if args.export:
        check_places([args.output], [args.out, path])
        return _export(args, settings, path)
    matcher = Matcher.open(settings=settings)
    sample = _sample(args, matcher)
    with open_labels(path) as labels:
        session = _session(args, sample, labels)
        if args.terminal and not args.summary:
            with redirect_stdout(sys.stderr) if args.json else nullcontext():
                ask(session, matcher)
        elif not args.summary:
            _open_page(args, settings, session, matcher)
        summary = {"file": args.out, "labels_file": path, **session.to_dict()}
    print_json(summary, indent=2) if args.json else told_of(summary)
    return 0


def _sample(args: argparse.Namespace, matcher: Matcher) -> Sample:
    """The pairs of the output, which is read once."""
    asked = Asked(
        read_options(args),
        args.a,
        args.b,
        Chosen(address=args.address, name=args.name, id=args.id),
        args.accept or "exact",
    )
    sample = draw(read_output(args.out, asked), max(args.most, KEPT))
    if not sample.strata:
        raise UsageError("review_nothing", path=args.out)
    return judge(sample, matcher) if UNJUDGED in sample.strata else sample


def _session(args: argparse.Namespace, sample: Sample, labels: Labels) -> Session:
    """Choose the pairs, and find the answers of before."""
    source = fingerprint_of(args.out) if os.path.isfile(args.out) else ""
    session = Session(
        make_plan(sample, args.most),
        labels,
        args.accept or ("partial" if sample.partial else "exact"),
        source,
    )
    _tell_of_start(session, len(sample.doubtful))
    return session


def _tell_of_start(session: Session, doubtful: int) -> None:
    if not doubtful:
        note(say(
            "没有存疑的对；只问随机抽取的，用来估计精度", "no pair is in doubt; random ones are asked, for the estimates",
        ))  # fmt: skip
    if changed := session.changed:
        found = session.progress().answered
        note(say(
            f"文件在 {changed} 个答案之后变过；{found} 个答案属于现在要问的对，其余的留着不计",
            f"the file has changed since {changed} of the answers; {found} are about pairs asked now, the others do not count",
        ))  # fmt: skip


def _open_page(args: argparse.Namespace, settings: Settings, session: Session, matcher: Matcher) -> None:
    """Serve the page until it is finished or Ctrl-C."""
    page: Any = import_extra("menpai.serving.review")
    page.serve(
        session,
        matcher,
        settings.lang,
        os.path.basename(args.out),
        port=args.page_port,
        heard=_told(args.browser),
    )


def _told(browser: bool) -> Any:
    def told(url: str) -> None:
        note(
            say(f"请在浏览器里打开（只能打开一次）：{url}", f"open this in a browser (it opens once): {url}")
        )
        note(say("按 Ctrl-C 结束；每个答案都已存盘", "Ctrl-C ends; every answer is saved at once"))
        if browser:
            import webbrowser  # noqa: PLC0415  (looks for browsers when imported)

            webbrowser.open(url)

    return told


def _export(args: argparse.Namespace, settings: Settings, path: str) -> int:
    """The labels so far in another shape; MGeo's as JSON Lines unless the file's ending says otherwise."""
    rows = list(rows_of(args.export, read_labels(path), args.accept or "exact"))
    format_ = ".jsonl" if args.json or args.export == "mgeo" else ".csv"
    with open_writer(
        args.output, COLUMNS[args.export], WriteOptions(format_, language=settings.lang), path
    ) as writer:
        for row in rows:
            writer.write(row)
    note(say(f"已写出 {len(rows)} 行：{args.output}", f"{len(rows)} rows written: {args.output}"))
    return 0
