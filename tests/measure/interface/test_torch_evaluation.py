"""Accuracy, errors, the best k and losses, against NumPy and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from sightline.measure.torch import (
    EvalLossFunction,
    TorchForwardPass,
    TorchProfiler,
    get_accuracy,
    get_missclass,
    get_topk,
)


class Scores(nn.Module):
    """Gives what it is given."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


def data(*shape: int, batch_size: int, classes: int) -> tuple[Any, Any, DataLoader]:
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(*shape, generator=generator)
    y = torch.randint(classes, (shape[0],), generator=generator)
    return x.numpy(), y.numpy(), DataLoader(TensorDataset(x, y), batch_size=batch_size)


@pytest.mark.parametrize("batch_size", [1, 4, 7, 22])
def test_accuracy_and_errors_also_of_a_last_batch_that_is_short(batch_size: int) -> None:
    x, y, loader = data(22, 10, batch_size=batch_size, classes=10)
    right = 100 * np.mean(x.argmax(1) == y)
    assert get_accuracy(Scores(), loader) == pytest.approx(right)
    assert get_missclass(Scores(), loader) == pytest.approx(100 - right)


@pytest.mark.parametrize("batch_size", [1, 8])
def test_the_best_k(batch_size: int) -> None:
    x, y, loader = data(40, 10, batch_size=batch_size, classes=10)
    rank = (x > x[np.arange(40), y][:, None]).sum(1)
    expected = {f"top-{k}": pytest.approx(100 * np.mean(rank < k)) for k in (1, 3, 5)}
    assert get_topk(Scores(), loader, topk=(1, 3, 5)) == expected
    assert list(get_topk(Scores(), loader)) == ["top-1", "top-5"]
    assert get_topk(Scores(), loader, topk=3) == {"top-3": expected["top-3"]}
    with pytest.raises(ValueError, match="no 11 best among outputs"):
        get_topk(Scores(), loader, topk=11)


@pytest.mark.parametrize("columns", [(), (1,)])
@pytest.mark.parametrize("target_columns", [(), (1,)])
def test_one_column_is_a_score_for_the_second_of_two_classes(
    columns: tuple[int, ...], target_columns: tuple[int, ...]
) -> None:
    x = torch.tensor([-1.0, 2.0, 0.5, -3.0, 1.0, -0.1, 4.0, -2.0]).reshape(-1, *columns)
    y = torch.tensor([0, 1, 0, 0, 1, 1, 0, 0]).reshape(-1, *target_columns)
    assert get_accuracy(Scores(), [(x, y)]) == 62.5


def test_targets_may_be_scores_themselves_or_lie_in_a_picture() -> None:
    one_hot = torch.eye(4)[[0, 1, 2, 3]]
    assert get_accuracy(Scores(), [(torch.eye(4)[[0, 1, 3, 3]], one_hot)]) == 75
    picture = torch.zeros(2, 3, 4, 5)
    picture[:, 1] = 1
    assert get_accuracy(Scores(), [(picture, torch.ones(2, 4, 5, dtype=torch.long))]) == 100
    tokens = torch.zeros(2, 6, 3)
    tokens[..., 2] = 1
    labels = torch.tensor([[2, 2, 2, 2, 0, -100], [2, 2, 2, 2, 2, 2]])
    assert get_accuracy(Scores(), [(tokens, labels)]) == pytest.approx(100 * 10 / 11)


class Answers(nn.Module):
    def __init__(self, wrap: Any) -> None:
        super().__init__()
        self.wrap = wrap

    def forward(self, x: torch.Tensor, labels: Any = None) -> Any:
        assert labels is None
        return self.wrap(x)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda x: {"loss": None, "logits": x},
        lambda x: (x, None),
        lambda x: [x],
        lambda x: {"scores": x},
    ],
)
def test_scores_are_found_in_what_a_model_returns(wrap: Any) -> None:
    batch = {"x": torch.eye(4), "labels": torch.arange(4)}
    assert get_accuracy(Answers(wrap), [batch]) == 100


def test_inputs_and_targets_can_be_transformed() -> None:
    loader = [(torch.eye(4), torch.arange(4))]
    assert get_accuracy(Scores(), loader, transform=lambda x, y: (x, 3 - y)) == 0
    assert get_accuracy(Scores(), loader, transform=lambda x, y: (x.flip(1), 3 - y)) == 100


def test_a_pattern_says_what_the_target_is() -> None:
    batch = (torch.arange(4), torch.eye(4))
    wrapped = TorchProfiler.enable_forward_pass_data_splits(
        {"test": [batch]}, {"test": TorchForwardPass(("_", 0))}
    )
    assert get_accuracy(Scores(), wrapped["test"]) == 100
    wrapped["test"].forward_pass = TorchForwardPass(("_", 0, "_"))
    wrapped["test"].native_dl = [(1, torch.eye(4), 2)]
    with pytest.raises(ValueError, match="which part of a batch is the target is not clear"):
        get_accuracy(Scores(), wrapped["test"])


def test_losses_weigh_samples_or_batches() -> None:
    x, y, loader = data(10, 5, batch_size=4, classes=5)
    shifted = x - x.max(1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    each = -logs[np.arange(10), y]
    assert EvalLossFunction(nn.CrossEntropyLoss())(Scores(), loader) == pytest.approx(each.mean())

    def of_a_batch(model: nn.Module, batch: Any) -> Any:
        inputs, targets = batch
        loss = nn.functional.cross_entropy(model(inputs), targets)
        return {"half": loss / 2, "rest": loss / 2}

    by_batch = np.mean([each[:4].mean(), each[4:8].mean(), each[8:].mean()])
    assert EvalLossFunction(of_a_batch)(Scores(), loader) == pytest.approx(by_batch)


class Tells(nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        return "four"


class Fails(nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        raise KeyError("missing weight")


@pytest.mark.parametrize("evaluate", [get_accuracy, get_missclass, get_topk])
@pytest.mark.parametrize(
    ("model", "loader", "error", "message"),
    [
        (Scores(), [], ValueError, "the loader gives no batch"),
        (Scores(), 3, TypeError, "3 is no loader"),
        (Scores(), [torch.eye(9)], ValueError, "the batch has no targets"),
        (Scores(), [{"x": torch.eye(9)}], ValueError, "but no 'labels'"),
        (Scores(), [(torch.eye(9), torch.arange(3))], ValueError, "do not fit"),
        (Tells(), [(torch.eye(9), torch.arange(9))], TypeError, "returned str"),
        (Fails(), [(torch.eye(9), torch.arange(9))], RuntimeError, "KeyError.* 9x9 float32"),
        (nn.Linear(4, 4), [(torch.eye(9), torch.arange(9))], RuntimeError, "inputs 9x9"),
        (
            nn.Linear(9, 9),
            [(torch.eye(9, device="meta"), torch.arange(9))],
            ValueError,
            "on the device meta",
        ),
    ],
)
def test_what_cannot_be_evaluated_is_said(
    evaluate: Any, model: nn.Module, loader: Any, error: type[Exception], message: str
) -> None:
    model.train()
    with pytest.raises(error, match=message):
        evaluate(model, loader)
    assert model.training


@pytest.mark.parametrize("loss", [nn.CrossEntropyLoss(), lambda model, batch: 1])
def test_an_empty_loader_has_no_loss(loss: Any) -> None:
    with pytest.raises(ValueError, match="gives no batch"):
        EvalLossFunction(loss)(Scores(), [])
