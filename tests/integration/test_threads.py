"""Other threads are reported apart and never added in."""

from __future__ import annotations

from integration.conftest import Runner

MEGABYTE = 1 << 20


def test_a_second_thread_is_reported_apart(record: Runner) -> None:
    run = record(
        """
        import threading
        import torch

        weight = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)

        def work():
            x = torch.randn(64, 64)
            for _ in range(500):
                y = torch.sigmoid(x @ x)

        thread = threading.Thread(target=work)
        thread.start()
        for _ in range(30):
            loss = (weight @ weight).sum()
            loss.backward()
            optimizer.step()
        thread.join()
        """
    )
    assert run.line("loss = (weight")["calls"] == 2
    line = run.line("y = torch.sigmoid(")  # it is there for its memory
    assert (line["calls"], line["self_ns"], line["total_ns"]) == (0, 0, 0)
    assert run.calls_per_step("aten::sigmoid") == 0
    threads = run.rows("SELECT * FROM threads WHERE id > 0")
    assert [thread["training"] for thread in threads] == [1, 0]
    (other,) = run.report["threads"]
    assert other["name"] == threads[1]["name"]
    assert other["busy_ms"] > 0
    assert other["calls"] >= 100


def test_a_backward_on_another_thread_goes_to_the_lines_of_the_forward(record: Runner) -> None:
    run = record(
        """
        import threading
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            loss = (torch.ones(8, 32) @ weight).sum()
            thread = threading.Thread(target=loss.backward)
            thread.start()
            thread.join()
            optimizer.step()
        """
    )
    assert run.report["overhead"]["drops"].get("owners", 0) == 0
    lines = run.rows(
        "SELECT DISTINCT frames.line FROM costs JOIN operators ON operators.id = op"
        " JOIN threads ON threads.id = thread JOIN nodes ON nodes.id = node"
        " JOIN frames ON frames.id = frame"
        " WHERE operators.name = 'MmBackward0' AND NOT training"
    )
    assert [row["line"] for row in lines] == [run.number_of("loss = (torch.ones")]


def test_threads_that_free_each_others_tensors_leave_no_trace(record: Runner) -> None:
    run = record(
        """
        import queue
        import threading
        import torch

        weight = torch.zeros(1024, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        weight.sum().backward()
        there, back = queue.Queue(4), queue.Queue(4)

        def answer():
            while there.get() is not None:
                back.put(torch.empty(1 << 16))

        thread = threading.Thread(target=answer)
        thread.start()
        for _ in range(40):
            for _ in range(5):
                there.put(torch.empty(1 << 16))
                back.get()
            optimizer.step()
        there.put(None)
        thread.join()
        large = torch.empty(16 << 20)
        optimizer.step()
        """
    )
    # Were a free lost, the sum at the end would be off by 256 KB.
    assert run.report["memory"]["peak_bytes"] == 4 * ((16 << 20) + 1024 + 1024)
    assert run.line("large = torch.empty")["peak_bytes"] == 64 * MEGABYTE


def test_a_second_thread_that_collects_garbage_disturbs_nothing(record: Runner) -> None:
    run = record(
        """
        import gc
        import sys
        import threading
        import torch
        from torch import nn

        sys.setswitchinterval(1e-5)
        stop = threading.Event()

        def collect():
            while not stop.is_set():
                gc.collect(0)
                sys._current_frames()

        model = nn.Sequential(*(nn.Sequential(nn.Linear(8, 8), nn.ReLU()) for _ in range(10)))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        thread = threading.Thread(target=collect)
        thread.start()
        for _ in range(8):
            model(torch.randn(4, 8)).sum().backward()
            optimizer.step()
        stop.set()
        thread.join()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 8
    assert run.module("")["calls"] == 1
    assert run.line("model(torch.randn(4, 8))")["calls"] == 23  # with randn, sum and backward's 1


def test_threads_that_come_and_go_are_all_counted(record: Runner) -> None:
    run = record(
        """
        import threading
        import torch

        weight = torch.zeros(8, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        for _ in range(30):
            threads = [threading.Thread(target=torch.ones, args=(8,)) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            weight.sum().backward()
            optimizer.step()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 30
    assert run.line("weight.sum().backward()")["calls"] == 2
