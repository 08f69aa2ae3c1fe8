"""The models of a supervised script: several, and some that are gone."""

from __future__ import annotations

from integration.conftest import Runner

CRITICS = """
class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(2, 1)

    def forward(self, x):
        return self.score(x)


model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
critics = [Critic(), Critic()]
parameters = [p for module in (model, *critics) for p in module.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.01)
for _ in range(3):
    output = model(torch.ones(2, 4))
    sum(critic(output).mean() for critic in critics).backward()
    optimizer.step()
    optimizer.zero_grad()
"""


def test_two_models_of_a_class_have_names_of_their_own(supervised: Runner) -> None:
    run = supervised(CRITICS)
    for topic in ("gradients", "activations"):
        found = run.rows(
            "SELECT module, points FROM series WHERE topic = ? AND statistic = 'l2'"
            " AND tensor IN ('', 'weight') AND module LIKE '%score' ORDER BY module",
            topic,
        )
        assert [tuple(row.values()) for row in found] == [
            ("Critic.score", 3),
            ("Critic_1.score", 3),
        ]


FOLDS = """
import gc
import weakref

gone = []
for fold in range(3):
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(2):
        model(torch.ones(2, 4)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    gone += [weakref.ref(model), weakref.ref(model[0].weight), weakref.ref(optimizer)]
    del model, optimizer
    gc.collect()
    assert [reference() for reference in gone] == [None] * len(gone)
"""


def test_a_model_that_is_deleted_is_gone_and_the_next_has_its_name(supervised: Runner) -> None:
    run = supervised(FOLDS)
    found = run.rows(
        "SELECT module, points FROM series WHERE topic = 'gradients' AND statistic = 'l2'"
        " AND tensor = 'weight' ORDER BY module"
    )
    assert [tuple(row.values()) for row in found] == [("0", 6), ("2", 6)]


EPOCHS = """
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
training = DataLoader(TensorDataset(torch.randn(12, 4)), batch_size=4)
validation = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=4)
next(iter(training))  # a look at the data
for _ in range(2):
    model.train()
    for (inputs,) in training:
        model(inputs).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        for (inputs,) in validation:
            model(inputs)
"""


def test_an_epoch_is_a_pass_over_the_training_data(supervised: Runner) -> None:
    run = supervised(EPOCHS)
    steps = run.rows("SELECT epoch FROM training_steps ORDER BY step")
    assert [row["epoch"] for row in steps] == [0, 0, 0, 1, 1, 1]
    epochs = run.rows("SELECT * FROM epochs ORDER BY epoch")
    assert [tuple(row.values()) for row in epochs] == [(0, 0, 2), (1, 3, 5)]


SLEEPING = """
import time

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(8):
    model(torch.ones(2, 4)).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
    model.train(TRAINING)
    with torch.no_grad():
        model(torch.ones(2, 4))
        time.sleep(0.3)
    model.train()
"""
EXTENT = "SELECT minimum, maximum FROM series WHERE topic = 'step_time_ms'"


def test_evaluation_is_in_no_step_time(supervised: Runner) -> None:
    (found,) = supervised(SLEEPING.replace("TRAINING", "False")).rows(EXTENT)
    assert found["minimum"] < 300


def test_what_is_no_evaluation_is_in_the_step_time(supervised: Runner) -> None:
    (found,) = supervised(SLEEPING.replace("TRAINING", "True")).rows(EXTENT)
    assert found["minimum"] >= 300


PEAK = """
model = nn.Linear(1024, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(4):
    model(torch.ones(1024, 1024)).mean().backward()
    optimizer.step()
    optimizer.zero_grad()
"""


def test_memory_of_a_step_is_its_peak(supervised: Runner) -> None:
    (found,) = supervised(PEAK).rows("SELECT minimum FROM series WHERE topic = 'memory_bytes'")
    assert found["minimum"] > 4 * 1024 * 1024  # the inputs alone
