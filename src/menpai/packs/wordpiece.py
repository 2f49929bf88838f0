"""WordPiece, as BERT's fast tokenizer cuts a text, in whole batches.

Nearly every character of a Chinese address is a token of its own: a table of code points gives its id. What remains
are runs of letters and digits, each cut once by the book (greedy, longest piece first) and remembered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.lru import LRU
from menpai.packs.bert_characters import fold, is_ideograph, is_punctuation
from menpai.packs.pack import Pack
from menpai.packs.vocabulary import IntArray, codepoints

SPECIALS = ("[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]")
# What the table says of a character that is no token of its own: a blank, part of a run, not looked at yet.
_BLANK, _RUN, _NEW = -1, -2, -3
_LONGEST_WORD = 100
_REMEMBERED, _REMEMBERED_BYTES = 20_000, 16e6


class Word(NamedTuple):
    """A word of a text and its ids: text[start:end]."""

    start: int
    end: int
    ids: tuple[int, ...]


class WordPiece:
    """Texts → ids. Safe to share between threads."""

    def __init__(self, pieces: Sequence[str], lower_case: bool = True) -> None:
        self.ids_of = {piece: at for at, piece in enumerate(pieces)}
        self.unknown, self.sep, self.pad, self.cls = (self.ids_of[name] for name in SPECIALS[:4])
        self._lower_case = lower_case
        self._special = re.compile("(" + "|".join(re.escape(x) for x in SPECIALS if x in self.ids_of) + ")")
        self._table: NDArray[np.int32] = np.full(0x110000, _NEW, dtype=np.int32)
        self._runs = _Remembered(self._cut_run)
        self.texts: LRU[str, IntArray] = LRU(_REMEMBERED, _REMEMBERED_BYTES, _text_bytes)

    def encode(self, texts: Sequence[str]) -> list[IntArray]:
        """The ids of each text, without [CLS] and [SEP]; texts seen before are looked up."""
        known = {text: self.texts.get(text) for text in dict.fromkeys(texts)}
        fresh = [text for text, ids in known.items() if ids is None]
        for text, ids in zip(fresh, self._encode(fresh), strict=True):
            self.texts.put(text, ids)
            known[text] = ids
        return [known[text] for text in texts]  # type: ignore[misc]

    def words(self, text: str, characters: bool = False) -> list[Word]:
        """The words of a text with their spans in it; `characters`: each character is a word, a blank too."""
        if characters:
            return [Word(at, at + 1, self._runs[char] or (self.unknown,)) for at, char in enumerate(text)]
        codes = self._codes(text)
        single = [Word(at, at + 1, (int(codes[at]),)) for at in np.flatnonzero(codes >= 0).tolist()]
        starts, ends = _runs(codes == _RUN)
        runs = [
            Word(a, b, self._runs[text[a:b]]) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
        return sorted([*single, *(run for run in runs if run.ids)])

    def forget(self) -> None:
        """Drop the texts and runs that were remembered."""
        self.texts.clear()
        self._runs.clear()

    def _encode(self, texts: Sequence[str]) -> list[IntArray]:
        if not any("[" in text and self._special.search(text) for text in texts):
            return self._plain(texts)
        return [self._with_specials(text) for text in texts]

    def _with_specials(self, text: str) -> IntArray:
        """A text in which [SEP] or the like is written out: that is the special token itself."""
        parts = self._special.split(text)
        ids = self._plain(parts[::2])
        ids += [np.array([self.ids_of[part]], dtype=np.int32) for part in parts[1::2]]
        half = len(parts) // 2 + 1
        order = [at // 2 + (at % 2) * half for at in range(len(parts))]
        return np.concatenate([ids[at] for at in order])

    def _plain(self, texts: Sequence[str]) -> list[IntArray]:
        """All texts in one pass; a line feed, which is a blank, ends each."""
        joined = "\n".join([*texts, ""])
        codes = self._codes(joined)
        counts = (codes >= 0).astype(np.intp)
        starts, ends = _runs(codes == _RUN)
        runs = [self._runs[joined[a:b]] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
        lengths = np.fromiter(map(len, runs), np.intp, len(runs))
        counts[starts] = lengths
        after = counts.cumsum()
        ids = np.empty(int(after[-1]) if len(after) else 0, dtype=np.int32)
        single = codes >= 0
        ids[after[single] - 1] = codes[single]
        first = after[starts] - lengths
        within = np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths)
        ids[np.repeat(first, lengths) + within] = np.fromiter(
            chain.from_iterable(runs), np.int32, len(within)
        )
        stops = after[np.cumsum([len(text) + 1 for text in texts], dtype=np.intp) - 1].tolist()
        return [ids[a:b].copy() for a, b in zip([0, *stops], stops, strict=False)]

    def _codes(self, text: str) -> IntArray:
        """For each character its id, or what it is; characters met for the first time are entered in the table."""
        points = codepoints(text)
        codes = self._table[points]
        if (codes == _NEW).any():
            for point in np.unique(points[codes == _NEW]).tolist():
                self._table[point] = self._code(chr(point))
            codes = self._table[points]
        return codes

    def _code(self, char: str) -> int:
        folded = fold(char, self._lower_case).strip(" ")
        if not folded:
            return _BLANK if fold(char, False) == " " else _RUN
        if len(folded) == 1 and (is_ideograph(char) or is_punctuation(folded)):
            return self.ids_of.get(folded, self.unknown)
        return _RUN

    def _cut_run(self, run: str) -> tuple[int, ...]:
        """The ids of a run of letters, digits and whatever else is no token of its own."""
        return tuple(chain.from_iterable(map(self._cut_word, split_words(fold(run, self._lower_case)))))

    def _cut_word(self, word: str) -> list[int]:
        """The longest piece that begins the word, then the longest that goes on, …; unknown if one is lacking."""
        if len(word) > _LONGEST_WORD:
            return [self.unknown]
        out: list[int] = []
        start = 0
        while start < len(word):
            head = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if head + word[start:end] in self.ids_of), 0)
            if not end:
                return [self.unknown]
            out.append(self.ids_of[head + word[start:end]])
            start = end
        return out


def open_wordpiece(pack: Pack) -> WordPiece:
    """The tokenizer of an imported pack."""
    pieces = pack.file("vocabulary").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return WordPiece(pieces, bool(pack.manifest.get("lower_case", True)))


class _Remembered(dict[str, tuple[int, ...]]):
    """Run → ids, each worked out once."""

    def __init__(self, work: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, run: str) -> tuple[int, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        ids = self[run] = self._work(run)
        return ids


def _text_bytes(text: str, ids: IntArray) -> int:
    """About what a text and its ids take in memory."""
    return 400 + 2 * len(text) + ids.nbytes


def split_words(folded: str) -> Iterable[str]:
    """A folded text at its blanks, and before and after each punctuation mark."""
    for word in folded.split(" "):
        start = 0
        for at, char in enumerate(word):
            if is_punctuation(char):
                yield from filter(None, (word[start:at], char))
                start = at + 1
        yield from filter(None, (word[start:],))


def _runs(inside: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where stretches of True begin and end (exclusive)."""
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    return edges[::2], edges[1::2]
