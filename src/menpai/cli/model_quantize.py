"""`menpai model quantize`: a pack in fewer bits, with its accuracy guarded."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from menpai.cli.arguments import Commands, add_json
from menpai.cli.console import note, print_grid, print_json
from menpai.cli.language import say
from menpai.cli.model_pairs import read_pairs
from menpai.packs import open_pack
from menpai.settings import Settings

CALIBRATE, HELD = 256, 1000
_SHORT = ("fp32", "fp16", "bf16", "int8", "dynamic")


def add(actions: Commands) -> None:
    """Register the verb, under both spellings."""
    text = say(
        "把 float32 模型包转成 FP16、BF16 或 INT8，并检查准确率",
        "a pack in FP16, BF16 or INT8, its accuracy checked",
    )
    parser = actions.add_parser("quantize", aliases=["quantise"], help=text, description=text)
    parser.add_argument(
        "pack", metavar="PACK", help=say("float32 模型包的文件夹", "folder of a float32 pack")
    )
    parser.add_argument("-o", "--output", metavar="OUT", required=True,
                        help=say("写出的模型包文件夹", "folder of the pack to write"))  # fmt: skip
    parser.add_argument("--precision", default="int8", metavar="|".join(_SHORT), help=say(
        "精度；int8 的比例固定，结果不受同批地址影响；fp32 只做算子融合",
        "int8 has fixed scales, so that results do not depend on the batch; fp32 fuses operators only",
    ))  # fmt: skip
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--static",
        action="store_true",
        help=say("INT8 用固定比例（默认）", "INT8 with fixed scales (default)"),
    )
    kind.add_argument("--dynamic", action="store_true", help=say(
        "INT8 按批取比例：不需校准，但结果受同批地址影响",
        "INT8 with scales of each batch: no calibration, but results depend on the batch",
    ))  # fmt: skip
    parser.add_argument("--pairs", metavar="FILE", help=say(
        "校准和检查用的地址对；有标签时也检查宏平均 F1；默认用内置的虚构地址",
        "pairs to calibrate and check with, macro-F1 too if they are labelled; written addresses if not given",
    ))  # fmt: skip
    parser.add_argument("--budget-labels", type=float, default=0.005, metavar="SHARE",
                        help=say("允许改变的标签比例", "share of labels that may change"))  # fmt: skip
    parser.add_argument("--budget-f1", type=float, default=0.2, metavar="POINTS",
                        help=say("允许损失的宏平均 F1（百分点）", "points of macro-F1 that may be lost"))  # fmt: skip
    parser.add_argument(
        "--force", action="store_true", help=say("超出预算也写出", "write the pack even over budget")
    )
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Write the pack, show what changed."""
    from menpai.packs.batches import batches_of  # noqa: PLC0415 (a verb loads its work when it runs)
    from menpai.packs.quantize import Budget, known_precision, quantize, read_float_pack  # noqa: PLC0415

    pack = open_pack(args.pack)
    precision = known_precision("dynamic" if args.dynamic else args.precision)
    read_float_pack(pack)
    pairs, labels = read_pairs(args.pairs, CALIBRATE + HELD, pack)
    cut = min(CALIBRATE, len(pairs) // 2) or len(pairs)
    calibration = [batch for _, batch in batches_of(pack, pairs[:cut])]
    held = list(batches_of(pack, pairs[cut:] or pairs))
    order = [int(at) + (cut if cut < len(pairs) else 0) for where, _ in held for at in where]
    done = quantize(
        pack, Path(args.output), precision, calibration, [batch for _, batch in held],
        labels=[labels[at] for at in order] if labels else (),
        budget=Budget(args.budget_labels, args.budget_f1), force=args.force, told=_tell,
    )  # fmt: skip
    if few := _few(done.difference.rows, args.budget_labels):
        note(few)
    if args.json:
        print_json(done.to_dict(), indent=2)
    else:
        _show(done.to_dict(), args.output)
    return 0


_STEPS = {
    "reference": ("float32 的结果（{rows} 行）", "answers in float32 ({rows} rows)"),
    "calibrate": ("校准（{rows} 行）", "calibrating ({rows} rows)"),
    "measured": ("保留 {kept} 个输入为 float32：{changed:.2%} 的标签改变",
                 "{kept} inputs left in float32: {changed:.2%} of the labels changed"),
    "rank": ("超出预算，为 {inputs} 个输入排序", "over budget: ranking {inputs} inputs by damage"),
    "independent": ("检查同批影响", "checking whether rows depend on their batch"),
    "write": ("写出 {path}", "writing {path}"),
}  # fmt: skip


def _tell(step: str, details: Mapping[str, Any]) -> None:
    note(say(*_STEPS[step]).format(**details))


def _few(rows: int, budget: float) -> str:
    """A warning where so few rows were checked that the budget could be exceeded though none changed (at 95 %)."""
    possible = 1 - 0.05 ** (1 / rows)
    if possible <= budget:
        return ""
    return say(
        f"只检查了 {rows} 行：即使没有一行改变，真实比例仍可能高达 {possible:.1%}（预算 {budget:.2%}）；请给出更多的地址对",
        f"only {rows} rows were checked: even if none changed, the true share may be up to {possible:.1%} "
        f"(budget {budget:.2%}); give more pairs",
    )


def _show(found: dict[str, Any], out: str) -> None:
    difference = found["difference"]
    alone = say("是，逐位相同", "yes, to the bit") if found["batch_independent"] else say("否", "no")
    rows = [
        [say("精度", "precision"), found["precision"]],
        [say("计算图", "graph"), f"{found['megabytes']:.1f} MiB"],
        [say("改变的标签", "labels changed"), f"{difference['labels_changed']:.2%} ({difference['rows']})"],
        [say("logit 最大差", "largest difference of a logit"), f"{difference['largest']:.4f}"],
    ]
    if difference["f1_before"] is not None:
        rows.append(
            [say("宏平均 F1", "macro F1"), f"{difference['f1_before']:.2f} → {difference['f1_after']:.2f}"]
        )
    rows += [
        [say("保留 float32", "left in float32"), ", ".join(found["kept"]) or "–"],
        [say("与同批无关", "batch-independent"), alone],
        [say("写出", "wrote"), out],
    ]  # fmt: skip
    if not found["within_budget"]:
        rows.append([say("注意", "mind"), say("超出预算（--force）", "over budget (--force)")])
    print_grid(rows)
