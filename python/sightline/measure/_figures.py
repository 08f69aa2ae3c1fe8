"""The figures of which counts and measurements are made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """A number for each pass; zero for one that was not run."""

    forward: int
    backward: int = 0
    optimizer: int = 0


@dataclass(frozen=True)
class Parameters:
    """Elements; a tensor with several names counts once."""

    total: int
    trainable: int
    frozen: int
    buffers: int


@dataclass(frozen=True)
class Footprint:
    """Bytes. Peaks are above the weights and the inputs; `computed` says that they come from the
    life times of tensors without data. None: not measured."""

    weights: int
    inference_peak: int | None
    training_peak: int | None
    computed: bool

    @property
    def inference_total(self) -> int | None:
        return None if self.inference_peak is None else self.weights + self.inference_peak

    @property
    def training_total(self) -> int | None:
        return None if self.training_peak is None else self.weights + self.training_peak


@dataclass(frozen=True)
class Times:
    """Milliseconds. The median lies between `confidence_low` and `confidence_high` with the chance
    `confidence`; `noise` is "steady", "noisy" or "too few runs"."""

    median: float
    p10: float
    p90: float
    runs: int
    confidence: float
    confidence_low: float | None
    confidence_high: float | None
    noise: str


@dataclass(frozen=True)
class Operator:
    """All calls of an operator that are counted by its name. `intensity` is its flops for each byte
    read or written, in all passes together; None if it moves none. `time_share` is of the time of
    all operators; None on meta tensors."""

    name: str
    calls: int
    macs: Cost
    effective_macs: Cost
    flops: Cost
    bytes: Cost
    intensity: float | None
    time_share: float | None


@dataclass(frozen=True)
class Uncounted:
    """An operator without a formula: its cost is missing from the figures."""

    name: str
    calls: int
    time_share: float | None
