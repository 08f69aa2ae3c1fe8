"""The memory that steps need, as the plan of batch sizes asks for it."""

from __future__ import annotations

import mmap

import pytest
import torch

from sightline import _memory_peaks

MB = 1_000_000


def touch_new_pages(size: int) -> None:
    """Memory that the process never had: what an allocator gives out again is resident already."""
    with mmap.mmap(-1, size) as pages:
        for offset in range(0, size, mmap.PAGESIZE):
            pages[offset] = 1


def test_a_peak_of_the_process_is_seen_and_forgotten() -> None:
    _memory_peaks.forget()
    before = _memory_peaks.since_then()
    assert (before["device_bytes"], before["device_left_bytes"]) == (0, 0)
    touch_new_pages(50 * MB)
    peak = _memory_peaks.since_then()["resident_bytes"]
    assert peak > before["resident_bytes"] + 40 * MB
    _memory_peaks.forget()
    assert _memory_peaks.since_then()["resident_bytes"] < peak - 40 * MB


def test_an_accelerator_is_asked_for_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none here: what torch would say of one is made up."""
    answers = {
        "is_available": True,
        "get_memory_info": (500 * MB, 900 * MB),
        "max_memory_reserved": 300 * MB,
        "memory_reserved": 200 * MB,
        "reset_peak_memory_stats": None,
    }
    for name, answer in answers.items():
        monkeypatch.setattr(torch.accelerator, name, lambda answer=answer: answer)
    _memory_peaks.forget()
    peaks = _memory_peaks.since_then()
    assert peaks["device_bytes"] == 300 * MB
    assert peaks["device_left_bytes"] == 700 * MB
