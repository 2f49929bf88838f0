"""Small packs that hold a BERT with random weights, and batches for them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from menpai.packs import Pack
from menpai.packs.batches import batches_of
from menpai.packs.calibrate import Batch, calibrate
from menpai.packs.fused_graph import Plan, fused_graph
from menpai.packs.importing import import_folder
from menpai.packs.quantize import read_float_pack
from menpai.packs.sample import written_pairs
from menpai.packs.write import Content, write_pack
from tools.random_mgeo import random_folder

PRECISIONS = ("float32", "float16", "bfloat16", "int8", "dynamic")


@cache
def tiny_pack(task: str = "pair") -> Pack:
    """An imported pack in float32, made once; `task` as tools.random_mgeo names it."""
    folder = Path(mkdtemp(prefix="menpai-bert-"))
    pack, _ = import_folder(random_folder(folder / "folder", task, "tiny"), folder / "tiny")
    return pack


@cache
def batches(task: str = "pair", count: int = 60) -> list[Batch]:
    """Rows of several lengths, those of one length together."""
    return [batch for _, batch in batches_of(tiny_pack(task), written_pairs(count))]


def plan_of(precision: str, task: str = "pair", weight_bits: int = 7) -> Plan:
    """All of it in this precision, its ranges fixed by the batches."""
    plan = Plan(precision, weight_bits=weight_bits)
    return calibrate(*read_float_pack(tiny_pack(task)), plan, batches(task)) if precision == "int8" else plan


@cache
def narrow_pack(precision: str, task: str = "pair", weight_bits: int = 7) -> Pack:
    """The tiny pack in another precision, unguarded."""
    pack = tiny_pack(task)
    graph = fused_graph(*read_float_pack(pack), plan_of(precision, task, weight_bits))
    manifest = {k: v for k, v in pack.manifest.items() if k != "format"} | {"precision": precision}
    files: dict[str, Content] = {
        "model.onnx": graph,
        "vocab.txt": pack.file("vocabulary").read_bytes(),
        "card.md": b"# tiny\n",
    }
    return write_pack(Path(mkdtemp(prefix="menpai-bert-")) / "tiny", manifest, files)
