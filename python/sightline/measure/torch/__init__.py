"""deeplite-profiler's interface for PyTorch.

>>> from sightline.measure.torch import *
>>> profiler = TorchProfiler(model, {"train": loader, "test": loader}, name="Original Model")
>>> profiler.register_profiler_function(ComputeComplexity())
>>> profiler.compute_network_status(batch_size=1, device=Device.CPU, print_mode="info")
"""

from sightline.measure import (
    Comparative,
    ComputeEvalMetric,
    Device,
    Display,
    DynamicEvalMetric,
    EvalMetric,
    EvaluationFunction,
    ExecutionTime,
    ExternalProfilerFunction,
    Flops,
    InferenceTime,
    LayerwiseData,
    LayerwiseSummary,
    MemoryFootprint,
    Metric,
    ModelInputPattern,
    ModelSize,
    ProfilerFunction,
    StatusKey,
    TotalParams,
    getLogger,
    setLogger,
)
from sightline.measure.torch._evaluation import (
    EvalLossFunction,
    get_accuracy,
    get_missclass,
    get_topk,
)
from sightline.measure.torch._functions import (
    ComputeComplexity,
    ComputeExecutionTime,
    ComputeFlops,
    ComputeLayerwiseSummary,
    ComputeParams,
    ComputeSize,
)
from sightline.measure.torch._loaders import TorchDataLoader, TorchForwardPass
from sightline.measure.torch._profiler import TorchProfiler

__all__ = [
    "Comparative",
    "ComputeComplexity",
    "ComputeEvalMetric",
    "ComputeExecutionTime",
    "ComputeFlops",
    "ComputeLayerwiseSummary",
    "ComputeParams",
    "ComputeSize",
    "Device",
    "Display",
    "DynamicEvalMetric",
    "EvalLossFunction",
    "EvalMetric",
    "EvaluationFunction",
    "ExecutionTime",
    "ExternalProfilerFunction",
    "Flops",
    "InferenceTime",
    "LayerwiseData",
    "LayerwiseSummary",
    "MemoryFootprint",
    "Metric",
    "ModelInputPattern",
    "ModelSize",
    "ProfilerFunction",
    "StatusKey",
    "TorchDataLoader",
    "TorchForwardPass",
    "TorchProfiler",
    "TotalParams",
    "getLogger",
    "get_accuracy",
    "get_missclass",
    "get_topk",
    "setLogger",
]
