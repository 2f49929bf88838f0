"""A review in the terminal: each pair with its differences in brackets, the verdict, and one letter to answer."""

from __future__ import annotations

import sys

from menpai.address import Address, Element
from menpai.cli.console import note, pad, paint
from menpai.cli.drawing import segments
from menpai.cli.language import say, spoken
from menpai.cli.review_end import estimated
from menpai.cli.show import show_verdict
from menpai.cli.words import LABELS as WORDS
from menpai.cli.words import word
from menpai.errors import NotReadyError, Problem
from menpai.matcher import Matcher
from menpai.tables.review.differences import DIFFERS
from menpai.tables.review.explained import Explained, explain
from menpai.tables.review.session import Session
from menpai.verdict import LABELS

_KEYS = dict(zip("123", LABELS, strict=True))
_SKIP, _UNDO, _QUIT = ("0", "s"), "u", "q"


def ask(session: Session, matcher: Matcher) -> None:
    """Until all pairs are answered, or the person has enough."""
    while (pair := session.current) is not None:
        _show(session, explain(pair, matcher))
        key = _key()
        if key == _QUIT:
            return
        try:
            if key in _KEYS:
                session.answer(pair.key, _KEYS[key])
            elif key in _SKIP:
                session.skip(pair.key)
            elif not session.undo():
                note(say("没有可以撤销的", "there is nothing to undo"))
        except NotReadyError as error:
            note("menpai: " + ". ".join(error.render(spoken())))
    print(say("全部答完", "all pairs are answered"))


def _key() -> str:
    """A key that means something; the end of the input means enough."""
    while True:
        print(say(
            "1 完全  2 部分  3 不匹配  0 跳过  u 撤销  q 结束 > ", "1 exact  2 partial  3 not  0 skip  u undo  q quit > ",
        ), end="", flush=True)  # fmt: skip
        line = sys.stdin.readline()
        key = line.strip().casefold()[:1]
        if not line:
            print()
        if not line or key in (*_KEYS, *_SKIP, _UNDO, _QUIT):
            return key or _QUIT


def _show(session: Session, explained: Explained) -> None:
    answered, _, total, _ = session.progress()
    precision = session.to_dict()["precision"]
    known = f"  {say('精度', 'precision')} {estimated('precision', precision)}" if precision else ""
    print(paint(f"\n── {answered + 1} / {total}{known}", "dim"))
    pair = explained.pair
    texts = zip((pair.a, pair.b), (pair.id_a, pair.id_b), explained.readings, explained.marks, strict=True)
    for name, (text, id_, reading, marks) in zip("ab", texts, strict=True):
        print(f"{name}  {_drawn(text, reading, marks)}  {paint(_plain(id_), 'dim')}".rstrip())
    print(paint(say("【】矛盾  〔〕另一侧没有", "【】 contradict  〔〕 the other side lacks"), "dim"))
    if pair.similarity is not None:
        joined = say("已连上", "joined") if pair.joined else say("未连上", "not joined")
        label = word(WORDS, pair.label)
        print(f"{pad(say('文件里', 'in the file'), 12)}{label}  {pair.similarity:.3f}  {joined}")
    if explained.verdict is not None:
        show_verdict(explained.verdict, option="")


def _drawn(text: str, reading: Address | Problem, marks: dict[Element, str]) -> str:
    """The text with brackets around what differs."""
    if isinstance(reading, Problem):
        return _plain(text)
    parts = []
    for text, element in segments(reading):
        how = marks.get(element) if element else None
        parts.append(_marked(text, how) if how else _plain(text))
    return "".join(parts)


def _marked(text: str, how: str) -> str:
    if how == DIFFERS:
        return paint(f"【{_plain(text)}】", "red")
    return paint(f"〔{_plain(text)}〕", "yellow")


def _plain(text: str) -> str:
    """The text without what a terminal would obey."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
