"""One matcher and one application for most serving tests: opening and warming takes a second."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import menpai
from menpai.matcher import Matcher
from menpai.serving import shift
from menpai.settings import Settings
from tests.serving.rig import Held, Rig, running

PLACES = [
    {"id": "a", "address": "浙江省杭州市西湖区文三路123号", "lat": 30.2741, "lon": 120.1251},
    {
        "id": "b",
        "address": "浙江省杭州市西湖区文三路125号",
        "name": "文三大厦",
        "lat": 30.2742,
        "lon": 120.1262,
    },
    {"id": "c", "address": "北京市海淀区中关村大街1号", "name": "海龙大厦"},
    {"id": "d", "address": "浙江省杭州市西湖区文三路125号2幢501室"},
]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The package behind this file comes with the second tier: the default run does not open it."""
    second = "not slow" not in (config.option.markexpr or "")
    return True if collection_path.name == "test_schemathesis.py" and not second else None


@pytest.fixture(scope="session", autouse=True)
def _only_the_services_own_garbage() -> Iterator[None]:
    """A start and a reload collect all garbage, here that of the whole test run: half a second, a hundred times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shift, "_settle", lambda: None)
        yield


@pytest.fixture(scope="session")
def matcher() -> Matcher:
    return Matcher.open(settings=Settings(language="en", threads=2))


@pytest.fixture
def held(matcher: Matcher) -> Held:
    return Held(matcher)


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small library, which the examples of the documentation ask."""
    path = tmp_path_factory.mktemp("libraries") / "places"
    menpai.Library.build(PLACES, path, crs="wgs84").close()
    return path


@pytest.fixture(scope="session")
def rig(matcher: Matcher, places: Path) -> Iterator[Rig]:
    with running(lambda: matcher, library=f"places={places}") as rig:
        yield rig
