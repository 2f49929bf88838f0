"""A model repository for Triton Inference Server, made of a pack: dynamic batching, and a warm-up of every length."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnxruntime

from menpai.errors import UsageError
from menpai.packs.pack import Pack
from menpai.packs.write import pack_around, refuse_others, replaced

# onnxruntime: Triton's own backend for graphs. python: for servers that bring no other; needs onnxruntime beside it.
BACKENDS = ("onnxruntime", "python")
LENGTHS = (16, 32, 64, 128)
MOST_ROWS = 64
_TYPES = {"tensor(int32)": "TYPE_INT32", "tensor(int64)": "TYPE_INT64", "tensor(float)": "TYPE_FP32"}
_MODEL = '''"""Runs the graph beside this file for Triton's Python backend. Written by menpai."""

import os

import numpy as np
import onnxruntime
import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    """One session for an instance."""

    def initialize(self, args):
        """Open the graph."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = {threads}
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        path = os.path.join(args["model_repository"], args["model_version"], "model.onnx")
        self.session = onnxruntime.InferenceSession(
            path, options, providers=onnxruntime.get_available_providers(), disabled_optimizers=["SkipLayerNormFusion"]
        )
        self.names = [value.name for value in self.session.get_inputs()]

    def execute(self, requests):
        """The rows of all requests, which have one length, in one run."""
        rows = [[pb_utils.get_input_tensor_by_name(r, name).as_numpy() for name in self.names] for r in requests]
        feed = {{name: np.concatenate([row[at] for row in rows]) for at, name in enumerate(self.names)}}
        (logits,) = self.session.run(None, feed)
        ends = np.cumsum([len(row[0]) for row in rows])[:-1]
        return [
            pb_utils.InferenceResponse([pb_utils.Tensor("logits", np.ascontiguousarray(part))])
            for part in np.split(logits.astype(np.float32), ends)
        ]
'''


def write_repository(
    pack: Pack,
    folder: Path,
    backend: str = "onnxruntime",
    *,
    instances: int = 1,
    threads: int = 1,
    gpu: bool = False,
) -> Path:
    """Write (or replace) `folder/NAME/{config.pbtxt, 1/model.onnx}`; returns the model's folder. What is there is
    never half a model, and nothing that an export did not write is replaced."""
    model = folder / pack.name
    check_model(model)
    config = _config(pack, backend, instances, threads, gpu)
    with replaced(model) as fresh:
        (fresh / "1").mkdir()
        (fresh / "1" / "model.onnx").write_bytes(pack.file("graph").read_bytes())
        if backend == "python":
            (fresh / "1" / "model.py").write_text(_MODEL.format(threads=threads), encoding="utf-8")
        (fresh / "config.pbtxt").write_text(config, encoding="utf-8")
    return model


def check_model(model: Path) -> None:
    """Raise if the folder of a model would replace anything but an exported one, or would lie inside a pack."""
    if around := pack_around(model):
        raise UsageError("output_inside_pack", path=str(model), pack=str(around))
    if model.exists() and not (
        model.is_dir() and ((model / "config.pbtxt").is_file() or not any(model.iterdir()))
    ):
        raise UsageError("output_no_pack", path=str(model))
    refuse_others(model, {"config.pbtxt", "1", "1/model.onnx", "1/model.py"})


def _config(pack: Pack, backend: str, instances: int, threads: int, gpu: bool) -> str:
    session = onnxruntime.InferenceSession(str(pack.file("graph")), providers=["CPUExecutionProvider"])
    inputs = [(value.name, _TYPES[value.type]) for value in session.get_inputs()]
    (output,) = session.get_outputs()
    dims = [-1 if isinstance(dim, str) else dim for dim in output.shape[1:]]
    kind = "KIND_GPU" if gpu else "KIND_CPU"
    lines = [
        f'name: "{pack.name}"',
        f'backend: "{backend}"',
        f"max_batch_size: {MOST_ROWS}",
        *(f'input {{ name: "{name}" data_type: {kind_} dims: [ -1 ] }}' for name, kind_ in inputs),
        f'output {{ name: "{output.name}" data_type: TYPE_FP32 dims: {dims} }}',
        f"instance_group {{ count: {instances} kind: {kind} }}",
        "# Requests of one length are run together as soon as an instance is free; nothing waits for company.",
        "dynamic_batching { max_queue_delay_microseconds: 0 }",
        *(_warm_up(inputs, rows, length) for length in LENGTHS for rows in (1, MOST_ROWS // 4)),
    ]
    if backend == "onnxruntime":
        lines += [
            f'parameters {{ key: "intra_op_thread_count" value: {{ string_value: "{threads}" }} }}',
            "# The graph is fused already; the server's own fusions would make it slower.",
            "optimization { graph { level: -1 } }",
        ]
    return "\n".join(lines) + "\n"


def _warm_up(inputs: list[tuple[str, Any]], rows: int, length: int) -> str:
    """A run of so many rows of a length, before the model is ready."""
    tensors = " ".join(
        f'inputs {{ key: "{name}" value: {{ data_type: {kind} dims: [ {length} ] zero_data: true }} }}'
        for name, kind in inputs
    )
    return f'model_warmup {{ name: "{rows}x{length}" batch_size: {rows} {tensors} }}'
