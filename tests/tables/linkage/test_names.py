"""Names: what they share by its rarity, and what an address, a distance and a phone add."""

from __future__ import annotations

import pytest

from menpai.tables.linkage.names import Names
from menpai.tables.linkage.records import Entity
from menpai.tables.linkage.weights import distance_weight, phone_weight
from menpai.verdict import Probabilities

SHOP = Entity("文三路123号", "望江面馆(文三店)", "1234", (30.0, 120.0))
NAMES = Names(["望江面馆(文三店)", "望江面馆", "望湖茶楼", "望江茶楼", "杭州快修有限公司"])


def test_the_same_shop_beats_its_neighbours() -> None:
    scores = [
        NAMES.score(SHOP, Entity("文三路123号", name), Probabilities(0.98, 0.01, 0.01))
        for name in ("望江面馆(文三店)", "望江面馆", "望江茶楼", "望湖茶楼", "杭州快修有限公司")
    ]
    assert scores == sorted(scores, reverse=True)
    assert scores[1] > 0 > scores[2]


def test_scores_are_symmetric() -> None:
    other = Entity("文三路125号", "望江茶楼", "9999", (30.001, 120.0))
    assert NAMES.score(SHOP, other) == NAMES.score(other, SHOP)


def test_address_phone_and_distance_move_the_score() -> None:
    plain = NAMES.score(SHOP, Entity("文三路123号", "望江面馆"))
    assert NAMES.score(SHOP, Entity("文三路123号", "望江面馆", "1234")) > plain
    assert NAMES.score(SHOP, Entity("文三路123号", "望江面馆", "1235")) < plain
    assert NAMES.score(SHOP, Entity("文三路123号", "望江面馆", "", (30.0, 120.0))) > plain
    assert NAMES.score(SHOP, Entity("文三路123号", "望江面馆", "", (30.1, 120.0))) < plain
    same, other = Probabilities(0.98, 0.01, 0.01), Probabilities(0.01, 0.01, 0.98)
    assert NAMES.score(SHOP, SHOP, same) > NAMES.score(SHOP, SHOP, other)


def test_only_names_without_common_characters_are_hopeless() -> None:
    assert NAMES.hopeless("望江面馆", "杭州快修有限公司")
    assert not NAMES.hopeless("望江面馆", "望江茶楼")
    assert not NAMES.hopeless("望江面馆", "")


@pytest.mark.parametrize(("metres", "weight"), [(None, 0.0), (60.0, 0.0), (600.0, -2.0), (6.0, 1.556)])
def test_distance(metres: float | None, weight: float) -> None:
    assert distance_weight(metres) == pytest.approx(weight, abs=1e-3)


def test_an_unknown_phone_says_nothing() -> None:
    assert phone_weight("", "1234") == phone_weight("1234", "") == 0.0
