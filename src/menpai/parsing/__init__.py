"""parse: divisions and elements of a normalized address."""

from menpai.parsing.parse import parse

__all__ = ["parse"]
