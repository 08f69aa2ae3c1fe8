"""What a training's tensors look like step by step.

>>> from sightline.supervise import Exporter, RatioSubscriber
>>> exporter = Exporter()
>>> exporter.set_model(model)
>>> exporter.add_modules(model)
>>> exporter.subscribe(RatioSubscriber(["weight_updates", "weights"]))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from sightline._core import Sketch, Statistics
from sightline.supervise import _plugins
from sightline.supervise._backend import Backend
from sightline.supervise._bus import MessageBus, get_default_bus
from sightline.supervise._matrices import (
    ConditionNumberSubscriber,
    EffectiveRankSubscriber,
    SpectralNormSubscriber,
)
from sightline.supervise._messages import MessageBundle, MetaMessage, TrainingMessage
from sightline.supervise._metric import MetricSubscriber
from sightline.supervise._model_metrics import (
    LossSubscriber,
    MessageMeanSubscriber,
    TestAccuracySubscriber,
    TrainAccuracySubscriber,
)
from sightline.supervise._ratios import RatioSubscriber, UpdateRatioSubscriber
from sightline.supervise._scalars import (
    AbsMaxSubscriber,
    HistogramSubscriber,
    MaxSubscriber,
    MeanSubscriber,
    MinSubscriber,
    NonFiniteShareSubscriber,
    NormSubscriber,
    QuantileSubscriber,
    SumSubscriber,
    VarianceSubscriber,
    ZeroShareSubscriber,
)
from sightline.supervise._statistics import statistics
from sightline.supervise._subscriber import (
    Bundle,
    CallbackSubscriber,
    PlotSubscriber,
    Subscriber,
)
from sightline.supervise._subscription import Subscription, SynchronizedSubscription
from sightline.supervise._tensorboard import configure_prefix
from sightline.supervise._units import DeadUnitsSubscriber, SaturatedUnitsSubscriber

if TYPE_CHECKING:
    from sightline.supervise._exporter import Exporter
    from sightline.supervise._gradients import (
        AdamLearningRateSubscriber,
        GradientCosineSubscriber,
        GradientNoiseSubscriber,
    )
    from sightline.supervise._hessian import HessianEigenSubscriber
    from sightline.supervise._svcca import BatchedSVCCASubscriber, SVCCASubscriber
    from sightline.supervise._watch import Watch

# Statistics do without torch; only who asks for these imports it.
_WITH_TORCH = {
    "AdamLearningRateSubscriber": "_gradients",
    "BatchedSVCCASubscriber": "_svcca",
    "Exporter": "_exporter",
    "GradientCosineSubscriber": "_gradients",
    "GradientNoiseSubscriber": "_gradients",
    "HessianEigenSubscriber": "_hessian",
    "SVCCASubscriber": "_svcca",
    "Watch": "_watch",
}

__all__ = [
    "AbsMaxSubscriber",
    "AdamLearningRateSubscriber",
    "Backend",
    "BatchedSVCCASubscriber",
    "Bundle",
    "CallbackSubscriber",
    "ConditionNumberSubscriber",
    "DeadUnitsSubscriber",
    "EffectiveRankSubscriber",
    "Exporter",
    "GradientCosineSubscriber",
    "GradientNoiseSubscriber",
    "HessianEigenSubscriber",
    "HistogramSubscriber",
    "LossSubscriber",
    "MaxSubscriber",
    "MeanSubscriber",
    "MessageBundle",
    "MessageBus",
    "MessageMeanSubscriber",
    "MetaMessage",
    "MetricSubscriber",
    "MinSubscriber",
    "NonFiniteShareSubscriber",
    "NormSubscriber",
    "PlotSubscriber",
    "QuantileSubscriber",
    "RatioSubscriber",
    "SVCCASubscriber",
    "SaturatedUnitsSubscriber",
    "Sketch",
    "SpectralNormSubscriber",
    "Statistics",
    "Subscriber",
    "Subscription",
    "SumSubscriber",
    "SynchronizedSubscription",
    "TestAccuracySubscriber",
    "TrainAccuracySubscriber",
    "TrainingMessage",
    "UpdateRatioSubscriber",
    "VarianceSubscriber",
    "Watch",
    "ZeroShareSubscriber",
    "configure_prefix",
    "get_default_bus",
    "statistics",
]


def __getattr__(name: str) -> Any:
    """What needs torch, and what others have registered, is loaded when it is asked for."""
    if name in _WITH_TORCH:
        return getattr(importlib.import_module(f"{__name__}.{_WITH_TORCH[name]}"), name)
    found = _plugins.subscriber_called(name)
    if found is not None:
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_plugins.names()})
