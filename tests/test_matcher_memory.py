"""Addresses that a matcher remembers: read once, within bounds, and reckoned in bytes about as large as they are."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from menpai.matcher import Matcher
from menpai.settings import Settings

TEXTS = [f"浙江省杭州市西湖区文三路{n}号海月花园{n % 40}幢{n % 4}单元{n}室" for n in range(600)]


def opened(**settings: float) -> Matcher:
    return Matcher.open(settings=Settings(language="en", threads=1, **settings))  # type: ignore[arg-type]


def test_an_address_is_read_once_and_the_oldest_make_room() -> None:
    matcher = opened(readings=2)
    for text in (TEXTS[0], TEXTS[0], TEXTS[1], TEXTS[2], TEXTS[0]):
        matcher.parse(text)
    assert (len(matcher.readings), matcher.readings.hits, matcher.readings.misses) == (2, 1, 4)
    matcher.forget()
    assert (len(matcher.readings), matcher.readings.bytes) == (0, 0)


def test_without_room_nothing_is_remembered() -> None:
    for matcher in (opened(readings=0), opened(readings_mb=0)):
        matcher.parse(TEXTS[0])
        assert not len(matcher.readings)


def test_the_bytes_reckoned_are_about_those_taken() -> None:
    matcher = opened()
    matcher.normalize(TEXTS[0])
    for text in TEXTS[:300]:
        matcher.normalize(text)
    matcher.forget()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for text in TEXTS[300:]:
            matcher.normalize(text)
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert matcher.readings.bytes == pytest.approx(taken, rel=0.6)
