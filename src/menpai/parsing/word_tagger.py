"""Taggers imported from MGeo folders: raw texts in, the spans that the official pipeline gives out.

Labels are read as that pipeline reads them: the most likely tag of a word's first piece; a span begins at B or S, or
at an I or E that follows none, and ends after E or S. In `parsing`, since scoring stands above it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from menpai.engines import Engine, open_engine
from menpai.errors import BrokenArtefactError
from menpai.packs import Pack
from menpai.packs.bert_rows import single_rows
from menpai.packs.wordpiece import Word, open_wordpiece
from menpai.parsing.spans import Floats, Span
from menpai.parsing.tagger import Tagger

# How many texts are read at a time.
_BATCH = 256


class WordTagger:
    """Spans of raw texts through an imported pack's graph; safe to call from several threads at once."""

    def __init__(self, pack: Pack, engine: Engine) -> None:
        self._engine = engine
        self._words = open_wordpiece(pack)
        self._labels = [str(label) for label in pack.manifest["labels"]]
        self._limit = int(pack.manifest["max_length"])
        self._by_character = bool(pack.manifest.get("by_character", False))
        self.scheme = str(pack.manifest.get("scheme", "mgeo"))

    @classmethod
    def open(cls, pack: Pack, *, engine: str = "onnx", threads: int = 1, device: str = "auto") -> WordTagger:
        """The tagger of an imported pack on this engine."""
        return cls(pack, open_engine(engine, pack.file("graph"), threads, device))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that it can propose, in the order of the labels."""
        return tuple(dict.fromkeys(label[2:] for label in self._labels if label[1:2] == "-"))

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text in order; their confidence is that of the first word."""
        return [
            spans
            for start in range(0, len(texts), _BATCH)
            for spans in self._tag(
                [self._words.words(text, self._by_character) for text in texts[start : start + _BATCH]]
            )
        ]

    def scores(self, words: Sequence[Sequence[Word]]) -> list[Floats]:
        """Logits [tokens, labels] of each text, without those of [CLS], [SEP] and padding."""
        ids = [np.array([i for word in text for i in word.ids], dtype=np.int32) for text in words]
        found: list[Floats] = [np.zeros((0, len(self._labels)), np.float32)] * len(words)
        for rows in single_rows(ids, self._words, self._limit):
            logits = self._engine.run(rows.inputs)
            if not np.isfinite(logits).all():
                raise BrokenArtefactError("logits_not_finite")
            for at, row, length in zip(rows.at.tolist(), logits, rows.lengths.tolist(), strict=True):
                found[at] = row[1 : length - 1]
        return found

    def _tag(self, words: Sequence[Sequence[Word]]) -> list[list[Span]]:
        return [self._spans(text, scores) for text, scores in zip(words, self.scores(words), strict=True)]

    def _spans(self, words: Sequence[Word], scores: Floats) -> list[Span]:
        """The official pipeline's reading of the tags; words behind the cut have none."""
        firsts = np.cumsum([0, *(len(word.ids) for word in words)])[:-1]
        kept = int((firsts < len(scores)).sum())
        chosen = scores[firsts[:kept]]
        best = chosen.argmax(1)
        powers = np.exp(chosen - chosen.max(axis=1, keepdims=True))
        sure = (powers.max(axis=1) / powers.sum(axis=1)).tolist()
        spans: list[Span] = []
        open_span: Span | None = None
        for word, number, confidence in zip(words, best.tolist(), sure, strict=False):
            place, kind = self._labels[number][:1], self._labels[number][2:]
            if place in "BS" and open_span:
                spans.append(open_span)
                open_span = None
            if place in "BIES":
                begun = open_span or Span(kind, word.start, word.end, confidence)
                open_span = begun._replace(end=word.end)
            if place in "ES" and open_span:
                spans.append(open_span)
                open_span = None
        return [*spans, open_span] if open_span else spans


def open_any_tagger(
    pack: Pack, *, engine: str = "onnx", threads: int = 1, device: str = "auto"
) -> Tagger | WordTagger:
    """The tagger of a pack, ours or an imported one."""
    kind = WordTagger if pack.manifest.get("tokenizer") == "wordpiece" else Tagger
    return kind.open(pack, engine=engine, threads=threads, device=device)
