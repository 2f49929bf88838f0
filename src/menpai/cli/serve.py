"""`menpai serve`: the HTTP service."""

from __future__ import annotations

import argparse
import json
import os
from functools import partial
from http.client import HTTPException
from importlib import import_module
from typing import Any
from urllib.error import HTTPError
from urllib.request import BaseHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request, build_opener

from menpai.cli.arguments import Commands, Joined, add_pack, given_settings
from menpai.cli.console import note, print_json
from menpai.cli.language import say
from menpai.errors import NotReadyError, UsageError
from menpai.settings import Settings

# What the extra brings, by the name it is imported under.
EXTRA = {"starlette": "starlette", "uvicorn": "uvicorn", "msgspec": "msgspec",
         "prometheus_client": "prometheus-client", "swagger_ui_bundle": "swagger-ui-bundle"}  # fmt: skip

RELOAD_SECONDS = 600  # for a large pack to be read and warmed

# Settings that are flags of this command: type, metavar, help (zh, en).
_FLAGS: dict[str, tuple[type, str, str, str]] = {
    "host": (str, "ADDRESS", "监听的地址", "address to listen on"),
    "port": (int, "PORT", "监听的端口；0 表示任选一个空闲的", "port to listen on; 0 takes a free one"),
    "api_key": (str, "KEY", "调用者须出示的密钥；用 MENPAI_API_KEY 则不出现在进程列表里",
                "key that callers must send; MENPAI_API_KEY keeps it out of the list of processes"),
    "key_file": (str, "FILE", "存放密钥哈希值的文件，由 menpai key 生成；文件一变就重新读取",
                 "file with hashes of keys, made by menpai key; read again whenever it changes"),
    "quota": (float, "N", "一个客户端平均每秒可请求的条数", "rows a second that one client may ask for on average"),
    "quota_burst": (int, "N", "一个客户端一次可请求的条数（不写：十秒的配额）",
                    "rows that a client may ask for at once (else ten seconds' worth)"),
    "tls_cert": (str, "FILE", "证书链（PEM）；设了它就用 HTTPS", "certificate chain (PEM): speak HTTPS"),
    "tls_key": (str, "FILE", "证书的私钥（PEM）", "private key of the certificate (PEM)"),
    "metrics_port": (int, "PORT", "/metrics 的单独端口，不需要密钥", "a port of its own for /metrics, without a key"),
    "instances": (int, "N", "同时处理多少批；0 表示每个线程一批",
                  "how many batches are judged at once; 0 means one for each thread"),
    "instance_kind": (str, "threads|processes", "实例是线程，还是退出后会重新启动的进程",
                      "whether instances are threads, or processes that are started again"),
    "cache_file": (str, "FILE", "记住结论的文件；空字符串表示不用", "file of remembered verdicts; an empty text: none"),
    "cache_days": (float, "DAYS", "结论记住多少天", "days for which a verdict is remembered"),
    "jobs_folder": (str, "FOLDER", "上传的表格放在哪里；空字符串表示不收表格",
                    "folder of uploaded tables; an empty text: none are taken"),
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
    group.add_argument("--library", metavar="NAME=FOLDER", action=Joined, help=say(
        "打开的地址库，可以有几个；改动后自动换成新版本；不给就用演示库",
        "library to open, several if repeated; a changed one is exchanged by itself; the demo library if not given",
    ))  # fmt: skip
    group.add_argument(
        "--cache",
        action=argparse.BooleanOptionalAction,
        default=None,
        help=say("记住判断过的结论（默认）", "remember what was judged (the default)"),
    )
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
    group.add_argument(
        "--reload",
        action="store_true",
        help=say(
            "不启动，而是让 --host 和 --port 上正在运行的服务换用 --pack（需要 api_key）",
            "start nothing: let the service that runs on --host and --port change to --pack (needs api_key)",
        ),
    )
    add_pack(parser)
    parser.set_defaults(run=run, parser=parser)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Serve until stopped, or have a running service reload its pack; 0 if that went well."""
    if args.reload:
        return _reload(settings, given_settings(args).get("pack"))
    server = import_extra("menpai.serving.server")
    code: int = server.serve(settings, partial(Settings.load, given_settings(args)))
    return code


def _reload(settings: Settings, pack: str | None) -> int:
    """Ask over HTTP; print what changes."""
    scheme = "https" if settings.tls_cert else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    url = f"{scheme}://{host}:{settings.port}/v1/admin/reload"
    headers = {"Authorization": f"Bearer {settings.api_key}", "Accept-Language": settings.lang}
    body = json.dumps({"pack": os.path.abspath(pack) if os.path.exists(pack) else pack} if pack else {})
    try:
        with _opener(settings).open(Request(url, body.encode(), headers), timeout=RELOAD_SECONDS) as answer:
            told = json.load(answer)
        if "pack" not in told:
            raise ValueError(say("那里不是 menpai", "that is no menpai"))
        print_json(told, indent=2)
        return 0
    except HTTPError as error:
        trouble = _trouble(error)
        note(f"menpai: {trouble['message']}\n{say('  提示：', '  hint: ')}{trouble['hint']}")
        return 2 if error.code < 500 else 3
    except (OSError, ValueError, HTTPException) as error:
        reason = str(getattr(error, "reason", error)).strip()
        raise NotReadyError("service_unreachable", url=url, reason=reason) from error


def _opener(settings: Settings) -> OpenerDirector:
    """Straight to the service: a proxy of the environment's neither reaches this machine nor should see the key.

    Over HTTPS the service must show the very certificate of the settings, under whatever name.
    """
    handlers: list[BaseHandler] = [ProxyHandler({})]
    if settings.tls_cert:
        import ssl  # noqa: PLC0415

        try:
            context = ssl.create_default_context(cafile=settings.tls_cert)
        except OSError as error:
            raise UsageError(
                "tls_invalid", path=settings.tls_cert, reason=error.strerror or str(error)
            ) from None
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        handlers.append(HTTPSHandler(context=context))
    return build_opener(*handlers)


def _trouble(error: HTTPError) -> dict[str, str]:
    """Message and hint of a refusal; raises NotReadyError where it is not one of menpai's."""
    try:
        trouble: dict[str, str] = json.load(error)["error"]
        return {"message": trouble["message"], "hint": trouble["hint"]}
    except (OSError, ValueError, LookupError, TypeError, HTTPException):
        reason = f"{error.code} {error.reason}"
        raise NotReadyError("service_unreachable", url=error.url or "", reason=reason) from None


def import_extra(module: str) -> Any:
    """A module of the service; NotReadyError where the extra is not installed, which only few commands need."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRA:
            raise
        raise NotReadyError("extra_missing", package=EXTRA[missing], extra="serve") from error
