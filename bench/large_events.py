"""The events of one sampled step, as many as wanted, as a run file has them (docs/run-file.md)."""

from __future__ import annotations

import random
import sqlite3

STEP = 5  # the last that is sampled
NESTED = 3  # operators within each that Python called
OPERATOR, ALLOCATION, FREE = 0, 1, 2
FORWARD, BACKWARD = 0, 1
BLOCK_BYTES = 4096


def add_events(connection: sqlite3.Connection, operators: int) -> None:
    """Replaces the events of a run by those of one step with that many operators."""
    (nodes,) = connection.execute("SELECT max(id) FROM nodes").fetchone()
    (names,) = connection.execute("SELECT max(id) FROM operators").fetchone()
    (thread,) = connection.execute("SELECT id FROM threads WHERE training").fetchone()
    numbers = random.Random(operators)
    coder, at = _Coder(), 0
    outer = operators // (1 + NESTED)
    for call in range(outer):
        forward = call < outer // 2
        kind = FORWARD if forward else BACKWARD
        # The backward pass visits the lines in reverse.
        node = 1 + (call if forward else outer - 1 - call) % nodes
        took = [int(numbers.expovariate(1 / 800)) + 100 for _ in range(NESTED)]
        coder.add(OPERATOR, kind, at, sum(took) + 200, node, 1 + call % names, 0)
        at += 100
        for duration in took:
            coder.add(OPERATOR, kind, at, duration, node, 1 + numbers.randrange(names), 1)
            at += duration
        coder.add(ALLOCATION if forward else FREE, FORWARD, at, BLOCK_BYTES, node, 0, 0)
        at += 100 + int(numbers.expovariate(1 / 300))
    connection.execute("DELETE FROM events")
    connection.execute(
        "INSERT INTO events (id, step, thread, count, events) VALUES (1, ?, ?, ?, ?)",
        (STEP, thread, coder.count, bytes(coder.coded)),
    )
    peak = outer // 2 * BLOCK_BYTES * 2
    connection.execute(
        "UPDATE steps SET wall_ns = ?, evaluation_ns = 0, peak_bytes = ? WHERE step = ?",
        (at, peak, STEP),
    )


class _Coder:
    def __init__(self) -> None:
        self.coded = bytearray()
        self.count = 0
        self._start = self._node = self._op = self._depth = 0

    def add(
        self, what: int, kind: int, start: int, value: int, node: int, op: int, depth: int
    ) -> None:
        is_operator = what == OPERATOR
        expected_op, expected_depth = (self._op, self._depth) if is_operator else (0, 0)
        head = what | kind << 2
        head |= (node == self._node) << 5
        head |= (op == expected_op) << 6
        head |= (depth == expected_depth) << 7
        self.coded.append(head)
        self._varint(start - self._start)
        self._varint(value)
        if node != self._node:
            self._varint(_zigzag(node - self._node))
        if op != expected_op:
            self._varint(op)
        if depth != expected_depth:
            self._varint(_zigzag(depth - expected_depth))
        self._start, self._node = start, node
        if is_operator:
            self._op, self._depth = op, depth
        self.count += 1

    def _varint(self, value: int) -> None:
        while value >= 0x80:
            self.coded.append(value & 0x7F | 0x80)
            value >>= 7
        self.coded.append(value)


def _zigzag(value: int) -> int:
    return value * 2 if value >= 0 else -value * 2 - 1
