"""Pre-train the encoder on synthetic pairs: three classes, and hidden characters asked back.

The rate falls and rises again in cycles, each with synthetic pairs of its own. Resumable: a checkpoint every few
hundred steps; started again, it goes on from the last one. The same seed and steps give the same weights on the same
machine and package versions.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from menpai.scoring.tokens import FLAGS, MASK, SEP, SIDE, TYPES, Vocabulary
from training.data import UNJUDGED, Batch, batches, read_pairs, vocabulary_of
from training.model import PairEncoder, Shape, load, save


def pretrain(
    recipe: dict[str, Any],
    cycles: Sequence[Path],
    work: Path,
    start: PairEncoder | None = None,
    device: str = "cpu",
) -> Path:
    """Train for the recipe's steps, shared out to the cycles, each a file of pairs; from `start` if it is given, on
    `device`. Returns the checkpoint `work/pretrained.pt` (vocabulary.txt, of the first cycle's characters, beside it); what
    stood at the end of an earlier cycle is kept as `pretrained_1.pt` and so on."""
    done = work / "pretrained.pt"
    if done.exists():
        return done
    plan = recipe["pretrain"]
    vocabulary = _vocabulary(work / "vocabulary.txt", cycles[0])
    cycle = plan["steps"] // len(cycles)
    checkpoint = work / "pretrain.ckpt"
    torch.manual_seed(recipe["seed"])
    if checkpoint.exists():
        model, stored = load(checkpoint)
    else:
        model, stored = start or PairEncoder(_shape(recipe, vocabulary)), {"step": 0}
    for module in model.to(device).modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = plan["dropout"]
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan["rate"], weight_decay=0.01, betas=(0.9, 0.98))
    if "optimizer" in stored:
        optimizer.load_state_dict(stored["optimizer"])
    done_steps = int(stored["step"])
    stream = _stream(cycles, cycle, vocabulary, plan["batch"], recipe["seed"], done_steps)
    rng = np.random.default_rng([recipe["seed"], done_steps])
    watch = Watch(work / "pretrain.jsonl", plan["steps"], done_steps)
    model.train()
    for step, batch in enumerate(stream, start=done_steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = plan["rate"] * schedule((step - 1) % cycle + 1, plan["warmup"], cycle)
        watch.log(step, **train_step(model, optimizer, batch, plan, rng))
        if step % plan["checkpoint_steps"] == 0 or step == plan["steps"]:
            save(model, checkpoint, step=step, optimizer=optimizer.state_dict())
        if step % cycle == 0 and step < plan["steps"]:
            save(model, work / f"pretrained_{step // cycle}.pt", step=step)
        if step == plan["steps"]:
            break
    save(model, done, step=plan["steps"])
    return done


def train_step(
    model: PairEncoder,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    plan: dict[str, Any],
    rng: np.random.Generator,
) -> dict[str, float]:
    """One step of both tasks in bfloat16; returns losses and accuracy."""
    device = model.characters.weight.device
    positions, labels = torch.from_numpy(batch.rows.positions), torch.from_numpy(batch.labels)
    given = (*hide(batch, plan, rng), positions, labels)
    ids, types, hidden_at, wanted, positions, labels = (each.to(device) for each in given)
    judged = labels != UNJUDGED
    with torch.autocast(device.type, dtype=torch.bfloat16):
        hidden, mask = model.encode(ids, types, positions)
        logits = model.head(hidden, mask).float()
        pair_loss = torch.nn.functional.cross_entropy(
            logits[judged], labels[judged], label_smoothing=0.02, reduction="sum"
        ) / max(1, int(judged.sum()))
        guesses = model.characters_at(hidden[hidden_at]).float()
        mask_loss = torch.nn.functional.cross_entropy(guesses, wanted) if len(wanted) else guesses.sum()
    optimizer.zero_grad(set_to_none=True)
    (pair_loss + 0.3 * mask_loss).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    right = (logits.argmax(1) == labels)[judged].float().sum() / max(1, int(judged.sum()))
    return {"pair": float(pair_loss.detach()), "mask": float(mask_loss.detach()), "accuracy": float(right)}


def hide(
    batch: Batch, plan: dict[str, Any], rng: np.random.Generator
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """ids and types with some characters hidden (their flag too), where they are, and what they were.

    Rows that carry no label teach by their hidden characters alone, so all of them have some.
    """
    ids, types = batch.rows.ids.copy(), batch.rows.types.copy()
    longest = plan.get("masked_run", 1)
    rate = plan["masked_characters"] * 2 / (1 + longest)
    chosen = rng.random(ids.shape) < rate
    if longest > 1:
        chosen = _runs(chosen, longest, rng)
    rows = (rng.random((len(ids), 1)) < plan["masked_rows"]) | (batch.labels == UNJUDGED)[:, None]
    chosen &= rows & (ids > SEP)
    wanted = ids[chosen].astype(np.int64)
    ids[chosen] = MASK
    types[chosen] = types[chosen] // FLAGS * FLAGS
    return torch.from_numpy(ids), torch.from_numpy(types), torch.from_numpy(chosen), torch.from_numpy(wanted)


def _runs(starts: NDArray[np.bool_], longest: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Runs of one to `longest` characters from each start."""
    lengths = rng.integers(1, longest + 1, starts.shape)
    out = starts.copy()
    for reach in range(1, longest):
        out[:, reach:] |= (starts & (lengths > reach))[:, :-reach]
    return out


def schedule(step: int, warmup: int, steps: int) -> float:
    """Linear warm-up, then a cosine down to 2 %."""
    if step < warmup:
        return step / warmup
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))


