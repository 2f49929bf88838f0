"""What a pair is called outside this process, and what is kept of its verdict: keyed hashes and numbers.

Without the secret nobody can tell whether an address is in a file, nor change a value unseen (BLAKE2, RFC 7693).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Hashable, Mapping
from hashlib import blake2b
from hmac import compare_digest
from typing import Any, NamedTuple

from menpai.scoring import Score
from menpai.verdict import Probabilities

# A score: which stage gave it, three probabilities, the encoder's reading; then the seal.
_NUMBERS = struct.Struct("<B4d")
_SEAL = 8
VALUE_BYTES = _NUMBERS.size + _SEAL
_STAGES = ("exact", "rules", "fast", "encoder")


class Key(NamedTuple):
    """A pair's hash (16 bytes), and those of its two texts (8 bytes), by which an address can be forgotten."""

    pair: bytes
    a: bytes
    b: bytes


class Place(NamedTuple):
    """An address with coordinates, written so that equal ones are equal."""

    text: str
    json: str


def name_of(address: Any) -> str | Place | None:
    """What the address is known by in this process; None for one that is not remembered."""
    if type(address) is str:
        return address
    if isinstance(address, Mapping) and isinstance(address.get("text"), str):
        try:
            return Place(address["text"], json.dumps(address, sort_keys=True, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            return None
    return None


def pair_name(behaviour: str, pair: tuple[Any, Any]) -> tuple[str, Any, Any] | None:
    """What a pair is known by in this process: both addresses in their order, and what judges them."""
    a, b = name_of(pair[0]), name_of(pair[1])
    return None if a is None or b is None else (behaviour, a, b)


class Keys:
    """Makes keys and values under one secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def pair(self, realm: str, a: str | Place, b: str | Place) -> Key:
        """The key of an ordered pair; `realm` is all that can move its score."""
        parts = [realm.encode(), *(_written(address) for address in (a, b))]
        return Key(self._hash(b"pair", 16, *parts), self.address(_text(a)), self.address(_text(b)))

    def address(self, text: str) -> bytes:
        """The hash of an address's text, whatever its coordinates."""
        return self._hash(b"address", 8, text.encode("utf-8", "surrogatepass"))

    def seal(self, key: Key, score: Score) -> bytes:
        """The numbers of a score, with a seal that holds them to the key."""
        numbers = _NUMBERS.pack(_STAGES.index(score.decided_by), *score.probabilities, score.reading)
        return numbers + self._hash(b"value", _SEAL, key.pair, numbers)

    def unseal(self, key: Key, value: bytes) -> Score | None:
        """The score; None if the value was not sealed under this key, or has changed since."""
        numbers, seal = value[:-_SEAL], value[-_SEAL:]
        if len(value) != VALUE_BYTES or not compare_digest(
            seal, self._hash(b"value", _SEAL, key.pair, numbers)
        ):
            return None
        stage, exact, partial, other, reading = _NUMBERS.unpack(numbers)
        return Score(Probabilities(exact, partial, other), _STAGES[stage], reading)  # type: ignore[arg-type]

    def _hash(self, purpose: bytes, size: int, *parts: bytes) -> bytes:
        digest = blake2b(digest_size=size, key=self._secret, person=purpose)
        for part in parts:
            digest.update(len(part).to_bytes(8, "little") + part)
        return digest.digest()


def _text(address: str | Place) -> str:
    return address if isinstance(address, str) else address.text


def _written(address: Hashable) -> bytes:
    if isinstance(address, Place):
        return b"place " + address.json.encode()
    return b"text " + str(address).encode("utf-8", "surrogatepass")
