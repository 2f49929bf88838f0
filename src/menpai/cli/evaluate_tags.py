"""`menpai evaluate --task tags`: readings measured against tagged sentences."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from typing import Any

from menpai.cli.arguments import add_tagger
from menpai.cli.console import print_grid, print_json
from menpai.cli.language import say
from menpai.cli.reading import parser as address_parser
from menpai.cli.words import figure
from menpai.errors import Problem, UsageError
from menpai.packs import Pack, open_pack
from menpai.parsing.schemes import SCHEMES, Scheme, Tagged, export, scheme_named
from menpai.parsing.word_tagger import open_any_tagger
from menpai.settings import Settings
from menpai.tables.conll import Sentence, read_conll
from menpai.tables.table import WriteOptions
from menpai.tables.tags import Tagging, evaluate_tags
from menpai.tables.writers import open_writer

_FIGURES = {
    "sentences": ("句子", "sentences"),
    "micro_f1": ("微平均 F1", "micro F1"),
    "micro_precision": ("精度", "precision"),
    "micro_recall": ("召回", "recall"),
    "whole_sentences": ("整句全对", "whole sentences right"),
    "sentences_per_second": ("每秒句子", "sentences a second"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """--scheme and --only, which belong to this task."""
    group = parser.add_argument_group(say("标注句子（--task tags）", "tagged sentences (--task tags)"))
    group.add_argument(
        "--scheme",
        metavar="NAME",
        help=say(f"标签体系：{'、'.join(SCHEMES)}；默认由标签认出",
                 f"the tag set: {', '.join(SCHEMES)}; found from the tags if not given"),
    )  # fmt: skip
    group.add_argument(
        "--only",
        metavar="TAGS",
        help=say("只衡量这些标签，例如 road,roadno,poi", "measure these tags alone, such as road,roadno,poi"),
    )
    add_tagger(parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Figures as tables or JSON."""
    named = scheme_named(args.scheme).name if args.scheme else None
    scheme, sentences = read_conll(args.file, named, args.encoding)
    only = scheme.tags_named(args.only.split(",")) if args.only else ()
    report = evaluate_tags(sentences, scheme, _tagging(scheme, settings), only)
    if args.errors:
        options = WriteOptions(".tsv", language=settings.lang)
        with open_writer(args.errors, ("line", "wanted", "found"), options, args.file) as writer:
            for sentence, found in zip(sentences, report.found, strict=True):
                wanted, read = _written(sentence, sentence.spans, only), _written(sentence, found, only)
                if wanted != read:
                    writer.write((sentence.line, wanted, read))
    if args.json:
        print_json(report.figures, indent=2)
    else:
        _show(report.figures)
    return 0


def _written(sentence: Sentence, spans: Sequence[Tagged], only: Collection[str]) -> str:
    """Spans as words with their tags."""
    kept = (span for span in spans if not only or span.tag in only)
    return " ".join(
        f"{sentence.text[start:end]}/{tag}" for tag, start, end in sorted(kept, key=lambda s: s.start)
    )


def _tagging(scheme: Scheme, settings: Settings) -> Tagging:
    """The spans of a tagging pack as they are, else our readings in the scheme's terms."""
    pack = open_pack(settings.pack)
    if pack.task == "tagging":
        return _tagged_by(pack, scheme, settings)
    parse = address_parser(settings)

    def tag(texts: Sequence[str]) -> list[list[Tagged]]:
        # A text that cannot be read has no spans.
        return [[] if isinstance(read, Problem) else export(read, scheme) for read in parse(texts)]

    return tag


def _tagged_by(pack: Pack, scheme: Scheme, settings: Settings) -> Tagging:
    tagger = open_any_tagger(pack, engine=settings.engine, threads=settings.threads, device=settings.device)
    if tagger.scheme != scheme.name:
        raise UsageError("scheme_of_pack", pack=pack.name, found=tagger.scheme, scheme=scheme.name)
    return lambda texts: [[Tagged(*span[:3]) for span in spans] for spans in tagger.tag(texts)]


def _show(figures: dict[str, Any]) -> None:
    rows = [[say(*names), figure(figures[key])] for key, names in _FIGURES.items()]
    print_grid([[say("标签体系", "scheme"), figures["scheme"]], *rows], right=True)
    print()
    heads = [say("精度", "precision"), say("召回", "recall"), "F1", say("数量", "count")]
    rows = [[tag, *map(figure, row.values())] for tag, row in figures["per_element"].items()]
    print_grid([[say("各要素", "per element"), *heads], *rows], right=True)
