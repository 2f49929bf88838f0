"""A library is a dictionary of rows by id, whatever is done with it, and whoever has it open."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from menpai.search import parts
from menpai.search.compact import check, compact, remove_rows
from menpai.search.store import open_view
from menpai.search.values import Entry
from menpai.search.view import View
from tests.search.libraries import ROADS, content, take

IDS = st.sampled_from([f"r{n}" for n in range(12)])
TEXTS = st.builds("杭州市西湖区{}{}号".format, st.sampled_from(ROADS), st.integers(1, 99))
ROWS = st.dictionaries(IDS, TEXTS, max_size=5)


def _entries(rows: dict[str, str]) -> list[Entry]:
    return [Entry(id_, text, line=at) for at, (id_, text) in enumerate(rows.items(), 1)]


class LibraryIsADict(RuleBasedStateMachine):
    """Rules change the library and the dictionary alike; readers keep what they saw until they look again."""

    readers = Bundle("readers")

    @initialize(rows=st.dictionaries(IDS, TEXTS, min_size=1, max_size=8))
    def build(self, rows: dict[str, str]) -> None:
        self.folder = Path(tempfile.mkdtemp()) / "library"
        self.rows = dict(rows)
        take(self.folder, _entries(rows))

    @rule(rows=ROWS)
    def update(self, rows: dict[str, str]) -> None:
        report = take(self.folder, _entries(rows), "update")
        assert report.replaced == len(set(rows) & set(self.rows))
        self.rows |= rows
        assert report.rows == len(self.rows)

    @rule(rows=ROWS)
    def add_what_is_new(self, rows: dict[str, str]) -> None:
        report = take(self.folder, _entries(rows), "add", duplicates="first")
        assert report.problems["row_taken"] == len(set(rows) & set(self.rows))
        self.rows = rows | self.rows

    @rule(ids=st.sets(IDS, max_size=4))
    def remove(self, ids: set[str]) -> None:
        removed, unknown = remove_rows(self.folder, sorted(ids))
        assert removed == len(ids & set(self.rows))
        assert set(unknown) == ids - set(self.rows)
        self.rows = {id_: text for id_, text in self.rows.items() if id_ not in ids}

    @rule()
    def compact(self) -> None:
        before, after = compact(self.folder)
        assert before.rows == after.rows == len(self.rows)
        assert len(after.segments) <= 1

    @rule(target=readers)
    def open(self) -> tuple[View, dict[str, str]]:
        return open_view(self.folder)[1], dict(self.rows)

    @rule(reader=consumes(readers))
    def a_reader_still_sees_its_version(self, reader: tuple[View, dict[str, str]]) -> None:
        view, rows = reader
        found = {
            shard.segment.ids[row]: shard.segment.text(row)
            for shard in view.shards
            for row in range(len(shard.segment))
            if shard.is_alive(row)
        }
        assert found == rows
        for id_, text in rows.items():
            places = [(shard, shard.segment.find_id(id_)) for shard in view.shards]
            (record,) = [s.segment.record(r) for s, r in places if r is not None and s.is_alive(r)]
            assert record.text == text

    @invariant()
    def the_library_is_the_dictionary(self) -> None:
        if hasattr(self, "folder"):
            assert content(self.folder) == self.rows

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            assert all(whole for _, whole in check(self.folder))
            named = {path.name for path in self.folder.iterdir()}
            assert named <= {"manifest.json", "lock", "build"} | {
                name for name in named if name.startswith(("s", "dead-"))
            }
            shutil.rmtree(self.folder.parent)


@pytest.mark.usefixtures("bare")
def test_a_library_is_a_dictionary() -> None:
    assert parts.PARTS == ()
    LibraryIsADict.TestCase.settings = settings(max_examples=4, stateful_step_count=10, deadline=None)
    LibraryIsADict.TestCase().runTest()
