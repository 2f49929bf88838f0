"""Habits of the house that a program can check: one file reads the environment, no code travels as data."""

from __future__ import annotations

import ast
import socket
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from menpai.errors import MESSAGES

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
ROOMS = ("src", "training", "tools", "tests", "benchmarks")
ALL_PYTHON = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
CODE_AS_DATA = {"pickle", "cPickle", "dill", "marshal", "shelve", "joblib", "cloudpickle"}
LONGEST_FILE = 300
FAMILIES = {"MenpaiError", "UsageError", "NotReadyError", "BrokenArtefactError", "Problem"}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


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
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
    }
    assert readers == {"settings.py"}


@pytest.mark.parametrize("path", SOURCES, ids=_where)
def test_no_code_travels_as_data(path: Path) -> None:
    tree = _tree(path)
    assert not CODE_AS_DATA & set(_imports(tree))
    assert not {"eval", "exec", "__import__"} & set(_calls(tree))


@pytest.mark.parametrize("path", ALL_PYTHON, ids=_where)
def test_a_long_file_says_why(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    excused = "Long because:" in (ast.get_docstring(_tree(path)) or "")
    assert lines <= LONGEST_FILE or excused, "split it, or say 'Long because: …' in its docstring"


def _names(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def _fields(template: str) -> set[str]:
    """The names in braces; {what_zh} and {what_en} are one detail in two languages."""
    return {name.removesuffix("_zh").removesuffix("_en") for name in _names(template)}


@pytest.mark.parametrize("code", sorted(MESSAGES))
def test_every_message_has_a_cure_in_both_languages(code: str) -> None:
    texts = MESSAGES[code]
    assert len(texts) == 4
    assert all(text.strip() for text in texts)
    zh_message, zh_hint, en_message, en_hint = texts
    assert _fields(zh_message + zh_hint) == _fields(en_message + en_hint)


def _raised() -> Iterator[tuple[str, str, set[str] | None]]:
    """Place, code and details of each UsageError("code", …) or Problem("code", {…}); None: not readable here."""
    for path in SOURCES:
        for node in ast.walk(_tree(path)):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FAMILIES
            ):
                continue
            code, *rest = [*node.args, ast.Constant(None)]
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                names: list[ast.expr | str | None] = [keyword.arg for keyword in node.keywords]
                if isinstance(rest[0], ast.Dict):
                    names += [key.value if isinstance(key, ast.Constant) else None for key in rest[0].keys]
                readable = None not in names and not isinstance(rest[0], ast.Name | ast.Call)
                yield f"{path.name}:{node.lineno}", code.value, {str(n) for n in names} if readable else None


def test_every_code_that_is_raised_has_texts_and_the_details_they_quote() -> None:
    found = list(_raised())
    assert len(found) > 20
    assert not [(place, code) for place, code, _ in found if code not in MESSAGES]
    unfilled = [
        (place, code, missing)
        for place, code, given in found
        if given is not None and (missing := {n for t in MESSAGES[code] for n in _names(t)} - given)
    ]
    assert not unfilled


def test_every_text_is_used() -> None:
    code = "".join(path.read_text("utf-8") for path in SOURCES if _where(path) != "src/menpai/errors.py")
    assert not [name for name in MESSAGES if f'"{name}"' not in code]


def test_the_suite_reaches_loopback_only() -> None:
    with socket.socket() as sock, pytest.raises(PermissionError, match="loopback"):
        sock.connect(("192.0.2.1", 80))
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
        assert client.getpeername() == server.getsockname()
