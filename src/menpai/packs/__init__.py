"""Packs: a folder with a model as data (manifest, vocabulary, graphs, weights, digests, card)."""

from menpai.packs.pack import Pack, builtin_packs, open_pack
from menpai.packs.write import write_pack

__all__ = ["Pack", "builtin_packs", "open_pack", "write_pack"]
