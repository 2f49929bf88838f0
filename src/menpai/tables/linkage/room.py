"""A matcher with room for a table's readings: each is asked for many times, and is read once."""

from __future__ import annotations

from menpai.matcher import Matcher
from menpai.settings import Settings

_MOST_MB = 256.0


def matcher_for(entities: int, settings: Settings) -> Matcher:
    """A matcher that remembers as many readings as there are entities, as far as 256 MB (or the setting) go: pairs are
    judged in an order that keeps together what shares its addresses."""
    return Matcher.open(
        settings=settings.replace(
            readings=max(settings.readings, entities), readings_mb=max(settings.readings_mb, _MOST_MB)
        )
    )
