"""The model cards of the taggers."""

from __future__ import annotations

from collections.abc import Mapping

from training.model import Shape

_SOURCES = {
    "ccks": (
        "CCKS 2021 track 2 (Chinese address elements; competition data)",
        "a tenth of the published training set by sentence; digits of this set are zeroed at the source",
    ),
    "leodotnet": (
        "Li et al. 2019, Neural Chinese Address Parsing (leodotnet/neural-chinese-address-parsing; no licence stated)",
        "the published dev set; case variants of a tag are one tag",
    ),
    "swei412": (
        "swei412's SuperMap address tagger data (no licence stated; labels semi-automatic)",
        "the published dev set; [UNK] is a lost character",
    ),
}

_RESEARCH = """# menpai-tags-{scheme}

Tags the characters of a Chinese address in the {scheme} scheme. **Research data, non-commercial**: its sources grant no
commercial use, so neither does this pack; it is not in the wheel.

- **What it is**: {layers} transformer layers of width {width} over characters, digits read as 0; static INT8, best path of
  B/I/E/S tags; a text's tags never depend on the batch.
- **What it learned from**: {learned} sentences of
  {source},
  together with the sets of the two other packs in this folder (one encoder, a head for each). Before that it guessed
  hidden characters of public address texts, for research too.
- **Measured on**: {held} sentences,
  {held_of}.
  No text that equals a measured one once every number is 0 was in any training data, of any set.
- **Limits**: the schemes disagree on boundaries, so figures of different packs are not comparable. Zhejiang is
  over-represented in ccks and leodotnet.

Entity F1, exact span and type, of the INT8 graph in the runtime (`menpai evaluate --task tags --pack PACK FILE`):

{table}
"""

_BUILTIN = """## The tagger

Proposes names where the rules of `menpai parse` are unsure (setting `tagger`); judging pairs does not use it.

- **What it is**: {layers} transformer layers of width {width} over characters, digits read as 0; static INT8.
- **What it learned from**: {composed} addresses composed from real names of official notices and divisions, whose
  elements are known, and {learned} official or written addresses marked by reading. No research corpus.
- **Held back**: {held} of the addresses marked by reading.

Names of the held addresses, exact span and kind; `settled` is rules and tagger together, as `parse` gives them:

{table}
"""


def research_card(scheme: str, shape: Shape, learned: int, held: int, figures: Mapping[str, float]) -> str:
    """The card of a research pack."""
    source, held_of = _SOURCES[scheme]
    return _RESEARCH.format(
        scheme=scheme, layers=shape.layers, width=shape.width, source=source, learned=learned, held_of=held_of,
        held=held, table=_table(["element", "F1"], [[kind, f"{f1:.3f}"] for kind, f1 in figures.items()]),
    )  # fmt: skip


def builtin_card(
    shape: Shape, composed: int, learned: int, held: int, figures: Mapping[str, Mapping[str, float]]
) -> str:
    """The section about the tagger in the card of the built-in pack."""
    kinds = list(next(iter(figures.values())))
    rows = [[name, *(f"{f1[kind]:.3f}" for kind in kinds)] for name, f1 in figures.items()]
    return _BUILTIN.format(
        layers=shape.layers, width=shape.width, composed=composed, learned=learned, held=held,
        table=_table(["reader", *kinds], rows),
    )  # fmt: skip


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows]]
    return "\n".join(lines)
