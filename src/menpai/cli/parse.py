"""`menpai parse`: the elements of addresses, or of the address column of a table."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import Any

from menpai._version import __version__
from menpai.address import Address
from menpai.cli.arguments import Commands, add_engine, add_json, add_reading, add_tagger, add_writing
from menpai.cli.commands import summary_of
from menpai.cli.console import note, print_json
from menpai.cli.convert import Work, convert
from menpai.cli.drawing import draw
from menpai.cli.language import say
from menpai.cli.reading import alone
from menpai.cli.reading import parser as address_parser
from menpai.cli.show import show_address, show_fields
from menpai.cli.texts import answer_each, given_texts
from menpai.errors import Problem, UsageError
from menpai.parsing import styled
from menpai.parsing.dated import gazetteer_as_of
from menpai.parsing.gazetteer import Gazetteer
from menpai.parsing.overrides import overrides_digest
from menpai.parsing.styles import CONVENTIONS
from menpai.settings import Settings
from menpai.tables import parsed
from menpai.tables.columns import ADDRESSES, find_column, is_heading, others
from menpai.tables.encodings import find_encoding, reading_encoding
from menpai.tables.output import STDOUT
from menpai.tables.readers import is_table_name
from menpai.tables.source import STDIN, exists, open_source
from menpai.tables.table import Table


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = summary_of("parse")
    parser = subparsers.add_parser(
        "parse",
        help=summary,
        description=summary,
        usage="menpai parse TEXT… [OPTIONS]\n       menpai parse FILE -o OUT [OPTIONS]",
    )
    parser.add_argument(
        "texts",
        nargs="+",
        metavar="TEXT | FILE",
        help=say(
            "地址，或一个有地址列的表格；- 为标准输入：每行一条地址，有 -o、--column 或表头时为表格",
            "addresses, or a table with an address column; - is standard input: an address a line, or a table with -o, "
            "--column or a heading",
        ),
    )
    parser.add_argument(
        "--column", metavar="COLUMN", help=say("地址列的列名或序号", "name or number of the address column")
    )
    parser.add_argument(
        "--style",
        choices=tuple(styled.STYLES),
        default="elements",
        help=say(
            "写法：elements 要素，fields 省市区到室，line 一行标准地址，gbt 仿 GB/T 23705 的列",
            "how it is written: elements; fields, 省 to 室; line, one standard line; gbt, columns after GB/T 23705",
        ),
    )
    parser.add_argument(
        "--convention",
        choices=CONVENTIONS,
        help=say(
            "直辖市和省直辖县的“市”：repeat 北京市、济源市，shadow 市辖区、省直辖县级行政区划，empty 空",
            "the city of a municipality or of a county under its province: repeat 北京市, 济源市; shadow 市辖区, "
            "省直辖县级行政区划; empty",
        ),
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help=say("画出每段文字读成了什么", "draw what each part of the text was read as"),
    )
    parser.add_argument(
        "--pack",
        help=say(
            "模型包；导入的标注模型给出它自己的片段", "a pack; a tagger that was imported gives its own spans"
        ),
    )
    parser.add_argument(
        "--scheme",
        help=say("标注模型应有的标签体系，例如 mgeo", "the scheme that the tagger must have, such as mgeo"),
    )
    add_engine(parser)
    _add_hints(parser)
    add_tagger(parser)
    add_json(parser)
    add_reading(parser)
    add_writing(parser)
    parser.set_defaults(run=run, parser=parser, output=None)  # None: not given


def _add_hints(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(say("提示", "hints"))
    group.add_argument(
        "--default-city",
        metavar="CITY",
        help=say(
            "没有写明时所在的城市（名称或代码），用来定夺重名",
            "the city where none is written (name or code); it settles homonyms",
        ),
    )
    group.add_argument(
        "--near",
        type=_point,
        metavar="LAT,LON",
        help=say(
            "附近一点的纬度和经度（度），用来定夺重名", "a point nearby, in degrees; it settles homonyms"
        ),
    )

    group.add_argument(
        "--as-of",
        metavar="DATE",
        help=say(
            "按这一年（或日期）的行政区划读，例如 2008",
            "the year (or date) whose divisions are read, such as 2008",
        ),
    )


def _point(text: str) -> tuple[float, float]:
    try:
        lat, lon = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            say(f"{text!r} 不是 纬度,经度", f"{text!r} is not LAT,LON, such as 30.27,120.15")
        ) from None
    return lat, lon


def run(args: argparse.Namespace, settings: Settings) -> int:
    """A table if one file is named, or standard input with -o, --column or the first row of one; else texts."""
    styled.check(args.style, args.convention)
    table = _is_table(args)
    args.output = args.output or STDOUT
    if args.pack and (code := _parse_by(args, settings, table)) is not None:
        return code
    if unused := next((name for name in ("scheme", "engine", "device") if getattr(args, name)), None):
        raise UsageError("option_unused", name=unused, needs="--pack PACK (task tagging)")
    units = gazetteer_as_of(args.as_of, settings.overrides)
    parse = address_parser(settings, args.default_city, args.near, args.as_of)
    if table:
        return _parse_table(args, settings, parse, units)
    single = len(args.texts) == 1 and args.texts[0] != STDIN

    def show(found: Address) -> None:
        if args.json:
            print_json(found.to_dict() if args.style == "elements" else _styled(found, args, units))
            return
        if args.explain:
            draw(found)
        if args.style == "line":
            print(_styled(found, args, units)["standard"])
        elif args.style != "elements":
            show_fields(found.raw, _styled(found, args, units))
        else:
            show_address(found)

    return answer_each(given_texts(args.texts, args.encoding), alone(parse), show, args.json, single)


def _parse_table(
    args: argparse.Namespace,
    settings: Settings,
    parse: Callable[[Sequence[Any]], list[Address | Problem]],
    units: Gazetteer,
) -> int:
    """The table with the columns of the style; a second column of addresses is told."""
    if args.explain:
        raise UsageError("option_unused", name="explain", needs=say("地址文本", "texts"))

    def work(table: Table) -> Work:
        column = find_column(table, args.column, ADDRESSES, "column")
        if not args.column and (more := ", ".join(others(table, column, ADDRESSES))):
            name = table.columns[column]
            note(say(f"地址列取 {name}（另有 {more}）；可用 --column 指定",
                     f"the address column is {name} (there is {more} too); choose with --column"))  # fmt: skip
        answers = parsed.parse_rows(table.rows, column, parse)
        done = ((row, parsed.cells_of(answer, args.style, args.convention, units)) for row, answer in answers)
        hints = (args.style, args.convention, args.default_city, args.near, args.as_of)
        reads = (settings.tagger, settings.tagger and settings.pack, settings.max_length)
        return Work(done, (__version__, column, hints, reads, overrides_digest(settings.overrides)),
                    {"table": table.name, "column": table.columns[column]})  # fmt: skip

    return convert(args.texts[0], args, settings.lang, parsed.STYLES[args.style], work)


def _parse_by(args: argparse.Namespace, settings: Settings, table: bool) -> int | None:
    """The spans of a tagging pack; None if the pack is none. It takes texts, and no option of a reading."""
    from menpai.cli.parse_tags import parse_tags  # noqa: PLC0415 (numpy and an engine, which reading does without)
    from menpai.packs import open_pack  # noqa: PLC0415

    pack = open_pack(args.pack)
    if pack.task != "tagging":
        return None
    if table:
        raise UsageError("tagging_table", pack=pack.name)
    given = {"style": args.style != "elements", "explain": args.explain, "default-city": args.default_city,
             "near": args.near, "as-of": args.as_of}  # fmt: skip
    if unused := next((name for name, value in given.items() if value), None):
        raise UsageError("tagging_option", name=unused, pack=pack.name)
    return parse_tags(args, settings, pack)


def _styled(address: Address, args: argparse.Namespace, units: Gazetteer) -> dict[str, Any]:
    return styled.styled(address, args.style, args.convention, units)


def _is_table(args: argparse.Namespace) -> bool:
    """Whether the argument is a table; raises UsageError for several of which one is."""
    first = args.texts[0]
    asked = args.output is not None or args.column is not None
    if asked or any(text != STDIN and (is_table_name(text) or exists(text)) for text in args.texts):
        if len(args.texts) > 1:
            raise UsageError("parse_many_files", first=first, count=len(args.texts))
        return True
    return args.texts == [STDIN] and _heads_a_table(args)


def _heads_a_table(args: argparse.Namespace) -> bool:
    """Whether the first line of standard input has the usual name of an address column."""
    with open_source(STDIN) as source:
        encoding = reading_encoding(args.encoding) if args.encoding else find_encoding([source.sample])
        head = source.sample.decode(encoding, "replace").lstrip("\ufeff").partition("\n")[0]
    if head.startswith("{"):
        return any(f'"{name}"' in head for name in ADDRESSES)
    return is_heading(re.split(r"[,;|\t]", head.strip()), ADDRESSES)
