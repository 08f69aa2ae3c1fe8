"""What can be known of a model: status keys, and metrics, which are status keys with a unit, a
description and a sense of better and worse."""

from __future__ import annotations

import abc
import enum
from typing import Any


class Comparative(enum.Enum):
    """How two values of a metric are compared."""

    DIFF = "DIFF"  # first - second
    DIV = "DIV"  # first / second: more is better
    RECIPROCAL = "RECIPROCAL"  # second / first: less is better
    NONE = "NONE"


class StatusKey:
    """An entry of a profiler's status: a name and, once it is computed, a value."""

    NAME: str

    def __init__(self) -> None:
        self.value: Any = None


class Metric(StatusKey, abc.ABC):
    """A status key that tables show."""

    @staticmethod
    @abc.abstractmethod
    def description() -> str: ...

    @staticmethod
    @abc.abstractmethod
    def friendly_name() -> str: ...

    @abc.abstractmethod
    def get_units(self) -> str:
        """Of `get_value`."""

    @abc.abstractmethod
    def get_comparative(self) -> Comparative: ...

    def get_value(self) -> Any:
        """The value as it is shown: on the scale that reads best."""
        return self.value


class EvalMetric(Metric):
    NAME = "eval_metric"

    def __init__(self, unit_name: str = "", comparative: Comparative = Comparative.DIFF) -> None:
        super().__init__()
        self.unit_name = unit_name
        self.comparative = comparative

    @staticmethod
    def description() -> str:
        return "Computed performance of the model on the given data"

    @staticmethod
    def friendly_name() -> str:
        return "Evaluation Metric"

    def get_units(self) -> str:
        return self.unit_name

    def get_comparative(self) -> Comparative:
        return self.comparative


class DynamicEvalMetric(EvalMetric):
    """A further result of the evaluation, under its own name."""

    def __init__(
        self,
        key: str,
        unit_name: str = "",
        description: str | None = None,
        comparative: Comparative = Comparative.DIFF,
    ) -> None:
        super().__init__(unit_name, comparative)
        self.NAME = key
        self._description = description or f"'{key}' as the evaluation returns it"

    def description(self) -> str:  # type: ignore[override]
        return self._description

    def friendly_name(self) -> str:  # type: ignore[override]
        return f"Eval: {self.NAME}"


class _Cost(Metric):
    """Less of it is better."""

    UNIT = ""

    def get_units(self) -> str:
        return self.UNIT

    def get_comparative(self) -> Comparative:
        return Comparative.RECIPROCAL


class Flops(_Cost):
    NAME = "flops"

    @staticmethod
    def description() -> str:
        return "Multiply-accumulates (MACs) of the forward pass for one sample"

    @staticmethod
    def friendly_name() -> str:
        return "Computational Complexity"

    def get_value(self) -> Any:
        return self.value if self.value is None else self.value * self._scale()[0]

    def get_units(self) -> str:
        return "GigaMACs" if self.value is None else self._scale()[1]

    def _scale(self) -> tuple[float, str]:
        if self.value > 1e-3:
            return 1, "GigaMACs"
        if self.value > 1e-6:
            return 1e3, "MegaMACs"
        return 1e6, "KiloMACs"


class TotalParams(_Cost):
    NAME = "total_params"
    UNIT = "Millions"

    @staticmethod
    def description() -> str:
        return "Parameters of the model, trainable or not, shared ones once"

    @staticmethod
    def friendly_name() -> str:
        return "Total Parameters"


class ModelSize(_Cost):
    NAME = "model_size"
    UNIT = "MiB"

    @staticmethod
    def description() -> str:
        return "Memory consumed by the parameters (weights and biases) of the model"

    @staticmethod
    def friendly_name() -> str:
        return "Model Size"


class MemoryFootprint(_Cost):
    NAME = "memory_footprint"
    UNIT = "MiB"

    @staticmethod
    def description() -> str:
        return "Peak of memory during inference, with the weights unless left out, per sample"

    @staticmethod
    def friendly_name() -> str:
        return "Memory Footprint"


class ExecutionTime(_Cost):
    NAME = "execution_time"
    UNIT = "ms"

    @staticmethod
    def description() -> str:
        return "Median time of the forward pass, per sample"

    @staticmethod
    def friendly_name() -> str:
        return "Execution Time"


class InferenceTime(_Cost):
    NAME = "inference_time"
    UNIT = "s"

    @staticmethod
    def description() -> str:
        return "Time of the whole evaluation"

    @staticmethod
    def friendly_name() -> str:
        return "Inference Time"


class LayerwiseSummary(StatusKey):
    """A table of the layers, as text."""

    NAME = "layerwise_summary"


class LayerwiseData(StatusKey):
    """The layers as rows: a list of dictionaries."""

    NAME = "layerwise_data"
