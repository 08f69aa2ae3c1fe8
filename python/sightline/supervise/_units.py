"""Which units of a layer did nothing in the last steps. A unit is an index of what the layer gives
out in one dimension: a channel or a feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sightline import _core
from sightline.supervise._messages import Message
from sightline.supervise._metric import MetricSubscriber
from sightline.supervise._statistics import floats

if TYPE_CHECKING:
    from torch import nn

    from sightline.supervise._bus import MessageBus

# What goes in between tanh(+-9.4999), or sigmoid(-23) and sigmoid(16.99999), in single precision:
# beyond, the slope is zero.
_TANH = (-1.0, 1.0)
_SIGMOID = (1.0261880e-10, 0.99999994)


class IdleUnitsSubscriber(MetricSubscriber):
    """The share of a module's units that were active for less than `activity` of all samples and
    positions of the last `window` steps; nothing before there were so many. Of modules that are not
    of a class in `range_of` nothing is told."""

    def __init__(
        self,
        message_bus: MessageBus | None = None,
        *,
        window: int = 10,
        activity: float = 0.01,
        **options: Any,
    ) -> None:
        self._window_steps = window
        self._activity = activity
        self._windows: dict[tuple[str, str], _core.UnitWindow] = {}
        super().__init__("activations", message_bus, **options)

    def range_of(self, module: nn.Module | None) -> Sequence[float] | None:
        """Between which numbers an output is active; None: the module is not looked at."""
        raise NotImplementedError

    def value_of(self, message: Message) -> float | None:
        active = self.range_of(message.key[0])  # type: ignore[arg-type]
        if active is None or message.data.dim() < 2 or message.data.numel() == 0:
            return None
        key = (message.module, message.tensor)
        if key not in self._windows:
            units = message.data.shape[_core.unit_dimension(message.data.dim())]
            self._windows[key] = _core.UnitWindow(units, self._window_steps)
        window = self._windows[key]
        window.add(floats(message.data), *active)
        return window.idle_share(self._activity) if window.steps == self._window_steps else None


class DeadUnitsSubscriber(IdleUnitsSubscriber):
    """The share of a ReLU's units that gave out nothing but zeros."""

    name, title = "dead_share", "Share of dead units"

    def range_of(self, module: nn.Module | None) -> Sequence[float] | None:
        from torch import nn

        return (0.0,) if isinstance(module, (nn.ReLU, nn.ReLU6)) else None


class SaturatedUnitsSubscriber(IdleUnitsSubscriber):
    """The share of a tanh's or sigmoid's units that were at their flat ends."""

    name, title = "saturated_share", "Share of saturated units"

    def range_of(self, module: nn.Module | None) -> Sequence[float] | None:
        from torch import nn

        if isinstance(module, nn.Tanh):
            return _TANH
        return _SIGMOID if isinstance(module, nn.Sigmoid) else None
