"""The interactive page: a save and its numbers, hover, drag, zoom, a large run, many clients."""

from __future__ import annotations

import asyncio
import pathlib
import shutil
import statistics
import tempfile
import time
from typing import Any

import audience
from batch_sizes import ENTRY_POINTS
from large_runs import add_batch_sizes, make_run
from results import Result
from served import PROGRAM, Browser, Server

ROUNDS = 9
ROUNDS_QUICK = 3
HOVER_NODES = 2_000
MIDDLING = "middling.sightline"
HOVERS = 400
DRAGS = 3
DRAG_MOVES = 200
LARGE_NODES = 20_000
EVENTS = 200_000
ZOOMS = 100
CLIENTS = 200
SAVES = 5


def measure(quick: bool) -> list[Result]:
    rounds = ROUNDS_QUICK if quick else ROUNDS
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        home = pathlib.Path(folder)
        return [
            *saved_to_drawn(home, browser, rounds),
            hover(home, browser, HOVERS // (4 if quick else 1)),
            *drag(home, browser, DRAG_MOVES // (4 if quick else 1)),
            zoom(home, browser, ZOOMS // (4 if quick else 1)),
            opened(home, browser, rounds),
            *many_clients(home, 2 if quick else SAVES),
        ]


def saved_to_drawn(home: pathlib.Path, browser: Browser, rounds: int) -> list[Result]:
    with interactive(home / "saves") as server:
        browser.ask("open", address=server.address)
        browser.ask("done")
        answers = []
        for number in range(rounds):
            text = (ENTRY_POINTS / "fifty_ms.py").read_text() + f"# {number}\n"
            path = str(server.folder / "fifty_ms.py")
            answers.append(browser.ask("save", path=path, text=text))
            assert not answers[-1]["cached"]
            browser.ask("done")
        resident = server.resident_mb()
    rests = [(answer["drawn_ms"] - steps_ms(answer)) / 1e3 for answer in answers]
    wholes = [answer["drawn_ms"] / 1e3 for answer in answers]
    draws = [answer["drawn_ms"] - answer["came_ms"] for answer in answers]
    typical = sorted(answers, key=lambda answer: answer["drawn_ms"])[len(answers) // 2]
    return [
        Result(
            "a save to the new breakdown on the page, without the steps measured",
            statistics.median(rests),
            "s",
            bar=0.5,
            note=f"the median of {rounds}, {spread(rests)}; the page took"
            f" {statistics.median(draws):.0f} ms to draw it; {course(typical)}",
        ),
        Result(
            "the same in all, with a step of 50 ms",
            statistics.median(wholes),
            "s",
            bar=1.5,
            note=f"{spread(wholes)}; {typical['iteration']['steps']} steps of"
            f" {typical['iteration']['wall_ms']:.1f} ms were counted",
        ),
        Result("resident memory of the server, when an analysis is done", resident, "MB", bar=20),
    ]


def steps_ms(answer: dict[str, Any]) -> float:
    return float(answer["iteration"]["steps"] * answer["iteration"]["wall_ms"])


def spread(values: list[float]) -> str:
    return f"from {min(values):.2f} to {max(values):.2f}"


def course(answer: dict[str, Any]) -> str:
    """When each state began, in milliseconds after the save."""
    begins: dict[str, float] = {}
    for state in answer["states"]:
        begins.setdefault(state["state"], state["ms"])
    told = ", ".join(f"{name} at {ms:.0f}" for name, ms in begins.items())
    return f"{told}, breakdown at {answer['came_ms']:.0f} ms"


def script_time(what: str, times: list[float], bar: float, more: str = "") -> Result:
    ranked = sorted(times)
    return Result(
        what,
        statistics.median(ranked),
        "ms",
        bar=bar,
        note=f"the median of {len(ranked)}; 95 % took at most"
        f" {ranked[int(0.95 * len(ranked))]:.1f} ms{more}",
    )


def hover(home: pathlib.Path, browser: Browser, moves: int) -> Result:
    run = home / MIDDLING
    make_run(PROGRAM, run, HOVER_NODES)
    with Server(home / "hover", home, "view", str(run)) as server:
        browser.ask("open", address=server.address)
        nodes = browser.ask("nodes")
        times = browser.ask("hover", moves=moves)
    return script_time(f"a hover on a tree of {nodes:,} nodes, script time", times, bar=8)


def drag(home: pathlib.Path, browser: Browser, moves: int) -> list[Result]:
    """On the run that `hover` has made."""
    run = home / MIDDLING
    add_batch_sizes(run)
    with Server(home / "drag", home, "view", str(run)) as server:
        browser.ask("open", address=server.address)
        nodes = browser.ask("nodes")
        answers = [browser.ask("drag", moves=moves) for _ in range(DRAGS)]
    # What else the machine does makes frames longer, never shorter: the best drag counts.
    longest = sorted(answer["frame_ms"] for answer in answers)
    return [
        script_time(
            f"a drag on a tree of {nodes:,} nodes, script time of a move, cards and icicles",
            [time for answer in answers for time in answer["script_ms"]],
            bar=8,
        ),
        Result(
            "the longest time between two frames of it",
            longest[0],
            "ms",
            bar=50,
            note=f"the least of {DRAGS} drags; the worst had one of {longest[-1]:.0f} ms",
        ),
    ]


def zoom(home: pathlib.Path, browser: Browser, steps: int) -> Result:
    run = home / "events.sightline"
    make_run(PROGRAM, run, HOVER_NODES, operators=EVENTS)
    with Server(home / "zoom", home, "view", str(run)) as server:
        browser.ask("open", address=server.address)
        events = browser.ask("timeline", events=EVENTS)
        times = browser.ask("zoom", steps=steps)
    return script_time(
        f"timeline with {events['count']:,} events: zoom step script time",
        times,
        bar=33,
        more=f"; the timeline was there {events['ms'] / 1e3:.2f} s after the click",
    )


def opened(home: pathlib.Path, browser: Browser, rounds: int) -> Result:
    run = home / "large.sightline"
    make_run(PROGRAM, run, LARGE_NODES)
    starts, pages, note = [], [], ""
    for number in range(rounds):
        began = time.perf_counter()
        with Server(home / f"view{number}", home, "view", str(run)) as server:
            starts.append(time.perf_counter() - began)
            answer = browser.ask("open", address=server.address)
            pages.append(answer["usable_ms"] / 1e3)
            result = [entry for entry in answer["measures"] if entry["name"].startswith("result")]
            if result:
                note = f"; the result was asked for at {result[-1]['start_ms']:.0f} ms"
                note += f" and there at {result[-1]['end_ms']:.0f} ms"
            nodes = browser.ask("nodes")
    return Result(
        f"view of a run with {nodes:,} nodes, from the start of the server to a usable page",
        statistics.median([start + page for start, page in zip(starts, pages, strict=True)]),
        "s",
        bar=1,
        note=f"the median of {rounds}; the server starts in {statistics.median(starts):.2f} s,"
        f" the page takes {statistics.median(pages):.2f} s, {spread(pages)}{note}",
    )


def many_clients(home: pathlib.Path, saves: int) -> list[Result]:
    with interactive(home / "clients") as server:
        path = server.folder / "fifty_ms.py"
        text = path.read_text()
        wait_until_done(server)
        clients = asyncio.run(
            audience.gather(
                server.address,
                CLIENTS,
                lambda number: path.write_text(f"{text}# {number}\n") and None,
                saves,
            )
        )
        resident = server.resident_mb()
    newest = saves + 1
    came = [at for client in clients if (at := client.breakdown_of(newest)) is not None]
    spread_ms = 1e3 * (max(came) - min(came)) if came else float("nan")
    return [
        Result(
            f"{CLIENTS} clients: messages that one got and another did not",
            audience.lost(clients),
            "",
            bar=0,
            note=f"{len(clients[0].told)} messages to each in {saves} analyses; the breakdown came"
            f" to the last {spread_ms:.0f} ms after the first;"
            f" then the server had {resident:.1f} MB",
        ),
        Result(
            f"{CLIENTS} clients: those that do not have the newest result",
            sum(not client.is_done(newest) for client in clients),
            "",
            bar=0,
        ),
    ]


def interactive(home: pathlib.Path) -> Server:
    folder = home / "project"
    folder.mkdir(parents=True)
    shutil.copy(ENTRY_POINTS / "fifty_ms.py", folder)
    return Server(home, folder, "interactive", "fifty_ms.py", "--no-throughput")


def wait_until_done(server: Server) -> None:
    async def one() -> None:
        client = audience.Client()
        task = asyncio.create_task(client.listen(server.address, asyncio.Event()))
        while not client.is_done(1):
            await asyncio.sleep(0.1)
        task.cancel()

    asyncio.run(asyncio.wait_for(one(), audience.PATIENCE_S))
