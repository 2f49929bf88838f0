"""Reading while others write: each view is one version, whole; the service steps to the next without a gap."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from menpai.errors import NotReadyError
from menpai.library import Library
from menpai.search import store
from menpai.search.compact import compact, remove_rows
from menpai.search.segment import Segment
from menpai.search.store import open_view
from tests.search.libraries import content, entries, take


@pytest.mark.usefixtures("bare")
def test_every_view_is_a_whole_version(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    take(folder, entries(20))
    ended, faults, sizes = threading.Event(), list[BaseException](), set[int]()

    def read() -> None:
        library = Library.open(folder)
        try:
            while not ended.is_set():
                library.refresh()
                rows = {record.id for record in library}
                assert len(rows) == len(library)
                # Rows are added and removed by tens.
                assert len(rows) % 10 == 0
                sizes.add(len(rows))
                assert len(content(folder)) % 10 == 0
        except BaseException as error:
            faults.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for n in range(4):
        take(folder, entries(10, 100 + 10 * n), "add")
        if n % 3 == 2:
            compact(folder)
            remove_rows(folder, [f"r{n}" for n in range(100, 110)])
            take(folder, entries(10, 100), "add")
    ended.set()
    for reader in readers:
        reader.join()
    assert not faults
    assert len(sizes) > 1
    assert len(content(folder)) == 60


@pytest.mark.usefixtures("bare")
def test_an_old_view_answers_after_its_files_are_gone(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    take(folder, entries(50))
    manifest, view = open_view(folder)
    take(folder, entries(3, 900))
    assert not (folder / manifest.segments[0].name).exists()
    assert sorted(record.id for record in view.shards[0].segment.records()) == sorted(
        f"r{n}" for n in range(50)
    )
    newer, stepped = open_view(folder, view, manifest)
    assert newer.generation == 2
    assert len(stepped) == 3


@pytest.mark.usefixtures("bare")
def test_what_did_not_change_is_not_opened_again(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    take(folder, entries(50))
    with Library.open(folder) as library:
        before = library.view.shards[0]
        assert not library.refresh()
        take(folder, entries(1, 900), "add")
        remove_rows(folder, ["r1"])
        assert library.refresh()
        assert library.view.shards[0].segment is before.segment
        assert (len(library), "r1" in library, "r900" in library) == (50, False, True)
        assert library.generation == 3
    for ask in (lambda: len(library), library.refresh, lambda: library.suggest("文三路")):
        with pytest.raises(NotReadyError, match="was closed"):
            ask()


@pytest.mark.usefixtures("bare")
def test_a_version_that_goes_while_it_is_opened_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "library"
    take(folder, entries(5))
    opened = store.open_segment
    left = [1]

    def late(path: Path, rows: int) -> Segment:
        if left.pop() if left else 0:
            take(folder, entries(7))
        return opened(path, rows)

    monkeypatch.setattr(store, "open_segment", late)
    _, view = open_view(folder)
    assert view.generation == 2
    assert {record.text for shard in view.shards for record in shard.segment.records()} == {
        row.text for row in entries(7)
    }
