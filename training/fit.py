"""Fit the pre-trained encoder on judged pairs; the weights kept are a running mean over the last passes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from menpai.address import LEVELS
from menpai.scoring.tokens import Rows, Vocabulary
from menpai.training.tune import logits_of as logits_of
from training.data import batches
from training.model import PairEncoder, load
from training.pretrain import Watch, schedule

Texts = list[tuple[str, str]]


def fit(
    plan: dict[str, Any],
    start: Path,
    texts: Texts,
    labels: NDArray[np.int64],
    vocabulary: Vocabulary,
    seed: int,
    log: Path | None = None,
    device: str = "cpu",
) -> PairEncoder:
    """The encoder of the checkpoint `start`, fitted for the plan's passes; the same seed gives the same weights.

    Labels [n], or [n, 3] with level and conflict (positions in LEVELS) behind the label: two further heads learn them,
    only so that the encoder learns what tells the labels apart, and are thrown away. Losses go into `log`.
    Trained on `device`, given back on the CPU.
    """
    torch.manual_seed(seed)
    model, _ = load(start)
    for module in model.to(device).modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = plan["dropout"]
    wanted = torch.from_numpy(labels.reshape(len(labels), -1)).to(device)
    sides = torch.nn.ModuleList(torch.nn.Linear(model.shape.width, len(LEVELS)) for _ in wanted[0, 1:]).to(
        device
    )
    learned = [*model.parameters(), *sides.parameters()]
    optimizer = torch.optim.AdamW(learned, lr=plan["rate"], weight_decay=0.01, betas=(0.9, 0.98))
    mean = copy.deepcopy(model)
    step, steps = 0, plan["passes"] * max(1, len(texts) // plan["batch"])
    order = np.arange(len(texts))
    watch = Watch(log, steps, 0) if log else None
    model.train()
    for number in range(plan["passes"]):
        for batch in batches(texts, order, vocabulary, plan["batch"], np.random.default_rng([seed, number])):
            step += 1
            for group in optimizer.param_groups:
                group["lr"] = plan["rate"] * schedule(min(step, steps), plan["warmup"], steps)
            optimizer.zero_grad(set_to_none=True)
            loss = _loss(model, sides, batch.rows, wanted[batch.labels], plan)
            loss.backward()
            if plan.get("adversarial"):
                with _worse(model.characters.weight, plan["adversarial"]):
                    _loss(model, sides, batch.rows, wanted[batch.labels], plan).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            _blend(mean, model, max(1 / step, plan["mean"]))
            if watch:
                watch.log(step, loss=float(loss.detach()))
    mean.cpu().eval()
    return mean


def _loss(
    model: PairEncoder, sides: torch.nn.ModuleList, rows: Rows, wanted: torch.Tensor, plan: dict[str, Any]
) -> torch.Tensor:
    """Cross-entropy of the labels, and `hints` times that of level and conflict; in bfloat16."""
    device = wanted.device
    with torch.autocast(device.type, dtype=torch.bfloat16):
        inputs = (torch.from_numpy(x).to(device) for x in (rows.ids, rows.types, rows.positions))
        seen = model.pooled(*model.encode(*inputs))
        first, *others = (head(seen).float() for head in (model.classify, *sides))
    loss = torch.nn.functional.cross_entropy(first, wanted[:, 0], label_smoothing=plan["smoothing"])
    for at, logits in enumerate(others, start=1):
        loss = loss + plan["hints"] * torch.nn.functional.cross_entropy(logits, wanted[:, at])
    return loss


@contextmanager
def _worse(table: torch.nn.Parameter, size: float) -> Iterator[None]:
    """The table moved by `size` along its gradient, where the loss is larger, while the block runs (the fast gradient
    method: Miyato et al. 2017, arXiv:1605.07725)."""
    kept = table.data.clone()
    assert table.grad is not None
    table.data.add_(table.grad * (size / table.grad.norm().clamp(min=1e-12)))
    try:
        yield
    finally:
        table.data.copy_(kept)


@torch.no_grad()
def _blend(mean: PairEncoder, model: PairEncoder, share: float) -> None:
    for kept, new in zip(mean.parameters(), model.parameters(), strict=True):
        kept.lerp_(new, share)
