"""What `sightline profile` says to a use that is wrong: tests/golden/refusals has each message."""

from __future__ import annotations

import pathlib

import pytest
from integration.command import Command
from integration.entry_points import entry_point
from integration.golden import assert_golden, plain

GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "refusals"
REFUSED = {
    "entry_absent": ["absent.py"],
    "entry_outside_the_root": ["../elsewhere.py"],
    "entry_is_not_python": ["notes.txt"],
    "entry_is_a_folder": ["folder"],
    "run_exists": ["entry.py", "-o", "taken.sightline"],
    "run_is_a_folder": ["entry.py", "-o", "folder"],
    "folder_absent": ["entry.py", "-o", "absent/run.sightline"],
    "folder_cannot_be_written": ["entry.py", "-o", "/proc/sys/run.sightline"],  # not by root either
    "device_is_not_here": ["entry.py", "--device", "cuda:99"],
    "device_of_no_kind": ["entry.py", "--device", "tpu"],
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_use_is_refused_in_words_of_its_own(
    name: str, sightline_program: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    project = tmp_path / "project"
    (project / "folder").mkdir(parents=True)
    files = {
        "entry.py": entry_point(),
        "notes.txt": "",
        "taken.sightline": "",
        "../elsewhere.py": "",
    }
    for path, text in files.items():
        (project / path).write_text(text)
    result = Command(sightline_program, project)("profile", *REFUSED[name])
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    assert_golden(GOLDEN / f"{name}.txt", plain(result.stderr, project))
    assert {path.name for path in project.iterdir()} == {
        "folder",
        *(path for path in files if "/" not in path),
    }


def test_every_golden_refusal_is_tried() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(REFUSED)
