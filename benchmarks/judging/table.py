"""How often a verdict is right: menpai, boosting over string features and RapidFuzz, side by side on the same pairs.

    python -m benchmarks.judging.table DATA [--research packs/menpai-mini-research] [--only NAME,NAME]

DATA holds gold/, pairs/ and cases/. Prints Markdown. Baselines learn from the training part of the file on whose held part
they are measured (on round 2: from round 1, and from all our own pairs). Intervals: 95 %, by drawing whole places (gold,
ours) or queries (the competition) with replacement.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.judging import scores
from benchmarks.judging.baselines import Boosting, Thresholds, grams
from benchmarks.judging.sets import Judged, of_rows, own, pages, shenzhen_hard, together
from menpai import Matcher
from menpai.verdict import LABELS, Verdict
from training.data import read_labelled

Probabilities = NDArray[np.float64]
_HEADS = ("set", "judge", "macro-F1", "exact", "partial", "not", "level", "conflict", "calibration error")


def main() -> None:
    """The tables, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pack", default="menpai-mini")
    parser.add_argument("--research", type=Path, default=Path("packs/menpai-mini-research"))
    parser.add_argument("--only", default="", help="own, ccks, shenzhen, pages; all if not given")
    args = parser.parse_args()
    parts = {"own": own_rows, "ccks": ccks_rows, "shenzhen": two_class_rows, "pages": page_rows}
    chosen = args.only.split(",") if args.only else list(parts)
    builtin = Matcher.open(args.pack)
    for name in chosen:
        for line in parts[name](args, builtin):
            print(line, flush=True)
        print()


def own_rows(args: argparse.Namespace, builtin: Matcher) -> Iterator[str]:
    """The held fifth of our own pairs, by file."""
    seen, held = own(args.data)
    yield from _heads(_HEADS)
    for name, judged in held.items():
        yield from _three(f"held {name}", judged, _judges(builtin, seen[name]))


def ccks_rows(args: argparse.Namespace, builtin: Matcher) -> Iterator[str]:
    """The open half of round 2: what learned from round 1 and our own pairs, then what saw nothing of the competition."""
    data = args.data / "pairs"
    measured = of_rows(read_labelled(data / "ccks_round2_open.tsv"))
    seen, _ = own(args.data)
    yield from _heads(_HEADS)
    research = Matcher.open(args.research)
    yield from _three(
        "ccks_round2_open, after round 1",
        measured,
        _judges(research, of_rows(read_labelled(data / "ccks_round1.tsv"))),
    )
    yield from _three(
        "ccks_round2_open, nothing of CCKS", measured, _judges(builtin, together(seen.values()))
    )


def two_class_rows(args: argparse.Namespace, builtin: Matcher) -> Iterator[str]:
    """Shenzhen: positives against hard negatives, F1 of "the same building"."""
    judged = shenzhen_hard(args.data / "pairs" / "shenzhen_val.tsv")
    half = np.array([len(group) % 2 for group in judged.groups], dtype=bool)
    bigrams = np.array([_overlap(*pair) for pair in judged.pairs])
    best = max(
        np.unique(bigrams[~half]), key=lambda least: _f1(judged.labels[~half], bigrams[~half] >= least)
    )
    guesses = np.array([v.label == LABELS[0] for v in _verdicts(builtin, judged)])
    yield from _heads(("set", "judge", "F1 (same)", "pairs (same / different)"))
    counts = " / ".join(map(str, np.bincount(judged.labels, minlength=3)[[0, 2]]))
    for name, same in (
        (builtin.pack_id, guesses),
        ("bigram overlap, threshold tuned on half", bigrams >= best),
    ):
        figure = scores.with_interval(judged.groups, lambda at, same=same: _f1(judged.labels[at], same[at]))
        yield f"| shenzhen_val, hard negatives | {name} | {figure} | {counts} |"


