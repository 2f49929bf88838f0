"""`menpai model export`: what another server needs to run a pack's graph."""

from __future__ import annotations

import argparse
from pathlib import Path

from menpai.cli.arguments import Commands, add_json, positive_count
from menpai.cli.console import print_json
from menpai.cli.language import say
from menpai.packs import open_pack
from menpai.settings import Settings


def add(actions: Commands) -> None:
    """Register the verb."""
    text = say("为 Triton 写出模型仓库", "write a model repository for Triton Inference Server")
    parser = actions.add_parser("export", help=text, description=text)
    parser.add_argument("pack", metavar="PACK", help=say("模型包", "the pack"))
    parser.add_argument(
        "--triton",
        metavar="DIR",
        required=True,
        help=say("模型仓库的文件夹", "folder of the model repository"),
    )
    parser.add_argument("--backend", choices=("onnxruntime", "python"), default="onnxruntime", help=say(
        "服务器的后端；只带 python 后端的服务器用 python", "backend of the server; python for one that brings no other",
    ))  # fmt: skip
    parser.add_argument(
        "--instances", type=positive_count, default=1, help=say("并行实例数", "instances side by side")
    )
    parser.add_argument("--intra-threads", type=positive_count, default=1, metavar="N",
                        help=say("每次运行的线程数", "threads in one run"))  # fmt: skip
    parser.add_argument("--gpu", action="store_true", help=say("在 GPU 上运行", "run on a GPU"))
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Write the repository and say how to use it."""
    from menpai.packs.triton_repository import write_repository  # noqa: PLC0415

    model = write_repository(
        open_pack(args.pack), Path(args.triton), args.backend,
        instances=args.instances, threads=args.intra_threads, gpu=args.gpu,
    )  # fmt: skip
    if args.json:
        print_json({"model": model.name, "folder": str(model), "backend": args.backend}, indent=2)
        return 0
    print(say(f"已写出 {model}", f"wrote {model}"))
    print(f"tritonserver --model-repository={args.triton}")
    print("menpai serve --pack PACK --engine triton --device http://127.0.0.1:8000")
    return 0
