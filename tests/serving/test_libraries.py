"""The libraries of the service: by name, exchanged without a gap, and what is said where one cannot be opened."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import NotReadyError, UsageError
from menpai.search.naming import named_libraries
from menpai.serving import libraries
from menpai.serving.libraries import Libraries
from menpai.settings import Settings
from tests.search.libraries import entries, take


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "shops.menpai", tmp_path / "other"
    take(first, entries(3))
    take(second, entries(5))
    return first, second


def test_names() -> None:
    assert named_libraries("a/b.menpai, x=/c/d,") == {"b": "a/b.menpai", "x": "/c/d"}
    assert named_libraries("") == {}
    with pytest.raises(UsageError, match="two libraries are called d"):
        named_libraries("d=/a,/c/d")


def test_by_name_and_the_first_without(folders: tuple[Path, Path]) -> None:
    told: list[tuple[str, Any]] = []
    opened = Libraries(
        Settings(library=f"{folders[0]},o={folders[1]}"), lambda event, **facts: told.append((event, facts))
    )
    with pytest.raises(NotReadyError):
        opened.get()
    opened.open()
    assert (len(opened.get()), len(opened.get("o"))) == (3, 5)
    with pytest.raises(UsageError, match=r"no library is called p.*open are: shops, o"):
        opened.get("p")
    assert told == [
        ("library_opened", {"library": "shops", "rows": 3}),
        ("library_opened", {"library": "o", "rows": 5}),
    ]
    assert opened.status()["o"] == {"rows": 5, "generation": 1}
    opened.close()


def test_a_changed_library_is_exchanged_while_it_is_asked(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "LOOK_SECONDS", 0.02)
    told: list[str] = []
    opened = Libraries(Settings(library=str(folders[0])), lambda event, **_: told.append(event))
    opened.open()
    ended, faults = threading.Event(), list[BaseException]()

    def ask() -> None:
        try:
            while not ended.is_set():
                assert opened.get().suggest("文三路")
                assert opened.get().nearby(30.25, 120.13, 1)
                time.sleep(0.001)
        except BaseException as error:
            faults.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    for n in range(3):
        take(folders[0], entries(1, 100 + n), "add")
    until = time.monotonic() + 20
    while len(opened.get()) < 6 and time.monotonic() < until:
        time.sleep(0.02)
    ended.set()
    asking.join()
    opened.close()
    assert not faults
    assert len(opened.get()) == 6
    assert "library_reloaded" in told


def test_a_version_that_cannot_be_read_is_not_taken(folders: tuple[Path, Path]) -> None:
    told: list[str] = []
    opened = Libraries(Settings(library=str(folders[0])), lambda event, **_: told.append(event))
    opened.open()
    opened.close()
    take(folders[0], entries(1, 100), "add")
    (folders[0] / "manifest.json").write_text("{", "utf-8")
    assert opened.look() == []
    assert told[-1] == "library_refused"
    assert len(opened.get()) == 3


def test_a_library_that_was_deleted_and_built_anew_is_taken(folders: tuple[Path, Path]) -> None:
    told: list[str] = []
    opened = Libraries(Settings(library=str(folders[0])), lambda event, **_: told.append(event))
    opened.open()
    opened.close()
    shutil.rmtree(folders[0])
    assert opened.look() == opened.look() == []
    assert told[1:] == ["library_refused"]
    assert len(opened.get()) == 3
    take(folders[0], entries(7))  # the first version again, of other rows
    assert opened.look() == ["shops"]
    assert len(opened.get()) == 7


def test_a_version_whose_files_come_after_its_manifest_is_taken_when_they_are_there(
    folders: tuple[Path, Path],
) -> None:
    told: list[str] = []
    opened = Libraries(Settings(library=str(folders[0])), lambda event, **_: told.append(event))
    opened.open()
    opened.close()
    shutil.copy(folders[1] / "manifest.json", folders[0])
    assert opened.look() == opened.look() == []
    shutil.copytree(
        folders[1], folders[0], dirs_exist_ok=True, ignore=shutil.ignore_patterns("manifest.json")
    )
    assert opened.look() == ["shops"]
    assert told[1:] == ["library_refused", "library_reloaded"]
    assert len(opened.get()) == 5
