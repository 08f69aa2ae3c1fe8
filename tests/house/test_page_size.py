"""The page is in the program and in every page that is saved, so it stays small."""

from __future__ import annotations

import gzip
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "web" / "dist"
MOST_BYTES = 300_000


def test_the_page_has_less_than_300_kilobytes_when_it_is_compressed() -> None:
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    assert {"index.html", "app.js", "app.css"} <= {path.name for path in files}
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < MOST_BYTES
