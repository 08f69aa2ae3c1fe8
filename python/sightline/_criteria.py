"""What loss functions give out, in training and in evaluation. What `backward` gets will not do to
compare the two: it may be a part, a sum or a multiple of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch._C._functorch import is_functorch_wrapped_tensor
from torch.nn import functional
from torch.nn.modules import loss as torch_losses

from sightline._replacement import Replacement

_ENDINGS = ("_loss", "cross_entropy", "cross_entropy_with_logits", "kl_div")


class _Mean:
    """Over samples. On another device than the processor the numbers are not there yet, and nothing
    waits for them before the mean is wanted."""

    def __init__(self) -> None:
        self._sum: float | Tensor = 0.0
        self._samples = 0

    def add(self, loss: Tensor, samples: int, *, is_sum: bool) -> None:
        value = loss.item() if loss.device.type == "cpu" else loss.detach()
        self._sum = self._sum + value * (1 if is_sum else samples)
        self._samples += samples

    def value(self) -> float:
        return float(self._sum) / self._samples


class Criteria:
    """Watches the loss functions of torch, which its loss modules call too, and loss modules of
    others that are made from now on, until `remove`."""

    def __init__(self, model: Callable[[], nn.Module | None]) -> None:
        self._model = model
        self._training: dict[str, _Mean] = {}
        self._trained: dict[str, _Mean] = {}  # what training was when the evaluation began
        self._evaluation: dict[str, _Mean] = {}
        self._handles: list[Any] = [
            Replacement(functional, name, self._noting(name))
            for name in dir(functional)
            if name.endswith(_ENDINGS) and not name.startswith("_")
        ]
        self._handles.append(Replacement(torch_losses._Loss, "__init__", self._watching))

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def take_means(self) -> dict[str, tuple[float, float]]:
        """Of each function that an evaluation has called since the last time: its means over the
        samples of the training before, and of the evaluation."""
        trained, evaluated = self._trained, self._evaluation
        self._trained, self._evaluation = {}, {}
        return {
            name: (trained[name].value(), mean.value())
            for name, mean in evaluated.items()
            if name in trained
        }

    def _noting(self, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(function: Callable[..., Any]) -> Callable[..., Any]:
            def noting(*arguments: Any, **options: Any) -> Any:
                output = function(*arguments, **options)
                if not torch.compiler.is_compiling():
                    given = arguments[0] if arguments else options.get("input")
                    self._note(name, given, output, options.get("reduction"))
                return output

            noting.__prepare_scriptable__ = lambda: function  # type: ignore[attr-defined]
            return noting

        return make

    def _watching(self, make: Callable[..., None]) -> Callable[..., None]:
        def watching(module: nn.Module, *arguments: Any, **options: Any) -> None:
            make(module, *arguments, **options)
            if type(module).__module__ != torch_losses.__name__:
                self._handles.append(module.register_forward_hook(self._after_module))

        return watching

    def _after_module(self, module: nn.Module, arguments: tuple[Any, ...], output: Any) -> None:
        if not torch.compiler.is_compiling():
            given = arguments[0] if arguments else None
            self._note(type(module).__name__, given, output, getattr(module, "reduction", None))

    def _note(self, name: str, given: Any, output: Any, reduction: str | None) -> None:
        model = self._model()
        if model is None or not _is_number(output) or output.requires_grad != model.training:
            return
        if not model.training and not self._evaluation:
            self._trained, self._training = self._training, {}
        samples = len(given) if isinstance(given, Tensor) and given.dim() > 0 else 1
        means = self._training if model.training else self._evaluation
        means.setdefault(name, _Mean()).add(output, max(samples, 1), is_sum=reduction == "sum")


def _is_number(output: Any) -> bool:
    """Not what only stands for one, while a function is traced or transformed."""
    return (
        type(output) is Tensor
        and output.numel() == 1
        and not output.is_meta
        and not is_functorch_wrapped_tensor(output)
    )
