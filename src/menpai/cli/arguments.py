"""The argument parser, and the options that several commands share."""

from __future__ import annotations

import argparse
import re
from dataclasses import fields
from typing import Any, NoReturn, TypeAlias

from menpai.cli.language import say
from menpai.errors import UsageError, near
from menpai.settings import Settings

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"

# What argparse says in English, and how it is said in Chinese.
_IN_CHINESE = (
    (r"the following arguments are required: (.+)", r"缺少参数 \1"),
    (r"argument (.+?): expected one argument", r"\1 后面应有一个值"),
    (r"argument (.+?): expected at least one argument", r"\1 后面至少应有一个值"),
    (r"argument (.+?): invalid choice: (.+?) \(choose from (.+)\)", r"\1 的值 \2 不在可选值中：\3"),
    (r"argument (.+?): invalid (\w+) value: (.+)", r"\1 的值 \3 无效，应为 \2"),
    (r"argument (.+?): not allowed with argument (.+)", r"\1 不能与 \2 同时使用"),
    (r"argument (.+?): ('.+)", r"\1 的值 \2"),  # the text of a type, which speaks the language already
)


class Parser(argparse.ArgumentParser):
    """Raises UsageError instead of leaving, speaks both languages, and always knows --language."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs |= {"allow_abbrev": False, "conflict_handler": "resolve", "add_help": False}
        super().__init__(**kwargs)
        self._positionals.title = say("参数", "arguments")
        self._optionals.title = say("选项", "options")
        self.add_argument("-h", "--help", action="help", help=say("显示本说明", "show this help"))
        self.add_argument(
            "--language",
            choices=("auto", "zh", "en"),
            default=argparse.SUPPRESS,
            help=say("消息的语言", "language of messages"),
        )

    def error(self, message: str) -> NoReturn:
        """Raise what argparse found wrong, in the language being spoken."""
        brief = re.sub(r"(\S{39})\S{60,}", r"\1…", message)
        raise UsageError("arguments_wrong", reason=_translated(brief), command=self.prog)

    def refuse(self, unknown: str) -> NoReturn:
        """Raise for an argument that no option and no place takes, naming the nearest option."""
        if not unknown.startswith("-"):
            reason = say(f"多余的参数 {unknown}", f"one argument too many: {unknown}")
            raise UsageError("arguments_wrong", reason=reason, command=self.prog)
        options = [name for name in self._option_string_actions if name.startswith("--")]
        name = unknown.split("=")[0]
        raise UsageError("option_unknown", option=unknown, command=self.prog, **near(name, options))


def refuse_unused(args: argparse.Namespace, needs: str, *names: str) -> None:
    """Raise if one of these options was given, which would change nothing without what it needs."""
    for name in names:
        if getattr(args, name.replace("-", "_")):
            raise UsageError("option_unused", name=name, needs=needs)


def given_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The options that are settings, where they were given."""
    names = {field.name for field in fields(Settings)}
    return {name: value for name, value in vars(args).items() if name in names and value is not None}


class Joined(argparse.Action):
    """An option that may be repeated: its values with commas between."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        """Put one more behind those before."""
        before = getattr(namespace, self.dest, None)
        setattr(namespace, self.dest, f"{before},{values}" if before else values)


def add_json(parser: argparse.ArgumentParser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help=say("以 JSON 回答", "answer in JSON"))


def add_pack(parser: argparse.ArgumentParser) -> None:
    """--pack, --mode, --engine, --device, --threads: settings that a matcher is opened with."""
    group = parser.add_argument_group(say("模型", "model"))
    group.add_argument(
        "--pack",
        help=say("内置模型包的名字，或模型包文件夹", "name of a built-in pack, or the folder of a pack"),
    )
    add_engine(group)
    group.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help=say("线程数；0 表示全部可用核心", "threads; 0 means all that this process may use"),
    )
    group.add_argument(
        "--mode",
        help=say(
            "导入的模型怎样使用：default，或 faithful（原文、原顺序，不提前判定，不用规则）",
            "how an imported model is asked: default, or faithful (raw texts, given order, no cascade, no policy)",
        ),
    )


def add_engine(group: argparse._ActionsContainer) -> None:
    """--engine and --device."""
    group.add_argument("--engine", help=say("运行模型的引擎", "what runs the model"))
    add_device(group)


def add_device(group: argparse._ActionsContainer) -> None:
    """--device."""
    group.add_argument(
        "--device",
        help=say(
            "在哪里运行：auto、cpu、cuda、tensorrt，或 Triton 服务器的网址",
            "where it runs: auto, cpu, cuda, tensorrt, or the URL of a Triton server",
        ),
    )


def positive_count(text: str) -> int:
    """A whole number from 1 on; raises what argparse shows."""
    if not text.strip().isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(
            say(f"{text!r} 不是大于 0 的整数", f"{text!r} is no whole number above 0")
        )
    return int(text)


def positive_number(text: str) -> float:
    """A finite number above 0; raises what argparse shows."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(say(f"{text!r} 不是大于 0 的数", f"{text!r} is no number above 0"))
    return number


