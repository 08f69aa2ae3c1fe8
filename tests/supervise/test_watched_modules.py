"""Which modules are watched, and under which names."""

from __future__ import annotations

import pytest
from torch import Tensor, nn

from sightline.supervise import Exporter


class Nested(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 2, 1)
        self.body = nn.Sequential(nn.Sequential(nn.Linear(2, 2), nn.ReLU()), nn.Dropout())
        self.attention = nn.MultiheadAttention(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        return x


@pytest.mark.parametrize(
    ("depth", "names"),
    [
        (0, [""]),
        (1, ["stem", "body", "attention"]),
        (2, ["stem", "body.0", "body.1", "attention", "attention.out_proj"]),
        (-1, ["stem", "body.0.0", "body.0.1", "body.1", "attention", "attention.out_proj"]),
    ],
)
def test_depth_says_how_far_down_modules_are_watched(depth: int, names: list[str]) -> None:
    model = Nested()
    with Exporter(depth) as exporter:
        exporter.set_model(model)
        exporter.add_modules(model)
        assert [name for _, name in exporter.named_modules] == names
        assert exporter.modules == [model.get_submodule(name) for name in names]


def test_a_filter_takes_only_its_classes() -> None:
    with Exporter(module_filter=[nn.Linear]) as exporter:
        exporter.add_modules(("net", Nested()))
        assert [name for _, name in exporter.named_modules] == [
            "net.body.0.0",
            "net.attention.out_proj",
        ]


def test_names_are_given_found_or_made() -> None:
    with Exporter() as exporter:
        first, second, third = nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()
        assert exporter(first) is first
        exporter(second)
        exporter.add_modules(("gate", third), recursive=False)
        assert [name for _, name in exporter.named_modules] == ["Linear", "Linear_1", "gate"]
        exporter.set_model(nn.Sequential(first, third))
        assert [name for _, name in exporter.named_modules] == ["0", "Linear", "gate"]
