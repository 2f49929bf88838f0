"""`menpai serve`: the HTTP service."""

from __future__ import annotations

import argparse
from typing import Any

from menpai.cli.arguments import Commands, add_pack
from menpai.cli.language import say
from menpai.errors import NotReadyError
from menpai.settings import Settings

# What the extra brings, by the name it is imported under.
EXTRA = {"starlette": "starlette", "uvicorn": "uvicorn", "msgspec": "msgspec",
         "prometheus_client": "prometheus-client", "swagger_ui_bundle": "swagger-ui-bundle"}  # fmt: skip

# Settings that are flags of this command: type, metavar, help (zh, en).
_FLAGS: dict[str, tuple[type, str, str, str]] = {
    "host": (str, "ADDRESS", "监听的地址", "address to listen on"),
    "port": (int, "PORT", "监听的端口；0 表示任选一个空闲的", "port to listen on; 0 takes a free one"),
    "api_key": (str, "KEY", "调用者须出示的密钥；用 MENPAI_API_KEY 则不出现在进程列表里",
                "key that callers must send; MENPAI_API_KEY keeps it out of the list of processes"),
    "queue_seconds": (float, "S", "预计要等多久就答 503", "predicted wait above which the answer is 503"),
    "timeout_ms": (int, "MS", "请求的期限", "deadline of a request"),
    "max_pairs": (int, "N", "一次请求最多多少条", "most rows in one request"),
    "max_body_mb": (float, "MB", "请求正文的上限", "largest body"),
    "drain_seconds": (float, "S", "停止前等待已接受请求的时间", "how long stopping waits for open requests"),
}  # fmt: skip


def add(subparsers: Commands) -> None:
    """Register the command."""
    summary = say("启动 HTTP 服务", "run the HTTP service")
    parser = subparsers.add_parser("serve", help=summary, description=summary)
    group = parser.add_argument_group(say("服务", "service"))
    for name, (kind, metavar, zh, en) in _FLAGS.items():
        group.add_argument("--" + name.replace("_", "-"), type=kind, metavar=metavar, help=say(zh, en))
    group.add_argument(
        "--insecure",
        action="store_true",
        default=None,
        help=say("没有密钥也允许其他机器访问", "let other machines in without a key"),
    )
    group.add_argument(
        "--log-text",
        action="store_true",
        default=None,
        help=say(
            "把地址文本写进日志（地址是个人信息）",
            "write address texts into the log (they are personal data)",
        ),
    )
    add_pack(parser)
    parser.set_defaults(run=run, parser=parser)


def run(_: argparse.Namespace, settings: Settings) -> int:
    """Serve until stopped; 0 after a signal."""
    server = _import_server()
    code: int = server.serve(settings)
    return code


def _import_server() -> Any:
    try:
        from menpai.serving import server  # noqa: PLC0415  (an optional extra: only this command needs it)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRA:
            raise
        raise NotReadyError("extra_missing", package=EXTRA[missing], extra="serve") from error
    return server
