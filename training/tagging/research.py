"""The research taggers: one encoder for three schemes of tags, then a pack for each.

They learn from public sets whose licences forbid or do not grant commercial use; they stay apart from the wheel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from menpai.parsing.spans import labels_of
from training.tagging.card import research_card
from training.tagging.conll import write_conll
from training.tagging.export import export, tagger_of
from training.tagging.fit import Source, fit
from training.tagging.guess import guess, read_vocabulary, write_vocabulary
from training.tagging.judge import judge, spans_of
from training.tagging.model import TagEncoder
from training.tagging.pack import write_research
from training.tagging.sets import Sets, read_sets, research_texts

# What issue and card measure of swei412: the elements of a postal address.
POSTAL = ("prov", "city", "district", "town", "road", "roadno", "poi", "houseno", "cellno", "roomno")
EXAMPLES = 1500


def train_research(
    recipe: Mapping[str, Any], seed: int, data: Path, pair: Path, work: Path, sets: Sets
) -> TagEncoder:
    """The encoder fitted to all three schemes together, with a head for each."""
    labels = {name: len(labels_of(kinds)) for name, kinds in sets.kinds.items()}
    if not (work / "guess.pt").exists():
        texts = research_texts(data, sets)
        write_vocabulary(work / "vocabulary.txt", pair / "vocabulary.txt", texts)
        guess(recipe["guess"], seed, texts, labels, pair, work)
    sources = {
        name: Source(name, sets.kinds[name], sets.learn[name], share)
        for name, share in recipe["fit"]["shares"].items()
    }
    return fit(recipe["fit"], seed, sources, work)


def release_research(
    recipe: Mapping[str, Any], seed: int, data: Path, pair: Path, work: Path, out: Path, version: str
) -> str:
    """Train, write a pack for each scheme under `out` and the held rows under `work`; returns the figures."""
    sets = read_sets(data)
    model = train_research(recipe, seed, data, pair, work, sets)
    vocabulary = read_vocabulary(work / "vocabulary.txt")
    lines = []
    for scheme, kinds in sets.kinds.items():
        held = sets.held[scheme]
        write_conll(work / f"held_{scheme}.conll", held)
        graph = export(model, scheme, vocabulary, [row.text for row in sets.learn[scheme][:EXAMPLES]])
        found = spans_of(tagger_of(graph, vocabulary, kinds, scheme), held)
        figures = judge(found, held, kinds)
        if scheme == "swei412":
            figures = {"ten": judge(found, held, POSTAL)["all"], **figures}
        figures = {kind: round(value, 4) for kind, value in figures.items()}
        facts = {"version": version, "precision": "int8", "recipe": recipe, "f1": figures}
        card = research_card(scheme, model.shape, len(sets.learn[scheme]), len(held), figures)
        write_research(out / f"menpai-tags-{scheme}", graph, vocabulary, kinds, scheme, card, facts)
        lines.append(f"{scheme} {figures}")
    return "\n".join(lines)
