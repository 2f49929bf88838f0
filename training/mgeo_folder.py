"""A small BERT in the layout of an official MGeo folder, fitted to pairs: `python -m training.mgeo_folder`.

For measuring what import, quantization and engines do to weights that mean something; random weights have no labels to
lose. Only rows that the built-in pack may learn from: pairs judged for this project, and plain ones made of its texts.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from menpai.packs.bert_rows import Rows, pair_rows
from menpai.packs.wordpiece import WordPiece
from menpai.verdict import LABELS as OUR_LABELS
from tools.random_mgeo import TASKS, Shape, vocabulary, write_folder
from training.data import fold_of, read_labelled
from training.make_pairs import write_pairs
from training.pretrain import schedule

SHAPE = Shape(vocabulary=4400, width=128, layers=2, heads=4, feedforward=512)
# The order of the released pair model: alphabetical.
LABELS = TASKS["pair"].labels
JUDGED = ("gold/pairs.tsv", "gold/written.tsv")
HELD_FOLD, FOLDS = 0, 5
HELD_TEXTS = 300
# Judged pairs among those it learns from.
JUDGED_SHARE = 0.2

Pairs = list[tuple[str, str, int]]


class SmallBert(nn.Module):
    """BERT for pairs: embeddings, post-norm layers, pooler, head."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.words = nn.Embedding(shape.vocabulary, width)
        self.positions = nn.Embedding(shape.positions, width)
        self.types = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                width, shape.heads, shape.feedforward, 0.1, "gelu", layer_norm_eps=1e-12, batch_first=True
            )
            for _ in range(shape.layers)
        )
        self.pooler = nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)
        self.classifier = nn.Linear(width, len(LABELS))
        nn.init.normal_(self.words.weight)
        nn.init.normal_(self.positions.weight, std=0.05)
        nn.init.normal_(self.types.weight, std=0.05)
        self._look_across()

    @torch.no_grad()
    def _look_across(self) -> None:
        """Begin with a first layer in which a token finds its equal on the other side, else itself, and notes in
        channel 1 on which side that was (channel 0 holds its own): from scratch this takes a million pairs to learn."""
        for table in (self.words, self.positions, self.types):
            table.weight[:, :2] = 0
        self.types.weight[:, 0] = torch.tensor([2.0, -2.0])
        attention = self.layers[0].self_attn
        width, size = attention.embed_dim, attention.head_dim
        same = torch.randn(width, width) * (1.3 / width**0.5)
        same[:, :2] = 0
        for sign, start in ((1, 0), (-1, width)):
            rows = attention.in_proj_weight[start : start + width]
            rows.copy_(same)
            rows[::size] = 0
            rows[::size, 0] = sign * 1.9
        attention.in_proj_weight[2 * width :: size] = 0
        attention.in_proj_weight[2 * width :: size, 0] = 1
        attention.out_proj.weight.mul_(0.3)
        attention.out_proj.weight[:2] = 0
        attention.out_proj.weight[1, ::size] = 1 / attention.num_heads

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Logits [n, 3]; rows without padding, so that there is nothing to mask."""
        places = torch.arange(ids.shape[1])
        hidden = self.dropout(self.norm(self.words(ids) + self.types(types) + self.positions(places)))
        for layer in self.layers:
            hidden = layer(hidden)
        return self.classifier(self.dropout(torch.tanh(self.pooler(hidden[:, 0]))))


def named_tensors(model: SmallBert) -> dict[str, NDArray[np.generic]]:
    """The tensors under the names of transformers."""
    out: dict[str, Tensor] = {
        "bert.embeddings.word_embeddings.weight": model.words.weight,
        "bert.embeddings.position_embeddings.weight": model.positions.weight,
        "bert.embeddings.token_type_embeddings.weight": model.types.weight,
    }
    modules: dict[str, nn.Module] = {"bert.embeddings.LayerNorm": model.norm}
    for number, layer in enumerate(model.layers):
        at = f"bert.encoder.layer.{number}"
        for part, weight, bias in zip(
            ("query", "key", "value"), layer.self_attn.in_proj_weight.chunk(3), layer.self_attn.in_proj_bias.chunk(3),
            strict=True,
        ):  # fmt: skip
            out[f"{at}.attention.self.{part}.weight"] = weight
            out[f"{at}.attention.self.{part}.bias"] = bias
        modules |= {
            f"{at}.attention.output.dense": layer.self_attn.out_proj,
            f"{at}.attention.output.LayerNorm": layer.norm1,
            f"{at}.intermediate.dense": layer.linear1,
            f"{at}.output.dense": layer.linear2,
            f"{at}.output.LayerNorm": layer.norm2,
        }
    modules |= {"bert.pooler.dense": model.pooler, "classifier": model.classifier}
    for name, module in modules.items():
        out |= {f"{name}.{part}": tensor for part, tensor in module.named_parameters()}
    return {name: tensor.detach().numpy() for name, tensor in out.items()}


def fit(model: SmallBert, words: WordPiece, pairs: Pairs, steps: int, rate: float, seed: int) -> None:
    """So many steps of about a thousand tokens, in pairs of one length."""
    torch.manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, betas=(0.9, 0.98))
    model.train()
    started, loss_mean = time.monotonic(), 1.1
    for step, (rows, labels) in enumerate(islice(_batches(words, pairs, seed), steps), 1):
        for group in optimizer.param_groups:
            group["lr"] = rate * schedule(step, steps // 20 + 1, steps)
        loss = nn.functional.cross_entropy(_logits(model, rows), labels, label_smoothing=0.05)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        loss_mean += 0.02 * (float(loss.detach()) - loss_mean)
        if step % 100 == 0:
            left = (time.monotonic() - started) / step * (steps - step)
            print(
                f"step {step}/{steps}  loss {loss_mean:.3f}  {left / 60:.1f} min left",
                file=sys.stderr,
                flush=True,
            )
    model.eval()


@torch.no_grad()
def accuracy(model: SmallBert, words: WordPiece, pairs: Pairs) -> float:
    """The share of pairs whose label is right."""
    labels = np.array([pair[2] for pair in pairs])
    right = sum(
        int((_logits(model, rows).argmax(1).numpy() == labels[rows.at]).sum()) for rows in _rows(words, pairs)
    )
    return right / len(pairs)


def _logits(model: SmallBert, rows: Rows) -> Tensor:
    logits: Tensor = model(*(torch.from_numpy(array.astype(np.int64)) for array in rows.inputs.values()))
    return logits


def _rows(words: WordPiece, pairs: Sequence[tuple[str, str, int]]) -> Iterator[Rows]:
    firsts, seconds = words.encode([a for a, _, _ in pairs]), words.encode([b for _, b, _ in pairs])
    return pair_rows(firsts, seconds, words, SHAPE.positions)


def _batches(words: WordPiece, pairs: Pairs, seed: int) -> Iterator[tuple[Rows, Tensor]]:
    """Endless batches of pairs of one length, in random order."""
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(len(pairs))
        for start in range(0, len(order), 4096):
            chunk = [pairs[i] for i in order[start : start + 4096]]
            labels = np.array([pair[2] for pair in chunk])
            for rows in sorted(_rows(words, chunk), key=lambda _: float(rng.random())):
                yield rows, torch.from_numpy(labels[rows.at])


def plain_pairs(texts: Sequence[str], seed: int) -> Pairs:
    """Three pairs of each text: itself with a few characters lost is exact, with another number partial, beside
    another text not. A small model learns these in minutes; the pairs of training.make_pairs take it hours."""
    rng = random.Random(seed)
    pairs: Pairs = []
    for text in texts:
        lost = set(rng.sample(range(len(text)), min(len(text) // 4, rng.randint(1, 4))))
        shorter = "".join(char for at, char in enumerate(text) if at not in lost or char.isdigit())
        other = re.sub(r"[0-9]+", lambda found: str(int(found[0][-6:]) + rng.randint(1, 9)), text)
        pairs.append((text, shorter, LABELS.index("exact_match")))
        pairs.append(
            (text, other if other != text else text[: len(text) // 2], LABELS.index("partial_match"))
        )
        pairs.append((text, rng.choice(texts), LABELS.index("not_match")))
    return pairs


def _texts(path: Path, count: int) -> list[str]:
    """The first addresses of a table of pairs."""
    with path.open(encoding="utf-8", newline="") as file:
        return [row[0] for row in islice(csv.reader(file, delimiter="\t"), 1, count + 1)]


def main() -> None:
    """Train and write the folder; prints how many judged pairs of places not seen it gets right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with gold/, addresses/, admin/")
    parser.add_argument(
        "--pairs", type=Path, help="a table that training.make_pairs wrote; made if not there"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20_000, help="texts that plain pairs are made of")
    parser.add_argument("--steps", type=int, default=1500)
    args = parser.parse_args()
    table = args.pairs or args.out.with_suffix(".pairs.tsv")
    if not table.exists():
        write_pairs(args.data, table, args.count, 1)
    judged = [row for name in JUDGED for row in read_labelled(args.data / name)]
    folds: tuple[Pairs, Pairs] = ([], [])
    for row in judged:
        held = fold_of(row.place or row.a, FOLDS) == HELD_FOLD
        folds[held].append((row.a, row.b, LABELS.index(OUR_LABELS[row.label])))
    words = WordPiece(vocabulary(SHAPE.vocabulary))
    torch.manual_seed(1)
    model = SmallBert(SHAPE)
    texts = _texts(table, args.count)
    plain, unseen = plain_pairs(texts[HELD_TEXTS:], 1), plain_pairs(texts[:HELD_TEXTS], 2)
    mixed = plain + folds[0] * max(1, round(JUDGED_SHARE * len(plain) / len(folds[0])))
    fit(model, words, mixed, args.steps, 5e-4, 1)
    for name, pairs in (("plain", unseen), ("judged", folds[1])):
        print(f"{accuracy(model, words, pairs):.3f} of {len(pairs)} held {name} pairs")
    write_folder(args.out, TASKS["pair"], SHAPE, named_tensors(model), vocabulary(SHAPE.vocabulary))


if __name__ == "__main__":
    main()
