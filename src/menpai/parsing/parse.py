"""parse: the elements of a normalized address, with spans and canonical values."""

from __future__ import annotations

from menpai.address import Address, Normalized


def parse(normalized: Normalized) -> Address:
    """The most likely reading of a normalized text; a text in which nothing is found gives no elements."""
    return Address(normalized)
