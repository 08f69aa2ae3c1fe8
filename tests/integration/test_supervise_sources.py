"""A supervised script that has an exporter of its own: each counts its steps for itself."""

from __future__ import annotations

from integration.conftest import Runner
from integration.recorded_run import RecordedRun

MODEL = """
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


def watching(model):
    exporter = supervise.Exporter()
    exporter.set_model(model)
    exporter.add_modules(model)
    exporter.subscribe(supervise.NormSubscriber("weight_gradients"))
    return exporter


def train(steps, factor=1.0):
    for _ in range(steps):
        optimizer.zero_grad()
        (model(torch.ones(2, 4)).mean() * factor).backward()
        optimizer.step()
"""

GAN = """
critic = nn.Linear(1, 1)
c = torch.optim.SGD(critic.parameters(), lr=0.01)
exporter = watching(model)
for _ in range(6):
    fake = model(torch.ones(2, 4))
    c.zero_grad()
    critic(fake.detach()).mean().backward()
    c.step()
    optimizer.zero_grad()
    critic(fake).mean().backward()
    optimizer.step()
"""

RESUMED = """
exporter = watching(model)
exporter.load_state_dict({"step": 5000, "train_step": 0, "epoch": 7})
train(6)
train(1, float("nan"))
train(1)
"""

LATE = """
train(5)
exporter = watching(model)
train(4)
"""

EPOCHS = """
exporter = watching(model)
for _ in range(2):
    train(3)
    exporter.epoch_finished()
"""


def extent(run: RecordedRun, topic: str) -> tuple[int, int, int]:
    """Number of points, first and last step, of the weights or of the model."""
    (found,) = run.rows(
        "SELECT points, first_step, last_step FROM series"
        " WHERE topic = ? AND statistic = '' AND tensor IN ('', 'weight')",
        topic,
    )
    return found["points"], found["first_step"], found["last_step"]


def test_an_exporter_on_a_generator_has_all_its_points(supervised: Runner) -> None:
    run = supervised(MODEL + GAN)
    assert extent(run, "weight_gradients_norm2") == (6, 0, 5)
    # The critic sets the pace; the generator's last loss is in a step of its own.
    assert extent(run, "loss") == (6, 0, 5)


def test_a_resumed_exporter_and_the_run_count_on_their_own(supervised: Runner) -> None:
    run = supervised(MODEL + RESUMED)
    assert extent(run, "weight_gradients_norm2") == (8, 5000, 5007)
    assert extent(run, "loss") == (8, 0, 7)
    assert run.value("SELECT step FROM verdicts WHERE rule = 'non-finite'") == 6
    assert run.value("SELECT DISTINCT epoch FROM training_steps") == 7
    assert run.rows("SELECT * FROM epochs") == [{"epoch": 7, "first_step": 5000, "last_step": 5007}]


def test_an_exporter_that_is_made_late_begins_at_its_first_step(supervised: Runner) -> None:
    run = supervised(MODEL + LATE)
    assert extent(run, "weight_gradients_norm2") == (4, 0, 3)
    assert extent(run, "loss") == (9, 0, 8)


def test_epochs_that_an_exporter_counts_are_those_of_the_run(supervised: Runner) -> None:
    run = supervised(MODEL + EPOCHS)
    steps = run.rows("SELECT step, epoch FROM training_steps ORDER BY step")
    assert [row["epoch"] for row in steps] == [0, 0, 0, 1, 1, 1]
    epochs = run.rows("SELECT * FROM epochs ORDER BY epoch")
    assert [tuple(row.values()) for row in epochs] == [(0, 0, 2), (1, 3, 5)]
