"""`menpai train`: the built-in encoder fitted to thousands of the user's own pairs."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from menpai.cli.arguments import Commands, add_engine, add_json, add_reading, positive_count
from menpai.cli.calibrate import add_labels, add_new_pack, read, with_interval
from menpai.cli.commands import summary_of
from menpai.cli.console import note, print_grid, print_json
from menpai.cli.language import say
from menpai.cli.progress import shares
from menpai.cli.words import LABELS, figure, word
from menpai.errors import NotReadyError, UsageError
from menpai.matcher import Matcher
from menpai.packs.write import check_output
from menpai.settings import Settings

_FIGURES = {
    "macro_f1": ("宏平均 F1", "macro F1"),
    "log_loss": ("对数损失", "log-loss"),
    "ece": ("校准误差 ECE", "calibration error (ECE)"),
}


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("train")
    parser = subparsers.add_parser("train", help=summary, description=summary)
    parser.add_argument("files", nargs="+", metavar="FILE", help=say(
        "带标签的表格；没有标签的行只对 --teacher 有用",
        "labelled tables; rows without labels are of use to --teacher only",
    ))  # fmt: skip
    add_new_pack(parser)
    parser.add_argument("--from", dest="pack", metavar="PACK", help=say(
        "从哪个模型包开始；默认 menpai-mini", "the pack to start from; menpai-mini if not given",
    ))  # fmt: skip
    parser.add_argument("--teacher", metavar="PACK", help=say(
        "导入的 MGeo 模型包：没有标签的地址对按它的判断学",
        "an imported MGeo pack: pairs without labels are learned from its answers",
    ))  # fmt: skip
    parser.add_argument("--passes", type=positive_count, default=8, metavar="N", help=say(
        "最多几遍；检验损失不再下降就提前停", "passes at most; it stops once the check loss no longer falls",
    ))  # fmt: skip
    add_labels(parser)
    add_json(parser)
    add_engine(parser)
    add_reading(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Train, show the figures of held-out pairs, write the pack; exit code 1 if rows could not be read."""
    module = _training()
    labelled = read(args)
    plain = settings.replace(mode="default")
    matcher = Matcher.open(settings=plain)
    check_output(Path(args.output), matcher.pack.path)
    teacher = Matcher.open(pack=args.teacher, settings=plain) if args.teacher else None
    wish = module.Wish(module.Recipe(passes=args.passes), force=args.force)
    with shares() as progress:
        figures = module.train(labelled, matcher, Path(args.output), teacher, wish, _Teller(progress))
    if args.json:
        print_json(figures, indent=2)
    else:
        _show(figures)
    if figures["written"] is None:
        before, after = (figures[when]["macro_f1"]["value"] for when in ("before", "after"))
        raise UsageError("train_worse", held=figures["held"], before=before, after=after)
    return 1 if figures["problems"] else 0


def _training() -> Any:
    """The module that needs torch and onnx, or the error that names the extra."""
    try:
        return import_module("menpai.training.train")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("torch", "onnx"):
            raise
        raise NotReadyError("extra_missing", package=error.name, extra="train") from error


class _Teller:
    """Says each step on standard error, with the time that is left at most."""

    def __init__(self, progress: Callable[[str, float], None]) -> None:
        self.progress = progress
        self.started = time.monotonic()
        self.done = 0

    def __call__(self, step: str, facts: dict[str, Any]) -> None:
        """A line for a step, or how far a pass is."""
        if step == "at":
            self.progress(say("训练", "training"), facts["share"])
        elif step == "read":
            _note(say(
                "读入：{seen} 对用来训练，{check} 对决定何时停，{held} 对留作检验",
                "read: {seen} pairs to train on, {check} that say when to stop, {held} held out",
            ).format(**facts))  # fmt: skip
            self.started = time.monotonic()
        elif step == "weigh":
            _note(
                say("拟合证据权重，写出计算图，检验", "fitting evidence weights, writing the graph, judging")
            )
        else:
            self.done += 1
            rest = facts["passes"] * (facts["models"] - facts["model"] + 1) - facts["done"]
            left = (time.monotonic() - self.started) / self.done * rest / 60
            _note(say(
                f"第 {facts['done']}/{facts['passes']} 遍：检验损失 {facts['loss']:.4f}，至多还要 {left:.1f} 分钟",
                f"pass {facts['done']}/{facts['passes']}: check loss {facts['loss']:.4f}, {left:.1f} min left at most",
            ))  # fmt: skip


def _note(text: str) -> None:
    """A line, over the one of the progress."""
    note(f"\r\x1b[K{text}" if sys.stderr.isatty() else text)


def _show(figures: dict[str, Any]) -> None:
    counted = say("、", ", ").join(f"{word(LABELS, name)} {n}" for name, n in figures["counts"].items())
    print(f"{figures['pack']}  {figures['pairs']} {say('对', 'pairs')}: {counted}")
    if figures["teacher"]:
        print(say(
            f"另有 {figures['unlabelled']} 对由 {figures['teacher']} 教",
            f"{figures['unlabelled']} more taught by {figures['teacher']}",
        ))  # fmt: skip
    print()
    heads = [say("训练前", "before"), say("训练后", "after")]
    rows = [
        [say(*names), *(with_interval(figures[when][key]) for when in ("before", "after"))]
        for key, names in _FIGURES.items()
    ]
    held = say(f"留出的 {figures['held']} 对", f"{figures['held']} held-out pairs")
    print_grid([[held, *heads], *rows], right=True)
    gain = figures["macro_f1_gain"]
    low, high = gain["interval"]
    print(say(
        f"宏平均 F1 变化 {gain['value']:+.4f}，95% 区间 {low:+.4f} 到 {high:+.4f}",
        f"macro F1 {gain['value']:+.4f}, 95 % interval {low:+.4f} to {high:+.4f}",
    ))  # fmt: skip
    print()
    rows = [
        [
            word(LABELS, name),
            figure(figures["before"]["per_label"][name]["f1"]),
            figure(row["f1"]),
            figure(row["count"]),
        ]
        for name, row in figures["after"]["per_label"].items()
    ]
    print_grid([["F1", *heads, say("数量", "count")], *rows], right=True)
    if figures["written"]:
        print()
        print(say(f"已写出 {figures['written']}", f"written: {figures['written']}"))
