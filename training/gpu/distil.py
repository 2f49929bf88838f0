"""A small encoder learns a larger one's probabilities on pairs that nobody judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import kl_div, log_softmax

from menpai.scoring.tokens import Rows, Vocabulary
from training.data import batches, read_pairs
from training.model import PairEncoder
from training.pretrain import Watch, schedule


def distil(
    plan: dict[str, Any],
    student: PairEncoder,
    teacher: PairEncoder,
    pairs: Path,
    vocabulary: Vocabulary,
    seed: int,
    log: Path,
    device: str,
) -> PairEncoder:
    """The student after the plan's steps over the texts of `pairs`, on the CPU: Kullback-Leibler divergence from the teacher's
    probabilities at the plan's temperature (Hinton et al. 2015, arXiv:1503.02531). Labels of the file are not read."""
    torch.manual_seed(seed)
    texts, labels = read_pairs(pairs)
    student.to(device).train()
    teacher.to(device).eval()
    optimizer = torch.optim.AdamW(student.parameters(), lr=plan["rate"], weight_decay=0.01, betas=(0.9, 0.98))
    watch, step = Watch(log, plan["steps"], 0), 0
    while step < plan["steps"]:
        for batch in batches(texts, labels, vocabulary, plan["batch"], np.random.default_rng([seed, step])):
            step += 1
            for group in optimizer.param_groups:
                group["lr"] = plan["rate"] * schedule(step, plan["warmup"], plan["steps"])
            loss = _distance(student, teacher, batch.rows, plan["temperature"], device)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
            optimizer.step()
            watch.log(step, distance=float(loss.detach()))
            if step == plan["steps"]:
                break
    student.cpu().eval()
    return student


def _distance(
    student: PairEncoder, teacher: PairEncoder, rows: Rows, temperature: float, device: str
) -> torch.Tensor:
    inputs = [torch.from_numpy(x).to(device) for x in (rows.ids, rows.types, rows.positions)]
    with torch.autocast(torch.device(device).type, dtype=torch.bfloat16):
        with torch.no_grad():
            wanted = teacher(*inputs).float() / temperature
        found = student(*inputs).float() / temperature
    both = (log_softmax(found, 1), log_softmax(wanted, 1))
    return kl_div(*both, log_target=True, reduction="batchmean") * temperature**2
