"""People decide: pairs of an output in the order in which they teach most, their labels, and what those say of the whole."""

from menpai.tables.review.labels import open_labels, path_of, read_labels
from menpai.tables.review.outputs import Asked, fingerprint_of, read_output
from menpai.tables.review.plan import make_plan
from menpai.tables.review.sample import draw
from menpai.tables.review.session import Session

__all__ = [
    "Asked",
    "Session",
    "draw",
    "fingerprint_of",
    "make_plan",
    "open_labels",
    "path_of",
    "read_labels",
    "read_output",
]
