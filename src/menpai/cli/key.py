"""`menpai key`: a key for callers of the service, and the line that a file of keys holds of it."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from menpai.cli.arguments import Commands, add_json, positive_count, positive_number
from menpai.cli.console import note, print_json
from menpai.cli.language import say
from menpai.errors import UsageError
from menpai.serving.keys import Key, make_key, read_keys
from menpai.settings import Settings


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = say("生成服务的密钥", "make a key for callers of the service")
    parser = subparsers.add_parser("key", help=summary, description=summary)
    parser.add_argument(
        "name", metavar="NAME", help=say("密钥的名字，例如调用者", "name of the key: of the caller, say")
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE",
        help=say("把哈希值加进这个密钥文件", "file of keys that the hash is added to"),
    )  # fmt: skip
    parser.add_argument(
        "--quota", type=positive_number, metavar="N",
        help=say("它的配额：平均每秒条数", "quota of its own: rows a second on average"),
    )  # fmt: skip
    parser.add_argument(
        "--burst", type=positive_count, metavar="N",
        help=say("一次可请求的条数（不写：十秒的配额）", "rows that it may ask for at once (else ten seconds' worth)"),
    )  # fmt: skip
    add_json(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, _: Settings) -> int:
    """Print the secret, this once; its hash goes to the file or is printed too."""
    secret, key = make_key(args.name, args.quota, args.burst)
    if args.output:
        _add_line(Path(args.output), key)
    if args.json:
        print_json({"name": key.name, "key": secret, "line": key.line})
        return 0
    print(secret)
    if args.output:
        note(
            say(
                f"只显示这一次；哈希值已加入 {args.output}",
                f"shown this once; its hash was added to {args.output}",
            )
        )
    else:
        note(say("只显示这一次；密钥文件里应加的一行：", "shown this once; the line for the file of keys:"))
        print(key.line)
    return 0


def _add_line(file: Path, key: Key) -> None:
    """Exchange the file for one with the line at its end: a service that reads it now sees all or nothing."""
    if not file.parent.is_dir():
        raise UsageError("output_folder_missing", folder=str(file.parent))
    before = file.read_text("utf-8") if file.exists() and file.stat().st_size else ""
    if before.strip() and any(known.name == key.name for known in read_keys(file)):
        raise UsageError("key_name_taken", path=str(file), name=key.name)
    text = before + ("" if not before or before.endswith("\n") else "\n") + key.line + "\n"
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # only its owner may read it
    except OSError as error:
        error.filename = str(file)  # not the name that was tried
        raise
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        if file.exists():
            Path(name).chmod(file.stat().st_mode & 0o777)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
