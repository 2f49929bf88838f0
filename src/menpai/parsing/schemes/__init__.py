"""Tag sets of others: MGeo (GeoETA), CCKS, leodotnet, swei412; their spans from our elements and back."""

from menpai.parsing.schemes.export import export
from menpai.parsing.schemes.scheme import SCHEMES, Scheme, find_scheme, scheme_named
from menpai.parsing.schemes.spans import Tagged, labels_of, spans_of
from menpai.parsing.schemes.taken import kind_of

__all__ = [
    "SCHEMES",
    "Scheme",
    "Tagged",
    "export",
    "find_scheme",
    "kind_of",
    "labels_of",
    "scheme_named",
    "spans_of",
]
