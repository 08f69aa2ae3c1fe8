"""Which device of torch is meant."""

from __future__ import annotations

import torch

from sightline.measure._device import Device


def torch_device(device: Device | str) -> torch.device:
    if Device(device) is Device.CPU:
        return torch.device("cpu")
    accelerator = torch.accelerator.current_accelerator(check_available=True)
    if accelerator is None:
        raise RuntimeError("torch finds no GPU here: use device=Device.CPU")
    return accelerator


def device_for(model: torch.nn.Module, device: Device | str) -> torch.device:
    """A model without data stays where it is: its costs can be counted, and it cannot be moved."""
    place = torch_device(device)
    first = next(model.parameters(), None)
    return first.device if first is not None and first.is_meta else place
