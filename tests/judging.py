"""What the tests of the judging rooms share: the cases, pairs as people send them, comparisons, small packs."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from menpai.evidence import FEATURES, Comparison, compare
from menpai.matcher import Matcher
from menpai.packs import Pack, write_pack
from menpai.parsing import parse
from menpai.scoring.tokens import SPECIAL
from menpai.settings import Settings
from menpai.text import normalize
from menpai.verdict import LABELS, Verdict
from tests import graphs, strategies

CASES = Path(__file__).parent / "cases" / "pairs.tsv"
SETTINGS = Settings(language="en", threads=2)


@cache
def cases() -> list[dict[str, str]]:
    """The rows of tests/cases/pairs.tsv."""
    with CASES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def case_pairs() -> list[tuple[str, str]]:
    """The pairs of all cases."""
    return [(case["a"], case["b"]) for case in cases()]


@cache
def matcher(**changes: Any) -> Matcher:
    """A matcher on the built-in pack, opened once for all tests."""
    return Matcher.open(settings=SETTINGS.replace(**changes))


def judge(a: str, b: str) -> Verdict:
    """The verdict of the built-in pack on one pair."""
    (answer,) = matcher().match_many([(a, b)])
    assert isinstance(answer, Verdict), answer
    return answer


def comparison(a: str, b: str) -> Comparison:
    """Two texts, read and laid side by side."""
    return compare(parse(normalize(a)), parse(normalize(b)))


_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_WORDINGS = (
    lambda text: text.translate(_FULL_WIDTH),
    lambda text: text.replace("号楼", "幢").replace("单元", "-").replace("室", ""),
    lambda text: text.replace("省", "").replace("市", "", 1),
    lambda text: f"{text[:9]} {text[9:]}（{text[-3:]}旁边）",
    lambda text: text[3:],
    lambda text: text + text,
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts: one place in two wordings, two places that differ in one part, or anything beside anything."""
    a, b = draw(strategies.written()), draw(strategies.written())
    kind = draw(st.sampled_from(("wording", "part", "part", "lost", "other", "pieces", "case")))
    if kind == "case":
        return draw(st.sampled_from(case_pairs()))
    if kind == "pieces":
        pieces = [draw(strategies.pieces()).replace("\ud800", "") for _ in range(2)]
        return "文三路" + pieces[0], pieces[1] + "海月花园"
    if kind == "part":
        shared = [part for part in a.parts if part in b.parts] or list(a.parts)
        part = draw(st.sampled_from(shared))
        b = a.change(**{part: b.parts.get(part, "")})
    if kind == "lost":
        b = a.change(**dict.fromkeys(draw(st.sets(st.sampled_from(sorted(a.parts)[1:]))), ""))
    if kind == "wording":
        return a.text, draw(st.sampled_from(_WORDINGS))(a.text)
    return a.text, b.text or a.text


def small_weights(**changes: Any) -> dict[str, Any]:
    """The weights file of a pack for today's evidence: each feature pulls to its sign."""
    pull = {"exact": [0.5 * f.sign for f in FEATURES] + [0.1], "lean": [0.25] * (len(FEATURES) + 1)}
    return {
        "features": [f.name for f in FEATURES],
        "fast": pull,
        "blend": {**pull, "encoder": 0.001},
        "rules": {"identical": [0.98, 0.01, 0.01]},
        "clear": 0.9,
    } | changes


def small_pack(path: Path, *, weights: Any = None, **files: bytes) -> Pack:
    """A pack of a few kilobytes; `files` (graph, vocabulary) and `weights` replace what it holds."""
    content = {
        "graph": graphs.pair_graph(),
        "vocabulary": "\n".join((*SPECIAL, *"省市区县路号弄幢栋单元室海月花园文三0123456789", "")).encode(),
        "weights": json.dumps(small_weights() if weights is None else weights).encode(),
        **files,
    }
    manifest = {
        "name": "small",
        "version": "1",
        "labels": list(LABELS),
        "files": {role: f"{role}.bin" for role in content},
    }
    named = {f"{role}.bin": data for role, data in content.items()}
    return write_pack(path, manifest, {**named, "card.md": b"# small\n"})
