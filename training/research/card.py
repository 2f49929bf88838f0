"""The model card of the research pack."""

from __future__ import annotations

from typing import Any

_CARD = """# menpai-mini-research

Judges whether two Chinese addresses are the same place, in the convention of CCKS 2021 track 3: exact_match,
partial_match, not_match. **Research data, non-commercial**: the competition grants no commercial use, so neither does
this pack; it is not in the wheel, and nothing in the wheel learned from that data.

- **What it is**: the mean of {encoders} character-level transformers over the pair ({layers} layers of width {width}, each
  fitted without one of {folds} folds of queries), blended with a linear model over the named evidence; static INT8, so a
  pair's result never depends on the batch.
- **What it learned from**: the built-in encoder's pre-training, gone on for {steps} steps with the texts of one fold of CCKS
  2021 track 3, round 1 (hidden characters); then the labels of its {research} pairs (judged by the competition's
  annotators), and {own} pairs judged for this project by careful reading with its own guide.
- **Calibrated on**: the round-1 pairs, each by an encoder and by weights that did not see its query.
- **Leans to rare labels**: the labels' odds to the power {balance} are taken out, since macro-F1 counts all labels alike.
- **Never seen**: round 2; and {held} pairs of this project, a fifth of the places.
- **Early decisions**: the fast scorer decides alone where it is at least {clear} sure.
- **Limits**: its labels follow the competition's convention, not this project's guide: of 28 pairs judged twice there, 9
  disagree, and a careful reader with the guide agrees with 77 %. For work of your own take the built-in pack.

| rows | macro-F1 | exact | partial | not | log loss | calibration error | pairs |
|---|---|---|---|---|---|---|---|
{table}

The table is of scores alone; `menpai evaluate ccks_round2_open.tsv --pack packs/menpai-mini-research` adds early decisions
and policies.
"""


def card(
    recipe: dict[str, Any], figures: dict[str, Any], research: int, own: int, held: int, clear: float
) -> str:
    """The card in Markdown, with the figures of this very pack."""
    rows = [
        f"| {name} | {f['macro_f1']:.3f} | {f['f1']['exact_match']:.3f} | {f['f1']['partial_match']:.3f} "
        f"| {f['f1']['not_match']:.3f} | {f['log_loss']:.3f} | {f['ece']:.3f} | {sum(f['count'].values())} |"
        for name, f in figures.items()
    ]
    return _CARD.format(
        folds=recipe["fit"]["folds"], encoders=recipe["fit"]["encoders"], balance=recipe["fit"]["balance"],
        layers=recipe["shape"]["layers"], width=recipe["shape"]["width"],
        steps=recipe["pretrain"]["steps"], research=research, own=own, held=held, clear=clear, table="\n".join(rows),
    )  # fmt: skip
