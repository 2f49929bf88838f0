"""A pair of an output, as a person is asked about it."""

from __future__ import annotations

import hashlib
from typing import NamedTuple


class Pair(NamedTuple):
    """Two texts (a name stands behind its address), the ids of their rows if there are such, what menpai says of them
    (label and similarity; empty and None: not judged yet), whether the output joined them, and whether `--max-error`
    marked them for people (None: it was not asked for)."""

    a: str
    b: str
    id_a: str
    id_b: str
    label: str
    similarity: float | None
    joined: bool
    review: bool | None = None

    @property
    def key(self) -> str:
        """16 hexadecimal digits by which an answer finds the pair again, wherever it stands and however it is judged.

        They are a random number of the pair's own that stays when the output is made anew ("permanent random number",
        Ohlsson 1995), so pairs in the order of their keys are a random sample, and the same one next time.
        """
        text = "\0".join((self.id_a, self.id_b, self.a, self.b))
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def text_of(address: str, name: str) -> str:
    """What is shown and labelled: the address, and the name behind it."""
    return f"{address} {name}".strip()
