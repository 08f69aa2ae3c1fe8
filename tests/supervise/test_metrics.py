"""Every metric against plain NumPy, or autograd, on the same tensors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from torch import Tensor, nn

from sightline import supervise
from sightline.supervise import MessageBus, Sketch, statistics

# The same examples each time, and nothing is left in the tree.
set_hypothesis_home_dir(".pytest_cache/hypothesis")
settings.register_profile("tests", derandomize=True, database=None, deadline=None)
settings.load_profile("tests")

TYPES = [
    torch.float32,
    torch.float64,
    torch.bfloat16,
    torch.float16,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
]
ODD = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-40, -3e-39, 1e-30, 3e38, -1.0]


@st.composite
def tensors(draw: Callable[..., Any], types: list[torch.dtype] = TYPES) -> Tensor:
    """Of any type, with odd shapes, steps through memory, and odd numbers among them."""
    shape = draw(st.lists(st.integers(0, 7), max_size=4))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 1 << 30)))
    scale = draw(st.sampled_from([1e-30, 1e-3, 1.0, 50.0]))
    big = [2 * size + 1 for size in shape]
    tensor = torch.randn(big, generator=generator, dtype=torch.float64) * scale
    type_ = draw(st.sampled_from(types))
    if type_.is_floating_point and tensor.numel():
        for value in draw(st.lists(st.sampled_from(ODD), max_size=3)):
            tensor.view(-1)[draw(st.integers(0, tensor.numel() - 1))] = value
    tensor = tensor.to(type_)
    for dimension, size in enumerate(shape):  # views with gaps, and some begin later
        tensor = tensor.narrow(dimension, draw(st.integers(0, 1)), 2 * size)[
            (slice(None),) * dimension + (slice(None, None, 2),)
        ]
    order = draw(st.permutations(range(len(shape))))
    return tensor.permute(*order) if order else tensor


def finite(tensor: Tensor) -> np.ndarray[Any, Any]:
    values = tensor.to(torch.float64).numpy().ravel()
    return values[np.isfinite(values)]


def told(subscriber: supervise.PlotSubscriber, *sequence: Any, module: Any = None) -> list[float]:
    """The values that a subscriber has of data that comes in this order."""
    bus = MessageBus()
    bus.register_subscriber(subscriber)
    (kind, *_) = subscriber.kinds
    for step, data in enumerate(sequence):
        bus.publish_module_message(step, step, 0, kind, (module, "m"), data)
    return [value for *_, value in subscriber.values]


def value(kind: type[Any], tensor: Tensor, **options: Any) -> list[float]:
    return told(kind("weights", backend=None, **options), tensor)


def close(a: float, b: float, scale: float = 0) -> bool:
    return (math.isnan(a) and math.isnan(b)) or math.isclose(
        a, b, rel_tol=1e-10, abs_tol=1e-10 * scale
    )


@settings(max_examples=100)
@given(tensors())
@example(torch.tensor([math.nan]))
@example(torch.empty(0, 3))
@example(torch.tensor(3.0))
def test_scalar_metrics_agree_with_numpy(tensor: Tensor) -> None:
    values = finite(tensor)
    count, size = len(values), tensor.numel()
    largest = np.abs(values).max() if count else 0
    with np.errstate(all="ignore"):
        expected = {
            "SumSubscriber": values.sum(),
            "MeanSubscriber": values.mean() if count else math.nan,
            "VarianceSubscriber": values.var(ddof=1) if count > 1 else math.nan,
            "MinSubscriber": values.min() if count else math.nan,
            "MaxSubscriber": values.max() if count else math.nan,
            "AbsMaxSubscriber": largest if count else math.nan,
        }
    for name, truth in expected.items():
        (ours,) = value(getattr(supervise, name), tensor)
        scale = largest * max(count, 1) if name != "VarianceSubscriber" else 0
        assert close(ours, float(truth), scale), name
    shares = [
        ("ZeroShareSubscriber", np.count_nonzero(values == 0)),
        ("NonFiniteShareSubscriber", size - count),
    ]
    for name, number in shares:
        assert value(getattr(supervise, name), tensor) == ([number / size] if size else [])


@settings(max_examples=100)
@given(tensors(), st.sampled_from([0, 0.5, 1, 2, 3, 7.5, math.inf]))
def test_norms_agree_with_numpy(tensor: Tensor, order: float) -> None:
    values = np.abs(finite(tensor))
    (ours,) = value(supervise.NormSubscriber, tensor, order=order)
    if order == 0:
        truth = float(np.count_nonzero(values))
    elif math.isinf(order):
        truth = float(values.max(initial=0))
    else:
        largest = values.max(initial=0) or 1.0
        truth = float(largest * ((values / largest) ** order).sum() ** (1 / order))
    # Squares of what is smaller than 1e-160 are lost where an order of 2 is asked for.
    assert close(ours, truth, 1e-140)


@settings(max_examples=60)
@given(tensors([torch.float32, torch.bfloat16, torch.float16]), st.floats(0, 1))
def test_quantiles_are_within_a_sixtyfourth_of_numpys(tensor: Tensor, share: float) -> None:
    values = np.sort(finite(tensor))
    ours = value(supervise.QuantileSubscriber, tensor, share=share)
    if not len(values):
        assert ours == []
        return
    rank = share * (len(values) - 1)
    near = {values[math.floor(rank)], values[math.ceil(rank)]}  # halves are rounded either way
    assert any(abs(ours[0] - truth) <= abs(truth) / 63 + 2.0**-131 for truth in near)


def test_sketches_of_all_messages_are_merged() -> None:
    parts = [torch.randn(500, generator=torch.Generator().manual_seed(i)) for i in range(4)]
    subscriber = supervise.QuantileSubscriber("weights", backend=None)
    told(subscriber, *parts)
    whole = Sketch()
    statistics(torch.cat(parts), whole)
    assert subscriber.sketch.count == 2000
    shares = np.linspace(0, 1, 21)
    assert [subscriber.sketch.quantile(s) for s in shares] == [whole.quantile(s) for s in shares]


@settings(max_examples=60)
@given(tensors([torch.float32, torch.float16, torch.int16]))
def test_histograms_count_like_numpy(tensor: Tensor) -> None:
    subscriber = supervise.HistogramSubscriber("weights", backend=None)
    told(subscriber, tensor)
    ((edges, counts),) = subscriber.histograms.values()
    values = finite(tensor)
    assert sum(counts) == len(values)
    if not counts:
        return
    # Bins below zero hold their upper edge, those above their lower one.
    above, _ = np.histogram(values[values >= 0], bins=[e for e in edges if e >= 0] or [0, 1])
    ours = [count for low, count in zip(edges, counts, strict=False) if low >= 0]
    if np.abs(values[values != 0]).min(initial=1) > 2.0**-130 and (values >= 0).any():
        inside = [e for e in edges if e >= 0]
        last_is_closed = values.max() == inside[-1]  # for NumPy only
        assert last_is_closed or ours == above.tolist()


@settings(max_examples=40)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 1 << 30))
def test_matrix_metrics_agree_with_numpys_svd(rows: int, columns: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(rows, columns, generator=generator)
    truth = np.linalg.svd(weight.double().numpy(), compute_uv=False)
    (condition,) = value(supervise.ConditionNumberSubscriber, weight)
    assert condition == pytest.approx(truth[0] / truth[-1], rel=1e-6)
    shares = truth / truth.sum()
    (rank,) = value(supervise.EffectiveRankSubscriber, weight)
    assert rank == pytest.approx(np.exp(-(shares * np.log(shares)).sum()), rel=1e-9)
    (norm,) = value(supervise.SpectralNormSubscriber, weight, iterations=2000)
    assert norm == pytest.approx(truth[0], rel=1e-4)


def test_a_convolution_is_a_matrix_of_its_first_dimension_by_the_others() -> None:
    weight = torch.randn(6, 3, 2, 2, generator=torch.Generator().manual_seed(1))
    truth = np.linalg.svd(weight.double().numpy().reshape(6, 12), compute_uv=False)
    (condition,) = value(supervise.ConditionNumberSubscriber, weight)
    assert condition == pytest.approx(truth[0] / truth[-1])
    assert value(supervise.ConditionNumberSubscriber, torch.ones(3, 3)) == [math.inf]
    assert value(supervise.ConditionNumberSubscriber, torch.ones(3)) == []


def test_a_large_matrix_is_left_out_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    subscriber = supervise.EffectiveRankSubscriber("weights", backend=None, largest=4)
    assert told(subscriber, torch.ones(5, 5), torch.ones(5, 5), torch.ones(4, 9)) == [1.0]
    (record,) = caplog.records
    assert "`largest`" in record.getMessage()


def test_a_spectral_norm_gets_better_from_step_to_step() -> None:
    weight = torch.randn(40, 60, generator=torch.Generator().manual_seed(2))
    truth = float(torch.linalg.matrix_norm(weight, 2))
    subscriber = supervise.SpectralNormSubscriber("weights", backend=None)
    values = told(subscriber, *[weight] * 30)
    assert all(before <= after + 1e-9 for before, after in itertools.pairwise(values))
    assert values[0] < truth
    assert values[-1] == pytest.approx(truth, rel=1e-3)


@settings(max_examples=40)
@given(tensors([torch.float32, torch.float64]))
def test_ratios_are_those_of_the_norms(tensor: Tensor) -> None:
    subscriber = supervise.RatioSubscriber(["gradients", "weights_"], backend=None)
    bus = MessageBus()
    bus.register_subscriber(subscriber)
    under = torch.tensor([3.0, 4.0])
    bus.publish_module_message(0, 0, 0, "weights", (None, "m"), under)
    bus.publish_module_message(0, 0, 0, "weight_gradients", (None, "m"), tensor)
    bus.publish_module_message(1, 1, 0, "weights", (None, "m"), torch.zeros(2))
    bus.publish_module_message(1, 1, 0, "weight_gradients", (None, "m"), tensor)
    ours, over_zero = (value for *_, value in subscriber.values)
    norm = float(np.linalg.norm(finite(tensor)))
    assert close(ours, norm / 5, 1e-140)
    assert over_zero == math.inf or (math.isnan(over_zero) and norm < 1e-150)


@settings(max_examples=40)
@given(st.integers(1, 30), st.integers(0, 1 << 30))
def test_cosines_of_successive_gradients_agree_with_numpy(size: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    gradients = [torch.randn(size, generator=generator) for _ in range(4)]
    ours = told(supervise.GradientCosineSubscriber(backend=None), *gradients)
    for cosine, (a, b) in zip(ours, itertools.pairwise(gradients), strict=True):
        a, b = a.double().numpy(), b.double().numpy()
        truth = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
        assert cosine == pytest.approx(truth, abs=1e-9)


def test_dead_units_are_counted_over_the_window() -> None:
    relu = nn.ReLU()
    outputs = torch.rand(6, 8, 5, 3, 3, generator=torch.Generator().manual_seed(1)) + 0.1
    outputs[:, :, 1] = 0  # never active
    outputs[:4, :, 2] = 0  # wakes up late
    subscriber = supervise.DeadUnitsSubscriber(backend=None, window=3)
    assert told(subscriber, *outputs, module=relu) == [0.4, 0.4, 0.2, 0.2]
    assert told(supervise.DeadUnitsSubscriber(backend=None), *outputs, module=nn.Linear(1, 1)) == []


def test_saturated_units_are_those_at_their_flat_ends() -> None:
    inputs = torch.randn(4, 6, 3, generator=torch.Generator().manual_seed(1))
    inputs[:, :, 0] = 40
    inputs[:, :, 1] = -40
    for module in (nn.Tanh(), nn.Sigmoid()):
        subscriber = supervise.SaturatedUnitsSubscriber(backend=None, window=4)
        assert told(subscriber, *module(inputs), module=module) == [pytest.approx(2 / 3)]


def test_the_gradient_noise_scale_is_that_of_gradients_with_known_noise() -> None:
    """Gradients of a batch are the true one plus noise of covariance C / batch: the scale is
    trace(C) / |g|^2."""
    generator = torch.Generator().manual_seed(1)
    true = torch.full((1000,), 0.5)
    noise = supervise.GradientNoiseSubscriber(backend=None, batch_size=16, memory=0.99)
    bus = MessageBus()
    bus.register_subscriber(noise)
    for step in range(300):
        batch = true + 2 * torch.randn(1000, generator=generator) / 4
        for kind, part in (("weight_gradients", batch[:700]), ("bias_gradients", batch[700:])):
            bus.publish_module_message(step, step, 0, kind, (None, "m"), part, tensor=kind)
        bus.publish_network_message(step, step, 0, "step_finished")
    (*_, (_, _, _, scale)) = noise.values
    assert scale == pytest.approx(1000 * 4 / (1000 * 0.25), rel=0.1)


def test_the_effective_learning_rate_is_adams() -> None:
    layer = nn.Linear(5, 4)
    optimizer = torch.optim.Adam(layer.parameters(), lr=0.01, betas=(0.8, 0.9), eps=1e-6)
    with supervise.Exporter() as exporter:
        exporter.add_modules(("layer", layer))
        rates = supervise.AdamLearningRateSubscriber(optimizer, backend=None)
        exporter.subscribe(rates)
        for seed in range(3):
            optimizer.zero_grad()
            inputs = torch.randn(6, 5, generator=torch.Generator().manual_seed(seed))
            layer(inputs).square().sum().backward()
            optimizer.step()
    last = {tensor: value for _, _, tensor, value in rates.values}
    for name in ("weight", "bias"):
        squares = optimizer.state[getattr(layer, name)]["exp_avg_sq"].double().numpy()
        all_rates = 0.01 / (np.sqrt(squares / (1 - 0.9**3)) + 1e-6)
        middle = np.sort(all_rates.ravel())[[(all_rates.size - 1) // 2, all_rates.size // 2]]
        ours = last[f"{name}.exp_avg_sq"]
        assert middle[0] * (1 - 1 / 64) <= ours <= middle[1] * (1 + 1 / 64)


def test_wrong_use_of_a_metric_is_told() -> None:
    with pytest.raises(ValueError, match="two topics"):
        supervise.RatioSubscriber(["weights"])
    with pytest.raises(ValueError, match="list of topics"):
        supervise.MeanSubscriber([3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="order"):
        supervise.NormSubscriber("weights", order=-1)
    with pytest.raises(ValueError, match="share"):
        supervise.QuantileSubscriber("weights", share=2)
    with pytest.raises(ValueError, match="one kind"):
        supervise.MessageMeanSubscriber(["weights", "biases"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="backend"):
        supervise.MeanSubscriber("weights", backend="paper")
    with pytest.raises(ValueError, match="colour"):
        supervise.MeanSubscriber("weights", plot_config={"colour": "red"})


def test_complex_tensors_are_passed_over() -> None:
    assert value(supervise.MeanSubscriber, torch.ones(3, dtype=torch.complex64)) == []


def test_sparse_gradients_count_their_zeros() -> None:
    sparse = torch.tensor([1.0, 0.0, 3.0, 0.0]).to_sparse()
    assert value(supervise.MeanSubscriber, sparse) == [1.0]


def test_a_matrix_that_is_not_finite_has_no_singular_values() -> None:
    for number in (math.nan, math.inf):
        weight = torch.eye(3)
        weight[1, 2] = number
        assert value(supervise.EffectiveRankSubscriber, weight) == []
        assert value(supervise.ConditionNumberSubscriber, weight) == []


def test_arguments_may_come_in_the_order_of_the_older_guide() -> None:
    ratio = supervise.RatioSubscriber(["gradients", "weights_"], None, 10, (0, 1), None)
    assert ratio.subscriptions[0].tag is None
    assert ratio.subscriptions[0].subsample == 10
    assert ratio.plot_config.ylims == (0, 1)
    mean = supervise.MeanSubscriber("weights", "evaluation", 3, backend=None)
    assert (mean.subscriptions[0].tag, mean.subscriptions[0].subsample) == ("evaluation", 3)
    assert supervise.NormSubscriber("weights", 1, backend=None).publications == ["weights_norm1"]
    quarter = supervise.QuantileSubscriber("weights", 0.25, None, 4, backend=None)
    assert (quarter.share, quarter.subscriptions[0].subsample) == (0.25, 4)
    with pytest.raises(TypeError, match="tag, subsample, ylims, backend"):
        supervise.MeanSubscriber("weights", None, 1, None, None, 5)
