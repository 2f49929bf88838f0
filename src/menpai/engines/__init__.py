"""Engines run a pack's graph: arrays in, logits out. One file and one line each."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from menpai.errors import NotReadyError, UsageError
from menpai.settings import available_cores

Arrays = Mapping[str, NDArray[np.int32]]

# Where an engine may work; auto: the first accelerator that its package can use, else the CPU.
DEVICES = ("auto", "cpu", "cuda", "tensorrt")


class Engine(Protocol):
    """Runs one graph. Safe to call from several threads at once."""

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels] (a tagger: [n, length, labels]) for inputs [n, length]; with the graphs of built-in
        packs a row's logits do not depend on the other rows."""


class Opener(Protocol):
    """What the module of an engine offers as `open_engine`."""

    def __call__(self, graph: Path, threads: int, device: str) -> Engine:
        """An engine on this graph with so many threads in one run, on one of DEVICES (triton: at a URL)."""


# name: module. A graph beside a manifest with the shape of a BERT can be run by all of them, another by the first two.
ENGINES = {
    "onnx": "menpai.engines.onnx",
    "openvino": "menpai.engines.openvino",
    "torch": "menpai.engines.torch",
    "torch-compiled": "menpai.engines.torch_compiled",
    "torch-script": "menpai.engines.torch_script",
    "triton": "menpai.engines.triton",
}
# Engine: the package it needs and the extra that brings it.
NEEDS = {
    "onnx": ("onnxruntime", ""),
    "openvino": ("openvino", "openvino"),
    "torch": ("torch", "torch"),
    "torch-compiled": ("torch", "torch"),
    "torch-script": ("torch", "torch"),
    "triton": ("tritonclient", "triton"),
}


def open_engine(name: str, graph: Path, threads: int, device: str = "auto") -> Engine:
    """The engine of this name on the graph, with so many threads in one run (0: as many as there are cores); its
    package is imported here."""
    places = (device,) if name == "triton" else DEVICES
    for given, known, what in ((name, tuple(ENGINES), "engine"), (device, places, "device")):
        if given not in known:
            raise UsageError(
                "setting_invalid", name=what, value=given, expected=" | ".join(known), source=what
            )
    package, extra = NEEDS[name]
    try:
        opener = cast(Opener, import_module(ENGINES[name]).open_engine)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != package:
            raise
        raise NotReadyError("extra_missing", package=package, extra=extra) from error
    return opener(graph, threads or available_cores(), device)


def device_of(engine: Engine) -> str:
    """Where an engine works: cpu unless it says otherwise."""
    return str(getattr(engine, "device", "cpu"))


def refuse_device(engine: str, device: str, known: str) -> NotReadyError:
    """The error for a device that an engine's package cannot use here."""
    return NotReadyError("device_missing", engine=engine, device=device, known=known)
