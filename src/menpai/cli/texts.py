"""Texts given as arguments or lines of standard input, answered one by one: for normalize and parse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from menpai.cli.console import print_error, print_json
from menpai.cli.language import say, spoken
from menpai.errors import Problem, UsageError
from menpai.tables.source import STDIN, open_source

T = TypeVar("T")


def given_texts(arguments: list[str], encoding: str | None) -> Iterator[str]:
    """The arguments, or, where one is "-", the lines of standard input."""
    for argument in arguments:
        if argument != STDIN:
            yield argument
            continue
        with open_source(STDIN) as source:
            for line in source.text_lines(encoding):
                yield line.rstrip("\r\n")


def answer_each(
    texts: Iterable[str], answer: Callable[[str], T], show: Callable[[T], None], as_json: bool, single: bool
) -> int:
    """Show the answer to each text; a bad text is a problem in its place, or an error if it stands alone."""
    problems = 0
    for number, text in enumerate(texts, 1):
        try:
            found = answer(text)
        except UsageError as error:
            if single:
                raise
            problems += 1
            _show_problem(Problem(error.code, error.details), number, as_json)
        else:
            show(found)
    return 1 if problems else 0


def _show_problem(problem: Problem, number: int, as_json: bool) -> None:
    """JSON in the place of the answer; otherwise an empty line there and the reason on standard error."""
    if as_json:
        print_json(problem.to_dict(spoken()))
    else:
        print()
        print_error(problem, say(f"第 {number} 条：", f"text {number}: "))
