"""Subscribers of other packages."""

from __future__ import annotations

import pathlib
import sys

import pytest
import torch

from sightline import supervise

MODULE = """
from sightline.supervise import MetricSubscriber

loaded = True

class LargestShareSubscriber(MetricSubscriber):
    name, title = "largest_share", "Share of the largest"

    def value_of(self, message):
        magnitudes = message.data.abs()
        return float(magnitudes.max() / magnitudes.sum())
"""
POINTS = """
[sightline.subscribers]
LargestShareSubscriber = largest_share:LargestShareSubscriber
MissingSubscriber = largest_share:Nothing
"""


@pytest.fixture
def _installed(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution as pip would leave it."""
    info = tmp_path / "largest_share-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: largest-share\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    (tmp_path / "largest_share.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "largest_share", raising=False)


@pytest.mark.usefixtures("_installed")
def test_an_installed_subscriber_is_an_attribute_and_loaded_when_asked_for() -> None:
    assert "LargestShareSubscriber" in dir(supervise)
    assert "largest_share" not in sys.modules
    kind = supervise.LargestShareSubscriber
    bus = supervise.MessageBus()
    subscriber = kind("weights", bus, backend=None)
    bus.publish_module_message(0, 0, 0, "weights", (None, "m"), torch.tensor([1.0, -3.0]))
    assert list(subscriber.values) == [(0, "m", "", 0.75)]
    with pytest.raises(AttributeError):
        supervise.MissingSubscriber


def test_what_nobody_has_registered_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'LargestShareSubscriber'"):
        supervise.LargestShareSubscriber
    assert "MetricSubscriber" in dir(supervise)
    assert all(hasattr(supervise, name) for name in supervise.__all__)
