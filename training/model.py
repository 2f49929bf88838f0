"""The encoder of menpai-mini stands in the wheel, for `menpai train`."""

from menpai.training.model import Block, PairEncoder, Shape, load, save

__all__ = ["Block", "PairEncoder", "Shape", "load", "save"]
