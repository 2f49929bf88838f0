"""What a user would run today: PyTorch, ONNX Runtime and OpenVINO as their own guides drive them.

Each takes texts and gives logits, with the tokenizer of Hugging Face; `rows` at a time, padded to the longest of them.
CrossEncoder of sentence-transformers sorts by length before it cuts batches of 32, so the ONNX and OpenVINO rows do.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import openvino as ov
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import BertForSequenceClassification, BertTokenizerFast

Pairs = list[tuple[str, str]]
Forward = Callable[[dict[str, np.ndarray]], Any]
ROWS = 32


class Competitor:
    """A way to judge pairs: a forward pass, how rows are padded, whether pairs are sorted by length first."""

    def __init__(
        self, tokenizer: Any, forward: Forward, *, rows: int = ROWS, length: int = 0, sort: bool = False
    ):
        self.tokenizer, self.forward, self.rows, self.length, self.sort = (
            tokenizer,
            forward,
            rows,
            length,
            sort,
        )

    def run(self, pairs: Pairs) -> None:
        """Judge all pairs."""
        ordered = sorted(pairs, key=lambda pair: -len(pair[0]) - len(pair[1])) if self.sort else pairs
        for start in range(0, len(ordered), self.rows):
            self.forward(self.encode(ordered[start : start + self.rows]))

    def encode(self, pairs: Pairs) -> dict[str, np.ndarray]:
        """The arrays of one batch."""
        found = self.tokenizer(
            [a for a, _ in pairs], [b for _, b in pairs], truncation=True, max_length=self.length or 128,
            padding="max_length" if self.length else "longest", return_tensors="np",
        )  # fmt: skip
        return {
            name: np.asarray(found[name], dtype=np.int64)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        }

    def padding(self, pairs: Pairs) -> float:
        """The share of its tokens that are padding."""
        ordered = sorted(pairs, key=lambda pair: -len(pair[0]) - len(pair[1])) if self.sort else pairs
        masks = [
            self.encode(ordered[i : i + self.rows])["attention_mask"]
            for i in range(0, len(ordered), self.rows)
        ]
        return 1 - sum(int(mask.sum()) for mask in masks) / sum(mask.size for mask in masks)


def open_competitors(folder: Path, work: Path, threads: int, calibration: Pairs) -> dict[str, Competitor]:
    """All that are installed, on the weights of a model folder in the names of transformers."""
    torch.set_num_threads(threads)
    tokenizer = BertTokenizerFast(str(folder / "vocab.txt"))
    model = BertForSequenceClassification.from_pretrained(str(folder)).eval()

    def by_torch(batch: dict[str, np.ndarray]) -> Any:
        with torch.inference_mode():
            return model(**{name: torch.from_numpy(array) for name, array in batch.items()}).logits

    found = {
        "torch_fp32_512": Competitor(tokenizer, by_torch, rows=4, length=512),
        "torch_fp32_dynamic": Competitor(tokenizer, by_torch),
    }
    graph = work / "plain.onnx"
    if not graph.exists():
        _export(model, graph)
    found["crossencoder_onnx_int8"] = Competitor(
        tokenizer, _onnx_int8(graph, work / "dynamic.onnx", threads), sort=True
    )
    encode = found["torch_fp32_dynamic"].encode
    batches = [encode(calibration[i : i + 8]) for i in range(0, len(calibration), 8)]
    for name, forward in _openvino(graph, work / "nncf.xml", threads, batches).items():
        found[name] = Competitor(tokenizer, forward, sort=True)
    return found


def _export(model: Any, path: Path) -> None:
    example = torch.ones(2, 8, dtype=torch.int64)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "rows", 1: "tokens"} for name in names} | {"logits": {0: "rows"}}
    torch.onnx.export(
        model, tuple(example.clone() for _ in names), str(path), input_names=names, output_names=["logits"],
        dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip


def _onnx_int8(graph: Path, path: Path, threads: int) -> Forward:
    """Dynamic INT8 as `export_dynamic_quantized_onnx_model(…, "avx512_vnni")` of sentence-transformers makes it."""
    if not path.exists():
        quantize_dynamic(str(graph), str(path), weight_type=QuantType.QInt8, per_channel=False)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return lambda batch: session.run(None, batch)


def _openvino(
    graph: Path, path: Path, threads: int, calibration: list[dict[str, np.ndarray]]
) -> dict[str, Forward]:
    """OpenVINO in float32, and (with nncf) in INT8 as its own tool quantizes a transformer."""
    core = ov.Core()
    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
    }
    models = {"openvino_fp32": core.read_model(str(graph))}
    if path.exists():
        models["openvino_nncf_int8"] = core.read_model(str(path))
    elif find_spec("nncf"):
        nncf = import_module("nncf")
        data = nncf.Dataset(calibration)
        models["openvino_nncf_int8"] = nncf.quantize(
            core.read_model(str(graph)),
            data,
            model_type=nncf.ModelType.TRANSFORMER,
            subset_size=len(calibration),
        )
        ov.save_model(models["openvino_nncf_int8"], str(path), compress_to_fp16=False)
    found = {}
    for name, model in models.items():
        request = core.compile_model(model, "CPU", settings).create_infer_request()
        found[name] = lambda batch, request=request: request.infer(batch)
    return found
