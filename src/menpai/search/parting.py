"""A name and an address in one text, told apart: 数源科技 西湖区文三路123号 → 西湖区文三路123号 and 数源科技."""

from __future__ import annotations

from collections.abc import Sequence

from menpai.address import Element
from menpai.parsing import parse
from menpai.search.question import Question
from menpai.search.ranking import Text
from menpai.search.view import View
from menpai.text import normalize

_OF_NAMES = frozenset(("poi", "subpoi", "assist"))
_OF_PLACES = frozenset(("city", "district", "town", "road", "roadno", "intersection"))
"One of these is in what is an address."


def parted(question: Question, view: View) -> Question:
    """The question with its name in a field of its own, where its text begins with one, or a blank divides the two.

    A text that is all address stays as it is, and any text where no row has a name.
    """
    if question.text.name or not any(len(shard.segment.name_keys.blob) for shard in view.shards):
        return question
    found = _by_blank(question.written) or _by_beginning(question.written)
    return question if found is None else question._replace(text=found)


def _by_blank(written: str) -> Text | None:
    """Two pieces of which one is mostly names and the other mostly not."""
    pieces = written.split()
    if len(pieces) != 2:
        return None
    texts = [normalize(piece) for piece in pieces]
    read = [parse(text).elements for text in texts]
    for name, address in ((0, 1), (1, 0)):
        if _is_name(read[name]) and _is_address(read[address]):
            return Text(texts[address].text, texts[name].text)
    return None


def _by_beginning(written: str) -> Text | None:
    """A name, and behind it an address from its first division or road on."""
    normalized = normalize(written)
    elements = parse(normalized).elements
    behind = next((at for at, element in enumerate(elements) if element.kind not in _OF_NAMES), 0)
    if not behind or not _is_address(elements[behind:]):
        return None
    start = elements[behind].start
    return Text(normalized.text[start:], normalized.text[:start])


def _is_name(elements: Sequence[Element]) -> bool:
    return bool(elements) and elements[0].kind not in ("road", "roadno") and _share(elements) >= 0.5


def _is_address(elements: Sequence[Element]) -> bool:
    return any(element.kind in _OF_PLACES for element in elements) and _share(elements) < 0.5


def _share(elements: Sequence[Element]) -> float:
    """How much of the text that was read belongs to names."""
    sizes = [len(element.text) for element in elements]
    names = sum(size for element, size in zip(elements, sizes, strict=True) if element.kind in _OF_NAMES)
    return names / max(1, sum(sizes))
