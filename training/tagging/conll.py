"""CoNLL files as texts with spans: one token and its tag a line, a blank line between sentences.

A token may be a number of several characters; `[UNK]`, a lost character, becomes one U+FFFD. Tags are B/I/M/E/S or
B/I; the spans that come out are over the characters of the joined text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from menpai.parsing.schemes import scheme_named

LOST = "\ufffd"
_DIGITS = re.compile(r"\d+")


class Tagged(NamedTuple):
    """A text and its spans (kind, start, end), in order, none over another."""

    text: str
    spans: tuple[tuple[str, int, int], ...]


def read_conll(path: Path, scheme: str) -> list[Tagged]:
    """The sentences of a file in a scheme of menpai.parsing.schemes; case variants of a tag are one tag."""
    fold = scheme_named(scheme).fold
    sentences = _sentences(path.read_text(encoding="utf-8").split("\n"))
    return [join((token, fold(tag)) for token, tag in sentence) for sentence in sentences]


def _sentences(lines: Iterable[str]) -> Iterator[list[tuple[str, str]]]:
    sentence: list[tuple[str, str]] = []
    for line in lines:
        if line.strip():
            token, _, tag = line.partition("\t")
            sentence.append((LOST if token == "[UNK]" else token, tag.strip()))
        elif sentence:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def join(sentence: Iterable[tuple[str, str]]) -> Tagged:
    """Tokens with tags as one text with spans; an I or E without its B begins a span of its own."""
    text, inside = "", False
    spans: list[tuple[str, int, int]] = []
    for token, tag in sentence:
        place, _, kind = tag.partition("-")
        start, text = len(text), text + token
        if not kind:
            inside = False
            continue
        if inside and place in "IME" and spans[-1][0] == kind:
            spans[-1] = (kind, spans[-1][1], len(text))
        else:
            spans.append((kind, start, len(text)))
        inside = place in "BIM"
    return Tagged(text, tuple(spans))


def write_conll(path: Path, rows: Iterable[Tagged]) -> None:
    """One character a line, BIO tags: what `menpai evaluate --task tags` reads."""
    lines: list[str] = []
    for row in rows:
        tags = ["O"] * len(row.text)
        for kind, start, end in row.spans:
            tags[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
        lines += [f"{c}\t{t}" for c, t in zip(row.text, tags, strict=True)] + [""]
    path.write_text("\n".join(lines), encoding="utf-8")


def twin_key(text: str) -> str:
    """What twins share: the text with every number as one 0, in capitals."""
    return _DIGITS.sub("0", text.upper())
