"""One slip, against the definition: the edit distance with swaps between the typed text and a beginning."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.search.suggest.spaces import build_spaces, open_spaces
from menpai.search.suggest.typos import compare

texts = st.text("甲乙丙丁", min_size=1, max_size=6)


def slips(one: str, other: str) -> int:
    """The distance of optimal string alignment."""
    table = [[row + column for column in range(len(other) + 1)] for row in range(len(one) + 1)]
    for row in range(1, len(one) + 1):
        for column in range(1, len(other) + 1):
            same = one[row - 1] == other[column - 1]
            best = min(
                table[row - 1][column] + 1,
                table[row][column - 1] + 1,
                table[row - 1][column - 1] + (not same),
            )
            if row > 1 and column > 1 and one[row - 2 : row] == other[column - 2 : column][::-1]:
                best = min(best, table[row - 2][column - 2] + 1)
            table[row][column] = best
    return table[-1][-1]


@given(st.sets(texts, min_size=1, max_size=12), texts)
@settings(max_examples=40)
def test_what_fits_with_one_slip(elements: set[str], typed: str) -> None:
    known = sorted(elements)
    with tempfile.TemporaryDirectory() as path:
        build_spaces(known, Path(path))
        space, _, _, _, codes = open_spaces(Path(path))
        wanted = [codes.get(char, 0) for char in typed]
        found = compare(space, np.arange(len(known)), wanted)
        begun = {known[at] for at in found.begun.tolist()}
        assert begun == {
            text
            for text in known
            if any(
                slips(typed, text[:end]) <= 1
                for end in (len(typed) - 1, len(typed), len(typed) + 1)
                if 0 <= end <= len(text)
            )
        }
        for end in range(2, len(typed)):
            whole = {known[at] for at in found.whole.get(end, np.zeros(0, np.int64)).tolist()}
            counted = {text: slips(typed[:end], text) for text in known}
            assert {text for text in known if counted[text] == 1} <= whole
            assert all(counted[text] <= 1 for text in whole)
