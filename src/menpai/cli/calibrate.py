"""`menpai calibrate`: a pack whose probabilities mean what they say on the user's own pairs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from menpai.cli.arguments import Commands, add_json, add_pack, add_reading
from menpai.cli.commands import summary_of
from menpai.cli.console import note, print_grid, print_json
from menpai.cli.convert import read_options
from menpai.cli.language import say
from menpai.cli.progress import shares
from menpai.cli.words import LABELS, figure, word
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.packs.write import check_output
from menpai.settings import Settings
from menpai.tables.calibrate import CONTRADICTIONS, LEAST, calibrate, check_support, judge, write_calibrated
from menpai.tables.labelled import LabelledPairs, read_labelled, shown

_FIGURES = {
    "ece": ("校准误差 ECE", "calibration error (ECE)"),
    "log_loss": ("对数损失", "log-loss"),
    "macro_f1": ("宏平均 F1", "macro F1"),
}


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("calibrate")
    parser = subparsers.add_parser("calibrate", help=summary, description=summary)
    parser.add_argument("files", nargs="+", metavar="FILE", help=say(
        f"带标签的表格，共 {LEAST} 对以上", f"labelled tables, {LEAST} pairs or more in all",
    ))  # fmt: skip
    add_new_pack(parser)
    add_labels(parser)
    add_json(parser)
    add_pack(parser)
    add_reading(parser)
    parser.set_defaults(run=run, parser=parser)


def add_new_pack(parser: argparse.ArgumentParser) -> None:
    """-o and --force."""
    parser.add_argument("-o", "--output", metavar="NEWPACK", required=True,
                        help=say("写出的模型包文件夹", "folder of the pack to write"))  # fmt: skip
    parser.add_argument("--force", action="store_true", help=say(
        "即使没有改进也写出；标签互相矛盾的对略去", "write it even if nothing is gained; leave contradicting pairs out",
    ))  # fmt: skip


def add_labels(parser: argparse.ArgumentParser) -> None:
    """--a, --b, --label, --group: the columns of labelled tables."""
    for name, zh, en in (
        ("a", "第一列地址", "first address column"),
        ("b", "第二列地址", "second address column"),
        ("label", "标签列；默认 label 或 same_building", "label column; label or same_building if not given"),
        ("group", "分组列：同组的对不会一半用来拟合、一半用来检验；默认 place、group、query",
         "column of groups, none of which is split between fitting and checking; place, group or query if not given"),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", metavar="COLUMN", help=say(zh, en))


def read(args: argparse.Namespace) -> LabelledPairs:
    """The pairs of all files; a few that contradict are left out (with --force all of them), and that is told."""
    given = {name: getattr(args, name) for name in ("a", "b", "label", "group")}
    labelled = read_labelled(args.files, read_options(args), given)
    few = len(labelled.contradictions) <= CONTRADICTIONS * len(labelled.pairs)
    if labelled.contradictions and (few or args.force):
        count, where = len(labelled.contradictions), shown(labelled.contradictions)
        note(say(
            f"略去 {count} 对：标了两次而标签不同（{where}）",
            f"{count} pairs were left out, labelled twice and otherwise: {where}",
        ))  # fmt: skip
        labelled.left_out, labelled.contradictions = count, []
    return labelled


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Figures before and after, and the new pack; exit code 1 if rows could not be judged."""
    labelled = read(args)
    check_support(labelled)
    matcher = Matcher.open(settings=settings.replace(mode="default"))
    check_output(Path(args.output), matcher.pack.path)
    judged = judge(labelled, matcher)
    with shares() as told:
        found = calibrate(judged, matcher, lambda share: told(say("校准", "calibrating"), share))
    figures = {"pack": matcher.pack_id, **_counted(labelled), **found.figures, "written": None}
    if not found.refused or args.force:
        figures["written"] = write_calibrated(matcher.pack, Path(args.output), found).id
    if args.json:
        print_json(figures, indent=2)
    else:
        _show(figures)
    if figures["written"] is None:
        gain = found.figures["log_loss_gain"]
        low, high = gain["interval"]
        raise UsageError("nothing_gained", gain=gain["value"], low=low, high=high, pack=matcher.pack.name)
    return 1 if judged.problems else 0


def _counted(labelled: LabelledPairs) -> dict[str, Any]:
    return {
        "counts": labelled.counts, "repeated": labelled.repeated, "unlabelled": len(labelled.unlabelled),
        "contradictions": labelled.left_out,
    }  # fmt: skip


def with_interval(found: dict[str, Any]) -> str:
    """A figure for people: value and interval."""
    low, high = found["interval"]
    return f"{found['value']:.4f} ({low:.4f}–{high:.4f})"


def _show(figures: dict[str, Any]) -> None:
    counted = say("、", ", ").join(f"{word(LABELS, name)} {n}" for name, n in figures["counts"].items())
    print(f"{figures['pack']}  {figures['pairs']} {say('对', 'pairs')}: {counted}")
    print()
    heads = [say("校准前", "before"), say("校准后（交叉验证）", "after (cross-validated)")]
    rows = [
        [say(*names), *(with_interval(figures[when][key]) for when in ("before", "after"))]
        for key, names in _FIGURES.items()
    ]
    print_grid([[say("95% 区间", "95 % interval"), *heads], *rows], right=True)
    print()
    per_label = figures["after"]["per_label"]
    rows = [
        [word(LABELS, name), *map(figure, figures["before"]["per_label"][name].values()), figure(row["f1"])]
        for name, row in per_label.items()
    ]
    heads = [
        say("精度", "precision"),
        say("召回", "recall"),
        "F1",
        say("数量", "count"),
        say("校准后 F1", "F1 after"),
    ]
    print_grid([[say("各类", "per label"), *heads], *rows], right=True)
    if figures["after"]["macro_f1"]["value"] < figures["before"]["macro_f1"]["interval"][0]:
        print()
        print(say(
            "宏平均 F1 下降：校准后的概率说，某类标签常常判错，所以判得更少",
            "macro F1 falls: a label that was mostly wrong is given less often now that its probability says so",
        ))  # fmt: skip
    if figures["written"]:
        print()
        print(say(f"已写出 {figures['written']}", f"written: {figures['written']}"))
