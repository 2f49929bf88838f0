"""Is an imported pack the model that it was made from? Checks that anybody can run, each with its figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.engines import Engine, open_engine
from menpai.errors import NotReadyError, UsageError
from menpai.packs import Pack
from menpai.packs.bert_rows import Rows, pair_rows, single_rows
from menpai.packs.mgeo import read_folder
from menpai.packs.wordpiece import open_wordpiece
from menpai.scoring.bert import begin
from menpai.settings import available_cores

Pairs = Sequence[tuple[str, str]]
Floats = NDArray[np.float32]

# The examples of the official model card and of PhantomGrapes/MGeoExample, with the probability printed there.
OFFICIAL_FOLDER = "mgeo_geographic_entity_alignment_chinese_base"
OFFICIAL = (
    ("紫萱路363号人力社保局", "紫萱路363号市人社局", "exact_match", 0.92174),
    ("紫萱路363号人力社保局", "紫萱路市人社局", "exact_match", 0.76013),
    ("紫萱路363号人力社保局", "榆林市榆阳区康安路榆林市第二医院", "not_match", 0.99874),
    ("栖霞区仙林街道文枢东路2号商住楼4楼", "栖霞区文枢东路2号书店", "partial_match", 0.91773),
)
# How far the official outputs may be: they are printed with five digits; a lower precision moves them.
_CLOSE, _CLOSE_ENOUGH = 0.001, 0.03
# Share of identical addresses that must be exact, and of labels that a lower precision may change.
_IDENTICAL, _CHANGED = 0.95, 0.005


class Check(NamedTuple):
    """One check: did it pass, and its figures by name."""

    name: str
    passed: bool
    figures: dict[str, Any]


def verify(
    pack: Pack,
    pairs: Pairs,
    folder: Path | None = None,
    official: bool = False,
    engine: str = "onnx",
    told: Callable[[str], None] = lambda check: None,
) -> list[Check]:
    """The checks that apply to the pack; `folder` is the one it was imported from, for the comparison with PyTorch."""
    if pack.manifest.get("tokenizer") != "wordpiece":
        raise UsageError("pack_not_imported", pack=pack.name)
    model = _Model(pack, open_engine(engine, pack.file("graph"), available_cores(), "cpu"), pairs)
    work: list[tuple[str, bool, Callable[[], Check]]] = [
        ("finite", True, lambda: _finite(model)),
        ("identical", pack.task == "pair", lambda: _identical(model, pairs)),
        ("official", official or _is_official(pack), lambda: _official(model)),
        ("reference", folder is not None, lambda: _reference(model, folder or Path())),
    ]
    checks = []
    for name, applies, check in work:
        if applies:
            told(name)
            checks.append(check())
    return checks


class _Model:
    """A pack's logits for pairs, whatever its task: rows of a tagger are all its tokens, one after the other."""

    def __init__(self, pack: Pack, engine: Engine, pairs: Pairs) -> None:
        self.pack = pack
        self.engine = engine
        self.labels = [str(label) for label in pack.manifest["labels"]]
        self.words = open_wordpiece(pack)
        self.asked = self.rows(pairs)

    @cached_property
    def answers(self) -> Floats:
        """The logits of the pairs that it was opened with."""
        return self.logits(self.asked)

    def rows(self, pairs: Pairs) -> list[Rows]:
        a = self.words.encode([pair[0] for pair in pairs])
        limit = int(self.pack.manifest["max_length"])
        if self.pack.task == "tagging":
            return list(single_rows(a, self.words, limit))
        b = self.words.encode([pair[1] for pair in pairs])
        slow = self.pack.manifest.get("truncation") == "slow"
        return list(pair_rows(a, b, self.words, limit, segments=self.pack.task == "pair", slow=slow))

    def logits(self, rows: Sequence[Rows], engine: Engine | None = None) -> Floats:
        """[n, labels] in the order of the rows."""
        found = [begin(engine or self.engine, r)().reshape(-1, len(self.labels)) for r in rows]
        return np.concatenate(found) if found else np.zeros((0, len(self.labels)), np.float32)

    def probabilities(self, pairs: Pairs) -> Floats:
        """[n, labels] in the order of the pairs, for a pair pack."""
        rows = self.rows(pairs)
        out = np.empty((len(pairs), len(self.labels)), np.float32)
        out[np.concatenate([r.at for r in rows])] = _softmax(self.logits(rows))
        return out


def _finite(model: _Model) -> Check:
    """Every logit is a number, and probabilities sum to 1."""
    logits = model.answers
    good = bool(np.isfinite(logits).all()) and bool(np.allclose(_softmax(logits).sum(1), 1, atol=1e-5))
    return Check("finite", good, {"rows": len(logits), "largest_logit": _largest(logits)})


def _identical(model: _Model, pairs: Pairs) -> Check:
    """An address and itself are exact."""
    texts = list(dict.fromkeys(pair[0] for pair in pairs))[:20]
    found = model.probabilities([(text, text) for text in texts])
    exact = (found.argmax(1) == model.labels.index("exact_match")) & np.isfinite(found).all(1)
    share = float(exact.mean())
    return Check("identical", share >= _IDENTICAL, {"addresses": len(texts), "exact_share": share})


def _is_official(pack: Pack) -> bool:
    source = pack.manifest.get("source") or {}
    return str(source.get("folder", "")).startswith(OFFICIAL_FOLDER)


def _official(model: _Model) -> Check:
    """The outputs that the official model card prints."""
    found = model.probabilities([(a, b) for a, b, _, _ in OFFICIAL])
    got = [
        float(row[model.labels.index(label)]) for row, (_, _, label, _) in zip(found, OFFICIAL, strict=True)
    ]
    apart = _largest([value - wanted for value, (*_, wanted) in zip(got, OFFICIAL, strict=True)])
    close = _CLOSE if model.pack.manifest.get("precision") == "float32" else _CLOSE_ENOUGH
    wanted = [probability for *_, probability in OFFICIAL]
    return Check(
        "official", apart <= close, {"wanted": wanted, "found": [round(x, 5) for x in got], "apart": apart}
    )


def _reference(model: _Model, folder: Path) -> Check:
    """The pack against PyTorch on the folder's own tensors."""
    source = read_folder(folder, model.pack.task, model.labels if model.pack.task != "ranking" else ())
    try:
        opener = import_module("menpai.engines.reference").open_reference
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package=str(error.name), extra="torch") from error
    ours, theirs = model.answers, model.logits(model.asked, opener(source.shape.to_dict(), source.tensors))
    finite = np.isfinite(ours).all(1) & np.isfinite(theirs).all(1)
    changed = int(((ours.argmax(1) != theirs.argmax(1)) | ~finite).sum())
    apart = _largest(_softmax(ours) - _softmax(theirs))
    figures = {
        "rows": len(ours), "logit_difference": _largest(ours - theirs),
        "probability_difference": apart, "labels_changed": changed,
    }  # fmt: skip
    if model.pack.manifest.get("precision") == "float32":
        return Check("reference", changed == 0 and apart <= float(model.pack.manifest["tolerance"]), figures)
    return Check("reference", changed <= _CHANGED * len(ours), figures)


def _largest(values: Sequence[float] | Floats) -> float:
    """The largest absolute value; NaN, which no bound allows, if one of them is NaN."""
    return float(np.abs(np.asarray(values)).max(initial=0))


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)
