"""What every training run shares: a schedule, one step, a running mean of the weights, checkpoints."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn

from training.pretrain import Watch, schedule
from training.tagging.model import TagEncoder, load, save

Loss = Callable[[TagEncoder], Tensor]


class Plan(NamedTuple):
    """The numbers of a run, as the recipe gives them."""

    steps: int
    tokens: int
    rate: float
    warmup: int
    dropout: float
    mean: float
    checkpoint_steps: int


def train(
    name: str,
    start: Callable[[], TagEncoder],
    plan: Plan,
    losses: Callable[[int], Iterator[tuple[str, Loss]]],
    work: Path,
) -> TagEncoder:
    """The running mean of the weights after the plan's steps; `losses(first)` gives a named loss for each step
    after `first`. A run that was stopped goes on from its last checkpoint; one that is done is read."""
    done, checkpoint = work / f"{name}.pt", work / f"{name}.ckpt"
    if done.exists():
        return load(done)[0]
    model, stored = load(checkpoint) if checkpoint.exists() else (start(), {"step": 0})
    mean = copy.deepcopy(model)
    if "mean" in stored:
        mean.load_state_dict(stored["mean"])
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = plan.dropout
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=0.01, betas=(0.9, 0.98))
    if "optimizer" in stored:
        optimizer.load_state_dict(stored["optimizer"])
    first = int(stored["step"])
    watch = Watch(work / f"{name}.jsonl", plan.steps, first)
    model.train()
    for step, (task, loss) in enumerate(losses(first), start=first + 1):
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * schedule(step, plan.warmup, plan.steps)
        value = loss(model)
        optimizer.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        _blend(mean, model, max(1 / step, plan.mean))
        watch.log(step, **{task: float(value.detach())})
        if step % plan.checkpoint_steps == 0 and step < plan.steps:
            save(model, checkpoint, step=step, mean=mean.state_dict(), optimizer=optimizer.state_dict())
        if step >= plan.steps:
            break
    save(mean, done)
    checkpoint.unlink(missing_ok=True)
    return mean


@torch.no_grad()
def _blend(mean: TagEncoder, model: TagEncoder, share: float) -> None:
    for kept, new in zip(mean.parameters(), model.parameters(), strict=True):
        kept.lerp_(new, share)
