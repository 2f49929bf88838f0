"""Splink's comparisons and blocking rules for addresses, and for shops with names; their parameters come from EM."""

from __future__ import annotations

import splink.comparison_level_library as levels
import splink.comparison_library as comparisons
from splink import SettingsCreator, block_on

_DICE = "2 * len(list_intersect({0}_l, {0}_r)) >= {1} * (len({0}_l) + len({0}_r))"
_ODD = 0.001
"""Share of the true pairs whose numbers differ."""
_PREFIX = "starts_with(numbers_l, numbers_r || '-') OR starts_with(numbers_r, numbers_l || '-')"

ADDRESS_RULES = [
    block_on("name", "inside", "county"),
    block_on("town", "inside"),
    block_on("head", "numbers"),
    block_on("tail", "numbers"),
    block_on("rare", "inside", arrays_to_explode=["rare"]),
    block_on("place"),
]
SHOP_RULES = [
    block_on("label_grams", arrays_to_explode=["label_grams"]),
    block_on("address"),
    block_on("name", "numbers"),
]


def dice(column: str, shares: tuple[float, ...]) -> list[levels.CustomLevel]:
    """Levels by the share of pairs of characters that two lists have in common."""
    return [levels.CustomLevel(_DICE.format(column, share)) for share in shares]


def numbers() -> comparisons.CustomComparison:
    """Equal (rare ones say more), one has more behind, or other numbers. m is set: where EM blocks on a road, nearly all
    pairs are neighbours, and it takes those for the matches."""
    return comparisons.CustomComparison(
        output_column_name="numbers",
        comparison_levels=[
            levels.CustomLevel("numbers_l IS NULL AND numbers_r IS NULL").configure(is_null_level=True),
            levels.ExactMatchLevel("numbers", term_frequency_adjustments=True).configure(
                m_probability=1 - 4 * _ODD
            ),
            levels.CustomLevel(_PREFIX).configure(m_probability=_ODD),
            levels.CustomLevel("(numbers_l IS NULL) <> (numbers_r IS NULL)").configure(
                m_probability=2 * _ODD
            ),
            levels.ElseLevel().configure(m_probability=_ODD),
        ],
    )


def numbers_of_shops() -> comparisons.CustomComparison:
    """The same in words that people write of shops, by EM."""
    return comparisons.CustomComparison(
        output_column_name="numbers",
        comparison_levels=[
            levels.CustomLevel("numbers_l IS NULL OR numbers_r IS NULL").configure(is_null_level=True),
            levels.ExactMatchLevel("numbers", term_frequency_adjustments=True),
            levels.CustomLevel(_PREFIX),
            levels.ElseLevel(),
        ],
    )


def shop_names() -> comparisons.CustomComparison:
    """With and without what stands in brackets, one inside the other, pairs of characters, characters."""
    return comparisons.CustomComparison(
        output_column_name="label",
        comparison_levels=[
            levels.NullLevel("label"),
            levels.ExactMatchLevel("label", term_frequency_adjustments=True),
            levels.ExactMatchLevel("bare", term_frequency_adjustments=True),
            levels.CustomLevel("length(bare_l) > 2 AND contains(label_r, bare_l)"),
            levels.CustomLevel("length(bare_r) > 2 AND contains(label_l, bare_r)"),
            *dice("label_grams", (0.6, 0.45)),
            *dice("bare_letters", (0.75, 0.6)),
            *dice("label_grams", (0.3, 0.15)),
            levels.ElseLevel(),
        ],
    )


def text(column: str, grams: str, shares: tuple[float, ...]) -> comparisons.CustomComparison:
    """Equal (rare ones say more), or some characters, or pairs of them, in common."""
    return comparisons.CustomComparison(
        output_column_name=column,
        comparison_levels=[
            levels.NullLevel(column),
            levels.ExactMatchLevel(column, term_frequency_adjustments=True),
            *dice(grams, shares),
            levels.ElseLevel(),
        ],
    )


def addresses(kind: str) -> SettingsCreator:
    """`kind` is link_only or dedupe_only. The whole text helps to choose among right rows; in one table it joins villages of
    one town."""
    whole = comparisons.CustomComparison([*dice("whole", (0.9, 0.75, 0.6, 0.4)), levels.ElseLevel()], "whole")
    return SettingsCreator(
        link_type=kind,
        comparisons=[
            numbers(),
            text("name", "letters", (0.8, 0.6, 0.4, 0.01)),
            comparisons.ExactMatch("town").configure(term_frequency_adjustments=True),
            comparisons.ExactMatch("county").configure(term_frequency_adjustments=True),
            *([whole] if kind == "link_only" else []),
        ],
        blocking_rules_to_generate_predictions=ADDRESS_RULES,
        retain_matching_columns=False,
    )


def shops(points: bool) -> SettingsCreator:
    """Names and addresses of two tables, with the distance where `points`."""
    return SettingsCreator(
        link_type="link_only",
        comparisons=[
            shop_names(),
            text("address", "whole", (0.8, 0.6, 0.4, 0.2)),
            numbers_of_shops(),
            *([comparisons.DistanceInKMAtThresholds("lat", "lon", [0.05, 0.15, 0.4, 1])] if points else []),
        ],
        blocking_rules_to_generate_predictions=SHOP_RULES,
        retain_matching_columns=False,
    )
