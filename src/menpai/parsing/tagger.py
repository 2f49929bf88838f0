"""The tagger: a small graph that reads an address character by character and proposes elements.

A text is read in windows with some overlap, each padded to a bucket that depends on the text alone; digits are all
read as 0, since a number's value says nothing of its role. So a text gets the same spans alone and in any batch.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.engines import Engine, open_engine
from menpai.errors import UsageError
from menpai.packs import Pack, builtin_packs, open_pack
from menpai.packs.vocabulary import CLS, SEP, IntArray, Vocabulary
from menpai.parsing.spans import Floats, Scheme, Span

WINDOW = 62
OVERLAP = 16
BUCKETS = (12, 16, 20, 24, 28, 32, 40, 48, 56, 64)
# Longer texts hold more than an address; what the rules find in them must do.
LONGEST = 400
# Tokens in one run of the engine: enough to amortise the call, few enough to stay in the cache.
TOKEN_BUDGET = 4096


class Windows(NamedTuple):
    """Windows of one bucket: of which text, from which character, how long, of how long a text; all [n], but ids and
    positions [n, bucket]."""

    texts: NDArray[np.intp]
    starts: NDArray[np.intp]
    lengths: NDArray[np.intp]
    wholes: NDArray[np.intp]
    ids: IntArray
    positions: IntArray


class Tagger:
    """Spans of texts through a pack's graph; safe to call from several threads at once."""

    def __init__(self, engine: Engine, vocabulary: Vocabulary, labels: Sequence[str], name: str) -> None:
        self._engine = engine
        self._vocabulary = vocabulary
        self._labels = Scheme(labels)
        self.scheme = name
        "menpai, ccks, leodotnet, swei412 or mgeo: what its kinds mean."

    @classmethod
    def open(cls, pack: Pack, *, engine: str = "onnx", threads: int = 1, device: str = "auto") -> Tagger:
        """The tagger of a pack: its own graph, or the one a pair pack carries beside its encoder."""
        own = pack.task == "tagging"
        labels = pack.manifest["labels"] if own else _lines(pack.file("tagger_labels"))
        runner = open_engine(engine, pack.file("graph" if own else "tagger"), threads, device)
        characters = Vocabulary(_lines(pack.file("vocabulary")))
        return cls(runner, characters, labels, str(pack.manifest.get("scheme", "menpai")))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that it can propose."""
        return self._labels.kinds

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text in order, none over another; none for a text longer than LONGEST."""
        found: list[list[Span]] = [[] for _ in texts]
        parted: dict[int, Floats] = {}
        for windows in encode(texts, self._vocabulary):
            for cut in _cuts(windows):
                scores = self._run(windows.ids[cut], windows.positions[cut])
                whole = windows.lengths[cut] == windows.wholes[cut]
                indices, lengths = windows.texts[cut], windows.lengths[cut]
                decoded = self._labels.spans(scores[whole], lengths[whole])
                for index, spans in zip(indices[whole].tolist(), decoded, strict=True):
                    found[index] = spans
                for row in np.flatnonzero(~whole):
                    _put(parted, windows, cut.start + int(row), scores[row])
        for index, joined in parted.items():
            (found[index],) = self._labels.spans(joined[None], np.array([len(joined)]))
        return found

    def warm(self) -> None:
        """Run every length bucket once."""
        self.tag(["路" * (bucket - 2) for bucket in BUCKETS])

    def _run(self, ids: IntArray, positions: IntArray) -> Floats:
        """The scores of the characters, without those of [CLS]; [n, bucket - 1, labels]."""
        return self._engine.run({"ids": ids, "positions": positions})[:, 1:]


@cache
def open_tagger(pack: str) -> Tagger:
    """The tagger of a pack for addresses of ours, opened once; raises UsageError for a pack without one."""
    opened = open_pack(pack)
    if "tagger" not in opened.manifest["files"]:
        raise UsageError("pack_without_tagger", pack=opened.name, known=", ".join(builtin_packs()))
    return Tagger.open(opened)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def encode(texts: Sequence[str], vocabulary: Vocabulary) -> Iterator[Windows]:
    """The windows of all texts, one `Windows` for each bucket that occurs."""
    parts = [
        (index, start, text[start : start + WINDOW], len(text))
        for index, text in enumerate(map(fold, texts))
        for start in _starts(len(text))
    ]
    buckets = np.searchsorted(BUCKETS, np.array([len(part[2]) for part in parts], np.intp) + 2)
    for bucket in np.unique(buckets):
        chosen = [parts[at] for at in np.flatnonzero(buckets == bucket)]
        indices, starts, pieces, wholes = zip(*chosen, strict=True)
        lengths = np.array(list(map(len, pieces)), np.intp)
        columns = np.arange(BUCKETS[bucket])
        ids = np.zeros((len(chosen), len(columns)), np.int32)
        ids[:, 0] = CLS
        ids[(columns >= 1) & (columns <= lengths[:, None])] = vocabulary.ids("".join(pieces))
        ids[np.arange(len(chosen)), lengths + 1] = SEP
        positions = np.where(ids != 0, columns, 0).astype(np.int32)
        yield Windows(np.array(indices), np.array(starts), lengths, np.array(wholes), ids, positions)


def _starts(length: int) -> range:
    """Where the windows of a text begin; an empty or too long one has none."""
    if not 0 < length <= LONGEST:
        return range(0)
    return range(0, max(1, length - OVERLAP), WINDOW - OVERLAP)


def _cuts(windows: Windows) -> list[slice]:
    """The rows of one bucket in runs within the token budget."""
    step = max(1, TOKEN_BUDGET // windows.ids.shape[1])
    return [slice(start, start + step) for start in range(0, len(windows.ids), step)]


def _put(parted: dict[int, Floats], windows: Windows, row: int, scores: Floats) -> None:
    """Write a window's scores into those of its text; in an overlap each window speaks for its nearer half."""
    index, start, length, whole = (int(x[row]) for x in windows[:4])
    joined = parted.setdefault(index, np.zeros((whole, scores.shape[1]), np.float32))
    first = OVERLAP // 2 if start else 0
    last = length if start + length == whole else length - OVERLAP // 2
    joined[start + first : start + last] = scores[first:last]


def fold(text: str) -> str:
    """The text as the tagger reads it: half-width capitals, digits as 0, one character for each."""
    return "".join(map(_fold_one, text))


@cache
def _fold_one(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character).upper()
    if len(plain) != 1:
        return character
    return "0" if plain.isdecimal() else plain
