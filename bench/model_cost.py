"""What a model costs, counted: whether it is right, and what counting adds to a forward call."""

from __future__ import annotations

import contextlib
import gc
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pairs
import worker
from results import Result

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = ROOT / "build" / "peers"  # `make bench` puts them there

# The architectures whose cost is derived by hand are those of the tests.
sys.path.append(str(ROOT / "tests"))

NINETEEN = (
    *("resnet18_cifar", "resnet50", "vgg16", "mobilenet_v2", "lstm", "bidirectional_lstm"),
    *("attention_block", "multi_head_attention", "transformer_encoder", "functional"),
    *("functional_products", "up_and_down", "tied", "bert_base", "bert_base_eager", "gpt2"),
    *("t5_small", "vit_base", "swin_tiny"),
)
TIMED = ("resnet50", "bert_base", "swin_tiny", "t5_small")
ROUNDS, ROUNDS_QUICK = 25, 7

MOST_ADDED = 0.25  # of a plain forward call
PEER_ADDS = 0.10  # where a peer adds more, it is not to be passed either

MOBILENET_RATIO = 2.964  # three, but for the gradient of the image
SEVEN_BILLION_S = 3.0
SEVEN_BILLION_MB = 500.0
IMPORT_MS = 100.0
IMPORTS = 11


def measure(quick: bool) -> list[Result]:
    return [
        _exact(),
        _mobilenet(),
        *(_added(name, ROUNDS_QUICK if quick else ROUNDS) for name in TIMED),
        *_seven_billion(),
        _import_time(),
    ]


def _exact() -> Result:
    wrong = worker.call("model_cost", "wrong_counts")
    return Result(
        "architectures counted to the unit in every mode",
        float(len(NINETEEN) - len(wrong)),
        "",
        bar=float(len(NINETEEN)),
        at_least=True,
        note="train and eval, with gradients and without" + (f"; wrong: {wrong}" if wrong else ""),
    )


def _mobilenet() -> Result:
    ratio = worker.call("model_cost", "mobilenet_ratio")
    return Result(
        "MobileNetV2, forward and backward over forward: off by",
        abs(ratio / MOBILENET_RATIO - 1),
        "",
        bar=0.001,
        note=f"{ratio:.4f}, derived by hand {MOBILENET_RATIO}; torch's FlopCounterMode says 20.41",
    )


def _added(name: str, rounds: int) -> Result:
    ms = worker.call("model_cost", "forward_times", name=name, rounds=rounds)
    plain = ms.pop("plain")
    added = {
        way: pairs.median([ratio - 1 for ratio in pairs.paired_ratios(times, plain)])
        for way, times in ms.items()
    }
    ours = added.pop("counted")
    bar = min([MOST_ADDED, *(one.value for one in added.values() if one.value > PEER_ADDS)])
    return Result(
        f"{name}: time that a full count adds to a forward call",
        ours.value,
        "x",
        bar=bar,
        peer=", ".join(f"{peer} {one.value:.3f} x" for peer, one in added.items()),
        note=f"{ours.note('pairs')}; a forward call takes {statistics.median(plain):.1f} ms",
    )


def _seven_billion() -> list[Result]:
    told = worker.call("model_cost", "seven_billion")
    note = f"{told['macs']:,} multiply-accumulates of 512 tokens, off by {told['off']:,}"
    return [
        Result("7B Llama without data: multiply-accumulates off by", told["off"], "", bar=0.0),
        Result("7B Llama without data: a count", told["seconds"], "s", SEVEN_BILLION_S, note=note),
        Result("7B Llama without data: memory", told["megabytes"], "MB", SEVEN_BILLION_MB),
    ]


def _import_time() -> Result:
    program = "import time; t = time.perf_counter(); import sightline, sys; "
    program += "print((time.perf_counter() - t) * 1000); assert 'torch' not in sys.modules"
    runs = [subprocess.check_output([sys.executable, "-c", program]) for _ in range(IMPORTS)]
    times = [float(text) for text in runs]
    # The fastest: whatever else runs can only add to it.
    return Result("import sightline", min(times), "ms", bar=IMPORT_MS, note=f"best of {IMPORTS}")


