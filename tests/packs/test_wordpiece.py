"""WordPiece in batches against the same rules read out character by character, and against `tokenizers` itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.packs.bert_characters import LATER_MARKS, LATER_PUNCTUATION, fold, is_ideograph, is_punctuation
from menpai.packs.wordpiece import SPECIALS, WordPiece
from tests import strategies
from tools.random_mgeo import vocabulary

PIECES = [*vocabulary(1500), "##路", "a座", "é", "ß", "##.5", "ii", "##í", "。"]
WORDS = WordPiece(PIECES)

# Letters of scripts that came to Unicode lately have case and accents in some versions of it and not in others.
_LATE = {"Lu", "Ll", "Lt", "Lo", "Mc", "Cn", "Cs"}
_odd = st.characters(max_codepoint=0x2FA20, exclude_categories=["Cs", "Cn"]).filter(
    lambda char: char < "\ua7c0" or "\uf900" <= char <= "\uffff" or unicodedata.category(char) not in _LATE
)
_pieces = st.one_of(
    strategies.pieces(),
    st.text(_odd, max_size=4),
    st.sampled_from(
        [
            "文三路",
            "12",
            "a座",
            "[SEP]",
            "[MASK]",
            "[UNK",
            "é",
            "e\u0301",
            "Σ",
            "İ",
            "①",
            "１２",
            "\u200b",
            "=\u0338",
        ]
    ),
    st.sampled_from(["\u200b", "=\u0338", "\u3000", "\n", "\0"]),
    st.text("0123456789abcXYZ.-#号路 ", max_size=8),
)
texts = (
    st.lists(_pieces, max_size=6)
    .map("".join)
    .filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))
)


def by_the_book(text: str) -> list[int]:
    """Fold the whole text, split it into words, cut each word greedily."""
    known = {piece: at for at, piece in enumerate(PIECES)}
    out: list[int] = []
    for part in _parts(text):
        if part in SPECIALS:
            out.append(known[part])
            continue
        for word in _words(fold(part, True)):
            cut: list[int] = []
            rest = word if len(word) <= 100 else ""
            while rest:
                end = next(
                    (n for n in range(len(rest), 0, -1) if ("##" if cut else "") + rest[:n] in known), 0
                )
                if not end:
                    break
                cut.append(known[("##" if cut else "") + rest[:end]])
                rest = rest[end:]
            out += cut if cut and not rest else [known["[UNK]"]]
    return out


def _parts(text: str) -> Iterator[str]:
    """The special tokens that are written out, and what stands between them."""
    found = [(text.find(special), special) for special in SPECIALS if special in text]
    if not found:
        yield text
        return
    at, special = min(found)
    yield text[:at]
    yield special
    yield from _parts(text[at + len(special) :])


def _words(text: str) -> list[str]:
    for char in set(text):
        if is_punctuation(char):
            text = text.replace(char, f" {char} ")
    return [word for word in text.split(" ") if word]


@settings(max_examples=40)
@given(st.lists(texts, max_size=5))
def test_a_batch_is_cut_as_each_text_is_by_the_book(batch: list[str]) -> None:
    WORDS.forget()
    for _ in range(2):  # cut, then remembered
        assert [ids.tolist() for ids in WORDS.encode(batch)] == [by_the_book(text) for text in batch]


@settings(max_examples=40)
@given(texts)
def test_words_hold_the_same_pieces_and_stand_where_they_say(text: str) -> None:
    if any(special in text for special in SPECIALS):
        return
    words = WORDS.words(text)
    assert [i for word in words for i in word.ids] == by_the_book(text)
    assert all(0 <= word.start < word.end <= len(text) for word in words)
    assert all(a.end <= b.start for a, b in pairwise(words))
    for word in words:
        assert WORDS.encode([text[word.start : word.end]])[0].tolist() == list(word.ids)


@settings(max_examples=40)
@given(texts)
def test_by_character_every_character_is_a_word(text: str) -> None:
    words = WORDS.words(text, characters=True)
    assert [(word.start, word.end) for word in words] == [(at, at + 1) for at in range(len(text))]
    assert all(word.ids for word in words)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("文 三\u3000路\u200b号", ["文", "三", "路", "号"]),
        ("88 8号", ["88", "8", "号"]),
        ("201", ["20", "##1"]),
        ("SOHO现代城", ["soho", "现", "代", "城"]),
        ("A座", ["a", "座"]),
        ("１２①", ["[UNK]"]),
        ("（3-2）", ["（", "3", "-", "2", "）"]),
        ("文三[SEP]路", ["文", "三", "[SEP]", "路"]),
        ("é", ["e"]),
        ("", []),
        ("1" * 101, ["[UNK]"]),
    ],
)
def test_what_becomes_of_an_address(text: str, pieces: list[str]) -> None:
    words = WordPiece(vocabulary(4000))
    names = vocabulary(4000)
    assert [names[i] for i in words.encode([text])[0]] == pieces


def test_case_is_kept_where_the_folder_says_so() -> None:
    words = WordPiece([*SPECIALS, "A", "a", "é"], lower_case=False)
    assert words.encode(["A", "a", "é"]) == [[5], [6], [7]]


def test_texts_are_remembered_and_can_be_forgotten() -> None:
    words = WordPiece(PIECES)
    (first,), (again,) = words.encode(["文三路"]), words.encode(["文三路"])
    assert first is again
    words.forget()
    assert words.encode(["文三路"])[0] is not first


def test_more_texts_than_are_remembered_are_cut_all_the_same() -> None:
    words = WordPiece(PIECES)
    (known,) = words.encode(["文三路"])
    many = words.encode(["文三路", *(f"{n}号" for n in range(20_001))])
    assert many[0].tolist() == known.tolist()
    assert len(many) == 20_002
    assert words.encode(["文三路"])[0].tolist() == known.tolist()


def test_tables_of_later_characters_hold_only_marks_and_punctuation() -> None:
    for table in (LATER_MARKS, LATER_PUNCTUATION):
        firsts = [int(item.partition("-")[0], 16) for item in table.split()]
        assert firsts == sorted(firsts)
        assert not any(is_ideograph(chr(code)) for code in firsts)


@pytest.mark.slow
def test_texts_are_cut_as_the_tokenizers_library_cuts_them() -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers  # noqa: PLC0415 (slow tier)

    library = Tokenizer(models.WordPiece({piece: at for at, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    library.normalizer = normalizers.BertNormalizer(lowercase=True)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.add_special_tokens(list(SPECIALS))

    @given(st.lists(texts, max_size=5))
    def check(batch: list[str]) -> None:
        expected = [library.encode(text, add_special_tokens=False).ids for text in batch]
        assert [ids.tolist() for ids in WORDS.encode(batch)] == expected

    check()
    every = [chr(code) for code in range(0x30000) if not 0xD800 <= code <= 0xDFFF]
    every = [char for char in every if char < "\ua7c0" or unicodedata.category(char) not in _LATE]
    expected = [library.encode(f"1{char}1", add_special_tokens=False).ids for char in every]
    assert [ids.tolist() for ids in WORDS.encode([f"1{char}1" for char in every])] == expected
