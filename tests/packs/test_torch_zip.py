from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from menpai.packs.torch_zip import ForeignCodeError, read_torch_zip
from tools.checkpoint_files import write_bin

TENSORS = {
    "a.weight": np.arange(12, dtype=np.float32).reshape(3, 4),
    "a.half": np.array([[1.5, -2.0]], dtype=np.float16),
    "ids": np.arange(5, dtype=np.int64)[None],
    "one": np.array([2.5]),
}


def test_tensors_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_bin(tmp_path / "x.bin", TENSORS)
    found = read_torch_zip(tmp_path / "x.bin")
    assert list(found) == list(TENSORS)
    for name, tensor in TENSORS.items():
        assert found[name].dtype == tensor.dtype
        assert (found[name] == tensor).all()
        assert found[name].shape == tensor.shape


@pytest.mark.parametrize(
    "head",
    [
        b"cos\nsystem\n(X\x04\x00\x00\x00exittR0",
        b"cbuiltins\neval\n0",
        b"c__builtin__\ngetattr\n0",
        b"\x8c\x02os\x8c\x06system\x930",
        b"ctorch\nload\n0",
    ],
)
def test_a_name_that_is_no_part_of_a_state_dict_is_refused(tmp_path: Path, head: bytes) -> None:
    write_bin(tmp_path / "x.bin", TENSORS, head)
    with pytest.raises(ForeignCodeError):
        read_torch_zip(tmp_path / "x.bin")


def test_a_storage_may_not_be_called(tmp_path: Path) -> None:
    write_bin(tmp_path / "x.bin", TENSORS, b"ctorch\nFloatStorage\n(tR0")
    with pytest.raises(ForeignCodeError):
        read_torch_zip(tmp_path / "x.bin")


def test_opcodes_beyond_a_state_dict_are_refused(tmp_path: Path) -> None:
    write_bin(tmp_path / "x.bin", TENSORS, b"(cos\nmkdir\no0")
    with pytest.raises(ForeignCodeError):
        read_torch_zip(tmp_path / "x.bin")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_file_that_was_cut_is_no_checkpoint(tmp_path: Path, share: float) -> None:
    path = tmp_path / "x.bin"
    write_bin(path, TENSORS)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises((ValueError, zipfile.BadZipFile)):
        read_torch_zip(path)


def test_a_tensor_may_not_reach_beyond_its_storage(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    write_bin(path, TENSORS)
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries["archive/data/0"] = entries["archive/data/0"][:40]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    with pytest.raises(ValueError, match="does not fit"):
        read_torch_zip(path)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_what_torch_saves_is_read_as_torch_reads_it(tmp_path: Path, protocol: int) -> None:
    import torch  # noqa: PLC0415 (slow tier)

    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LayerNorm(4))
    state = dict(model.state_dict())
    state |= {
        "turned": torch.arange(12.0).reshape(3, 4).T,
        "brain": torch.randn(3, 3, dtype=torch.bfloat16),
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "number": torch.tensor(3.0),
        "part": torch.arange(10)[3:7],
    }
    torch.save(state, tmp_path / "x.bin", pickle_protocol=protocol)
    found = read_torch_zip(tmp_path / "x.bin")
    assert list(found) == list(state)
    for name, tensor in state.items():
        wanted = tensor.detach().float() if tensor.dtype == torch.bfloat16 else tensor.detach()
        assert (torch.from_numpy(np.array(found[name])) == wanted).all(), name


@pytest.mark.slow
def test_a_pickled_module_is_refused(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415 (slow tier)

    torch.save(torch.nn.Linear(2, 2), tmp_path / "x.bin")
    with pytest.raises(ForeignCodeError, match=r"torch\.nn"):
        read_torch_zip(tmp_path / "x.bin")
    assert torch.load(_written(tmp_path / "y.bin"), weights_only=True)["a.weight"].shape == (3, 4)


def _written(path: Path) -> Path:
    write_bin(path, TENSORS)
    return path


def rezipped(path: Path, change: dict[str, bytes], compressed: str = "") -> None:
    """The archive with other bytes in some entries, one of them compressed."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()} | change
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            kind = zipfile.ZIP_DEFLATED if name == compressed else zipfile.ZIP_STORED
            archive.writestr(name, data, kind)


@pytest.mark.parametrize("entry", ["archive/data.pkl", "archive/data/0"])
def test_what_torch_never_compresses_is_not_unpacked(tmp_path: Path, entry: str) -> None:
    write_bin(tmp_path / "x.bin", TENSORS)
    rezipped(tmp_path / "x.bin", {"archive/data.pkl": b"N" * 50_000_000} if "pkl" in entry else {}, entry)
    with pytest.raises(ValueError, match="compressed"):
        read_torch_zip(tmp_path / "x.bin")


def test_a_pickle_too_long_for_names_of_tensors_is_not_followed(tmp_path: Path) -> None:
    write_bin(tmp_path / "x.bin", TENSORS)
    rezipped(tmp_path / "x.bin", {"archive/data.pkl": b"N" * 5_000_000})
    with pytest.raises(ValueError, match="5000000 bytes"):
        read_torch_zip(tmp_path / "x.bin")


# A tuple of two of the tuple before, forty times over: 2^40 leaves, if anything looks into them.
NESTED = b")q\x01" + b"h\x01\x86q\x01" * 40


@pytest.mark.parametrize(
    "body",
    [
        b"}" + NESTED + b"Ns.",
        b"}(" + NESTED + b"Nu.",
        b"ccollections\nOrderedDict\n" + NESTED + b"R.",
        b"ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\n"
        + NESTED
        + b"tQK\x00)))tR.",
    ],
)
def test_values_that_grow_when_looked_at_are_refused_at_once(tmp_path: Path, body: bytes) -> None:
    write_bin(tmp_path / "x.bin", TENSORS)
    rezipped(tmp_path / "x.bin", {"archive/data.pkl": b"\x80\x02" + body})
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        read_torch_zip(tmp_path / "x.bin")


def test_a_name_that_stands_twice_is_refused(tmp_path: Path) -> None:
    write_bin(tmp_path / "x.bin", TENSORS)
    name = b"X\x01\x00\x00\x00a"
    rezipped(tmp_path / "x.bin", {"archive/data.pkl": b"\x80\x02}" + name + b"Ns" + name + b"Ns."})
    with pytest.raises(ValueError, match="twice: a"):
        read_torch_zip(tmp_path / "x.bin")
