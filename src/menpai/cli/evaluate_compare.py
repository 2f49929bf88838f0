"""`menpai evaluate --compare P2`: which verdicts move between two packs, and who is right."""

from __future__ import annotations

import argparse
from typing import Any

from menpai.cli.arguments import positive_count
from menpai.cli.console import note, print_grid, print_json
from menpai.cli.convert import read_options
from menpai.cli.language import say
from menpai.cli.words import DECIDED_BY, KINDS, LABELS, figure, word
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables.columns import added_names
from menpai.tables.compare import Comparison, compare, examples_of
from menpai.tables.labels import read_positive
from menpai.tables.readers import open_table
from menpai.tables.table import Table, WriteOptions
from menpai.tables.writers import open_writer

_GROUPS = {
    "moves": ("改判", "moves", LABELS),
    "by_stage": ("判定者", "decided by", DECIDED_BY),
    "by_conflict": ("冲突", "conflict", KINDS),
    "by_level": ("级别", "level", KINDS),
    "by_kind": ("类型", "kind", KINDS),
}
_ADDED = ("first_label", "second_label", "first_similarity", "second_similarity")


def add_options(parser: argparse.ArgumentParser) -> None:
    """--compare, --moved, --examples."""
    group = parser.add_argument_group(say("比较两个模型包", "comparing two packs"))
    group.add_argument("--compare", metavar="P2", help=say(
        "另一个模型包：哪些判断变了，谁对；标签可有可无",
        "another pack: which verdicts move, and who is right; labels are not needed",
    ))  # fmt: skip
    group.add_argument("--moved", metavar="OUT", help=say(
        "把判断变了的行写到这个文件", "write the rows whose verdict moves to this file",
    ))  # fmt: skip
    group.add_argument("--examples", type=positive_count, default=10, metavar="N",
                       help=say("显示几个例子", "examples to show"))  # fmt: skip


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Figures as tables or JSON; exit code 1 if rows could not be judged."""
    given = {"a": args.a, "b": args.b, "label": args.label}
    matchers = Matcher.open(settings=settings), Matcher.open(pack=args.compare, settings=settings)
    with open_table(args.file, read_options(args)) as table:
        found = compare(table, matchers, given, read_positive(args.positive))
    packs = [matcher.pack_id for matcher in matchers]
    if matchers[0].behaviour == matchers[1].behaviour:
        note(
            say(
                "两者是同一个模型包、同样的设置：不会有改判",
                "both are one pack with the same settings: nothing can move",
            )
        )
    usual = found.figures["labels"]["first"] if "labels" in found.figures else {}
    figures = {"packs": packs, **usual, **found.figures, "examples": examples_of(found, args.examples)}
    if args.moved:
        _write_moved(args.moved, args.file, table, found, settings)
    if args.json:
        print_json(figures, indent=2)
    else:
        _show(figures)
    return 1 if figures["problems"] else 0


def _write_moved(path: str, source: str, table: Table, found: Comparison, settings: Settings) -> None:
    columns = [*table.columns, *added_names(table.columns, _ADDED)]
    with open_writer(path, columns, WriteOptions(table.format, language=settings.lang), source) as writer:
        for each in found.moved:
            writer.write((*each.row.cells, *each.says, each.first.similarity, each.second.similarity))


def _show(figures: dict[str, Any]) -> None:
    first, second = figures["packs"]
    moved, pairs = figures["moved"], figures["pairs"]
    print(say(
        f"{first} → {second}：{pairs:,} 对中有 {moved:,} 对的判断变了（{moved / pairs:.1%}）",
        f"{first} → {second}: {moved:,} of {pairs:,} verdicts move ({moved / pairs:.1%})",
    ))  # fmt: skip
    for name, (zh, en, words) in _GROUPS.items():
        if figures.get(name) and moved:
            print()
            _show_group(say(zh, en), figures[name], words, "labels" in figures)
    if labels := figures.get("labels"):
        print()
        _show_labels(labels)
    for example in figures["examples"]:
        print()
        says = [
            f"{word(LABELS, example[side]['label'])} {example[side]['similarity']:.3f}"
            for side in ("first", "second")
        ]
        gold = f"  ({say('标签', 'label')}: {word(LABELS, example['label'])})" if example["label"] else ""
        print(f"{example['line']}: {' → '.join(says)}{gold}\n  {example['a']}\n  {example['b']}")


def _show_group(
    title: str, group: dict[str, dict[str, int]], words: dict[str, tuple[str, str]], labelled: bool
) -> None:
    heads = [say("对", "pairs"), say("变了", "moved")]
    keys = ["pairs", "moved"]
    if labelled:
        heads += [say("其中前者对", "first right"), say("后者对", "second right")]
        keys += ["first_right", "second_right"]
    rows = [
        [" → ".join(word(words, part) for part in name.split(" → ")), *(f"{counts[key]:,}" for key in keys)]
        for name, counts in group.items()
        if counts["moved"]
    ]
    print_grid([[title, *heads], *rows], right=True)


def _show_labels(labels: dict[str, Any]) -> None:
    rows = [["", say("前者", "first"), say("后者", "second")]]
    for key, zh, en in (("accuracy", "准确率", "accuracy"), ("macro_f1", "宏平均 F1", "macro F1")):
        rows.append([say(zh, en), *(figure(labels[side][key]) for side in ("first", "second"))])
    rows.append(
        [say("只有它对", "alone right"), str(labels["only_first_right"]), str(labels["only_second_right"])]
    )
    print_grid(rows, right=True)
    low, high = labels["interval"]
    chance = f"McNemar p = {labels['p_value']:.3g}"
    print(say(
        f"准确率变化 {labels['accuracy_gain']:+.4f}，95% 区间 {low:+.4f} 到 {high:+.4f}；{chance}",
        f"accuracy {labels['accuracy_gain']:+.4f}, 95 % interval {low:+.4f} to {high:+.4f}; {chance}",
    ))  # fmt: skip
