"""Habits of the house that a program can check: one file reads the environment, no code travels as data."""

from __future__ import annotations

import ast
import socket
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from menpai.errors import MESSAGES

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
ROOMS = ("src", "training", "tools", "tests", "benchmarks")
ALL_PYTHON = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
CODE_AS_DATA = {"pickle", "cPickle", "dill", "marshal", "shelve", "joblib", "cloudpickle"}
LONGEST_FILE = 300


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def _calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def _where(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_only_settings_reads_the_environment() -> None:
    readers = {
        path.name
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
    }
    assert readers == {"settings.py"}


@pytest.mark.parametrize("path", SOURCES, ids=_where)
def test_no_code_travels_as_data(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert not CODE_AS_DATA & set(_imports(tree))
    assert not {"eval", "exec", "__import__"} & set(_calls(tree))


@pytest.mark.parametrize("path", ALL_PYTHON, ids=_where)
def test_a_long_file_says_why(path: Path) -> None:
    text = path.read_text("utf-8")
    lines = len(text.splitlines())
    excused = "Long because:" in (ast.get_docstring(ast.parse(text)) or "")
    assert lines <= LONGEST_FILE or excused, "split it, or say 'Long because: …' in its docstring"


def _fields(template: str) -> set[str]:
    """The names in braces; {what_zh} and {what_en} are one detail in two languages."""
    names = {name for _, name, _, _ in string.Formatter().parse(template) if name}
    return {name.removesuffix("_zh").removesuffix("_en") for name in names}


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_every_message_has_a_cure_in_both_languages(code: str) -> None:
    texts = MESSAGES[code]
    assert len(texts) == 4
    assert all(text.strip() for text in texts)
    zh_message, zh_hint, en_message, en_hint = texts
    assert _fields(zh_message + zh_hint) == _fields(en_message + en_hint)


def test_every_code_that_is_raised_has_texts() -> None:
    """The first argument of each UsageError(…), Problem(…) and so on is a known code."""
    families = {"MenpaiError", "UsageError", "NotReadyError", "BrokenArtefactError", "Problem"}
    unknown = {
        (path.name, node.args[0].value)
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in families
        if node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value not in MESSAGES
    }
    assert not unknown


def test_the_suite_reaches_loopback_only() -> None:
    with socket.socket() as sock, pytest.raises(PermissionError, match="loopback"):
        sock.connect(("192.0.2.1", 80))
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
        assert client.getpeername() == server.getsockname()
