"""Read the tensors of a file that torch.save wrote, without torch and without running any code of the file.

The file is a zip archive (torch 1.6 and later): `data.pkl` names the tensors, `data/<key>` holds their bytes. The
pickle is not unpickled: its opcodes are followed here, and only the few names that a state dict needs are known.
"""

from __future__ import annotations

import math
import pickletools
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]

_STORAGES = {
    "torch FloatStorage": "<f4", "torch HalfStorage": "<f2", "torch DoubleStorage": "<f8", "torch LongStorage": "<i8",
    "torch IntStorage": "<i4", "torch ByteStorage": "|u1", "torch BoolStorage": "|b1", "torch BFloat16Storage": "<u2",
}  # fmt: skip
# Names and places of some thousand tensors; what is larger is no state dict, and following it would take long.
_LONGEST_PICKLE = 4_000_000
_DICT, _TENSOR, _PARAMETER = (
    "collections OrderedDict",
    "torch._utils _rebuild_tensor_v2",
    "torch._utils _rebuild_parameter",
)
_KNOWN = {_DICT, _TENSOR, _PARAMETER, *_STORAGES}


class ForeignCodeError(Exception):
    """The pickle names something that is no part of a state dict: loading it carelessly would run it."""


class _Name(str):
    """A module and a name in it, as the pickle wrote them."""


class _Stored(NamedTuple):
    """A tensor: its storage's type and key, where it begins, its shape and strides in elements."""

    kind: str
    key: str
    start: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_torch_zip(path: Path) -> dict[str, Array]:
    """Name → tensor, mapped from the file; raises ForeignCodeError, or ValueError and its like for other content."""
    with zipfile.ZipFile(path) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/data.pkl"))
        folder = name.removesuffix("data.pkl")
        info = archive.getinfo(name)
        _check_stored(info, path)
        if info.file_size > _LONGEST_PICKLE:
            raise ValueError(f"{name} has {info.file_size} bytes")
        state = _Machine().run(archive.read(name))
        if not isinstance(state, dict) or not all(isinstance(x, _Stored) for x in state.values()):
            raise ValueError("it holds no dictionary of tensors")
        return {key: _tensor(path, archive, folder, stored) for key, stored in state.items()}


def _tensor(path: Path, archive: zipfile.ZipFile, folder: str, stored: _Stored) -> Array:
    """The tensor over its bytes in the file; a wrong place or length raises."""
    data = _mapped(path, archive.getinfo(f"{folder}data/{stored.key}"), np.dtype(_STORAGES[stored.kind]))
    ends = [stride * (size - 1) for size, stride in zip(stored.shape, stored.strides, strict=True)]
    if (
        0 in stored.shape
        or min((stored.start, *ends)) < 0
        or stored.start + sum(ends) >= len(data)
        or math.prod(stored.shape) > len(data)
    ):
        raise ValueError(f"a tensor of shape {stored.shape} does not fit its storage")
    strides = [stride * data.itemsize for stride in stored.strides]
    view = np.lib.stride_tricks.as_strided(data[stored.start :], stored.shape, strides, writeable=False)
    return widened(view) if stored.kind == "torch BFloat16Storage" else view