def page_rows(args: argparse.Namespace, builtin: Matcher) -> Iterator[str]:
    """Pairs of public pages: the same place or not, balanced accuracy."""
    judged = pages(args.data / "cases" / "page_pairs.tsv")
    same = judged.labels == 0
    exact = np.array([v.label == LABELS[0] for v in _verdicts(builtin, judged)])
    yield from _heads(("set", "judge", "balanced accuracy", "of exact", "of others", "accuracy", "pairs"))
    for name, guess in ((builtin.pack_id, exact), ("always exact", np.ones_like(same))):
        balanced = scores.with_interval(judged.groups, lambda at, guess=guess: _balanced(same[at], guess[at]))
        parts = f"{guess[same].mean():.3f} | {(~guess[~same]).mean():.3f} | {(guess == same).mean():.3f}"
        yield f"| page_pairs without doubtful rows | {name} | {balanced} | {parts} | {same.sum()} / {(~same).sum()} |"


Judge = Callable[[Judged], tuple[Probabilities, list[Verdict] | None]]


def _judges(matcher: Matcher, learned: Judged) -> dict[str, Judge]:
    """Ours and the baselines, fitted on the same labels."""

    def ours(judged: Judged) -> tuple[Probabilities, list[Verdict] | None]:
        verdicts = _verdicts(matcher, judged)
        return np.array([v.probabilities for v in verdicts]), verdicts

    boosting, thresholds = (kind(learned.pairs, learned.labels) for kind in (Boosting, Thresholds))
    return {
        matcher.pack_id: ours,
        "string features + boosting": lambda judged: (boosting.probabilities(judged.pairs), None),
        "RapidFuzz, tuned thresholds": lambda judged: (thresholds.probabilities(judged.pairs), None),
    }


def _three(name: str, judged: Judged, judges: dict[str, Judge]) -> Iterator[str]:
    """A line for each judge."""
    counts = " / ".join(map(str, np.bincount(judged.labels, minlength=3)))
    for number, (who, judge) in enumerate(judges.items()):
        probabilities, verdicts = judge(judged)
        guesses, sure = probabilities.argmax(1), probabilities.max(1)
        figure = scores.with_interval(judged.groups, scores.macro_f1(judged.labels, guesses))
        rows = scores.metrics.per_class(scores.metrics.confusion(judged.labels, guesses, 3))
        error = scores.with_interval(judged.groups, scores.ece(judged.labels, guesses, sure))
        cells = [
            f"{name} ({counts})" if number == 0 else "",
            who,
            str(figure),
            *(f"{row['f1']:.3f}" for row in rows),
        ]
        cells += [*_agreement(judged, verdicts), str(error) if sure.min() < 1 else "–"]
        yield "| " + " | ".join(cells) + " |"


def _agreement(judged: Judged, verdicts: list[Verdict] | None) -> list[str]:
    """Shares of pairs with the reader's level and conflict."""
    if verdicts is None or not any(judged.levels):
        return ["–", "–"]
    level = np.array([v.level == wanted for v, wanted in zip(verdicts, judged.levels, strict=True)])
    named = [{conflict.element for conflict in v.conflicts} or {"none"} for v in verdicts]
    wanted = [(conflict or "none").removesuffix("_differs") for conflict in judged.conflicts]
    conflict = np.array([one in found for one, found in zip(wanted, named, strict=True)])
    return [str(scores.with_interval(judged.groups, scores.share(right))) for right in (level, conflict)]


def _verdicts(matcher: Matcher, judged: Judged) -> list[Verdict]:
    answers = matcher.match_many(judged.pairs, evidence=False)
    found = [answer for answer in answers if isinstance(answer, Verdict)]
    if len(found) < len(answers):
        raise SystemExit(f"{len(answers) - len(found)} pairs could not be judged")
    return found


def _heads(names: tuple[str, ...]) -> Iterator[str]:
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)


def _f1(labels: NDArray[np.int64], same: Any) -> float:
    hits = int((same & (labels == 0)).sum())
    return 2 * hits / max(1, int(same.sum() + (labels == 0).sum()))


def _balanced(same: NDArray[np.bool_], guess: NDArray[np.bool_]) -> float:
    return float((guess[same].mean() + (~guess[~same]).mean()) / 2) if same.any() and not same.all() else 0.0


def _overlap(a: str, b: str) -> float:
    left, right = grams(a), grams(b)
    return 2 * len(left & right) / max(1, len(left) + len(right))


if __name__ == "__main__":
    main()
