"""One matcher and one application for most serving tests: opening and warming takes a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from menpai.matcher import Matcher
from menpai.settings import Settings
from tests.serving.rig import Held, Rig, running


@pytest.fixture(scope="session")
def matcher() -> Matcher:
    return Matcher.open(settings=Settings(language="en", threads=2))


@pytest.fixture
def held(matcher: Matcher) -> Held:
    return Held(matcher)


@pytest.fixture(scope="session")
def rig(matcher: Matcher) -> Iterator[Rig]:
    with running(lambda: matcher) as rig:
        yield rig
