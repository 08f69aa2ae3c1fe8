#!/usr/bin/env python3
"""Hold every #include against tools/layers.toml, and keep the picture in ARCHITECTURE.md current.

tools/check_layers.py             check; exit code 1 and one line for each thing that is wrong
tools/check_layers.py --diagram   write the picture into ARCHITECTURE.md
tools/check_layers.py --print     print the picture
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:
    sys.exit("tools/check_layers.py needs Python 3.11 or newer (it reads TOML)")

ROOT = Path(__file__).resolve().parent.parent
SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
BEGIN, END = "<!-- layers:begin -->", "<!-- layers:end -->"


@dataclass(frozen=True)
class Room:
    name: str
    folder: str
    about: str
    includes: tuple[str, ...]

    def owns(self, path: str) -> bool:
        return path.startswith(self.folder + "/")


@dataclass(frozen=True)
class Forbidden:
    folder: str
    headers: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Layers:
    rooms: tuple[Room, ...]
    forbidden: tuple[Forbidden, ...]

    def room_of(self, path: str) -> Room | None:
        return next((room for room in self.rooms if room.owns(path)), None)

    def folders(self) -> set[str]:
        return {room.folder.split("/")[0] for room in self.rooms}


def read_layers(file: Path) -> Layers:
    data = tomllib.loads(file.read_text())
    rooms = tuple(
        Room(entry["name"], entry["folder"], entry["about"], tuple(entry["includes"]))
        for entry in data["room"]
    )
    known: set[str] = set()
    for room in rooms:
        # An arrow to a room further down would allow a circle.
        for name in room.includes:
            if name not in known:
                raise ValueError(f"{file}: {room.name} includes {name}, which is not above it")
        known.add(room.name)
    forbidden = tuple(
        Forbidden(entry["folder"], tuple(entry["headers"]), entry["why"])
        for entry in data["forbidden"]
    )
    return Layers(rooms, forbidden)


def sources(root: Path, layers: Layers) -> Iterator[Path]:
    for folder in sorted(layers.folders()):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path


def check_include(layers: Layers, path: str, bracket: str, header: str) -> str | None:
    """What is wrong with this include in this file, or None."""
    for rule in layers.forbidden:
        if path.startswith(rule.folder + "/"):
            for forbidden in rule.headers:
                if header == forbidden or (
                    forbidden.endswith("/") and header.startswith(forbidden)
                ):
                    return f"{rule.folder} must not include {header}: {rule.why}"
    here, there = layers.room_of(path), layers.room_of(header)
    if here is None:
        return "this file stands in no room: add the room to tools/layers.toml, or move the file"
    if there is None:
        if bracket == '"' and "/" not in header:
            return f'write the path of "{header}" from the root of the repository'
        return None
    if there == here or there.name in here.includes:
        return None
    allowed = ", ".join(here.includes) or "no other room"
    return f"{here.name} includes {header} of {there.name}; it may include {allowed}"


def check(root: Path, layers: Layers) -> list[str]:
    wrong = []
    for file in sources(root, layers):
        path = file.relative_to(root).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if match := INCLUDE.match(line):
                problem = check_include(layers, path, match[1], match[2])
                if problem is not None:
                    wrong.append(f"{path}:{number}: {problem}")
    return wrong


def direct(layers: Layers, room: Room) -> list[str]:
    """The arrows of a room that do not follow from others."""
    by_name = {room.name: room for room in layers.rooms}
    reached = {far for near in room.includes for far in by_name[near].includes}
    return [name for name in room.includes if name not in reached]


def diagram(layers: Layers) -> str:
    def box(name: str) -> str:
        return name.replace("/", "_")

    lines = [
        "Made from `tools/layers.toml` by `tools/check_layers.py --diagram`.",
        "An arrow says what a room may include; what follows from two arrows is left out.",
        "",
        "```mermaid",
        "flowchart BT",
    ]
    lines += [f'  {box(room.name)}["{room.name}"]' for room in layers.rooms]
    lines += [
        f"  {box(room.name)} --> {box(name)}"
        for room in layers.rooms
        for name in direct(layers, room)
    ]
    lines += ["```", "", "| room | folder | what it holds | may include |", "|---|---|---|---|"]
    for room in layers.rooms:
        allowed = ", ".join(room.includes) or "nothing"
        lines.append(f"| {room.name} | `{room.folder}` | {room.about} | {allowed} |")
    return "\n".join(lines)


def with_diagram(text: str, picture: str) -> str:
    """The text of ARCHITECTURE.md with the marked block replaced."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"ARCHITECTURE.md lacks the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{picture}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diagram", action="store_true", help="write it into ARCHITECTURE.md")
    parser.add_argument("--print", action="store_true", help="print it")
    arguments = parser.parse_args()

    layers = read_layers(ROOT / "tools" / "layers.toml")
    picture = diagram(layers)
    paper = ROOT / "ARCHITECTURE.md"
    if arguments.print:
        print(picture)
        return 0
    current = paper.read_text()
    if arguments.diagram:
        paper.write_text(with_diagram(current, picture))
        return 0

    wrong = check(ROOT, layers)
    if with_diagram(current, picture) != current:
        wrong.append("ARCHITECTURE.md: the picture is old; run tools/check_layers.py --diagram")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
