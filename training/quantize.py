"""The static INT8 of the encoder stands in the wheel, for `menpai train`."""

from menpai.training.quantize import LARGEST_INPUT, WEIGHT_BITS, quantize

__all__ = ["LARGEST_INPUT", "WEIGHT_BITS", "quantize"]
