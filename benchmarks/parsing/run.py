"""The figures of the parser in one run, beside its peers.

Usage: python benchmarks/parsing/run.py DATA [--quick] [--packs FOLDER]
DATA is the folder described in benchmarks/README.md; peers are those of peers.txt that are installed. Research
packs are those of FOLDER (packs/ of the repository) whose task is tagging, each measured on the set of its scheme.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cold
import growth
import hard
import peers
import places
import speed
from cleaning import TEXTS, measure, read, similarities

from menpai.errors import MenpaiError
from menpai.packs import Pack, open_pack
from menpai.parsing import parse
from menpai.parsing.schemes import SCHEMES, Tagged, export
from menpai.parsing.settle import settle
from menpai.parsing.tagger import Tagger
from menpai.tables.conll import Sentence, read_conll
from menpai.tables.tags import Tagging, evaluate_tags
from menpai.text import normalize

sys.path.append(
    str(Path(__file__).parents[2])
)  # the split is that of the training, which is no package installed
from training.data import fold_of
from training.tagging.conll import twin_key
from training.tagging.sets import HELD_FOLDS

TEN = ("prov", "city", "district", "town", "road", "roadno", "poi", "houseno", "cellno", "roomno")
# Scheme → the set that a research pack of it is measured on (of CCKS the tenth that training leaves out), the tags
# that count (all if none are named), and the goal.
MEASURED = {
    "ccks": ("ccks_train.conll", (), "≥ 0.905"),
    "leodotnet": ("leodotnet_dev.conll", (), "≥ 0.89"),
    "swei412": ("swei412_dev.conll", TEN, "≥ 0.90"),
}
Row = tuple[str, str, str]


def tags(data: Path, packs: Sequence[Pack], most: int) -> Iterator[Row]:
    """Micro-F1 of each research pack, and of the built-in reading with and without its tagger."""
    for pack in packs:
        scheme = str(pack.manifest["scheme"])
        if scheme in MEASURED:
            file, only, goal = MEASURED[scheme]
            sentences = _sentences(data / "ner" / file, scheme)[:most]
            yield (
                f"{pack.id} on {len(sentences):,} of {file}",
                goal,
                f"{_micro(sentences, scheme, _tagged_by(pack), only):.4f}",
            )
    sentences = _sentences(data / "ner" / "swei412_dev.conll", "swei412")[:most]
    rules = _micro(sentences, "swei412", _read_by(None), TEN)
    yield "built-in, swei412_dev, ten elements, without tagger", "≥ 0.80", f"{rules:.4f}"
    if (tagger := speed.built_in_tagger()) is not None:
        both = _micro(sentences, "swei412", _read_by(tagger), TEN)
        yield "built-in, the same with tagger", "above", f"{both:.4f}"


def _sentences(path: Path, scheme: str) -> list[Sentence]:
    """The sentences of a set; of CCKS those that training holds out."""
    _, sentences = read_conll(str(path), scheme)
    if scheme != "ccks":
        return sentences
    return [s for s in sentences if fold_of(twin_key(s.text), HELD_FOLDS) == 0]


def _micro(sentences: Sequence[Sentence], scheme: str, tag: Tagging, only: Sequence[str]) -> float:
    return float(evaluate_tags(sentences, SCHEMES[scheme], tag, only).figures["micro_f1"])


def _tagged_by(pack: Pack) -> Tagging:
    tagger = Tagger.open(pack)
    return lambda texts: [[Tagged(*span[:3]) for span in spans] for spans in tagger.tag(texts)]


def _read_by(tagger: Tagger | None) -> Tagging:
    def tag(texts: Sequence[str]) -> list[list[Tagged]]:
        readings = [parse(normalize(text)) for text in texts]
        return [
            export(reading, SCHEMES["swei412"])
            for reading in (settle(readings, tagger) if tagger else readings)
        ]

    return tag


def cases(data: Path) -> Iterator[Row]:
    """Test suites of peers, hard cases."""
    kept = [case for case in peers.read_cases(data) if not case["excluded"]]
    right = sum(not peers.judge(case) for case in kept)
    yield "peer tests, all fields of a case", "≥ 0.97", f"{right / len(kept):.4f} ({right} of {len(kept)})"
    for name, row in peers.table(kept):
        yield f"peer tests, province + city + county: {name}", "", row["all"]
    wanted = [(case.read(), case.claims) for case in hard.read_cases(data)]
    held = [hard.holds(claim, address) for address, claims in wanted for claim in claims]
    yield "hard cases, fields named", "≥ 0.95", f"{statistics.mean(held):.4f} ({sum(held)} of {len(held)})"


def dropped(data: Path, rows: int) -> Iterator[Row]:
    """Places with levels dropped."""
    goals = {"province dropped": "≥ 0.99", "city dropped": "≥ 0.99", "both dropped": "≥ 0.97"}
    for record in places.table(data, rows, seed=1, more=10 * rows):
        variant, library = str(record["variant"]), str(record["library"])
        ours = library.startswith("menpai")
        if variant == "county dropped":
            yield (f"{variant}: {library}, precision (set of ≤ 3) / recall", "≥ 0.99 precision" if ours else "",
                   f"{record['set of ≤ 3 holds it']:.4f} / {record['answered']:.4f}")  # fmt: skip
        else:
            yield (
                f"{variant}: {library}, right alone / first",
                goals.get(variant, "") if ours else "",
                (f"{record['right']:.4f} / {record['first right']:.4f}"),
            )


def costs(data: Path, rows: int, quick: bool) -> Iterator[Row]:
    """Speed, growth, cold start."""
    rates = speed.table(speed.real(data, rows), 1 if quick else 5)
    yield "yardstick: plain Python loop, million steps a second", "", f"{speed.yardstick():.1f}"
    for name, rate in rates.items():
        yield f"{name}, a second of one core", speed.GOALS.get(name, ""), f"{rate:,.0f}"
    lengths = [n for n in growth.LENGTHS if n <= 10000]
    found = {name: growth.measure(piece, lengths) for name, piece in growth.FAMILIES.items()}
    worst = max(found, key=lambda name: found[name][-1])
    yield f"slowest 10,000 characters ({worst})", "< 50 ms", f"{found[worst][-1] * 1e3:.1f} ms"
    steepest = max(growth.exponent(lengths, seconds) for seconds in found.values() if seconds[-1] > 0.005)
    yield "steepest growth (1 is linear)", "1", f"{steepest:.2f}"
    clock, used, memory = cold.run(cold.PARSE, 3)
    yield (
        "cold process, first parse",
        "< 0.4 s, < 150 MB",
        f"{clock:.2f} s ({used:.2f} s of the processor), {memory:.0f} MB",
    )


def cleaned(data: Path) -> Iterator[Row]:
    """Macro-F1 of text judges on gold pairs, by how the texts were cleaned."""
    pairs = read([data / "gold" / "pairs.tsv", data / "gold" / "written.tsv"])
    for name, similar in similarities().items():
        scores = [f"{way} {measure(pairs, text, similar):.4f}" for way, text in TEXTS.items()]
        yield f"gain of cleaning, {name}, macro-F1", "reported", ", ".join(scores)


def tagging_packs(folder: Path) -> list[Pack]:
    """The packs of a folder whose task is tagging."""
    found = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        try:
            pack = open_pack(path)
        except MenpaiError:
            continue
        found += [pack] if pack.task == "tagging" else []
    return found


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--packs", type=Path, default=Path("packs"))
    args = parser.parse_args()
    rows = 300 if args.quick else 1500
    most = 1000 if args.quick else 10**6
    print("| Measure | Goal | Figure |\n|---|---|---|")
    parts: tuple[Iterator[Row], ...] = (
        tags(args.data, tagging_packs(args.packs), most), cases(args.data), dropped(args.data, rows),
        costs(args.data, 4000, args.quick), cleaned(args.data),
    )  # fmt: skip
    for part in parts:
        for row in part:
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
