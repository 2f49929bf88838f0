"""The cascade: identical texts, then the fast scorer where it is sure, then the encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from menpai.engines import Engine, open_engine
from menpai.engines.gears import open_gears
from menpai.errors import BrokenArtefactError, UsageError
from menpai.evidence import FEATURES, Comparison
from menpai.lru import LRU
from menpai.packs import Pack
from menpai.scoring.bert import BertPairs, normalized_texts, raw_texts
from menpai.scoring.calibration import Calibration
from menpai.scoring.encoder import Encoder, Waiting, encoder_texts
from menpai.scoring.linear import LinearModel
from menpai.scoring.scorer import Score, softmax, with_least
from menpai.scoring.tokens import Vocabulary
from menpai.verdict import LABELS, Probabilities

# What identical normal forms mean to an imported model's default mode: stated, not learned.
IDENTICAL = Probabilities(0.995, 0.004, 0.001)


class Reader(Protocol):
    """What reads the texts of a pair: our encoder, or an imported model."""

    @property
    def device(self) -> str:
        """Where its graph runs."""

    @property
    def tokens(self) -> LRU[str, Any] | None:
        """The texts that are remembered with their tokens, if any are."""

    @property
    def lanes(self) -> int:
        """How many runs must go side by side to fill the cores."""

    def start(self, pairs: Sequence[tuple[str, str]], pool: Executor | None = None) -> Waiting:
        """Begin; the call that comes back gives logits [n, 3] in the order of LABELS."""

    def warm(self) -> None:
        """Run the usual lengths once."""

    def forget(self) -> None:
        """Drop whatever texts are remembered."""


class Cascade:
    """Scores comparisons with the cheapest stage that is sure of them; without `identical` all go to the encoder."""

    def __init__(
        self,
        encoder: Reader,
        fast: LinearModel,
        blend: LinearModel,
        identical: Probabilities | None,
        clear: float,
        texts: Callable[[Comparison], tuple[str, str]] = encoder_texts,
        calibration: Calibration | None = None,
        guarded: bool = False,
    ) -> None:
        """`guarded`: P(exact) stays above what a contradiction leaves of it."""
        self.encoder = encoder
        self.fast = fast
        self.blend = blend
        self._identical = identical
        self._clear = clear
        self._texts = texts
        self._calibration = calibration
        self._guarded = guarded

    def score(self, comparisons: Sequence[Comparison], features: NDArray[np.float32]) -> list[Score]:
        """One score for each comparison, in order; none depends on the comparisons beside it."""
        return self.start(comparisons, features)()

    def start(
        self,
        comparisons: Sequence[Comparison],
        features: NDArray[np.float32],
        pool: Executor | None = None,
    ) -> Callable[[], list[Score]]:
        """Decide the clear ones now and begin the encoder's work on the pool; the call that comes back waits."""
        scores = self.early(comparisons, features)
        left = [at for at, score in enumerate(scores) if score is None]
        read = self.read([comparisons[at] for at in left], features[left], pool) if left else list

        def finish() -> list[Score]:
            rest = iter(read())
            return [score or next(rest) for score in scores]

        return finish

    def early(self, comparisons: Sequence[Comparison], features: NDArray[np.float32]) -> list[Score | None]:
        """The scores of those that need no encoder; None for the others."""
        quick = softmax(self.fast.logits(features))
        return [self._early(*pair) for pair in zip(comparisons, quick, strict=True)]

    def read(
        self,
        comparisons: Sequence[Comparison],
        features: NDArray[np.float32],
        pool: Executor | None = None,
    ) -> Callable[[], list[Score]]:
        """Begin the encoder's work on these, whatever the fast scorer thinks; the call that comes back waits."""
        logits = self.encoder.start([self._texts(c) for c in comparisons], pool)

        def finish() -> list[Score]:
            read = logits()
            blended = softmax(self.blend.logits(features, read))
            weights = self.blend.reading(read)
            return [
                Score(self._settled(p), "encoder", weight) for p, weight in zip(blended, weights, strict=True)
            ]

        return finish

    def texts(self, comparison: Comparison) -> tuple[str, str]:
        """What the encoder reads of it."""
        return self._texts(comparison)

    def length(self, comparison: Comparison) -> int:
        """About how many tokens the encoder reads of it."""
        return sum(map(len, self._texts(comparison)))

    def _early(self, comparison: Comparison, quick: Probabilities) -> Score | None:
        """Identical normal forms are the same place, as surely as the calibration says; the fast scorer decides
        where it is sure; None leaves the pair to the encoder."""
        if self._identical is not None and comparison.identical:
            return Score(self._identical, "exact")
        return Score(self._settled(quick), "fast") if max(quick) >= self._clear else None

    def _settled(self, given: Probabilities) -> Probabilities:
        """The probabilities as they leave the cascade: calibrated on the user's pairs, and guarded."""
        calibrated = self._calibration.apply(given) if self._calibration else given
        return with_least(calibrated) if self._guarded else calibrated


