"""What each further piece of evidence weighs, in log-odds of the same place. Stated, round numbers.

They say how a name at an address is judged: chiefly by its name, for one address houses many. The order of their sizes
was taken from a logistic fit on one half of two tables of shops and offices (benchmarks/tables); nothing of those tables
is in here but these numbers.
"""

from __future__ import annotations

import math

# A name at an address: the sum of these times the features of names.py, from NAMES down.
NAMES = -12.0
NAME = {
    "shared": 0.15,  # for each nat of the pairs of characters that both names have
    "lacking": -0.05,  # the same of those that one name has alone: of the name that has less
    "over": -0.075,  # and of the one that has more
    "dice": -2.5,
    "equal": 1.0,
    "ending": 0.35,
    "characters": 10.0,
    "branch": -1.0,  # one name has a branch in brackets
    "number": 1.25,  # the addresses share a number
    "numbers_apart": -1.0,  # both have numbers, and share none
    "no_address": 1.75,  # one side has no address: nothing speaks against
}
"What the address says: the log-odds of exact_match and of not_match in the judge's verdict."
EXACT, NOT = 0.12, -0.5
PHONE, OTHER_PHONE = 3.0, -1.0
"Equal and different last digits of the phone numbers."
RIVAL = 0.5
"For each unit by which a pair lies above, or below, the best other pair of either side; as far as RIVAL_MOST."
RIVAL_MOST, ALONE, OWN, FIRST = 4.0, -10.0, 0.6, -2.0
"Where there is no other pair; the pair itself; what every pair starts with."
NEAR = 60.0
"Metres at which the distance of a name at an address says nothing."
FAR = 2.0
"For each factor of ten nearer or farther than that, between 10 m and 10 km."


def distance_weight(metres: float | None) -> float:
    """What a distance says about two names at addresses; nothing where it is not known."""
    return 0.0 if metres is None else FAR * math.log10(NEAR / min(max(metres, 10.0), 10_000.0))


def phone_weight(left: str, right: str) -> float:
    """What the last digits of two phone numbers say; nothing where one is not known."""
    return 0.0 if not left or not right else PHONE if left == right else OTHER_PHONE
