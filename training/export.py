"""The export of the encoder stands in the wheel, for `menpai train`."""

from menpai.training.export import (
    INPUTS,
    ExportedBlock,
    Graph,
    MeanGraph,
    export_float,
    export_int8,
    export_mean,
    run_graph,
)

__all__ = [
    "INPUTS", "ExportedBlock", "Graph", "MeanGraph", "export_float", "export_int8", "export_mean", "run_graph",
]  # fmt: skip
