"""Weights of keys: how much it says that two texts share one, over the postings of all shards."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from menpai.search.keys.postings import Postings, weights
from menpai.search.keys.terms import Numbers, Tokens, terms_of_tokens


class Weighing:
    """Weights by how many rows of all postings have a key; one that no row has weighs as one of a single row."""

    def __init__(self, postings: Sequence[Postings]) -> None:
        self._postings = postings
        self._rows = max(1, sum(part.rows for part in postings))

    def terms(self, terms: Numbers) -> tuple[NDArray[np.float64], list[NDArray[np.int64]]]:
        """The weight of each term, and where it stands in each of the postings (-1: nowhere)."""
        counts = np.zeros(len(terms), np.int64)
        places = []
        for part in self._postings:
            at = part.find(terms)
            counts[at >= 0] += part.counts[at[at >= 0]]
            places.append(at)
        return weights(np.maximum(counts, 1), self._rows).astype(np.float64), places

    def tokens(self, tokens: Tokens) -> NDArray[np.float64]:
        """The weight of each token: the greatest of the keys that it is part of; 1 for one without any."""
        terms, places = terms_of_tokens(tokens)
        weight, _ = self.terms(terms)
        found = np.ones(len(tokens.values))
        np.maximum.at(found, places, weight)
        pairs = ~tokens.is_number[places]
        np.maximum.at(found, places[pairs] - 1, weight[pairs])
        return found
