"""Keys tell any two pairs apart, hide the texts, and hold a value to its pair."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.scoring import Score
from menpai.serving.cache.keys import VALUE_BYTES, Keys, Place, name_of, pair_name
from tests.serving.cache.values import KEYS, SCORE, key, scores

texts = st.text(max_size=6)
places = st.builds(
    lambda text, lat: {"text": text, "lat": lat, "lon": 120.0}, texts, st.floats(-90, 90, allow_nan=False)
)
addresses = st.one_of(texts, places)


@given(st.tuples(addresses, addresses), st.tuples(addresses, addresses), st.sampled_from(["r", "s"]))
def test_only_the_same_pair_in_the_same_order_has_the_same_key(one: Any, other: Any, realm: str) -> None:
    keys = []
    for where, pair in (("r", one), (realm, other)):
        named = pair_name("", pair)
        assert named is not None
        keys.append(KEYS.pair(where, *named[1:]))
    same = realm == "r" and repr(one) == repr(other)  # 0.0 and -0.0 are two
    assert (keys[0].pair == keys[1].pair) == same


@given(scores, texts)
def test_a_score_comes_back_to_the_bit(score: Score, text: str) -> None:
    value = KEYS.seal(key(text), score)
    assert len(value) == VALUE_BYTES
    found = KEYS.unseal(key(text), value)
    assert found is not None
    assert [*map(float.hex, found.probabilities), found.reading.hex(), found.decided_by] == [
        *map(float.hex, score.probabilities),
        score.reading.hex(),
        score.decided_by,
    ]


@given(st.integers(0, VALUE_BYTES - 1), st.integers(1, 255))
def test_a_value_that_was_changed_is_no_value(at: int, flip: int) -> None:
    value = bytearray(KEYS.seal(key("a"), SCORE))
    value[at] ^= flip
    assert KEYS.unseal(key("a"), bytes(value)) is None


def test_a_value_belongs_to_its_pair_and_its_secret() -> None:
    value = KEYS.seal(key("a"), SCORE)
    assert KEYS.unseal(key("b"), value) is None
    other = Keys(b"l" * 32)
    assert other.unseal(other.pair("realm", "a", "文三路2号"), value) is None
    assert other.pair("realm", "a", "b") != KEYS.pair("realm", "a", "b")
    assert KEYS.unseal(key("a"), b"") is None


def test_an_address_is_known_by_its_text_whatever_its_coordinates() -> None:
    place = name_of({"text": "文三路1号", "lat": 30.0, "lon": 120.0})
    assert isinstance(place, Place)
    found = KEYS.pair("realm", place, "b")
    assert found.a == KEYS.address("文三路1号") == KEYS.pair("other", "文三路1号", "c").a
    assert found.pair != KEYS.pair("realm", "文三路1号", "b").pair


@pytest.mark.parametrize(
    "address", [5, None, [], {"lat": 1}, {"text": 5}, {"text": "a", "lat": float("nan")}]
)
def test_what_is_no_address_is_not_remembered(address: Any) -> None:
    assert pair_name("b", (address, "a")) is None
    assert pair_name("b", ("a", address)) is None
