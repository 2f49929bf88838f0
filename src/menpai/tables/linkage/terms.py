"""The keys of search, and some that a mistyped character leaves alone: tables are joined where nobody looks again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from menpai.search.keys import Tokens, terms_of_tokens, tokens_of
from menpai.search.keys.terms import hashed, scrambled

Numbers = NDArray[np.uint32]
Places = NDArray[np.int64]
Keyed = tuple[Numbers, Places]
"Terms, and where among the tokens each stands."
_NEAR = 6
"Characters that may stand between numbers of one key."
_COUNTY = np.array([ord(char) for char in "县市区旗"], np.uint64)
_DIVISION = np.array([ord(char) for char in "省市县区旗镇乡道"], np.uint64)
_NO_COUNTY = np.array([ord(char) for char in "社小园城"], np.uint64)


def keys_of(texts: Sequence[str]) -> tuple[Numbers, Places]:
    """The terms of texts, and the text of each; a text may have a term twice."""
    tokens = tokens_of(texts)
    parts = [terms_of_tokens(tokens), _skipping(tokens), _led(tokens), _triples(tokens), _placed(tokens)]
    terms = np.concatenate([part[0] for part in parts])
    return terms, tokens.rows[np.concatenate([part[1] for part in parts])]


def _skipping(tokens: Tokens) -> Keyed:
    """洪德路: 洪路, and 德 with what is before 洪: at the end of each stretch of characters the pairs that skip one, as
    keys of neighbours, so that a lost character leaves its neighbours a key."""
    inside = tokens.joined & ~tokens.is_number & ~np.roll(tokens.is_number, 1)
    ends = np.flatnonzero(inside & np.roll(inside, 1) & ~np.roll(inside, -1))
    before = ends[inside[ends - 2]] - 1
    places = np.concatenate((ends, before))
    values = tokens.values
    return (values[places - 2] << np.uint64(16) | values[places]).astype(np.uint32), places


def _placed(tokens: Tokens) -> Keyed:
    """宜丰县…陈家村: 宜丰陈家 and 宜丰家村: the name with each county or city, where either alone is common. The name stands
    at the end of the characters, or at their start where they end in a division: 陈家村…宜丰县."""
    values, rows = tokens.values, tokens.rows
    inside = tokens.joined & ~tokens.is_number & ~np.roll(tokens.is_number, 1)
    three = inside & np.roll(inside, 1)
    ends = _last_of(np.flatnonzero(three & ~np.roll(inside, -1)), rows)
    turned = np.isin(values[ends], _DIVISION)
    starts = np.searchsorted(rows, rows[ends])
    places = np.where(turned & three[np.minimum(starts + 2, len(rows) - 1)], starts + 2, ends)
    counties = np.flatnonzero(three & np.isin(values, _COUNTY) & ~np.isin(np.roll(values, 1), _NO_COUNTY))
    at = np.minimum(np.searchsorted(rows[ends], rows[counties]), max(0, len(ends) - 1))
    counties, at = (counties[:0], at[:0]) if not len(ends) else (counties, at)
    place = places[at]
    apart = (rows[place] == rows[counties]) & ((counties < place - 2) | (counties > place))
    county, place = counties[apart], place[apart]
    heads = scrambled(values[county - 2] << np.uint64(20) | values[county - 1])
    names = [values[place - skip] << np.uint64(20) | values[place - skip + 1] for skip in (1, 2)]
    return np.concatenate([hashed(heads ^ name, 5) for name in names]), np.concatenate([place, place])


def _last_of(places: Places, rows: Places) -> Places:
    """Of each row the last place."""
    return places[np.append(rows[places][1:] != rows[places][:-1], True)] if len(places) else places


def _led(tokens: Tokens) -> Keyed:
    """洪德路880: 洪路880."""
    values, number = tokens.values, tokens.is_number
    inside = tokens.joined & ~number & ~np.roll(number, 1)
    places = np.flatnonzero(number & tokens.joined & np.roll(inside, 1) & np.roll(inside, 2))
    heads = values[places - 3] << np.uint64(20) | values[places - 1]
    return hashed(values[places] ^ scrambled(heads), 2), places


def _triples(tokens: Tokens) -> Keyed:
    """The numbers of three in a row that stand close together: 200号4号楼1单元."""
    alone = np.flatnonzero(tokens.is_number)
    near = (tokens.rows[alone][1:] == tokens.rows[alone][:-1]) & (
        tokens.starts[alone][1:] - tokens.ends[alone][:-1] <= _NEAR
    )
    first = np.flatnonzero(near[1:] & near[:-1])
    values = tokens.values[alone]
    mixed = scrambled(scrambled(values[first]) ^ values[first + 1]) ^ values[first + 2]
    return hashed(mixed, 4), alone[first + 2]
