"""Evidence from the texts themselves: it works where parsing found nothing."""

from __future__ import annotations

from menpai.evidence.comparison import Comparison
from menpai.evidence.feature import feature
from menpai.evidence.names import overlap


@feature("text", +1, "整体文字相近", "the texts are alike")
def text_alike(c: Comparison) -> float:
    """Share of character pairs that both texts have (Sørensen-Dice), 0..1."""
    return overlap(c.left.grams, c.right.grams)


@feature("text", +1, "去掉行政区划后的文字相近", "the texts behind the divisions are alike")
def detail_alike(c: Comparison) -> float:
    """The same share behind the divisions, 0..1."""
    return overlap(c.left.detail_grams, c.right.detail_grams)


@feature("text", +1, "较短的一方几乎都出现在另一方", "nearly all of the shorter text stands in the other")
def detail_covered(c: Comparison) -> float:
    """Share of the shorter detail's character pairs that the other detail has, 0..1."""
    left, right = c.left.detail_grams, c.right.detail_grams
    return len(left & right) / min(len(left), len(right))


@feature("text", +1, "一方的地名都出现在另一方", "all names of one side stand in the other")
def names_covered(c: Comparison) -> float:
    """The larger of the two shares of names that stand in the other side's text, 0..1."""
    return max(c.covered)


@feature("text", +1, "双方的地名互相出现", "the names of each side stand in the other")
def names_covered_both(c: Comparison) -> float:
    """The smaller of the two shares of names that stand in the other side's text, 0..1."""
    return min(c.covered)


@feature("text", -1, "结尾的字不同", "the last characters differ")
def ending_differs(c: Comparison) -> float:
    """1 if the last two characters of the longest names differ."""
    left, right = c.left.ending, c.right.ending
    return float(bool(left and right) and left != right)


@feature("text", +1, "数字一致", "the same numbers occur")
def numbers_shared(c: Comparison) -> float:
    """Share of the numbers and Latin words of the side with fewer that the other side has too, 0..1."""
    left, right = c.left.numbers, c.right.numbers
    return len(left & right) / min(len(left), len(right)) if left and right else 0.0


@feature("text", -1, "双方都有对方没有的数字", "each side has a number that the other lacks")
def numbers_apart(c: Comparison) -> float:
    """1 if each side has a number or Latin word that the other has not."""
    left, right = c.left.numbers, c.right.numbers
    return float(bool(left - right and right - left))


@feature("text", -1, "方位字不同（东/西/南/北/内/外）", "direction words differ (east, west, inner, outer)")
def direction_differs(c: Comparison) -> float:
    """1 if each detail has a direction word that the other has not."""
    left, right = c.left.directions, c.right.directions
    return float(bool(left - right and right - left))


@feature("text", 0, "一方写得详细得多", "one side says much more")
def length_apart(c: Comparison) -> float:
    """1 minus the ratio of the shorter detail's length to the longer one's, 0..1."""
    left, right = len(c.left.detail), len(c.right.detail)
    return 1.0 - min(left, right) / max(left, right)


@feature(
    "text", 0, "一方带有相对位置（对面、以北200米、交叉口）", "one side gives a place relative to another"
)
def relative_place(c: Comparison) -> float:
    """1 if exactly one side has a distance or a relation such as 对面."""
    return float(c.left.relative != c.right.relative)
