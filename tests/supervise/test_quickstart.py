"""What the guide of the older tool prints runs, but for the import."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
import torch
from supervise.alexnet_mini import batches

from sightline.supervise import (
    Exporter,
    MessageBundle,
    PlotSubscriber,
    RatioSubscriber,
    Subscriber,
    Subscription,
    SynchronizedSubscription,
    TrainingMessage,
    configure_prefix,
)


class AlexNetMini(torch.nn.Module):  # as printed there, with the exporter as it says
    def __init__(self, input_shape: Any, exporter: Exporter, num_classes: int = 1000) -> None:
        super().__init__()

        # if channel dim not present, add 1
        if len(input_shape) == 2:
            input_shape.append(1)
        H, W, C = input_shape

        exporter.set_model(self)
        self.features = torch.nn.Sequential(
            torch.nn.Conv2d(C, 64, kernel_size=5, stride=2, padding=1),
            torch.nn.ReLU(inplace=True),
            torch.nn.MaxPool2d(kernel_size=3, stride=2),
            torch.nn.Conv2d(64, 192, kernel_size=3, padding=2),
            torch.nn.ReLU(inplace=True),
            torch.nn.MaxPool2d(kernel_size=3, stride=2),
            torch.nn.Conv2d(192, 192, kernel_size=3, padding=1),
            torch.nn.ReLU(inplace=True),
        )
        self.H_out = H // (2 * 2 * 2)
        self.W_out = W // (2 * 2 * 2)
        self.classifier = torch.nn.Sequential(
            torch.nn.Dropout(),
            torch.nn.Linear(192 * self.H_out * self.W_out, 2048),
            torch.nn.ReLU(inplace=True),
            torch.nn.Dropout(),
            torch.nn.Linear(2048, 2048),
            torch.nn.ReLU(inplace=True),
            torch.nn.Linear(2048, num_classes),
        )
        exporter.add_modules(self)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.features(x)
        x = x.view(x.size(0), 192 * self.H_out * self.W_out)
        x = self.classifier(x)
        return x  # noqa: RET504  (as printed)


@pytest.fixture(autouse=True)
def _event_files_go_elsewhere(tmp_path: pathlib.Path) -> None:
    configure_prefix(str(tmp_path / "runs"))


def train(model: torch.nn.Module, exporter: Exporter, epochs: int = 1) -> None:
    loss_function = torch.nn.CrossEntropyLoss()
    exporter.set_loss(loss_function)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(epochs):
        for X, Y in batches(2, size=2):
            optimizer.zero_grad()
            loss_function(model(X), Y).backward()
            optimizer.step()
        exporter.epoch_finished()


def test_the_quickstart_runs(tmp_path: pathlib.Path) -> None:
    exporter = Exporter()
    model = AlexNetMini([32, 32, 3], exporter, num_classes=10)
    ratio_subscriber = RatioSubscriber(["gradients", "weights_"], backend="tb")
    exporter.subscribe(ratio_subscriber)
    train(model, exporter)
    exporter.detach()
    names = ["features.0", "features.3", "features.6", "classifier.1", "classifier.4"]
    assert {module for _, module, _, _ in ratio_subscriber.values} == {*names, "classifier.6"}
    assert {step for step, _, _, _ in ratio_subscriber.values} == {0, 1}
    assert all(value > 0 for *_, value in ratio_subscriber.values)
    assert list((tmp_path / "runs" / "run0").glob("*tfevents*"))


def test_modules_wrapped_in_the_constructor_are_named_when_the_model_is_whole() -> None:
    class Net(torch.nn.Module):
        def __init__(self, exporter: Exporter) -> None:
            super().__init__()
            exporter.set_model(self)
            self.features = torch.nn.Sequential(
                exporter(torch.nn.Conv2d(3, 4, kernel_size=5)),
                torch.nn.ReLU(inplace=True),
                exporter(torch.nn.Conv2d(4, 4, kernel_size=3)),
            )

        def forward(self, x: torch.Tensor) -> Any:
            return self.features(x)

    with Exporter() as exporter:
        model = Net(exporter)
        assert exporter.modules == [model.features[0], model.features[2]]
        assert exporter.named_modules == [
            (model.features[0], "features.0"),
            (model.features[2], "features.2"),
        ]


class GuideSubscriber(PlotSubscriber):
    """As the guide tells to write one."""

    def __init__(
        self,
        kinds: Any,
        tag: Any = None,
        subsample: int = 1,
        ylims: Any = None,
        backend: Any = "tb",
    ) -> None:
        subscription = SynchronizedSubscription(self, kinds, tag, subsample)
        super().__init__(
            [subscription],
            {"title": "product", "xlabel": "Train step", "ylabel": "Product", "ylims": ylims},
            backend=backend,
        )
        self.seen: list[tuple[str, int, int, int, float]] = []

    def _metric(self, message_bundle: MessageBundle) -> None:
        _, name = message_bundle.key
        gradients = message_bundle.data["gradients"]
        weights = message_bundle.data["weights_"]
        product = float((gradients * weights).sum())
        self._backend.add_data(name, product, message_bundle.seq)
        position = (message_bundle.seq, message_bundle.step, message_bundle.epoch)
        self.seen.append((name, *position, product))


def test_a_subscriber_written_after_the_guide_runs(tmp_path: pathlib.Path) -> None:
    with Exporter() as exporter:
        model = AlexNetMini([32, 32, 3], exporter, num_classes=10)
        subscriber = GuideSubscriber(["gradients", "weights_"])
        exporter.subscribe(subscriber)
        train(model, exporter, epochs=2)
    first = [entry[1:4] for entry in subscriber.seen if entry[0] == "features.0"]
    assert first == [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)]
    assert list((tmp_path / "runs" / "run0").glob("*tfevents*"))


def test_a_plain_subscription_gives_single_messages() -> None:
    class Shapes(Subscriber):
        def __init__(self, kinds: Any, tag: Any = None, subsample: int = 1) -> None:
            super().__init__([Subscription(self, kinds, tag, subsample)])
            self.shapes: dict[tuple[str, str], tuple[int, ...]] = {}

        def _metric(self, message: TrainingMessage) -> None:
            self.shapes[message.kind, message.key[1]] = tuple(message.data.shape)

    with Exporter(module_filter=[torch.nn.Conv2d]) as exporter:
        model = AlexNetMini([32, 32, 3], exporter, num_classes=10)
        shapes = Shapes(["weights", "layer_gradients"])
        exporter.subscribe(shapes)
        train(model, exporter)
    assert shapes.shapes["weights", "features.3"] == (192, 64, 3, 3)
    assert shapes.shapes["layer_gradients", "features.0"] == (2, 64, 15, 15)
    assert not any(name.startswith("classifier") for _, name in shapes.shapes)
