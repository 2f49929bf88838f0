"""The characters that a pack knows, as ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

PAD, UNKNOWN, CLS, SEP, MASK = range(5)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

IntArray = NDArray[np.int32]


class Vocabulary:
    """The characters that a pack knows, in the order of their ids; specials first."""

    def __init__(self, entries: Sequence[str]) -> None:
        if tuple(entries[: len(SPECIAL)]) != SPECIAL:
            raise ValueError(f"a vocabulary starts with {SPECIAL}")
        self.entries = tuple(entries)
        self._table = np.full(0x110000, UNKNOWN, dtype=np.int32)
        for at, entry in enumerate(self.entries[len(SPECIAL) :], start=len(SPECIAL)):
            self._table[ord(entry)] = at

    def __len__(self) -> int:
        return len(self.entries)

    def ids(self, text: str) -> IntArray:
        """The id of each character, UNKNOWN for one that the pack has never seen; shape [len(text)]."""
        return self._table[codepoints(text)]


def codepoints(text: str) -> NDArray[np.uint32]:
    """The code points of a text; shape [len(text)]."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
