"""What the tests of the caches share: keys, scores, and pairs of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

from menpai.scoring import Score
from menpai.serving.cache.keys import Key, Keys
from menpai.verdict import Probabilities

KEYS = Keys(b"k" * 32)
SCORE = Score(Probabilities(0.25, 0.7, 0.05), "encoder", -0.125)

shares = st.floats(0, 1)
scores = st.builds(
    Score,
    st.builds(Probabilities, shares, shares, shares),
    st.sampled_from(("exact", "rules", "fast", "encoder")),
    st.floats(allow_nan=False, allow_infinity=False),
)


def key(a: str, b: str = "文三路2号") -> Key:
    return KEYS.pair("realm", a, b)


def values(*texts: str) -> dict[Key, bytes]:
    """Sealed values of pairs with these first addresses."""
    return {key(text): KEYS.seal(key(text), SCORE) for text in texts}
