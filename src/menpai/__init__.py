"""menpai (门牌): do two Chinese addresses mean the same place, and if not, where do they part?

Nothing is opened at import; the built-in pack is opened at the first `match`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from menpai._version import __version__
from menpai.address import Address, Division, Element, Normalized, Place
from menpai.errors import BrokenArtefactError, MenpaiError, NotReadyError, Problem, UsageError
from menpai.settings import Settings
from menpai.verdict import Conflict, Evidence, Probabilities, Verdict

if TYPE_CHECKING:
    from menpai.door import match, normalize, parse, parse_many
    from menpai.library import Library
    from menpai.matcher import Matcher
    from menpai.search.values import Candidate, Record, Suggestion
    from menpai.tables.linkage.dedupe_door import dedupe
    from menpai.tables.linkage.door import link

__all__ = [
    "Address",
    "BrokenArtefactError",
    "Candidate",
    "Conflict",
    "Division",
    "Element",
    "Evidence",
    "Library",
    "Matcher",
    "MenpaiError",
    "Normalized",
    "NotReadyError",
    "Place",
    "Probabilities",
    "Problem",
    "Record",
    "Settings",
    "Suggestion",
    "UsageError",
    "Verdict",
    "__version__",
    "dedupe",
    "link",
    "match",
    "normalize",
    "parse",
    "parse_many",
]

_LATE = {
    "Candidate": "menpai.search.values",
    "Library": "menpai.library",
    "Record": "menpai.search.values",
    "Suggestion": "menpai.search.values",
    "Matcher": "menpai.matcher",
    "dedupe": "menpai.tables.linkage.dedupe_door",
    "link": "menpai.tables.linkage.door",
    "match": "menpai.door",
    "normalize": "menpai.door",
    "parse": "menpai.door",
    "parse_many": "menpai.door",
}


def __getattr__(name: str) -> Any:
    """Import numpy, ONNX Runtime and the tables when something that needs them is first asked for."""
    if name not in _LATE:
        raise AttributeError(f"module 'menpai' has no attribute {name!r}")
    value = getattr(import_module(_LATE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
