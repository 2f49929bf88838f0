"""normalize: width, variants, numerals, clutter; every character keeps its offset in the original."""

from menpai.text.normalize import STEPS, Change, changes, normalize

__all__ = ["STEPS", "Change", "changes", "normalize"]
