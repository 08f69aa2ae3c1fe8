"""Compares the stacks that our reader sees with those that the interpreter itself reports. Run by
each interpreter in turn; needs nothing but the probe on the path given as first argument."""

import asyncio
import gc
import sys
import threading
import time

sys.path.insert(0, sys.argv[1])
import frames_probe

NATIVE = frames_probe.reader() == "native"


def public_stack():
    frame = sys._getframe(1)
    rows = []
    while frame is not None:
        code = frame.f_code
        rows.append((code.co_filename, getattr(code, "co_qualname", code.co_name), frame.f_lineno))
        frame = frame.f_back
    return rows


def check():
    (ours, truncated), theirs = frames_probe.stack(None), public_stack()
    assert not truncated
    assert [row[:3] for row in ours] == theirs, f"\n{ours[:4]}\n{theirs[:4]}"


def recursive(depth):
    if depth:
        return recursive(depth - 1)
    return check()


def generator():
    check()
    yield 1
    check()


class Module:
    def call(self, *args, **kwargs):
        return frames_probe.stack(Module.call.__code__)[0]


def test_plain():
    check()
    (lambda: check())()
    recursive(50)
    exec(compile("check()", "<typed>", "exec"), {"check": check})
    list(generator())
    [check() for _ in range(2)]
    sorted([2, 1], key=lambda _: check() or 0)


def test_asyncio():
    async def inner():
        await asyncio.sleep(0)
        check()

    asyncio.run(inner())


def test_modules():
    module = Module()
    calls = set()
    for _ in range(3):
        row = next(row for row in module.call(1, key=2) if row[3] is not None)
        assert row[3] is module
        calls.add(row[4])
    assert len(calls) == (3 if NATIVE else 1)


class Chain:
    def __init__(self, *inner):
        self.inner = inner

    def call(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args, **kwargs):
        frames_probe.stack(Chain.call.__code__)
        not_read = [frames_probe.frames_not_read()]
        for inner in self.inner:
            not_read += inner.call(*args, **kwargs)
        frames_probe.stack(Chain.call.__code__)
        return [*not_read, frames_probe.frames_not_read()]


def test_open_calls():
    outside = len(public_stack())
    chain = Chain(Chain(Chain()), Chain())
    for _ in range(3):
        # Nothing that ran before is open when the outermost begins. Each of the others then has
        # what is around the call that it is in, and on the way back what is around itself.
        expected = [0, *[outside + d for d in (0, 2, 4, 2, 0, 2, 0)]] if NATIVE else [0] * 8
        assert chain.call(key=1) == expected


def test_deep():
    sys.setrecursionlimit(3000)

    def down(depth):
        return down(depth - 1) if depth else frames_probe.stack(None)

    frames, truncated = down(1000)
    assert truncated and len(frames) == 512


def test_threads():
    stop = time.monotonic() + 2
    problems = []

    def work():
        try:
            while time.monotonic() < stop:
                test_plain()
        except BaseException as error:
            problems.append(error)

    def collect():
        while time.monotonic() < stop:
            gc.collect()
            sys._current_frames()

    threads = [threading.Thread(target=work) for _ in range(3)]
    threads.append(threading.Thread(target=collect))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems, problems


for test in (test_plain, test_asyncio, test_modules, test_open_calls, test_deep, test_threads):
    test()
print("frames agree:", sys.version.split()[0], frames_probe.reader())
