"""The model card of the built-in pack."""

from __future__ import annotations

from typing import Any

_CARD = """# menpai-mini

Judges whether two Chinese addresses are the same place: exact_match, partial_match, not_match.

- **What it is**: a character-level transformer over the pair ({layers} layers of width {width}), blended with a
  linear model over the named evidence; static INT8, so a pair's result never depends on the batch.
- **What it learned from**: official public notices (addresses), official divisions, synthetic pairs made from them,
  and {seen} pairs judged one by one for this project. No research corpus, no scraped or household text.
- **What was held back**: {held} judged pairs, a fifth of the places; never trained, tuned or calibrated on.
- **Early decisions**: the fast scorer decides alone where it is at least {clear} sure.
- **Limits**: written for the mainland; aliases and nicknames that no text reveals, and shops named without a road,
  are where it errs most. It sees texts, not a map.

| held rows | macro-F1 | exact | partial | not | log loss | calibration error | pairs |
|---|---|---|---|---|---|---|---|
{table}
"""


def card(recipe: dict[str, Any], figures: dict[str, Any], seen: int, held: int, clear: float) -> str:
    """The card in Markdown, with the figures of this very pack."""
    rows = [
        f"| {name} | {f['macro_f1']:.3f} | {f['f1']['exact_match']:.3f} | {f['f1']['partial_match']:.3f} "
        f"| {f['f1']['not_match']:.3f} | {f['log_loss']:.3f} | {f['ece']:.3f} | {sum(f['count'].values())} |"
        for name, f in figures.items()
        if name.startswith(("int8", "fast"))
    ]
    shape = recipe["shape"]
    return _CARD.format(
        layers=shape["layers"], width=shape["width"], seen=seen, held=held, clear=clear, table="\n".join(rows)
    )
