"""Taggers from texts to packs, small enough for a minute. Second tier: needs torch, imported when a test runs."""

from __future__ import annotations

from importlib import import_module
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from menpai.packs import open_pack, write_pack
from menpai.packs.vocabulary import SPECIAL, Vocabulary
from menpai.parsing.spans import labels_of
from menpai.parsing.tagger import Tagger
from tests.training.world import corpus

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
KINDS = ("province", "city", "district", "town", "road", "roadno", "poi", "building", "unit", "room")
RUN = {
    "steps": 150, "tokens": 512, "rate": 3e-3, "warmup": 10, "dropout": 0.0, "mean": 0.05, "checkpoint_steps": 50,
}  # fmt: skip


def texts(count: int, seed: int = 1) -> list[Any]:
    compose = import_module("training.tagging.compose").compose
    rng, world = Random(seed), corpus()
    return [compose(rng, world) for _ in range(count)]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pair encoder, tiny and untrained, and its vocabulary."""
    folder = tmp_path_factory.mktemp("tagging")
    model = import_module("training.model")
    characters = sorted(
        {c for row in texts(800) for c in import_module("menpai.parsing.tagger").fold(row.text)}
    )
    (folder / "vocabulary.txt").write_text("\n".join([*SPECIAL, *characters]) + "\n", encoding="utf-8")
    shape = model.Shape(len(SPECIAL) + len(characters), 12, 64, width=32, layers=1, heads=2, feedforward=48)
    import_module("torch").manual_seed(1)
    model.save(model.PairEncoder(shape), folder / "pretrained.pt")
    return folder


@pytest.fixture(scope="module")
def fitted(work: Path) -> Any:
    guess = import_module("training.tagging.guess").guess
    rows = [row.text for row in texts(300)]
    labels = {"menpai": len(labels_of(KINDS))}
    guess({"hidden": 0.2, "run": RUN | {"steps": 10}}, 1, rows, labels, work, work)
    return fit(work)


def fit(work: Path) -> Any:
    module = import_module("training.tagging.fit")
    plan = {"unknown": 0.02, "smoothing": 0.0, "paths": 0.5, "paths_from": 0.9, "run": RUN}
    return module.fit(plan, 1, {"composed": module.Source("menpai", KINDS, texts(1500), 1.0)}, work)


@pytest.fixture(scope="module")
def graph(work: Path, fitted: Any) -> bytes:
    made: bytes = import_module("training.tagging.export").export(
        fitted, "menpai", vocabulary(work), [row.text for row in texts(50, 3)]
    )
    return made


def vocabulary(work: Path) -> Vocabulary:
    read: Vocabulary = import_module("training.tagging.guess").read_vocabulary(work / "vocabulary.txt")
    return read


def tagger(graph: bytes, work: Path) -> Tagger:
    made: Tagger = import_module("training.tagging.export").tagger_of(
        graph, vocabulary(work), KINDS, "menpai"
    )
    return made


def test_a_tagger_learns_what_the_names_are(graph: bytes, work: Path) -> None:
    judging = import_module("training.tagging.judge")
    fresh = texts(200, 9)
    figures = judging.judge(judging.spans_of(tagger(graph, work), fresh), fresh, KINDS)
    assert figures["all"] > 0.8
    assert figures["roadno"] > 0.8


def test_a_text_is_tagged_alike_alone_to_the_bit(graph: bytes, work: Path) -> None:
    reader, rows = tagger(graph, work), [row.text for row in texts(120, 4)]
    together = reader.tag(rows)
    assert together == [reader.tag([row])[0] for row in rows]
    assert together == reader.tag(rows[::-1])[::-1]


def test_a_finished_stage_is_not_run_again(work: Path, fitted: Any) -> None:
    written = (work / "fit.pt").stat().st_mtime_ns
    again = fit(work)
    assert (work / "fit.pt").stat().st_mtime_ns == written
    for kept, new in zip(fitted.state_dict().values(), again.state_dict().values(), strict=True):
        assert (kept == new).all()


def test_a_stopped_run_goes_on_from_its_checkpoint(work: Path, tmp_path: Path, fitted: Any) -> None:
    """Killed at step 60, a run has step 50 and does the hundred that are left."""
    run = import_module("training.tagging.run")
    losses = import_module("training.tagging.fit").tag_loss
    batches = import_module("training.tagging.batches")
    rows = batches.tagged_rows(texts(200), KINDS, vocabulary(work))
    firsts = []

    def steps(first: int) -> Any:
        firsts.append(first)
        rng = import_module("numpy").random.default_rng(first)
        for number, (part, at) in enumerate(batches.endless(rows, 512, [1, first]), start=first):
            if number == 60 and len(firsts) == 1:
                raise KeyboardInterrupt
            batch = batches.noisy(part, at, 0.0, rng)
            yield (
                "tags",
                lambda model, batch=batch: losses(model, "menpai", batch, 0.0, 0.0),
            )

    def start() -> Any:
        return import_module("training.tagging.model").load(work / "guess.pt")[0]

    with pytest.raises(KeyboardInterrupt):
        run.train("fit", start, run.Plan(**RUN), steps, tmp_path)
    run.train("fit", start, run.Plan(**RUN), steps, tmp_path)
    assert firsts == [0, 50]
    assert (tmp_path / "fit.pt").exists()
    assert not (tmp_path / "fit.ckpt").exists()


def test_packs_carry_what_was_trained(graph: bytes, work: Path, tmp_path: Path) -> None:
    packing = import_module("training.tagging.pack")
    known = vocabulary(work)
    packing.write_research(
        tmp_path / "menpai-tags-tiny", graph, known, KINDS, "menpai", "# card\n", {"version": "1"}
    )
    files = {"graph": "g.onnx", "vocabulary": "vocabulary.txt", "weights": "weights.json"}
    manifest = {
        "name": "pair",
        "version": "1",
        "labels": ["exact_match", "partial_match", "not_match"],
        "files": files,
    }
    content = {"g.onnx": b"g", "weights.json": b"{}", "card.md": b"# pair\n"}
    characters = (work / "vocabulary.txt").read_bytes()
    write_pack(tmp_path / "pair", manifest, content | {"vocabulary.txt": characters})
    for _ in range(2):  # a second tagger takes the place of the first
        pack = packing.add_tagger(
            tmp_path / "pair", graph, KINDS, "## The tagger\n\ntext\n", {"version": "2"}
        )
    assert pack.card == "# pair\n\n## The tagger\n\ntext\n"
    assert (tmp_path / "pair" / "g.onnx").read_bytes() == b"g"
    kept = packing.read_tagger(tmp_path / "pair", known)
    assert kept == packing.Kept(graph, KINDS, "## The tagger\n\ntext\n", {"version": "2"})
    assert packing.read_tagger(tmp_path / "pair", Vocabulary(SPECIAL)) is None
    assert packing.read_tagger(tmp_path / "menpai-tags-tiny", known) is None
    assert packing.read_tagger(tmp_path / "none", known) is None
    row = texts(1, 12)[0].text
    wanted = tagger(graph, work).tag([row])
    assert Tagger.open(open_pack(tmp_path / "pair")).tag([row]) == wanted
    assert Tagger.open(open_pack(tmp_path / "menpai-tags-tiny")).tag([row]) == wanted


def test_the_loss_over_paths_is_that_of_all_allowed_ones() -> None:
    """A plain twin adds up every allowed path."""
    torch, fitting = import_module("torch"), import_module("training.tagging.fit")
    allowed = import_module("tests.parsing.test_spans")
    torch.manual_seed(4)
    scores = torch.randn(2, 5, len(allowed.LABELS))
    ignored = import_module("training.tagging.batches").IGNORED
    wanted = torch.full((2, 5), ignored)
    rows = [[1, 3, 5], [0, 7]]  # B-road I-road E-road; O S-road
    for row, labels in enumerate(rows):
        wanted[row, 1 : len(labels) + 1] = torch.tensor(labels)
    total = 0.0
    for row, labels in enumerate(rows):
        paths = [p for p in product(range(len(allowed.LABELS)), repeat=len(labels)) if allowed.is_allowed(p)]
        sums = torch.stack(
            [sum(scores[row, at + 1, label] for at, label in enumerate(path)) for path in paths]
        )
        total += float(torch.logsumexp(sums, 0) - sums[paths.index(tuple(labels))])
    assert float(fitting.path_loss(scores, wanted)) == pytest.approx(total / 5, abs=1e-5)
