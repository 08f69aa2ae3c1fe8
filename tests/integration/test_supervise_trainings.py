"""Real trainings under supervision: the same bits as without, and what a step is for each."""

from __future__ import annotations

import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import textwrap
import time

import pytest
from integration.command import Command
from integration.conftest import Runner

SUPERVISED = """
import hashlib
import torch
import torch.nn.functional as F
from torch import nn

if SUPERVISE:
    from sightline import _recording
    recording = _recording.Recording("own.sightline")
    recording.supervise(full=True, budget_percent=1e6)


def finish(*models):
    if SUPERVISE:
        recording.stop()
    digest = hashlib.sha256()
    for model in models:
        for name, value in model.state_dict().items():
            digest.update(name.encode() + value.numpy().tobytes())
    print(digest.hexdigest(), torch.rand(1).item())


torch.manual_seed(0)
"""

TRAININGS = {
    "alexnet": """
        class AlexNetMini(nn.Module):
            def __init__(self):
                super().__init__()
                self.features = nn.Sequential(
                    nn.Conv2d(3, 8, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2),
                    nn.Conv2d(8, 16, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2))
                self.classifier = nn.Sequential(
                    nn.Dropout(), nn.Linear(16 * 7 * 7, 32), nn.ReLU(inplace=True),
                    nn.Linear(32, 10))

            def forward(self, x):
                return self.classifier(self.features(x).flatten(1))

        model = AlexNetMini()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        for _ in range(4):
            loss = F.cross_entropy(model(torch.randn(4, 3, 32, 32)), torch.randint(0, 10, (4,)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        finish(model)
    """,
    "resnet": """
        class Block(nn.Module):
            def __init__(self, planes):
                super().__init__()
                self.conv1 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
                self.bn1 = nn.BatchNorm2d(planes)
                self.conv2 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
                self.bn2 = nn.BatchNorm2d(planes)

            def forward(self, x):
                return F.relu(self.bn2(self.conv2(F.relu_(self.bn1(self.conv1(x))))) + x)

        model = nn.Sequential(
            nn.Conv2d(3, 8, 3), Block(8), Block(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
            nn.Linear(8, 10))
        optimizer = torch.optim.AdamW(model.parameters())
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
        for step in range(4):
            F.cross_entropy(model(torch.randn(4, 3, 16, 16)), torch.randint(0, 10, (4,))).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad(set_to_none=step % 2 == 0)
            model.eval()
            with torch.no_grad():
                model(torch.randn(2, 3, 16, 16))
            model.train()
        finish(model)
    """,
    "lstm": """
        class Tagger(nn.Module):
            def __init__(self):
                super().__init__()
                self.embedding = nn.Embedding(20, 8, sparse=True)
                self.lstm = nn.LSTM(8, 8, num_layers=2, dropout=0.1)
                self.cell = nn.GRUCell(8, 8)
                self.head = nn.Linear(8, 20)

            def forward(self, x):
                out, (hidden, _) = self.lstm(self.embedding(x))
                state = hidden[-1]
                for position in out:
                    state = self.cell(position, state)
                return self.head(state)

        model = Tagger()
        dense = [p for n, p in model.named_parameters() if not n.startswith("embedding")]
        sparse = torch.optim.SparseAdam(list(model.embedding.parameters()))
        optimizers = [torch.optim.SGD(dense, lr=0.1), sparse]
        for _ in range(4):
            loss = F.cross_entropy(model(torch.randint(0, 20, (7, 3))), torch.randint(0, 20, (3,)))
            for optimizer in optimizers:
                optimizer.zero_grad()
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
        finish(model)
    """,
    "gpt2": """
        from transformers import GPT2Config, GPT2LMHeadModel

        model = GPT2LMHeadModel(
            GPT2Config(vocab_size=50, n_positions=16, n_embd=16, n_layer=2, n_head=2))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        model.train()
        for _ in range(2):  # two batches a step
            for _ in range(2):
                tokens = torch.randint(0, 50, (2, 16))
                model(input_ids=tokens, labels=tokens).loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        finish(model)
    """,
    "vit": """
        from transformers import ViTConfig, ViTForImageClassification

        model = ViTForImageClassification(ViTConfig(
            hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
            image_size=16, patch_size=8, num_labels=4))
        optimizer = torch.optim.Adam(model.parameters())
        model.train()
        for _ in range(3):
            loss = model(torch.randn(2, 3, 16, 16), labels=torch.randint(0, 4, (2,))).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        finish(model)
    """,
    "gan": """
        generator = nn.Sequential(
            nn.Linear(4, 16), nn.LeakyReLU(0.2, True), nn.Linear(16, 8), nn.Tanh())
        critic = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2, True), nn.Linear(16, 1))
        g = torch.optim.Adam(generator.parameters(), lr=1e-3)
        c = torch.optim.Adam(critic.parameters(), lr=1e-3)
        for _ in range(4):
            fake = generator(torch.randn(8, 4))
            real = torch.randn(8, 8)
            loss = critic(fake.detach()).mean() - critic(real).mean()
            c.zero_grad()
            loss.backward()
            c.step()
            g.zero_grad()
            (-critic(fake).mean()).backward()
            g.step()
        finish(generator, critic)
    """,
}