# What follows runs in processes of its own.


def wrong_counts() -> list[str]:
    import torch

    from sightline import measure as measuring

    wrong = []
    for name in NINETEEN:
        # The weights of VGG-16 would take longer to make than all others to count.
        model, inputs, keywords, truth = _architecture(name, "meta" if name == "vgg16" else "cpu")
        for training in (False, True):
            for grad in (False, True):
                with torch.set_grad_enabled(grad):
                    counted = measuring.count(model.train(training), *inputs, **keywords)
                if counted.macs.forward != truth or counted.uncounted:
                    wrong.append(f"{name} ({training=}, {grad=})")
    return wrong


def mobilenet_ratio() -> float:
    from sightline import measure as measuring

    model, inputs, keywords, _ = _architecture("mobilenet_v2", "cpu")
    macs = measuring.count(model.eval(), *inputs, backward=True, **keywords).macs
    return (macs.forward + macs.backward) / macs.forward


def forward_times(name: str, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of the one thread that works: who else uses the machine counts little. Plain,
    counted by us and counted by the peers take turns."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    from sightline import measure as measuring

    sys.path.append(str(PEERS))
    os.environ["DS_ACCELERATOR"] = "cpu"
    from deepspeed.profiling.flops_profiler import FlopsProfiler

    torch.set_num_threads(1)
    model, inputs, keywords, _ = _architecture(name, "cpu")
    model.eval()

    def by_torch() -> None:
        with FlopCounterMode(display=False):
            model(*inputs, **keywords)

    def by_deepspeed() -> None:
        profiler = FlopsProfiler(model)
        profiler.start_profile()
        model(*inputs, **keywords)
        profiler.stop_profile()
        profiler.get_total_macs()
        profiler.end_profile()

    ways: dict[str, Callable[[], Any]] = {
        "plain": lambda: model(*inputs, **keywords),
        "counted": lambda: measuring.count(model, *inputs, **keywords),
        "FlopCounterMode": by_torch,
        "DeepSpeed": by_deepspeed,
    }
    ms: dict[str, list[float]] = {way: [] for way in ways}
    with torch.no_grad(), _garbage_kept():
        for call in ways.values():
            call()
        for turn in range(rounds):
            order = list(ways) if turn % 2 == 0 else list(reversed(ways))
            for way in order:
                start = time.thread_time()
                ways[way]()
                ms[way].append((time.thread_time() - start) * 1000)
    return ms


def seven_billion() -> dict[str, float]:
    import torch
    import transformers
    from measure.test_seven_billion import TOKENS, TRUTH

    from sightline import measure as measuring

    config = transformers.LlamaConfig(attn_implementation="eager")
    measuring.count(torch.nn.Linear(2, 2), torch.zeros(1, 2))
    before = _peak_megabytes()
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config).eval()
        tokens = torch.zeros(1, TOKENS, dtype=torch.long)
    start = time.perf_counter()
    with torch.no_grad():
        counted = measuring.count(model, tokens)
    return {
        "seconds": time.perf_counter() - start,
        "megabytes": _peak_megabytes() - before,
        "macs": counted.macs.forward,
        "off": abs(counted.macs.forward - TRUTH),
    }


def _architecture(name: str, device: str) -> tuple[Any, list[Any], dict[str, Any], int]:
    import torch
    from measure.models import MODELS, TRANSFORMERS

    make, make_inputs, truth = (MODELS | TRANSFORMERS)[name]
    with torch.device(device):
        model, inputs = make(), make_inputs()
    return (model, inputs, {}, truth) if isinstance(inputs, list) else (model, [], inputs, truth)


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


@contextlib.contextmanager
def _garbage_kept() -> Any:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
