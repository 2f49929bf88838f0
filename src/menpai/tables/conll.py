"""Read tagged sentences: a token and its label a line, an empty line between sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from menpai.errors import UsageError, near
from menpai.parsing.schemes import Scheme, Tagged, find_scheme, scheme_named, spans_of
from menpai.parsing.schemes.spans import MARKS, OUTSIDE, follows
from menpai.tables.source import open_source

# A token that a WordPiece vocabulary lost. Its character is unknown; this one is in no address.
LOST, STAND_IN = "[UNK]", "龘"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text with its tagged spans, in characters; `line` is where it begins in its file."""

    text: str
    spans: tuple[Tagged, ...]
    line: int


def read_conll(
    path: str, scheme: str | None = None, encoding: str | None = None
) -> tuple[Scheme, list[Sentence]]:
    """The scheme (found from the tags if not named) and the sentences; a bad line raises UsageError."""
    blocks = list(_blocks(path, encoding))
    if not blocks:
        raise UsageError("nothing_tagged", path=path)
    found = (
        scheme_named(scheme) if scheme else find_scheme({row[2] for block in blocks for row in block}, path)
    )
    known = set(found.tags)
    return found, [_sentence(block, found, known, path) for block in blocks]


def _blocks(path: str, encoding: str | None) -> Iterator[list[tuple[int, str, str]]]:
    """Line, token and label of the tokens of each sentence."""
    block: list[tuple[int, str, str]] = []
    with open_source(path) as source:
        for number, line in enumerate(source.text_lines(encoding, strict=True), 1):
            cells = line.strip("\r\n").rsplit("\t" if "\t" in line else None, 1)
            if not line.strip():
                if block:
                    yield block
                block = []
            elif len(cells) != 2 or not cells[0] or not cells[1].strip():
                raise UsageError("tag_line_wrong", path=path, line=number)
            else:
                block.append((number, cells[0], cells[1].strip()))
    if block:
        yield block


def _sentence(block: list[tuple[int, str, str]], scheme: Scheme, known: set[str], path: str) -> Sentence:
    """Tokens joined to a text, spans of tokens as spans of its characters."""
    labels: list[str] = []
    for line, _, label in block:
        folded = scheme.fold(label)
        mark, _, tag = folded.partition("-")
        if label != OUTSIDE and tag not in known:
            raise UsageError("tag_unknown", path=path, line=line, tag=label, scheme=scheme.name,
                             **near(tag, scheme.tags))  # fmt: skip
        if label != OUTSIDE and mark not in MARKS:
            raise UsageError("tag_mark_wrong", path=path, line=line, tag=label, mark=mark,
                             known=", ".join(MARKS))  # fmt: skip
        if not follows(labels[-1] if labels else OUTSIDE, folded):
            raise UsageError("tag_order_wrong", path=path, line=line, tag=label, name=tag)
        labels.append(folded)
    edges, pieces = [0], []
    for _, token, _ in block:
        pieces.append(STAND_IN if token == LOST else token.removeprefix("##") or token)
        edges.append(edges[-1] + len(pieces[-1]))
    spans = (Tagged(tag, edges[start], edges[end]) for tag, start, end in spans_of(labels))
    return Sentence("".join(pieces), tuple(spans), block[0][0])