def _mapped(path: Path, info: zipfile.ZipInfo, kind: np.dtype[Any]) -> Array:
    """The bytes of a stored entry as a flat array: its own header says where they begin."""
    _check_stored(info, path)
    with path.open("rb") as file:
        file.seek(info.header_offset)
        head = file.read(30)
    start = (
        info.header_offset
        + 30
        + int.from_bytes(head[26:28], "little")
        + int.from_bytes(head[28:30], "little")
    )
    if start + info.file_size > path.stat().st_size:
        raise ValueError(f"{info.filename} is cut off")
    return np.memmap(path, kind, "r", start, (info.file_size // kind.itemsize,))


def _check_stored(info: zipfile.ZipInfo, path: Path) -> None:
    """torch.save compresses nothing: an entry that is compressed, or claims more than the file has, is no work of it."""
    if info.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{info.filename} is compressed")
    if max(info.file_size, info.compress_size) > path.stat().st_size:
        raise ValueError(f"{info.filename} is cut off")


def widened(halves: Array) -> Array:
    """bfloat16, given as the upper 16 bits of float32 → float32."""
    return (np.asarray(halves).astype(np.uint32) << 16).view(np.float32)


class _Machine:
    """Follows the opcodes of a state dict's pickle."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}

    def run(self, data: bytes) -> Any:
        """What the pickle describes: texts, numbers, tuples, dictionaries and _Stored, nothing else."""
        for opcode, argument, _ in pickletools.genops(data):
            if opcode.name == "STOP":
                return self.stack.pop()
            if opcode.name in _IGNORED:
                continue
            if opcode.name in _LITERALS:
                self.stack.append(argument)
            elif opcode.name in _CONSTANTS:
                self.stack.append(_CONSTANTS[opcode.name]())
            elif opcode.name in _STEPS:
                _STEPS[opcode.name](self, argument)
            else:
                raise ForeignCodeError(opcode.name)
        raise ValueError("its pickle has no end")

    def _mark(self, argument: Any) -> None:
        self.marks.append(len(self.stack))

    def _since_mark(self) -> list[Any]:
        at = self.marks.pop()
        items, self.stack[at:] = self.stack[at:], []
        return items

    def _global(self, argument: Any) -> None:
        name = _Name(
            argument if argument is not None else " ".join(reversed([self.stack.pop(), self.stack.pop()]))
        )
        if name not in _KNOWN:
            raise ForeignCodeError(name[:80].replace(" ", "."))
        self.stack.append(name)

    def _put(self, argument: Any) -> None:
        self.memo[len(self.memo) if argument is None else argument] = self.stack[-1]

    def _get(self, argument: Any) -> None:
        self.stack.append(self.memo[argument])

    def _tuple(self, argument: Any) -> None:
        self.stack.append(tuple(self._since_mark()))

    def _set_items(self, argument: Any) -> None:
        items = self._since_mark()
        for key, value in zip(items[::2], items[1::2], strict=True):
            self._enter(self.stack[-1], key, value)

    def _set_item(self, argument: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._enter(self.stack[-1], key, value)

    @staticmethod
    def _enter(target: Any, key: Any, value: Any) -> None:
        """Keys are texts, each once: hashing a tuple of tuples of … could take for ever."""
        if not isinstance(target, dict) or not isinstance(key, str) or key in target:
            raise ValueError(
                f"a key is no text, or stands there twice: {key if isinstance(key, str) else ''}"
            )
        target[key] = value

    def _build(self, argument: Any) -> None:
        """A state dict carries a note on versions (`_metadata`), which is dropped."""
        self.stack.pop()

    def _storage(self, argument: Any) -> None:
        self.stack.append(self.stack.pop())
        if not isinstance(self.stack[-1], tuple) or self.stack[-1][0] != "storage":
            raise ValueError("it refers to something that is no storage")

    def _call(self, argument: Any) -> None:
        """Of the three known callables, what they would make; anything else is refused."""
        arguments, name = self.stack.pop(), self.stack.pop()
        if not isinstance(name, _Name) or name in _STORAGES:
            raise ForeignCodeError("REDUCE")
        if name == _DICT:
            if arguments:
                raise ValueError("its dictionary is made in an unknown way")
            self.stack.append({})
        elif name == _PARAMETER:
            self.stack.append(arguments[0])
        else:
            (_, kind, key, *_), start, shape, strides, *_ = arguments
            if not all(isinstance(x, int) for x in (start, *shape, *strides)) or type(kind) is not _Name:
                raise ValueError("a tensor's place is no number")
            self.stack.append(_Stored(kind, key, start, tuple(shape), tuple(strides)))


def _tuple_of(size: int) -> Callable[[_Machine, Any], None]:
    def step(machine: _Machine, argument: Any) -> None:
        items, machine.stack[-size:] = tuple(machine.stack[-size:]), []
        machine.stack.append(items)

    return step


_IGNORED = {"PROTO", "FRAME"}
_LITERALS = {
    "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT",
}  # fmt: skip
_CONSTANTS: dict[str, Callable[[], Any]] = {
    "EMPTY_DICT": dict, "EMPTY_TUPLE": tuple, "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False,
}  # fmt: skip
_STEPS: dict[str, Callable[[_Machine, Any], None]] = {
    "MARK": _Machine._mark, "GLOBAL": _Machine._global, "STACK_GLOBAL": _Machine._global,
    "BINPUT": _Machine._put, "LONG_BINPUT": _Machine._put, "MEMOIZE": _Machine._put,
    "BINGET": _Machine._get, "LONG_BINGET": _Machine._get, "TUPLE": _Machine._tuple,
    "TUPLE1": _tuple_of(1), "TUPLE2": _tuple_of(2), "TUPLE3": _tuple_of(3),
    "SETITEMS": _Machine._set_items, "SETITEM": _Machine._set_item, "BUILD": _Machine._build,
    "BINPERSID": _Machine._storage, "REDUCE": _Machine._call,
}  # fmt: skip
