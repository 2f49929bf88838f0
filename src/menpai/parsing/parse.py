"""parse: the elements of a normalized address, with spans and canonical values."""

from __future__ import annotations

from menpai.address import Address, Normalized
from menpai.parsing.detail import read_detail
from menpai.parsing.divisions import read_chain


def parse(normalized: Normalized) -> Address:
    """The most likely reading of a normalized text; a text in which nothing is found gives no elements."""
    text = normalized.text
    chain = read_chain(text)
    before = read_detail(text, 0, chain.start) if chain.start else []
    elements = (*before, *chain.elements, *read_detail(text, chain.end, len(text)))
    return Address(normalized, elements, chain.divisions, chain.former)
