"""What a contrast changes decides the label: each one against what the guide says of it."""

from __future__ import annotations

from random import Random

import pytest

from tests.training.world import corpus
from training.contrasts import World, apart, other_digits, other_label, similar
from training.different import NOT
from training.make_pairs import draw
from training.partial import PARTIAL
from training.place import Place, Wording, write
from training.points import bare

WORLD = World(corpus())
TABLES = {"partial": PARTIAL, "not": NOT}
FILED = [(k, style, name) for k, table in TABLES.items() for style in table for name, *_ in table[style]]


def drawn(label: str, style: str, name: str) -> list[tuple[Place, Place]]:
    """Both sides of a contrast over many drawn places."""
    contrast = next(c for n, c, _ in TABLES[label][style] if n == name)
    made = []
    for seed in range(400):
        rng = Random(seed)
        both = contrast(draw(rng, WORLD, style), rng, WORLD)
        if both is not None:
            made.append((both[0], both[1]))
    return made


@pytest.mark.parametrize(("label", "style", "name"), FILED)
def test_sides_differ_in_words(label: str, style: str, name: str) -> None:
    for a, b in drawn(label, style, name):
        assert write(a, Wording()) != write(b, Wording())


@pytest.mark.parametrize(
    ("style", "name", "same", "other"),
    [
        ("estate", "other_building", ("county", "town", "name", "zone"), ("building",)),
        ("estate", "other_unit", ("name", "building"), ("unit",)),
        ("estate", "other_room", ("name", "building", "unit"), ("room",)),
        ("estate", "other_zone", ("name", "town"), ("zone",)),
        ("estate", "other_gate", ("name", "town"), ("part",)),
        ("village", "other_group", ("town", "name"), ("part",)),
        ("village", "village_or_group", ("town", "name"), ("part",)),
        ("road", "next_number", ("county", "road"), ("number",)),
        ("road", "number_or_lane", ("town", "road"), ("number",)),
        ("point", "other_floor", ("road", "number", "name", "host"), ("floor",)),
        ("point", "two_points_numbered", ("county", "road"), ("number", "name")),
        ("point", "other_shop_in_mall", ("road", "number", "host"), ("name",)),
        ("point", "opposite", ("road", "number", "name"), ("tail",)),
    ],
)
def test_partial_keeps_the_area(style: str, name: str, same: tuple[str, ...], other: tuple[str, ...]) -> None:
    both = drawn("partial", style, name)
    assert both
    for a, b in both:
        assert all(getattr(a, k) == getattr(b, k) for k in same)
        assert all(getattr(a, k) != getattr(b, k) for k in other)


@pytest.mark.parametrize(
    ("style", "name", "same", "other"),
    [
        ("estate", "neighbour", ("county",), ("name",)),
        ("village", "neighbour", ("county",), ("name",)),
        ("village", "same_name_other_town", ("county", "name"), ("town",)),
        ("estate", "similar_name", ("county",), ("name",)),
        ("road", "other_road", ("county",), ("road",)),
        ("road", "similar_road", ("county", "number"), ("road",)),
        ("point", "other_branch", ("county",), ("road",)),
        ("point", "other_point_same_road", ("county", "road"), ("name",)),
        ("point", "ordinal_sibling", ("county", "kind"), ("name", "road")),
    ],
)
def test_different_places_differ_where_it_matters(
    style: str, name: str, same: tuple[str, ...], other: tuple[str, ...]
) -> None:
    both = drawn("not", style, name)
    assert both
    for a, b in both:
        assert all(getattr(a, k) == getattr(b, k) for k in same)
        assert all(getattr(a, k) != getattr(b, k) for k in other)


def test_two_points_of_one_road_without_numbers_are_not_told_by_number() -> None:
    for a, b in drawn("not", "point", "other_point_same_road"):
        assert not a.number
        assert not b.number


@pytest.mark.parametrize("style", ["estate", "village", "road", "point"])
def test_same_name_elsewhere_is_in_another_county(style: str) -> None:
    both = drawn("not", style, "same_name_elsewhere")
    assert both
    assert all(a.county != b.county for a, b in both)


def test_names_made_alike_differ_in_one_character() -> None:
    for seed in range(300):
        name = "东山家园"
        made = similar(name, Random(seed))
        assert len(made) == len(name)
        assert sum(x != y for x, y in zip(name, made, strict=True)) <= 1


@pytest.mark.parametrize("value", ["3", "A", "B12", "东", "二"])
def test_another_label_of_the_series(value: str) -> None:
    assert all(other_label(value, Random(seed)) != value for seed in range(50))


def test_other_digits_stay_positive() -> None:
    numbers = {other_digits("2号", Random(seed)) for seed in range(300)}
    assert "2号" not in numbers
    assert all(int(n[:-1]) > 0 for n in numbers)


@pytest.mark.parametrize(
    ("a", "b", "so"), [("翠微苑", "海月花园", True), ("翠微苑", "新翠微苑", False), ("", "翠微苑", False)]
)
def test_apart(a: str, b: str, so: bool) -> None:
    assert apart(a, b) is so


@pytest.mark.parametrize(
    ("division", "short"), [("西湖区", "西湖"), ("杭州市", "杭州"), ("郊区", "郊区"), ("浦东新区", "浦东")]
)
def test_bare(division: str, short: str) -> None:
    assert bare(division) == short


@pytest.mark.parametrize(("a", "b"), [("田心南三巷", "田心南七巷"), ("学士弄", "学士弄")])
def test_lanes_of_one_street_are_not_apart(a: str, b: str) -> None:
    assert not apart(a, b)


def test_zones_of_one_estate_are_never_made_two_places() -> None:
    assert {similar("桂语一区", Random(seed))[2:] for seed in range(200)} <= {"一区"}


def test_gates_are_told_apart_by_words_that_differ() -> None:
    for a, b in drawn("partial", "estate", "other_gate"):
        assert a.part.replace("大门", "门") != b.part.replace("大门", "门")


@pytest.mark.parametrize("name", ["小区", "大厦", "新村", "园"])
def test_a_name_with_nothing_of_its_own_stays(name: str) -> None:
    assert {similar(name, Random(seed)) for seed in range(50)} == {name}