class Watch:
    """Progress: a line of JSON every 50 steps in a file, time left on stderr."""

    def __init__(self, path: Path, steps: int, step: int) -> None:
        self.path, self.steps, self.first, self.started = path, steps, step, time.monotonic()
        self.sums: dict[str, float] = {}

    def log(self, step: int, **values: float) -> None:
        """Take the values of a step; write their means every 50."""
        for name, value in values.items():
            self.sums[name] = self.sums.get(name, 0.0) + value / 50
        if step % 50:
            return
        left = (time.monotonic() - self.started) / max(1, step - self.first) * max(0, self.steps - step)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, **{k: round(v, 4) for k, v in self.sums.items()}}) + "\n")
        shown = " ".join(f"{name} {value:.3f}" for name, value in self.sums.items())
        print(f"step {step}/{self.steps}  {shown}  {left / 60:.1f} min left", file=sys.stderr, flush=True)
        self.sums = {}


def _shape(recipe: dict[str, Any], vocabulary: Vocabulary) -> Shape:
    return Shape(vocabulary=len(vocabulary), types=TYPES, positions=SIDE + 2, **recipe["shape"])


def _vocabulary(path: Path, pairs: Path) -> Vocabulary:
    if not path.exists():
        found = vocabulary_of(text for pair in read_pairs(pairs)[0] for text in pair)
        path.write_text("\n".join(found.entries) + "\n", encoding="utf-8")
    return Vocabulary(path.read_text(encoding="utf-8").split("\n")[:-1])


def _stream(
    cycles: Sequence[Path], steps: int, vocabulary: Vocabulary, size: int, seed: int, skip: int
) -> Iterator[Batch]:
    """`steps` batches of each cycle, in endless passes over its pairs, from where a checkpoint stopped."""
    for number, path in enumerate(cycles):
        if skip >= (number + 1) * steps:
            continue
        texts, labels = read_pairs(path)
        endless = (
            batch
            for turn in count()
            for batch in batches(
                texts, labels, vocabulary, size, np.random.default_rng([seed + number, turn])
            )
        )
        yield from islice(endless, max(0, skip - number * steps), steps)
