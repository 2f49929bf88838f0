"""WordPiece of menpai against the fast tokenizer of transformers: the same ids, and how fast.

`python -m benchmarks.tokenizing.speed --vocab vocab.txt FILE…` compares every cell of the files (TSV, CSV, text; .gz too),
and times the pairs in the first two columns of the first file. Needs `pip install transformers`.
"""

from __future__ import annotations

import argparse
import gzip
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from menpai.packs.wordpiece import WordPiece

os.environ["TOKENIZERS_PARALLELISM"] = "false"
RUNS = 9
PAIRS = 2000
BATCH = 512


def cells(path: Path) -> Iterator[list[str]]:
    """The cells of each line."""
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        for line in file:
            yield line.rstrip("\n").split("," if path.name.endswith((".csv", ".csv.gz")) else "\t")


def differing(words: WordPiece, library: object, texts: list[str]) -> int:
    """How many texts get other ids."""
    found = 0
    for start in range(0, len(texts), 5000):
        part = texts[start : start + 5000]
        theirs = library.encode_batch(part, add_special_tokens=False)  # type: ignore[attr-defined]
        found += sum(a.tolist() != b.ids for a, b in zip(words.encode(part), theirs, strict=True))
    return found


def microseconds(work: Callable[[], object], pairs: int) -> float:
    """The shortest time for a pair: other work on the machine can only add to it."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) / pairs * 1e6


def main() -> None:
    """Print texts that differ, and microseconds for a pair."""
    from transformers import BertTokenizerFast  # noqa: PLC0415 (the environment is set first)

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vocab", type=Path, required=True)
    parser.add_argument("files", type=Path, nargs="+")
    args = parser.parse_args()
    theirs = BertTokenizerFast(str(args.vocab))
    words = WordPiece(args.vocab.read_text(encoding="utf-8").removesuffix("\n").split("\n"))
    texts = list(dict.fromkeys(cell for path in args.files for row in cells(path) for cell in row if cell))
    print(f"{differing(words, theirs.backend_tokenizer, texts)} of {len(texts):,} texts differ")
    rows = [row for row in cells(args.files[0]) if len(row) > 1][1 : PAIRS + 1]
    pairs = [(a, b) for a, b, *_ in rows]
    flat = [text for pair in pairs for text in pair]

    def ours() -> None:
        for start in range(0, len(flat), BATCH):
            words.encode(flat[start : start + BATCH])

    def cold() -> None:
        words.forget()
        ours()

    times = {
        "transformers, batch of pairs": lambda: theirs(
            [a for a, _ in pairs], [b for _, b in pairs], truncation=True
        ),
        "tokenizers, encode_batch": lambda: theirs.backend_tokenizer.encode_batch(pairs),
        "menpai, nothing remembered": cold,
        "menpai, addresses seen before": ours,
    }
    for name, work in times.items():
        print(f"{microseconds(work, len(pairs)):8.1f} µs a pair  {name}")


if __name__ == "__main__":
    main()
