"""The commands and what each does; `menpai/cli/<command>.py` holds its `add(subparsers)`."""

from __future__ import annotations

from menpai.cli.language import say

# command: what it does (zh, en)
COMMANDS: dict[str, tuple[str, str]] = {
    "match": ("判断两条地址，或一个表格里的地址对", "judge two addresses, or a table of pairs"),
    "normalize": ("清理地址文本", "clean the text of addresses"),
    "parse": ("拆出地址要素，或为表格加上要素列", "find the elements of addresses, or add them to a table"),
    "link": ("找出左表每行是右表的哪一行", "find which row of another table each row is"),
    "dedupe": ("找出一个表里同一处的行", "find which rows of one table are the same place"),
    "spark": ("在 Spark 上连接、去重、判断大表", "link, de-duplicate and match tables on Spark"),
    "review": ("由人判定输出里存疑的对", "decide the pairs in doubt of an output"),
    "evaluate": ("用带标签的地址对衡量判断", "measure verdicts against labelled pairs"),
    "calibrate": ("用自己的带标签地址对校准模型包", "calibrate a pack on labelled pairs of your own"),
    "train": ("用自己的带标签地址对训练模型包", "train a pack on thousands of labelled pairs of your own"),
    "serve": ("启动 HTTP 服务", "run the HTTP service"),
    "cache": ("查看或清除服务记住的结论", "look at what the service remembers, or clear it"),
    "key": ("生成服务的密钥", "make a key for callers of the service"),
    "loadtest": ("给服务施压并报告", "put a service under load, and report"),
    "library": ("建立并查询自己的地址库", "build and ask a library of your own addresses"),
    "model": ("查看模型包", "look at packs"),
    "doctor": (
        "这台机器上什么费时、缺什么、该改什么",
        "what costs what here, what is missing, what to change",
    ),
}
ALIASES = {"normalise": "normalize"}


def summary_of(command: str) -> str:
    """What a command does, in the language being spoken."""
    return say(*COMMANDS[command])
