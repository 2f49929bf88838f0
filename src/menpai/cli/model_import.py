"""`menpai model import`: a model folder as downloaded becomes a pack."""

from __future__ import annotations

import argparse
from pathlib import Path

from menpai.cli.arguments import Commands, add_json
from menpai.cli.console import note, print_json
from menpai.cli.language import say
from menpai.cli.model_list import facts
from menpai.packs.bert import ORDERS
from menpai.packs.folder_labels import split_labels
from menpai.packs.importing import import_folder
from menpai.packs.pack import TASKS
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say(
        "把下载的 MGeo（或 BERT 分类）模型文件夹转成模型包",
        "make a pack of a downloaded folder of MGeo, or of a BERT classifier",
    )
    parser = actions.add_parser("import", help=text, description=text)
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        help=say(
            "含 config.json、vocab.txt 和权重的文件夹", "folder with config.json, vocab.txt and the weights"
        ),
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PACK",
        required=True,
        help=say("写出的模型包文件夹", "folder of the pack to write"),
    )
    parser.add_argument(
        "--task",
        choices=TASKS,
        help=say("模型的任务；默认按文件夹所写", "what the model is for; as the folder says if not given"),
    )
    parser.add_argument(
        "--labels",
        metavar="A,B,C",
        default="",
        help=say(
            "按输出顺序写出标签；默认按文件夹所写",
            "the labels in the order of the outputs; as the folder says if not given",
        ),
    )
    parser.add_argument(
        "--order",
        choices=ORDERS,
        default="given",
        help=say(
            "读一对地址的顺序：原样；短的在前；正反各一次取平均",
            "in which order a pair is read: as given; the shorter first; both ways and their mean",
        ),
    )
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Write the pack and say what it is and what was left out."""
    labels = split_labels(args.labels)
    pack, left_out = import_folder(Path(args.folder), Path(args.output), args.task, labels, args.order)
    if args.json:
        print_json(facts(pack) | {"manifest": dict(pack.manifest), "left_out": list(left_out)}, indent=2)
        return 0
    print(say(f"已写出 {pack.path}（{pack.id}）", f"wrote {pack.path} ({pack.id})"))
    print(
        f"{pack.task}: {', '.join(pack.manifest['labels'][:8])}{' …' if pack.manifest['labels'][8:] else ''}"
    )
    for reason in left_out:
        note(_words(reason))
    return 0


def _words(reason: str) -> str:
    """A note of the import, in words."""
    name, _, number = reason.partition(":")
    if name == "gis":
        return say(
            f"忽略了地图（GIS）编码器的 {number} 个张量：判断文本用不到",
            f"{number} tensors of the map (GIS) encoder were left out: texts never reach them",
        )
    return say(
        f"只用前 {number} 层（fusion_layer）：其上的张量文本用不到",
        f"only the first {number} layers run (fusion_layer): the tensors above are never reached by text",
    )
