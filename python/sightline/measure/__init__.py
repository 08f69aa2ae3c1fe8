"""What a model costs, counted from the operators that really run.

>>> from sightline import measure
>>> measured = measure.measure(model, torch.zeros(1, 3, 224, 224))
>>> measured.macs.forward
4089184256
>>> print(measured)  # a table of the layers

The rest has the interface of deeplite-profiler; `sightline.measure.torch` is its part for PyTorch.
"""

from sightline.measure._count import Count, count
from sightline.measure._device import Device
from sightline.measure._display import Display, getLogger, setLogger
from sightline.measure._evaluation import ComputeEvalMetric, EvaluationFunction
from sightline.measure._figures import Cost, Footprint, Operator, Parameters, Times, Uncounted
from sightline.measure._formulas import (
    add_formula,
    formula_include,
    load_formulas,
    remove_formula,
)
from sightline.measure._functions import ExternalProfilerFunction, ProfilerFunction
from sightline.measure._loaders import DataLoader, ForwardPass, ModelInputPattern
from sightline.measure._measure import measure
from sightline.measure._measurement import Layer, Measurement
from sightline.measure._metrics import (
    Comparative,
    DynamicEvalMetric,
    EvalMetric,
    ExecutionTime,
    Flops,
    InferenceTime,
    LayerwiseData,
    LayerwiseSummary,
    MemoryFootprint,
    Metric,
    ModelSize,
    StatusKey,
    TotalParams,
)
from sightline.measure._profiler import Profiler
from sightline.measure._sweep import BatchTime, sweep

__all__ = [
    "BatchTime",
    "Comparative",
    "ComputeEvalMetric",
    "Cost",
    "Count",
    "DataLoader",
    "Device",
    "Display",
    "DynamicEvalMetric",
    "EvalMetric",
    "EvaluationFunction",
    "ExecutionTime",
    "ExternalProfilerFunction",
    "Flops",
    "Footprint",
    "ForwardPass",
    "InferenceTime",
    "Layer",
    "LayerwiseData",
    "LayerwiseSummary",
    "Measurement",
    "MemoryFootprint",
    "Metric",
    "ModelInputPattern",
    "ModelSize",
    "Operator",
    "Parameters",
    "Profiler",
    "ProfilerFunction",
    "StatusKey",
    "Times",
    "TotalParams",
    "Uncounted",
    "add_formula",
    "count",
    "formula_include",
    "getLogger",
    "load_formulas",
    "measure",
    "remove_formula",
    "setLogger",
    "sweep",
]