def add_tagger(parser: argparse.ArgumentParser) -> None:
    """--tagger and --no-tagger: the setting that lets a pack's tagger settle names."""
    parser.add_argument(
        "--tagger",
        action=argparse.BooleanOptionalAction,
        default=None,
        help=say(
            "让模型包的标注模型定夺规则没把握的名称",
            "let the pack's tagger settle names that rules are unsure of",
        ),
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """--encoding, --delimiter, --no-header: what a person may say about a table."""
    group = parser.add_argument_group(say("读取表格", "reading a table"))
    group.add_argument(
        "--encoding", help=say("文件编码；默认自动识别", "encoding of the file; found if not given")
    )
    group.add_argument(
        "--delimiter",
        type=_delimiter,
        metavar="CHAR",
        help=say("分隔符；默认按扩展名和首行判断", "delimiter; by ending and first line if not given"),
    )
    group.add_argument(
        "--sheet",
        metavar="NAME",
        help=say("Excel 工作表的名称或序号；默认第一个可见的", "sheet of a workbook, by name or number"),
    )
    group.add_argument(
        "--no-header",
        dest="header",
        action="store_false",
        help=say("第一行就是数据；列名为 1、2……", "the first row is data; columns are named 1, 2, …"),
    )


def add_writing(parser: argparse.ArgumentParser) -> None:
    """-o, --out-encoding, --raw-cells, --key, --replace: how a table is written."""
    group = parser.add_argument_group(say("写出表格", "writing a table"))
    group.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        default="-",
        help=say(
            "输出文件；格式随扩展名（.csv .tsv .jsonl .xlsx .parquet）；数据库写 网址#表；- 为标准输出",
            "output file; its ending gives the format (.csv .tsv .jsonl .xlsx .parquet); URL#TABLE is a database's table; "
            "- is standard output",
        ),
    )
    group.add_argument(
        "--out-encoding",
        metavar="ENCODING",
        help=say(
            "输出编码；默认 CSV 为带 BOM 的 UTF-8，其余为 UTF-8",
            "encoding of the output; by default UTF-8, for CSV files with the mark that Excel needs",
        ),
    )
    group.add_argument(
        "--raw-cells",
        action="store_true",
        help=say(
            "原样写出单元格；默认在会被电子表格当作公式的内容前加 '",
            "write cells as they are; by default ' goes before what a spreadsheet takes for a formula",
        ),
    )
    _add_database(group)


def _add_database(group: argparse._ActionsContainer) -> None:
    """--key, --replace: how a table of a database is written."""
    group.add_argument(
        "--key",
        metavar="COLUMN",
        help=say(
            "数据库表里区分各行的列：已有的键改写，其余不动；默认按行号，整表重写",
            "column that tells the rows of a database's table apart: known keys are written over, others stay; "
            "by default rows go by their number, and the table is written anew",
        ),
    )
    group.add_argument(
        "--replace",
        action="store_true",
        help=say(
            "数据库里已有的同名表不是 menpai 写的，也换掉它",
            "replace a table of the database that menpai did not write",
        ),
    )


def _delimiter(text: str) -> str:
    char = {"\\t": "\t", "tab": "\t"}.get(text, text)
    if len(char) != 1 or char in '"\r\n':
        raise ValueError(text)
    return char


_delimiter.__name__ = "character"  # argparse names the type in its message


def _translated(message: str) -> str:
    for pattern, chinese in _IN_CHINESE:
        if re.fullmatch(pattern, message):
            return say(re.sub(pattern, chinese, message), message)
    return message
