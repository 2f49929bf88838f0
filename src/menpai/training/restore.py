"""The encoder of a pack as a torch model: its INT8 matrices are widened, so a pack is its own checkpoint.

What the rounding took is gone, but a pack's graph works with the rounded weights, so training starts where it stands.
"""

from __future__ import annotations

import re

import numpy as np
import torch
from numpy.typing import NDArray

from menpai.engines.constants import Constants, read_constants, widened
from menpai.errors import UsageError
from menpai.packs import Pack
from menpai.training.model import PairEncoder, Shape

_MEMBER = re.compile(r"graphs\.\d+\.")
_NORMS = ("norm_attention", "norm_feedforward")
_PRODUCTS = ("attended", "widen", "narrow")


def restore(pack: Pack) -> list[PairEncoder]:
    """The encoders whose mean the pack's graph gives, mostly one; raises UsageError for another network than ours."""
    try:
        if pack.manifest.get("tokenizer", "characters") != "characters":
            raise KeyError("tokenizer")
        constants = read_constants(pack.file("graph").read_bytes())
        heads = int(pack.manifest["recipe"]["shape"]["heads"])
        members = sorted({m.group() for name in constants if (m := _MEMBER.search(name))}) or [""]
        return [_restored(_part(constants, member), heads) for member in members]
    except (KeyError, ValueError, RuntimeError) as error:
        raise UsageError("train_other_network", pack=pack.name, reason=str(error)) from error


def _part(constants: Constants, member: str) -> Constants:
    """The constants of one encoder, without its name before them."""
    return {name.replace(member, "", 1): array for name, array in constants.items() if member in name}


def _restored(constants: Constants, heads: int) -> PairEncoder:
    words, width = constants["model.characters.weight"].shape
    layers = sum(name.endswith("narrow.MatMul.matrix") for name in constants)
    shape = Shape(
        vocabulary=words, types=len(constants["model.types.weight"]), positions=len(constants["model.positions.weight"]),
        width=width, layers=layers, heads=heads, feedforward=constants["blocks.0.widen.MatMul.matrix"].shape[1],
        labels=len(constants["model.classify.bias"]),
    )  # fmt: skip
    model = PairEncoder(shape)
    state = model.state_dict()
    for name in list(state):
        if name.startswith("unmask"):  # hidden characters are guessed in pre-training only
            state[name] = torch.zeros_like(state[name])
        else:
            state[name] = torch.from_numpy(np.array(_tensor(name, constants, shape), np.float32))
    model.load_state_dict(state)
    return model


def _tensor(name: str, constants: Constants, shape: Shape) -> NDArray[np.float32]:
    """The weights that a layer of the model has in the graph."""
    if not name.startswith("blocks."):
        return widened(constants[f"model.{name}"])
    _, block, layer, what = name.split(".")
    if layer in _NORMS:
        return widened(constants[f"model.blocks.{block}.block.{layer}.{what}"])
    if layer in _PRODUCTS:
        return _product(constants, f"blocks.{block}.{layer}.MatMul", what)
    # The graph has query, key and value apart, the scale of attention folded into the query.
    parts = [_product(constants, f"blocks.{block}.{part}.MatMul", what) for part in ("query", "key", "value")]
    return np.concatenate([parts[0] * np.float32((shape.width // shape.heads) ** 0.5), *parts[1:]])


def _product(constants: Constants, name: str, what: str) -> NDArray[np.float32]:
    """A matrix as torch has it ([out, in]), or the bias."""
    if what == "bias":
        return widened(constants[f"{name}.bias"])
    whole = constants[f"{name}.matrix"].astype(np.float32) * constants[f"{name}.columns"]
    return np.ascontiguousarray(whole.T)
