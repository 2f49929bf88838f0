"""`menpai parse --pack P`, with a tagging pack: the spans that it finds, under its own names."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from menpai.cli.console import print_grid, print_json
from menpai.cli.texts import answer_each, given_texts
from menpai.errors import UsageError
from menpai.packs import Pack
from menpai.parsing.spans import Span
from menpai.parsing.word_tagger import open_any_tagger
from menpai.settings import Settings
from menpai.tables.source import STDIN
from menpai.text.readable import find_problem


def parse_tags(args: argparse.Namespace, settings: Settings, pack: Pack) -> int:
    """Each text's spans: a line a span, or JSON with the raw text."""
    tagger = open_any_tagger(pack, engine=settings.engine, threads=settings.cores, device=settings.device)
    if args.scheme and args.scheme != tagger.scheme:
        raise UsageError("scheme_of_pack", pack=pack.name, found=tagger.scheme, scheme=args.scheme)

    def answer(text: str) -> tuple[str, Sequence[Span]]:
        if problem := find_problem(text, "", settings.max_length):
            raise UsageError(problem.code, **problem.details)
        return text, tagger.tag([text])[0]

    def show(found: tuple[str, Sequence[Span]]) -> None:
        text, spans = found
        if args.json:
            print_json({"raw": text, "scheme": tagger.scheme, "spans": [_json(span, text) for span in spans]})
        elif spans:
            print_grid([[span.kind, text[span.start : span.end], f"{span.confidence:.2f}"] for span in spans])

    single = len(args.texts) == 1 and args.texts[0] != STDIN
    return answer_each(given_texts(args.texts, args.encoding), answer, show, args.json, single)


def _json(span: Span, text: str) -> dict[str, Any]:
    """As the official pipeline names it: type, start, end, span, prob."""
    return {
        "type": span.kind,
        "start": span.start,
        "end": span.end,
        "span": text[span.start : span.end],
        "prob": span.confidence,
    }
