"""score: a comparison becomes three probabilities (rules and the fast scorer first, then the encoder)."""

from menpai.scoring.bert import Ranker
from menpai.scoring.cascade import Cascade, open_cascade
from menpai.scoring.scorer import Score, Scorer

__all__ = ["Cascade", "Ranker", "Score", "Scorer", "open_cascade"]
