"""What the tests of supervising share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sightline.supervise import Exporter


@pytest.fixture
def exporter() -> Iterator[Exporter]:
    with Exporter() as made:
        yield made
