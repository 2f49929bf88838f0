"""--max-error and the labels that it is found with: options of `match FILE`, `link` and `dedupe`."""

from __future__ import annotations

import argparse
from importlib import resources
from typing import Any

from menpai.cli.arguments import positive_number
from menpai.cli.console import note
from menpai.cli.language import say
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.tables.calibrate import check_support, judge
from menpai.tables.grey import NEVER, GreyZone, Zone, find_grey_zone, pairs_needed
from menpai.tables.labelled import read_labelled

_LEAST, _OF_LABEL = 50, 10
BUILTIN = "labels/held_pairs.tsv"
"Pairs judged for this project on which the built-in pack was not trained."


def add_grey(parser: argparse.ArgumentParser) -> None:
    """--max-error, --calibration, --use-builtin-calibration."""
    group = parser.add_argument_group(say("交给人看的部分", "what people should look at"))
    group.add_argument("--max-error", type=positive_number, metavar="SHARE", help=say(
        "可接受的错误率，例如 0.01：拿不准的在 review 列里标出，其余判错的比例不超过它（95%% 置信）；需要 --calibration",
        "error that is accepted, such as 0.01: what is in doubt is marked in the column review, of the rest no larger share is "
        "wrong (with 95 %% confidence); needs --calibration",
    ))  # fmt: skip
    group.add_argument("--calibration", metavar="FILE", help=say(
        "自己的带标签地址对，错误率以它们为准", "labelled pairs of your own: the error is one on pairs like these",
    ))  # fmt: skip
    group.add_argument("--use-builtin-calibration", action="store_true", help=say(
        "没有自己的标签：用本项目标注的地址对", "no labels of your own: take the pairs judged for this project",
    ))  # fmt: skip


def grey_zone(args: argparse.Namespace, matcher: Matcher, accept: str = "exact") -> GreyZone | None:
    """The zone that was asked for, said on standard error with the labels it holds for; None without --max-error."""
    given = bool(args.calibration) + args.use_builtin_calibration
    if args.max_error is None:
        if given:
            raise UsageError("max_error_missing")
        return None
    if given != 1:
        raise UsageError("max_error_without_labels" if not given else "max_error_two_labels")
    labelled = read_labelled([labels_path(args)])
    check_support(labelled, _LEAST, _OF_LABEL)
    name = args.calibration or say("本项目标注的地址对", "the pairs judged for this project")
    zone = find_grey_zone(judge(labelled, matcher), args.max_error, accept, name, labelled.counts)
    note(told(zone, matcher.pack_id))
    return zone


def labels_path(args: argparse.Namespace) -> str:
    """The labelled pairs that were given; empty without any."""
    if args.use_builtin_calibration:
        return str(resources.files("menpai.data") / BUILTIN)
    return args.calibration or ""


def grey_facts(zone: GreyZone | None) -> dict[str, Any]:
    """What a person should know of it, beside the pack and its settings."""
    if zone is None:
        return {}
    sure = f"{zone.joined.threshold:.4f}, {zone.apart.threshold:.4f}"
    thresholds = say(f"连上、不连上的把握至少为 {sure}", f"sureness of joined and apart at least {sure}")
    return {"max_error": zone.max_error, "calibration": zone.labels, "thresholds": thresholds}


def told(zone: GreyZone, pack: str) -> str:
    """What the thresholds are and what they hold for."""
    counts = ", ".join(f"{name} {count}" for name, count in zone.counts.items())
    lines = [say(
        f"可接受的错误率 {zone.max_error:g}（95% 置信），{pack}；只对与 {zone.labels} 同样来源的地址对成立（{counts}）",
        f"accepted error {zone.max_error:g} (95 % confidence), {pack}; "
        f"holds for pairs drawn as those of {zone.labels} ({counts})",
    )]  # fmt: skip
    sides = ((zone.joined, say("同一处", "joined")), (zone.apart, say("不是同一处", "not joined")))
    return "\n".join([*lines, *(f"  {name}: {_side(side, zone.max_error)}" for side, name in sides)])


def _side(side: Zone, max_error: float) -> str:
    if side.threshold < NEVER:
        return say(
            f"概率 ≥ {side.threshold:.4f} 的成立（{side.pairs} 对标签中有 {side.sure} 对，其中错 {side.wrong} 对）",
            f"stands from probability {side.threshold:.4f} on "
            f"({side.sure} of {side.pairs} labelled pairs, {side.wrong} of them wrong)",
        )
    if side.supported <= max_error:
        return say(
            f"全部交给人看：这 {side.pairs} 对标签中最有把握的 {pairs_needed(max_error)} 对里，错的已超出 {max_error:g}",
            f"all are for review: of the surest {pairs_needed(max_error)} of these {side.pairs} labelled pairs "
            f"too many are wrong for {max_error:g}",
        )
    return say(
        f"全部交给人看：这 {side.pairs} 对标签最多支持 {side.supported:.3f}；"
        f"{max_error:g} 至少需要 {pairs_needed(max_error)} 对无错的",
        f"all are for review: these {side.pairs} labelled pairs support {side.supported:.3f} at best; "
        f"{max_error:g} takes {pairs_needed(max_error)} right ones or more",
    )
