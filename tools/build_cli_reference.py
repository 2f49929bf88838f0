"""Writes docs/en/cli.md and docs/zh/cli.md from the parsers of menpai.cli."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from menpai.cli.entry import build_parser
from menpai.cli.language import speak, spoken
from menpai.errors import Language

ROOT = Path(__file__).parents[1]
HEADS: dict[Language, str] = {
    "en": (ROOT / "resources/docs/cli_en.md").read_text("utf-8"),
    "zh": (ROOT / "resources/docs/cli_zh.md").read_text("utf-8"),
}
TABLE: dict[Language, str] = {
    "en": "| Argument | What it does |\n|---|---|\n",
    "zh": "| 参数 | 作用 |\n|---|---|\n",
}
FOOT = "\n<!-- Written by tools/build_cli_reference.py; do not edit. -->\n"


def page(language: Language) -> str:
    """The whole page: the text that people edit, then each command as its parser describes it."""
    before = spoken()
    speak(language)
    try:
        parsers = list(_leaves(build_parser()))
    finally:
        speak(before)
    return HEADS[language] + "".join(_section(parser, language) for parser in parsers) + FOOT


def _leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The commands that run something, in their order; an alias is not repeated."""
    nested = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    children = list(dict.fromkeys(child for action in nested for child in action.choices.values()))
    if not children:
        yield parser
    for child in children:
        yield from _leaves(child)


def _section(parser: argparse.ArgumentParser, language: Language) -> str:
    rows = [
        f"| `{_name(action)}` | {_help(action)} |\n"
        for action in parser._actions
        if not {"--help", "--language"} & set(action.option_strings)
    ]
    return f"\n## {parser.prog}\n\n{parser.description}\n\n{TABLE[language]}{''.join(rows)}"


def _name(action: argparse.Action) -> str:
    """-o, --output OUT; or the name of a place, such as FILE."""
    if not action.option_strings:
        return _cell(str(action.metavar or action.dest))
    choices = "|".join(map(str, action.choices)) if action.choices else None
    takes_value = action.nargs != 0
    value = f" {action.metavar or choices or action.dest.upper()}" if takes_value else ""
    return _cell(", ".join(action.option_strings) + value)


def _help(action: argparse.Action) -> str:
    return _cell(" ".join((action.help or "").replace("%%", "%").split()))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    for language in HEADS:
        (ROOT / "docs" / language / "cli.md").write_text(page(language), "utf-8")


if __name__ == "__main__":
    main()
