"""A Triton Inference Server runs the graph; `menpai model export PACK --triton DIR` writes the repository for it."""

from __future__ import annotations

import json
import threading
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from tritonclient.utils import InferenceServerException

from menpai.engines import Arrays, Engine
from menpai.errors import NotReadyError, UsageError

DEFAULT = "http://127.0.0.1:8000"


class TritonEngine:
    """One model of a server, over HTTP or gRPC; each thread has its own connection."""

    def __init__(self, name: str, url: str) -> None:
        scheme, _, address = url.partition("://")
        self._name, self._url, self._address = name, url, address.rstrip("/")
        self._client = import_module(f"tritonclient.{'grpc' if scheme == 'grpc' else 'http'}")
        self._local = threading.local()
        self._inputs = self._ask()

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels]; the server may put rows of other callers with the same length into the same run."""
        given = []
        for name, kind in self._inputs:
            array = inputs[name].astype(np.int64 if kind == "INT64" else np.int32, copy=False)
            tensor = self._client.InferInput(name, list(array.shape), kind)
            tensor.set_data_from_numpy(np.ascontiguousarray(array))
            given.append(tensor)
        try:
            wanted = [self._client.InferRequestedOutput("logits")]
            found = self._connection().infer(self._name, given, outputs=wanted).as_numpy("logits")
        except (OSError, InferenceServerException) as error:
            raise self._not_ready(error) from error
        return np.asarray(found, dtype=np.float32)

    def _ask(self) -> list[tuple[str, str]]:
        """Name and type of each input, as the server tells; raises unless the model is ready there."""
        try:
            told = self._connection().get_model_metadata(self._name)
        except (OSError, InferenceServerException) as error:
            raise self._not_ready(error) from error
        if isinstance(told, dict):
            return [(one["name"], one["datatype"]) for one in told["inputs"]]
        return [(one.name, one.datatype) for one in told.inputs]

    def _connection(self) -> Any:
        if not hasattr(self._local, "client"):
            self._local.client = self._client.InferenceServerClient(self._address)
        return self._local.client

    def _not_ready(self, error: Exception) -> NotReadyError:
        return NotReadyError("triton_failed", url=self._url, model=self._name, reason=str(error))


def model_name(graph: Path) -> str:
    """The name of a pack's model on the server: that of the pack."""
    return str(json.loads((graph.parent / "manifest.json").read_text(encoding="utf-8"))["name"])


def open_engine(graph: Path, threads: int, device: str) -> Engine:
    """An engine at the URL `device`; the server decides on threads."""
    url = DEFAULT if device == "auto" else device
    if not _is_url(url):
        raise UsageError(
            "setting_invalid", name="device", value=url, source="device",
            expected="http://HOST:PORT | grpc://HOST:PORT",
        )  # fmt: skip
    return TritonEngine(model_name(graph), url)


def _is_url(text: str) -> bool:
    """Whether both clients can be asked to connect to it: a plain scheme, a host, a port that is one."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "grpc") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
