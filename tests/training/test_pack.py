from __future__ import annotations

from pathlib import Path

from menpai.evidence import FEATURES
from menpai.matcher import Matcher
from menpai.packs import open_pack
from menpai.scoring.linear import LinearModel
from menpai.scoring.tokens import SPECIAL, Vocabulary
from tests import graphs
from tests.judging import SETTINGS
from training.pack import pack

ENTRIES = [*SPECIAL, *"文三路号0123456789"]


def test_what_training_packs_is_what_a_matcher_opens(tmp_path: Path) -> None:
    fast = LinearModel([0.1 * f.sign for f in FEATURES] + [0.5], [0.25] * (len(FEATURES) + 1))
    blend = LinearModel(fast.exact.tolist(), fast.lean.tolist(), 0.01)
    made = pack(
        tmp_path / "tiny", graphs.pair_graph(), Vocabulary(ENTRIES), {"fast": fast, "blend": blend},
        {"identical": [0.98, 0.015, 0.005]}, 0.95, "# tiny\n", {"version": "2026.1", "recipe": {"seed": 1}},
    )  # fmt: skip
    assert made.id == "tiny@2026.1"
    assert made.card == "# tiny\n"
    assert made.manifest["recipe"] == {"seed": 1}
    assert made.manifest["order"] == "sorted"
    matcher = Matcher(open_pack(tmp_path / "tiny"), SETTINGS)
    assert matcher.match("文三路1号", "文三路1号").probabilities == (0.98, 0.015, 0.005)
    evidence = {e.name: e.weight for e in matcher.match("文三路1号", "文三路1号").evidence}
    assert evidence["road_equal"] == fast.exact[[f.name for f in FEATURES].index("road_equal")]


def test_the_vocabulary_keeps_its_order_on_the_way(tmp_path: Path) -> None:
    model = LinearModel([0.0] * (len(FEATURES) + 1), [0.0] * (len(FEATURES) + 1))
    made = pack(
        tmp_path / "tiny", graphs.pair_graph(), Vocabulary(ENTRIES), {"fast": model, "blend": model},
        {"identical": [1.0, 0.0, 0.0]}, 1.1, "", {"version": "1"},
    )  # fmt: skip
    assert made.file("vocabulary").read_text(encoding="utf-8").split("\n")[:-1] == ENTRIES
