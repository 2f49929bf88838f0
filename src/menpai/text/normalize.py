"""The pipeline of normalize: named steps, each idempotent and offset-preserving."""

from __future__ import annotations

import unicodedata

from menpai.address import Normalized

STEPS: tuple[str, ...] = ("characters",)


def normalize(raw: str) -> Normalized:
    """The cleaned text of an address with offsets into `raw`; normalizing twice changes nothing more."""
    text: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(raw):
        for out in unicodedata.normalize("NFKC", char):
            text.append(out)
            offsets.append(at)
    cleaned = "".join(text)
    return Normalized(raw, cleaned, tuple(offsets), steps=("characters",) if cleaned != raw else ())
