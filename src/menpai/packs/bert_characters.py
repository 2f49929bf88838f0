"""How BERT's tokenizer sees characters: what it drops, what it splits at, what it folds.

The rules are those of the `tokenizers` library (normalizers/bert.rs, pre_tokenizers/bert.rs), including its slip in a
range of ideographs (2B920 for 2B820) and its age: it knows Unicode as of 2016, so marks and punctuation that came
later are letters to it. LATER_MARKS and LATER_PUNCTUATION were found by asking it for every code point (0.23.3).
"""

from __future__ import annotations

import unicodedata
from functools import cache

_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
LATER_MARKS = """
    5c8-5c9 7fd 890-891 897-89f 8ca-8e2 9fe afa-aff b53-b55 c04 c3c d00 d3b-d3c d81 eba ece 180f 1885-1886 1abf-1af0
    1df6-1dfb a82c a8c5 a8ff a9bd 10d24-10d27 10d69-10d6d 10eab-10eac 10ecb-10ecf 10ef0-10eff 10f46-10f50
    10f82-10f85 11070 11073-11074 110c2 110cd 111c9 111cf 1123e 11241 1133b 113bb-113c0 113ce 113d0 113d2
    113e1-113e2 11438-1143f 11442-11444 11446 1145e 1182f-11837 11839-1183a 1193b-1193c 1193e 11943 119d4-119d7
    119da-119db 119e0 11a01-11a0a 11a33-11a38 11a3b-11a3e 11a47 11a51-11a56 11a59-11a5b 11a8a-11a96 11a98-11a99
    11b60 11b62-11b64 11b66 11c30-11c36 11c38-11c3d 11c3f 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6
    11d31-11d36 11d3a 11d3c-11d3d 11d3f-11d45 11d47 11d90-11d91 11d95 11d97 11df0 11ef3-11ef4 11f00-11f01
    11f36-11f3a 11f40 11f42 11f5a 13430-13440 13447-13455 1611e-16129 1612d-1612f 16f4f 16fe4 1cf00-1cf2d
    1cf30-1cf46 1d127-1d128 1d25b-1d25c 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f
    1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5 1e944-1e94a
"""
LATER_PUNCTUATION = """
    61d 9fd a76 c77 c84 1b4e-1b4f 1b7d-1b7f 2e43-2e4f 2e52-2e5d 2e60-2e63 10d6e 10ead 10ed0 10f55-10f59 10f86-10f89
    113d4-113d5 113d7-113d8 1144b-1144f 1145a-1145b 1145d 11660-1166c 116b9 1183b 11944-11946 119e2
    11a3f-11a46 11a9a-11a9c 11a9e-11aa2 11b00-11b09 11be1 11c41-11c45 11c70-11c71 11ef7-11ef8 11f43-11f4f 11fff
    12ff1-12ff2 16d6d-16d6f 16e97-16e9a 16fe2 1e5ff 1e95e-1e95f
"""
# Nonspacing marks, and punctuation, that Unicode has moved to another category since.
_ONCE_MARKS = "\u1734\U0001171e"
_ONCE_PUNCTUATION = "\u166d\U000111c9"


def fold(text: str, lower_case: bool) -> str:
    """The text without controls, each ideograph between blanks; without accents and in lower case if so asked."""
    clean = "".join(map(_clean, text))
    if not lower_case:
        return clean
    return "".join(char.lower() for char in unicodedata.normalize("NFD", clean) if not _is_mark(char))


def is_ideograph(char: str) -> bool:
    """Whether the character is a token of its own as a Chinese character."""
    return any(first <= ord(char) <= last for first, last in _IDEOGRAPHS)


def is_punctuation(char: str) -> bool:
    """Whether the character is a token of its own as punctuation; ASCII symbols are."""
    if char.isascii():
        return not char.isalnum() and "!" <= char <= "~"
    if char in _ONCE_PUNCTUATION:
        return True
    return unicodedata.category(char)[0] == "P" and ord(char) not in _codes(LATER_PUNCTUATION)


def _clean(char: str) -> str:
    if char in "\t\n\r":
        return " "
    if char in "\0\ufffd" or (unicodedata.category(char) in ("Cc", "Cf", "Co") and not _is_later(char)):
        return ""
    if char.isspace():
        return " "
    return f" {char} " if is_ideograph(char) else char


def _is_mark(char: str) -> bool:
    return char in _ONCE_MARKS or (unicodedata.category(char) == "Mn" and not _is_later(char))


def _is_later(char: str) -> bool:
    return ord(char) in _codes(LATER_MARKS)


@cache
def _codes(ranges: str) -> frozenset[int]:
    pairs = (item.partition("-") for item in ranges.split())
    return frozenset(code for a, _, b in pairs for code in range(int(a, 16), int(b or a, 16) + 1))
