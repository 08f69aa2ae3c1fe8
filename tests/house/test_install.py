"""`pip install .` and `pip install -e .`, as the README says, give a package that works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import venv
from collections.abc import Iterable
from pathlib import Path

import pytest
import torch

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()
PACKAGES = Path(sysconfig.get_path("platlib"))
SECONDS = 1200

SCRIPT = """
import sys, torch
weight = torch.ones(8, 8, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=0.1)
for _ in range(6): weight.sum().backward(), optimizer.step()
print(sys.prefix)
"""


class Workshop:
    """A copy of the work tree, and an environment that has no sightline yet. It has the shape of
    the original, so that the compiler's cache knows everything already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tree = folder / "tree"
        self.environment = self.tree / ".venv"
        copy_work_tree(self.tree)
        others = [path.name for path in PACKAGES.iterdir() if "sightline" not in path.name]
        make_environment(self.environment, others)

    @property
    def program(self) -> Path:
        return self.environment / "bin" / "sightline"

    @property
    def python(self) -> Path:
        return self.environment / "bin" / "python"

    def run(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        hidden = ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH")
        variables = {name: value for name, value in os.environ.items() if name not in hidden}
        # torch's headers need much memory to compile: no more compilers than cores.
        variables.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        variables |= {"CCACHE_BASEDIR": str(self.tree), "CCACHE_NOHASHDIR": "1"}
        return subprocess.run(
            command,
            cwd=self.tree,
            env=variables,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def install(self, *what: str) -> str:
        """Installs in place of what was there; returns what pip says."""
        pip = (self.python, "-m", "pip", "--disable-pip-version-check")
        self.run(*pip, "uninstall", "-y", "sightline")
        assert not self.program.exists()
        result = self.run(*pip, "install", "-v", "--no-build-isolation", "--no-deps", *what)
        assert result.returncode == 0, (result.stdout + result.stderr)[-8000:]
        return result.stdout + result.stderr


def copy_work_tree(to: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)


def make_environment(folder: Path, packages: Iterable[str]) -> None:
    """Whose packages' files are links to those of ours: they are large."""
    venv.create(folder, with_pip=False, symlinks=True)
    (own,) = folder.glob("lib/python*/site-packages")
    for name in packages:
        original = PACKAGES / name
        if original.is_dir():
            shutil.copytree(original, own / name, copy_function=link_or_copy, symlinks=True)
        else:
            link_or_copy(str(original), str(own / name))


def link_or_copy(original: str, copy: str) -> None:
    try:
        os.link(original, copy)
    except OSError:  # another file system
        shutil.copy2(original, copy)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("install"))


# Both build in the same folder, so that only the first compiles.
@pytest.fixture(scope="module", params=[(".",), ("-e", ".")], ids=["plain", "editable"])
def installed(workshop: Workshop, request: pytest.FixtureRequest) -> tuple[Workshop, str]:
    return workshop, workshop.install(*request.param)


def test_pip_says_what_is_compiled_against_which_torch(installed: tuple[Workshop, str]) -> None:
    _, said = installed
    line = f"sightline: the torch collector is built against torch {torch.__version__}"
    assert any(said_line.strip().endswith(line) for said_line in said.splitlines()), said[-8000:]


def test_the_installed_program_says_the_version(installed: tuple[Workshop, str]) -> None:
    workshop, _ = installed
    shown = workshop.run(workshop.program, "--version")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.split()[-1] == VERSION


def test_the_package_is_read_from_where_it_was_installed(
    installed: tuple[Workshop, str], request: pytest.FixtureRequest
) -> None:
    workshop, _ = installed
    where = "import sightline, sightline._core; print(sightline.__file__, sightline._core.__file__)"
    shown = workshop.run(workshop.python, "-c", where)
    assert shown.returncode == 0, shown.stderr
    package, engine = map(Path, shown.stdout.split())
    is_editable = "editable" in request.node.name
    assert package.is_relative_to(workshop.tree if is_editable else workshop.environment)
    assert engine.is_relative_to(workshop.environment)


def test_a_training_script_is_recorded_with_the_environments_python(
    installed: tuple[Workshop, str], tmp_path: Path
) -> None:
    workshop, _ = installed
    (tmp_path / "train.py").write_text(SCRIPT)
    run = tmp_path / "train.sightline"
    trained = workshop.run(
        *(workshop.program, "run", "-o", run, "--root", tmp_path, tmp_path / "train.py")
    )
    assert trained.returncode == 0, trained.stderr
    assert trained.stdout.split() == [str(workshop.environment)]
    report = workshop.run(workshop.program, "report", run)
    assert report.returncode == 0, report.stderr
    assert "weight.sum().backward()" in report.stdout


def test_the_doctor_is_content(installed: tuple[Workshop, str]) -> None:
    workshop, _ = installed
    result = workshop.run(workshop.program, "doctor")
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"at {workshop.python}" in result.stdout


def test_without_torch_the_build_says_that_the_collector_is_missing(workshop: Workshop) -> None:
    bare = workshop.folder / "bare"
    make_environment(bare, ["nanobind"])
    configured = workshop.run(
        *("cmake", "-S", workshop.tree, "-B", workshop.folder / "configured", "-G", "Ninja"),
        *("-DSIGHTLINE_PYTHON=ON", f"-DPython_EXECUTABLE={bare / 'bin' / 'python'}"),
    )
    assert configured.returncode == 0, configured.stderr
    said = " ".join(configured.stdout.split())
    assert "the torch collector is NOT built. Install torch, then install sightline again." in said