def open_cascade(
    pack: Pack,
    engine: str,
    *,
    early: bool = True,
    device: str = "auto",
    faithful: bool = False,
    threads: int = 1,
) -> Cascade:
    """The cascade of a pack; with `early` off, every pair that is not identical goes to the encoder.

    `faithful` and `threads` (in one run of the graph) are for imported models.
    """
    imported = pack.manifest.get("tokenizer", "characters") == "wordpiece"
    if pack.task != "pair":
        raise UsageError("pack_of_other_task", pack=pack.name, task=pack.task, wanted="pair")
    if faithful and not imported:
        raise UsageError("mode_not_for_pack", pack=pack.name)
    try:
        if imported:
            return _open_imported(pack, open_gears(engine, pack.file("graph"), threads, device), faithful)
        return _open(pack, engine, early, device)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise BrokenArtefactError("pack_invalid", pack=str(pack.path), reason=reason) from error


def _open_imported(pack: Pack, engine: Engine, faithful: bool) -> Cascade:
    """Identical texts, then the model. The fast scorer does not speak for a model that was taught other rules: on
    pairs judged by others it decided one in eight, and one in five of those against their rules."""
    nothing = [0.0] * (len(FEATURES) + 1)
    model = LinearModel(nothing, nothing, encoder=1.0)
    order = "given" if faithful else str(pack.manifest.get("order", "given"))
    texts = raw_texts if faithful else normalized_texts
    identical = None if faithful else IDENTICAL
    calibration = None if faithful else _calibration(pack)
    return Cascade(BertPairs(pack, engine, order), model, model, identical, np.inf, texts, calibration)


def _calibration(pack: Pack) -> Calibration | None:
    """What `menpai calibrate` wrote into the pack, if it did."""
    return (
        Calibration.from_json(pack.read_json("calibration"))
        if "calibration" in pack.manifest["files"]
        else None
    )


def _open(pack: Pack, engine: str, early: bool, device: str) -> Cascade:
    """The cascade; raises whatever a file of another shape than ours brings about."""
    weights = pack.read_json("weights")
    vocabulary = Vocabulary(pack.file("vocabulary").read_text(encoding="utf-8").split("\n")[:-1])
    order = [list(pack.manifest["labels"]).index(label) for label in LABELS]
    # One thread inside an operator: the graph is small, and the matcher's threads run it side by side.
    encoder = Encoder(open_engine(engine, pack.file("graph"), 1, device), vocabulary, order)
    fast, blend = (
        LinearModel.from_json(weights[key], weights["features"], str(pack.path)) for key in ("fast", "blend")
    )
    identical = Probabilities(*map(float, weights["rules"]["identical"]))
    clear = float(weights["clear"])
    if not (abs(sum(identical) - 1) < 1e-6 and min(identical) >= 0 and 0 <= clear <= 2):
        raise ValueError("rules.identical must be three probabilities, clear a number in 0..2")
    clear = clear if early else np.inf
    return Cascade(encoder, fast, blend, identical, clear, calibration=_calibration(pack), guarded=True)
