"""What the verbs share that look at a library or ask it: which library, and how an answer is shown."""

from __future__ import annotations

import argparse
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from menpai.cli.arguments import Parser, add_json, positive_count, positive_number
from menpai.cli.console import note, pad, print_json, width
from menpai.cli.language import say
from menpai.cli.words import KINDS, LABELS
from menpai.errors import BrokenArtefactError, MenpaiError, UsageError

if TYPE_CHECKING:
    from menpai.library import Library
    from menpai.search.values import Candidate
    from menpai.settings import Settings

Point = tuple[float, float]


def add_library(parser: argparse.ArgumentParser) -> None:
    """LIBRARY, the folder."""
    parser.add_argument("library", metavar="LIBRARY", help=say("地址库的文件夹", "folder of the library"))


def add_question(parser: Parser, metavar: str, text: str) -> None:
    """[LIBRARY] WORD…, -l, -k, --json: a question to a library."""
    parser.add_argument("words", metavar=metavar, nargs="+", help=text)
    parser.add_argument("-l", "--library", metavar="LIBRARY", help=say(
        "地址库的文件夹，也可写在前面；默认按设置，没有设置就用演示库",
        "folder of the library, which may also stand first; the one of the settings if not given, else the demo library",
    ))  # fmt: skip
    parser.add_argument(
        "-k", type=positive_count, default=10, metavar="N", help=say("最多几条", "at most so many")
    )
    add_json(parser)


def add_radius(parser: argparse.ArgumentParser) -> None:
    """--radius and --crs."""
    parser.add_argument(
        "--radius", type=positive_number, metavar="M", help=say("最远多少米", "at most so many metres away")
    )
    add_crs(parser)


def add_crs(parser: argparse.ArgumentParser) -> None:
    """--crs."""
    parser.add_argument("--crs", choices=("wgs84", "gcj02", "bd09"), default="wgs84",
                        help=say("给出的坐标的坐标系", "coordinate system of the point given"))  # fmt: skip


def add_place(parser: argparse.ArgumentParser) -> None:
    """--name and --at beside an address, --radius and --crs."""
    parser.add_argument("--name", help=say("名称（与地址分开给出）", "its name, apart from the address"))
    parser.add_argument("--at", metavar="LAT,LON", help=say("它的坐标", "where it is"))
    add_radius(parser)


def asked_query(args: argparse.Namespace, text: str) -> str | dict[str, Any]:
    """What is searched for: the text, with the name and the point that were given beside it."""
    if args.name is None and args.at is None:
        return text
    query: dict[str, Any] = {"address": text} | ({"name": args.name} if args.name is not None else {})
    if args.at is not None:
        lat, lon = read_point(args.at)
        query |= {"lat": lat, "lon": lon, "crs": args.crs}
    return query


@contextmanager
def open_asked(args: argparse.Namespace, settings: Settings) -> Iterator[tuple[Library, str]]:
    """The library that is asked, and the words of the question. Where something fails in it that nobody foresaw, a
    damaged file is named, if there is one."""
    from menpai.library import Library  # noqa: PLC0415 (a verb loads its work when it runs)
    from menpai.search.compact import check  # noqa: PLC0415

    folder, text = _asked(args, settings)
    try:
        yield Library.open(folder, settings=settings), text
    except (MenpaiError, OSError):
        raise
    except Exception as error:
        bad = next((name for name, whole in check(Path(folder)) if not whole), None) if folder else None
        if bad is None:
            raise
        raise BrokenArtefactError("library_damaged", path=folder, file=bad) from error


def _asked(args: argparse.Namespace, settings: Settings) -> tuple[str | None, str]:
    """The library's folder, None for the demo library, and the words of the question."""
    from menpai.search.demo import demo_folder  # noqa: PLC0415 (as above)
    from menpai.search.naming import is_library, is_there, named_libraries  # noqa: PLC0415

    words: list[str] = args.words
    first = words[0]
    if not args.library and len(words) == 1 and is_there(first):
        args.parser.error(say(f"{first} 后面没有写要问什么", f"nothing is asked of {first}"))
    if len(words) > 1 and is_library(first):
        return first, " ".join(words[1:])
    paths = list(named_libraries(args.library or settings.library).values())
    if paths:
        return paths[0], " ".join(words)
    if not demo_folder().exists():
        note(say("正在建演示库（只此一次）……", "making the demo library (only this once) …"))
    if len(words) > 1 and first.isascii():
        note(
            say(
                f"没有地址库 {first}，问的是演示库", f"there is no library {first}, the demo library is asked"
            )
        )
    return None, " ".join(words)


def read_point(text: str) -> Point:
    """(latitude, longitude) of two numbers with a comma or a space between."""
    try:
        lat, lon = (float(part) for part in text.replace(",", " ").replace("，", " ").split())
    except ValueError:
        raise UsageError("point_unreadable", text=text[:40]) from None
    if not (abs(lat) <= 90 and abs(lon) <= 180):
        raise UsageError("point_unreadable", text=text[:40])
    return lat, lon


def show_candidates(candidates: Sequence[Candidate], as_json: bool) -> int:
    """Candidates, best first: score, label, level, distance, id, name and address."""
    if as_json:
        print_json([candidate.to_dict() for candidate in candidates], indent=2)
        return 0
    if not candidates:
        note(say("没有找到", "nothing found"))
    size = max((width(candidate.id) for candidate in candidates), default=0)
    for candidate in candidates:
        print(plain("  ".join([f"{candidate.score:.3f}", pad(candidate.id, size), *_words(candidate)])))
    return 0


def plain(text: str) -> str:
    """The text without what a terminal would obey: rows come from anywhere."""
    return "".join(" " if unicodedata.category(char) == "Cc" else char for char in text)


def _words(candidate: Candidate) -> list[str]:
    """Label and level, distance, name and address."""
    words = []
    if candidate.verdict is not None:
        words += [say(*LABELS[candidate.verdict.label]), say(*KINDS[candidate.verdict.level])]
    if candidate.distance is not None:
        words.append(f"{candidate.distance:,.0f} m")
    return [*words, *(text for text in (candidate.record.name, candidate.record.text) if text)]
