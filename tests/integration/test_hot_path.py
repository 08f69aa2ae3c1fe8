"""In the steady state a recorded step costs no Python call, no allocation and no mutex of ours,
from its first line to the end of the optimizer. The end of a step is not counted: some hand over
what has changed."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

COUNTER = pathlib.Path(__file__).with_name("count_calls.c")

PROGRAM = '''
import ctypes
import json
import os
import sightline
import torch
from torch import nn

counter = ctypes.CDLL(os.environ["LD_PRELOAD"])
torch.set_num_threads(1)
model = nn.Sequential(
    nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 36, 10)
)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
images, labels = torch.randn(4, 3, 8, 8), torch.randint(10, (4,))
# So many operators that in a table of their names some must get into each other's way.
special = """
    airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 digamma entr erf erfc erfcx erfinv exp2 expit
    expm1 gammaln i0 i0e i1 i1e log1p log_ndtr logit modified_bessel_i0 modified_bessel_i1
    modified_bessel_k0 modified_bessel_k1 ndtr ndtri psi round scaled_modified_bessel_k0
    scaled_modified_bessel_k1 sinc spherical_bessel_j0
"""
plain = """
    abs acos acosh all amax amin angle any argmax argmin argsort argwhere asin asinh atan atanh ceil
    celu clone conj_physical cos cosh count_nonzero deg2rad detach diag_embed diagonal diagonal_copy
    diff exp flatten fliplr flipud floor frac hardshrink histc isfinite isinf isnan isneginf
    isposinf log log10 log2 logical_not max mean median min nan_to_num nanmean nanmedian nansum neg
    nonzero ones_like positive prod rad2deg rand_like reciprocal relu rot90 rsqrt selu sgn sigmoid
    sign signbit sin sinh slice_copy square squeeze squeeze_copy std sum tan tanh tril triu trunc
"""
functions = [getattr(torch.special, name) for name in special.split()]
functions += [getattr(torch, name) for name in plain.split()]
counts = []
# Called before Sightline's, which is one for all optimizers.
optimizer.register_step_post_hook(lambda *_: counter.stop_counting())


def step(model, counted):
    entries = collector.interpreter_entries()
    libraries = counter.start_counting() if counted else 0
    optimizer.zero_grad()
    for function in functions:
        function(images)
    loss = nn.functional.cross_entropy(model(images), labels)
    loss.backward()
    optimizer.step()
    if counted:
        counts.append({
            "libraries": libraries,
            "python": collector.interpreter_entries() - entries,
            "allocations": counter.counted_allocations(),
            "locks": counter.counted_locks(),
        })


with sightline.record("own.sightline"):
    collector = sightline._torch
    collector.set_unobserved_steps(False)
    for number in range(25):
        step(model, counted=number >= 20)
    step(nn.Sequential(model, nn.Dropout()), counted=True)
print(json.dumps(counts))
'''

Counts = dict[str, int]


@pytest.fixture(scope="module")
def counts(tmp_path_factory: pytest.TempPathFactory) -> list[Counts]:
    """Of five steps like those before, and of one with a module that was never called before."""
    folder = tmp_path_factory.mktemp("hot_path")
    library = folder / "count_calls.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", COUNTER, "-o", library], check=True)
    (folder / "program.py").write_text(PROGRAM)
    result = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    counted: list[Any] = json.loads(result.stdout)
    assert len(counted) == 6
    return counted


def test_a_steady_step_makes_no_python_call_no_allocation_and_takes_no_mutex(
    counts: list[Counts],
) -> None:
    none = {"libraries": 2, "python": 0, "allocations": 0, "locks": 0}
    assert counts[:-1] == [none] * 5


def test_the_counter_sees_what_a_new_module_costs(counts: list[Counts]) -> None:
    assert all(count > 0 for count in counts[-1].values()), counts[-1]
