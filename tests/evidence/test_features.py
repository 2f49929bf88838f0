from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

from menpai.address import ELEMENTS
from menpai.evidence import FEATURES, Feature, measure
from tests.judging import case_pairs, comparison, pairs

_EMPTY_QUOTE = re.compile(r"^\s*$|[：:≠/]\s*$|[：:]\s*[≠/]|[{}]")
SPEAKS_OF = {*ELEMENTS, "rest", "text"}


def test_each_feature_is_named_once() -> None:
    names = [feature.name for feature in FEATURES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_a_feature_explains_itself(feature: Feature) -> None:
    assert feature.name.isidentifier()
    assert feature.element in SPEAKS_OF
    assert feature.sign in (-1, 0, 1)
    assert feature.description.endswith(".")
    assert feature.description.count(". ") == 0, "one sentence"
    assert feature.en.isascii() or "≠" in feature.en
    assert any("一" <= char <= "鿿" for char in feature.zh)


@given(pairs())
def test_features_are_shares_and_the_same_in_both_orders(pair: tuple[str, str]) -> None:
    rows = measure([comparison(*pair), comparison(*reversed(pair))])
    assert rows.shape == (2, len(FEATURES))
    assert rows.min() >= 0.0
    assert rows.max() <= 1.0
    assert (rows[0] == rows[1]).all()


@given(pairs())
def test_measure_equals_its_plain_twin(pair: tuple[str, str]) -> None:
    c = comparison(*pair)
    plain = np.array([[feature.measure(c) for feature in FEATURES]], dtype=np.float32)
    assert (measure([c]) == plain).all()


def test_a_row_does_not_depend_on_the_rows_beside_it() -> None:
    comparisons = [comparison(a, b) for a, b in case_pairs()]
    together = measure(comparisons)
    assert all((measure([c])[0] == row).all() for c, row in zip(comparisons, together, strict=True))
    assert measure([]).shape == (0, len(FEATURES))


def test_what_is_said_quotes_what_was_compared() -> None:
    said = {
        (feature.name, feature.text(c, language))
        for c in (comparison(a, b) for a, b in case_pairs())
        for feature in FEATURES
        if feature.measure(c)
        for language in ("zh", "en")
    }
    assert said
    assert not {(name, text) for name, text in said if _EMPTY_QUOTE.search(text)}
