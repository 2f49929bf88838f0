"""Keys of a text: what is one, what two writings share, and that many texts at once are one after another."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from menpai.search.keys import terms_of, terms_of_tokens, tokens_of
from tests.search.keys.scan import keys_of

TEXTS = st.text("文三路号楼幢12Ab-# (室", max_size=14)


def shared(a: str, b: str) -> int:
    return len(np.intersect1d(terms_of(a), terms_of(b)))


@given(TEXTS, TEXTS)
@example("文三路1号", "路1号")
@example("1#2-3", "1号楼2单元3")
def test_two_texts_share_what_the_plain_reading_says(a: str, b: str) -> None:
    assert len(terms_of(a)) == len(keys_of(a))
    assert shared(a, b) == len(keys_of(a) & keys_of(b))


@given(st.lists(TEXTS, max_size=6))
def test_many_texts_are_one_after_another(texts: list[str]) -> None:
    tokens = tokens_of(texts)
    terms, places = terms_of_tokens(tokens)
    for row, text in enumerate(texts):
        assert np.array_equal(np.unique(terms[tokens.rows[places] == row]), terms_of(text))


def test_unit_words_are_no_keys() -> None:
    plain = {key for key in keys_of("文三路123号3幢2单元502室") if key[0] in ("number", "after")}
    for written in ("文三路123号3号楼2单元502", "文三路123号3-2-502"):
        assert plain <= keys_of(written)
        assert shared("文三路123号3幢2单元502室", written) >= len(plain)


def test_a_name_and_an_address_share_no_key_across() -> None:
    assert len(terms_of("文三\n路口")) == 2


def test_other_scripts_and_long_numbers_have_keys_too() -> None:
    assert len(terms_of("𠀀 Ω §")) == 0
    assert shared("A座", "A栋") == 1
    assert shared("1" * 40, "1" * 12) == 1
