"""Candidate keys: what two writings of one place share, as numbers that can be indexed, joined and counted."""

from menpai.search.keys.postings import Postings, build_postings, open_postings
from menpai.search.keys.terms import Terms, Tokens, terms_of, terms_of_tokens, tokens_of
from menpai.search.keys.weighing import Weighing

__all__ = [
    "Postings", "Terms", "Tokens", "Weighing", "build_postings", "open_postings", "terms_of", "terms_of_tokens",
    "tokens_of",
]  # fmt: skip
