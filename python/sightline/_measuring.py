"""One measurement, in a process of its own: makes a model and its inputs, measures, and tells what
came of it."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import torch

from sightline import _device, _recording
from sightline._channel import Channel
from sightline._entry_point import EntryPoint
from sightline._factory import Factory
from sightline._stages import Stages
from sightline._user_file import EntryError, UserFile
from sightline.measure._measure import measure_call


def serve(channel: Channel, request: dict[str, Any]) -> None:
    stages = Stages(channel, request)
    try:
        device = _device.use(request["device"])
        if request["entry"]:
            text = _measure_entry_point(stages, request, device)
        else:
            text = _measure_factory(stages, request, device)
    except EntryError as error:
        channel.send("failed", **error.facts)
        return
    stages.rest()
    info = {**_recording.environment(request["command"]), "root": request["root"]}
    if _is_dataless(device):
        info["device"] = "meta"
    channel.send("measured", measurement=text, info=info)


def _measure_factory(stages: Stages, request: dict[str, Any], device: torch.device | None) -> str:
    stages.begin("factory")
    factory = Factory(
        file=request["file"],
        module=request["module"],
        name=request["factory"],
        root=request["root"],
    )
    stages.begin("model")
    with _making_on(device):
        model = factory.model()
    if device is not None:
        model = factory.call(model.to, device)
    stages.begin("inputs")
    torch.manual_seed(0)
    place = _place_of(model, device)
    made = [(one["name"], factory.call(_tensor, one, place)) for one in request["inputs"]]
    positional = [tensor for name, tensor in made if not name]
    named = {name: tensor for name, tensor in made if name}
    stages.begin("measure")
    try:
        return _measured(factory, stages, request, model, (positional, named))
    except EntryError as error:
        error.facts["inputs"] = request["shown_inputs"]
        raise


def _making_on(device: torch.device | None) -> contextlib.AbstractContextManager[Any]:
    """Without data from the start: a model that is moved there afterwards needs its memory once."""
    return device if _is_dataless(device) else contextlib.nullcontext()  # type: ignore[return-value]


def _is_dataless(device: torch.device | None) -> bool:
    return device is not None and device.type == "meta"


def _place_of(model: torch.nn.Module, otherwise: torch.device | None) -> torch.device:
    held = itertools.chain(model.parameters(), model.buffers())
    return next((tensor.device for tensor in held), otherwise or torch.device("cpu"))


def _tensor(wanted: dict[str, Any], device: torch.device) -> torch.Tensor:
    """Random, with whole numbers from 0 to below `below`."""
    dtype: torch.dtype = getattr(torch, wanted["dtype"])
    if wanted["below"]:
        whole = torch.randint(0, wanted["below"], wanted["shape"], device=device)
        return whole.to(dtype)
    return torch.randn(wanted["shape"], dtype=dtype, device=device)


class _Measured(BaseException):
    """Ends an iteration of the user's where nothing more of it is wanted."""


def _measure_entry_point(
    stages: Stages, request: dict[str, Any], device: torch.device | None
) -> str:
    """The iteration is begun, and where it calls the model, that call is measured in its place: so
    the model gets what it gets in training, under the same autocast and in the same mode."""
    stages.begin("entry")
    entry = EntryPoint(request["entry"], request["root"], device=device)
    stages.begin("model")
    with _making_on(device):
        model = entry.model()
    stages.begin("inputs")
    request["batch_size"] = request["batch_size"] or entry.default_batch_size
    with _making_on(device):
        inputs = entry.inputs(request["batch_size"])
    stages.begin("iteration")
    iterate = entry.iteration(model, inputs)
    stages.begin("measure")
    outcomes: list[str | EntryError] = []

    def instead(module: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> None:
        hook.remove()
        try:
            outcomes.append(_measured(entry, stages, request, module, (positional, named)))
        except EntryError as error:  # the iteration might catch it
            outcomes.append(error)
        raise _Measured

    hook = model.register_forward_pre_hook(instead, with_kwargs=True, prepend=True)

    def until_the_model_is_called() -> None:
        with contextlib.suppress(_Measured):
            iterate()

    entry.call(until_the_model_is_called)
    return _only(outcomes, entry)


def _only(outcomes: list[str | EntryError], entry: EntryPoint) -> str:
    if not outcomes:
        raise EntryError("model_is_not_called", file=entry.shown(entry.path), line=0)
    outcome = outcomes[0]
    if isinstance(outcome, EntryError):
        raise outcome
    return outcome


def _measured(
    user: UserFile, stages: Stages, request: dict[str, Any], model: Any, arguments: Any
) -> str:
    if request["evaluation"]:
        user.call(model.eval)
    result = user.call(
        measure_call,
        model,
        *arguments,
        batch_size=request["batch_size"] or None,
        backward=request["backward"],
        repetitions=request["repetitions"],
        name=request["name"],
        on_part=lambda part: stages.begin(f"measure_{part}"),
    )
    text: str = result.json()
    return text
