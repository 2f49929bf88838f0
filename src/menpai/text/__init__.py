"""normalize: width, variants, numerals, clutter; every character keeps its offset in the original."""

from menpai.text.normalize import STEPS, normalize

__all__ = ["STEPS", "normalize"]