def program(name: str, supervise: bool) -> str:
    return SUPERVISED.replace("SUPERVISE", str(supervise)) + textwrap.dedent(TRAININGS[name])


@pytest.mark.parametrize("name", TRAININGS)
def test_a_supervised_training_has_the_same_bits(
    run_program: Runner, tmp_path: pathlib.Path, name: str
) -> None:
    bare = run_program(program(name, supervise=False))
    watched = run_program(program(name, supervise=True))
    assert bare.exit_code == 0, bare.stderr
    assert watched.exit_code == 0, watched.stderr
    assert watched.stdout == bare.stdout
    assert "supervising has ended" not in watched.stderr
    with sqlite3.connect(tmp_path / "own.sightline") as database:
        topics = {row[0] for row in database.execute("SELECT DISTINCT topic FROM series")}
    assert topics >= {"weights", "gradients", "updates", "activations", "loss"}


def test_two_models_have_paths_of_their_own(run_program: Runner, tmp_path: pathlib.Path) -> None:
    run_program(program("gan", supervise=True))
    with sqlite3.connect(tmp_path / "own.sightline") as database:
        found = database.execute(
            "SELECT DISTINCT module FROM series WHERE topic = 'gradients' AND statistic = 'l2'"
        ).fetchall()
        steps = database.execute("SELECT count(*) FROM training_steps").fetchone()
    assert {module for (module,) in found} == {"0", "2", "Sequential.0", "Sequential.2"}
    # The critic sets the pace; the generator's last step comes after its last, in one of its own.
    assert steps == (5,)


COMPILED = """
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    fast = torch.compile(model, backend="BACKEND", fullgraph=True)
    for _ in range(4):
        optimizer.zero_grad()
        fast(torch.randn(4, 8)).square().mean().backward()
        optimizer.step()
    finish(model)
"""


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_a_compiled_model_is_watched_at_the_optimizer(
    run_program: Runner, tmp_path: pathlib.Path, backend: str
) -> None:
    text = textwrap.dedent(COMPILED).replace("BACKEND", backend)
    bare = run_program(SUPERVISED.replace("SUPERVISE", "False") + text)
    watched = run_program(SUPERVISED.replace("SUPERVISE", "True") + text)
    assert watched.exit_code == 0, watched.stderr
    assert watched.stdout == bare.stdout
    assert "supervising has ended" not in watched.stderr
    with sqlite3.connect(tmp_path / "own.sightline") as database:
        found = database.execute(
            "SELECT module, points FROM series WHERE topic = 'gradients' AND statistic = 'l2'"
            " AND tensor = 'weight' ORDER BY module"
        ).fetchall()
    assert found == [("0", 4), ("2", 4)]


RANKS = """
import os
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
model = nn.parallel.DistributedDataParallel(nn.Linear(4, 1, bias=False))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    model(torch.full((2, 4), float(rank + 1))).sum().backward()
    optimizer.step()
dist.destroy_process_group()
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_every_rank_has_a_file_with_the_gradients_after_reduction(
    sightline_program: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "train.py").write_text(RANKS)
    address = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": "2"}
    command = [sightline_program, "run", "--supervise=full", "--supervise-budget", "100000"]
    ranks = [
        subprocess.Popen(
            [*command, "-o", "run.sightline", "train.py"],
            cwd=tmp_path,
            env={**os.environ, **address, "RANK": str(rank), "GLOO_SOCKET_IFNAME": "lo"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(2)
    ]
    for process in ranks:
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0, output
    for rank in range(2):
        with sqlite3.connect(tmp_path / f"run.rank{rank}.sightline") as database:
            means = database.execute(
                "SELECT gradient_l2, weight_l2 FROM training_steps ORDER BY step"
            ).fetchall()
        assert len(means) == 3
        # 2 samples of ones on one rank, of twos on the other: 3 in each of four places, on both.
        assert [gradient for gradient, _ in means] == pytest.approx([6.0] * 3)


MAY_BE_LOST_SECONDS = 1.25  # a second, and what a busy machine adds


def test_kill_9_keeps_all_but_the_last_second(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "train.py").write_text(
        textwrap.dedent(
            """
            import time
            import torch
            from torch import nn

            model = nn.Linear(4, 1)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
            step = 0
            while True:
                optimizer.zero_grad()
                model(torch.ones(2, 4)).sum().backward()
                optimizer.step()
                with open("steps.txt", "a") as file:
                    file.write(f"{step} {time.monotonic()} {__import__('os').getpid()}\\n")
                step += 1
                time.sleep(0.02)
            """
        )
    )
    training = sightline_command.spawn("run", "--supervise", "-o", "own.sightline", "train.py")
    steps = tmp_path / "steps.txt"
    while not steps.exists() or len(steps.read_text().splitlines()) < 150:
        assert training.poll() is None
        time.sleep(0.1)
    os.kill(int(steps.read_text().splitlines()[0].split()[2]), signal.SIGKILL)
    training.communicate(timeout=60)
    told = [line.split() for line in steps.read_text().splitlines() if line.count(" ") == 2]
    end = float(told[-1][1])
    safe = max(int(step) for step, at, _ in told if float(at) < end - MAY_BE_LOST_SECONDS)
    with sqlite3.connect(tmp_path / "own.sightline") as database:
        (kept,) = database.execute("SELECT max(step) FROM training_steps").fetchone()
    assert kept >= safe
