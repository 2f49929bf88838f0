"""`menpai model verify`: is an imported pack the model that it was made from?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from menpai.cli.arguments import Commands, add_json, positive_count
from menpai.cli.console import note, paint, print_json
from menpai.cli.language import say
from menpai.settings import Settings

_FAILED = 3
# check: what it asks (zh, en)
CHECKS = {
    "finite": ("输出都是有限数，概率之和为 1", "all outputs are numbers, probabilities sum to 1"),
    "identical": ("地址与它自己应是完全匹配", "an address and itself are an exact match"),
    "official": ("与官方模型卡上的输出相符", "the outputs on the official model card"),
    "reference": ("与 PyTorch 在原文件夹上的结果相符", "the same as PyTorch on the folder itself"),
}


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "核对导入的模型包与原模型是否一致", "check that an imported pack is the model it was made from"
    )
    parser = actions.add_parser("verify", help=text, description=text)
    parser.add_argument("name", metavar="PACK", help=say("模型包文件夹", "folder of the pack"))
    parser.add_argument(
        "--folder",
        metavar="FOLDER",
        help=say(
            "导入时的模型文件夹；给出则用 PyTorch 逐对比较",
            "the folder it was imported from; if given, it is compared with PyTorch pair by pair",
        ),
    )
    parser.add_argument(
        "--pairs",
        metavar="FILE",
        help=say("用哪些地址对；默认用内置的例句", "pairs to ask; written examples if not given"),
    )
    parser.add_argument(
        "--count",
        type=positive_count,
        default=1000,
        metavar="N",
        help=say("最多多少对", "at most so many pairs"),
    )
    parser.add_argument(
        "--official",
        action="store_true",
        help=say("按官方模型核对四个已知输出", "hold it to the four outputs that the official model gives"),
    )
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """One line a check; exit 3 if one fails."""
    # Engines, tables and numpy, which the other verbs do without.
    from menpai.cli.model_pairs import read_pairs  # noqa: PLC0415
    from menpai.packs import open_pack  # noqa: PLC0415
    from menpai.scoring.verify import verify  # noqa: PLC0415

    pack = open_pack(args.name)
    pairs, _ = read_pairs(args.pairs, args.count, pack)
    folder = Path(args.folder) if args.folder else None
    checks = verify(pack, pairs, folder, args.official, settings.engine, told=_tell)
    if args.json:
        print_json(
            {
                "id": pack.id,
                "passed": all(check.passed for check in checks),
                "checks": [check._asdict() for check in checks],
            },
            indent=2,
        )
    else:
        for check in checks:
            mark = paint("✓", "green") if check.passed else paint("✗", "red")
            print(f"{mark} {say(*CHECKS[check.name])}{say('：', ': ')}{_figures(check.figures)}")
    return 0 if all(check.passed for check in checks) else _FAILED


def _tell(check: str) -> None:
    if sys.stderr.isatty():
        note(f"… {say(*CHECKS[check])}")


def _figures(figures: dict[str, object]) -> str:
    return ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in figures.items()
    )
