"""The pairs made up: repeatable, distinct, read as addresses, and of all three labels."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

import menpai
from menpai.load.pairs import generated, repeated
from menpai.matcher import Matcher
from menpai.settings import Settings


def some(count: int, seed: int = 1, repeat: float = 0.0) -> list[tuple[str, str]]:
    return list(islice(generated(seed, repeat), count))


def test_a_seed_gives_the_same_pairs() -> None:
    assert some(200) == some(200)
    assert not set(some(200)) & set(some(200, seed=2))


def test_no_pair_comes_twice_unless_asked() -> None:
    assert len(set(some(5000))) > 4990
    distinct = len(set(some(4000, repeat=0.9)))
    assert 300 < distinct < 520  # one in ten is new


def test_they_read_as_addresses() -> None:
    texts = [text for pair in some(150) for text in pair]
    read = [menpai.parse(text) for text in texts]
    assert sum(bool(address.divisions) for address in read) >= 0.97 * len(read)
    assert sum(address.level not in ("none", "city", "district", "town") for address in read) >= 0.98 * len(
        read
    )


def test_they_are_of_all_three_labels() -> None:
    answers = Matcher.open(settings=Settings(language="en", threads=1)).match_many(some(200), evidence=False)
    labels = Counter(answer.label for answer in answers if isinstance(answer, menpai.Verdict))
    assert sum(labels.values()) == 200
    assert min(labels[label] for label in ("exact_match", "partial_match", "not_match")) >= 15


@pytest.mark.parametrize("pairs", [[("甲", "乙")], [("甲", "乙"), ("丙", "丁")]])
def test_a_file_is_read_again_and_again(pairs: list[tuple[str, str]]) -> None:
    assert list(islice(repeated(pairs), 5)) == (pairs * 5)[:5]
