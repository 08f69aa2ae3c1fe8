"""One analysis, in a process of its own: loads an entry point, then does what the native program
asks for, step by step. What to measure, and when it is enough, is decided there."""

from __future__ import annotations

import time
from typing import Any

from sightline import _device, _memory_peaks, _recording
from sightline._channel import Channel
from sightline._entry_point import EntryPoint
from sightline._stages import Stages
from sightline._user_file import EntryError


def serve(channel: Channel, request: dict[str, Any]) -> None:
    try:
        _Analysis(channel, request).serve()
    except EntryError as error:
        channel.send("failed", **error.facts)
    except OSError as error:  # the run file
        channel.send("failed", kind="recording_failed", text=str(error), file="", line=0)


class _Analysis:
    def __init__(self, channel: Channel, request: dict[str, Any]) -> None:
        self._channel = channel
        self._stages = Stages(channel, request)
        self._recording = _recording.Recording(
            request["path"],
            root=request["root"],
            include=request["include"],
            keep_source=request["keep_source"],
            command=request["command"],
        )
        if not request["observe"]:
            self._recording.observe_memory_only()
        self._stages.begin("entry")
        device = _device.use(request["device"])
        self._entry = EntryPoint(request["entry"], request["root"], device=device)
        self._stages.begin("model")
        self._model = self._entry.model()
        self._prepare(request["batch_size"] or self._entry.default_batch_size)

    def serve(self) -> None:
        while (request := self._channel.receive()) is not None:
            if request["do"] == "stop":
                self._recording.stop()
                self._channel.send("stopped")
                return
            self._run_steps(request["count"])

    def _prepare(self, batch_size: int) -> None:
        self._stages.begin("inputs")
        self._recording.tell_batch_size(batch_size)
        inputs = self._entry.inputs(batch_size)
        self._stages.begin("iteration")
        self._iterate = self._entry.iteration(self._model, inputs)
        self._stages.rest()
        self._channel.send("ready", batch_size=batch_size)

    def _run_steps(self, count: int) -> None:
        walls, peaks = [], []
        _memory_peaks.forget()
        self._stages.begin("steps")
        for _ in range(count):
            start = time.perf_counter_ns()
            self._entry.call(self._iterate)
            walls.append(time.perf_counter_ns() - start)
            peaks.append(self._recording.step_peak_bytes())
            _recording.step()
        self._stages.rest()
        self._channel.send("steps", wall_ns=walls, peak_bytes=peaks, **_memory_peaks.since_then())
