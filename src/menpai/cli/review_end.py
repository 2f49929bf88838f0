"""What a review says when it ends: how many answers, and what they mean for all pairs."""

from __future__ import annotations

from typing import Any

from menpai.cli.language import say
from menpai.cli.words import LABELS, word


def told_of(summary: dict[str, Any]) -> None:
    """Progress, answers, precision and recall with their intervals, and what to do with the labels."""
    answered, total, skipped = (summary[name] for name in ("answered", "total", "skipped"))
    later = say(f"，跳过 {skipped} 对", f", {skipped} skipped") if skipped else ""
    print(say(f"已回答 {answered} / {total} 对{later}", f"{answered} of {total} pairs answered{later}"))
    given = [f"{word(LABELS, label)} {count}" for label, count in summary["labels"].items()]
    print("  " + "  ".join(given))
    for name, zh, en in (("precision", "精度", "precision"), ("recall", "召回", "recall")):
        print(f"  {say(zh, en)}: {estimated(name, summary[name])}")
    if answered:
        path = summary["labels_file"]
        print(say(f"标签：{path}；可用于 menpai calibrate、train、evaluate",
                  f"labels: {path}, for menpai calibrate, train, evaluate"))  # fmt: skip


def estimated(name: str, estimate: dict[str, float | None] | None) -> str:
    """An estimate in words; why there is none."""
    if estimate is None and name == "recall":
        return say("估计不了：文件里每一对都已连上；link 和 dedupe 的 --pairs-out 也写出比较过而未连上的对",
                   "unknown: all pairs of the file were joined; --pairs-out of link and dedupe also writes those that "
                   "were compared and not joined")  # fmt: skip
    if estimate is None:
        return say("估计不了：文件里没有连上的对", "unknown: the file holds no joined pairs")
    low, high, value = estimate["low"], estimate["high"], estimate["value"]
    told = say("还要再答几对", "a few more answers are needed") if value is None else f"{value:.1%}"
    return say(
        f"{told}（95% 区间 {low:.1%} 至 {high:.1%}）", f"{told} (95 % interval {low:.1%} to {high:.1%})"
    )
