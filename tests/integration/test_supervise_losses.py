"""The losses of a supervised script: as they are, not as they were scaled or divided."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

SCALED = """
model = nn.Linear(4, 1)
optimizer = torch.optim.OPTIMIZER
# 2 to the 127th: the loss overflows, later the gradients alone.
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**127)
steps = 0
while steps < 5:
    loss = model(torch.full((2, 4), 3.0)).square().mean()
    scaler.scale(loss).backward()
    scale = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    if scaler.get_scale() == scale:  # the step was not skipped
        print(loss.item())
        steps += 1
"""


@pytest.mark.parametrize(
    "optimizer",
    [
        "SGD(model.parameters(), lr=0.001)",
        "SGD(model.parameters(), lr=0.001, fused=True)",
        "Adam(model.parameters(), lr=0.001, fused=True)",
    ],
)
def test_an_overflow_that_the_scaler_meets_is_no_step_and_no_verdict(
    supervised: Runner, optimizer: str
) -> None:
    run = supervised(SCALED.replace("OPTIMIZER", optimizer))
    losses = [row["loss"] for row in run.rows("SELECT loss FROM training_steps ORDER BY step")]
    assert losses == pytest.approx([float(line) for line in run.stdout.split()], rel=1e-12)
    assert run.rows("SELECT * FROM verdicts WHERE rule = 'non-finite'") == []


# Noise on few samples can only be learned by heart; a sum can be learned.
VALIDATED = """
model = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.MSELoss()
learnable = LEARNABLE
few = torch.randn(32, 8), torch.randn(32, 1)


def data():
    inputs = torch.randn(2048, 8)
    return inputs, inputs.sum(1, keepdim=True) if learnable else torch.randn(2048, 1)


for step in range(60):
    for part in range(PARTS):
        inputs, targets = data() if learnable else few
        loss = LOSS(model(inputs), targets)
        (loss / PARTS).backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 5 == 4:
        model.eval()
        with torch.no_grad():
            inputs, targets = data()
            LOSS(model(inputs), targets)
        model.train()
"""

GPT2 = """
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(vocab_size=32, n_positions=16, n_embd=32, n_layer=1, n_head=2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
learnable = LEARNABLE
few = torch.randint(0, 32, (4, 16))


def data():
    counting = (torch.randint(0, 32, (32, 1)) + torch.arange(16)) % 32
    return counting if learnable else torch.randint(0, 32, (32, 16))


model.train()
for step in range(40):
    tokens = data() if learnable else few
    model(input_ids=tokens, labels=tokens).loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 5 == 4:
        model.eval()
        with torch.no_grad():
            tokens = data()
            model(input_ids=tokens, labels=tokens)
        model.train()
"""

OWN_MODULE = """
class OwnLoss(nn.modules.loss._Loss):
    def forward(self, output, target):
        return (output - target).square().mean()


own = OwnLoss()
"""

VALIDATIONS = {
    "function": (VALIDATED.replace("LOSS", "F.mse_loss").replace("PARTS", "1"), "mse_loss"),
    "module": (VALIDATED.replace("LOSS", "criterion").replace("PARTS", "1"), "mse_loss"),
    "accumulated": (VALIDATED.replace("LOSS", "F.mse_loss").replace("PARTS", "4"), "mse_loss"),
    "own module": (OWN_MODULE + VALIDATED.replace("LOSS", "own").replace("PARTS", "1"), "OwnLoss"),
    "GPT-2": (GPT2, "cross_entropy"),
}


@pytest.mark.parametrize("name", VALIDATIONS)
def test_learning_by_heart_is_found_by_the_same_function_in_training_and_evaluation(
    supervised: Runner, name: str
) -> None:
    program, function = VALIDATIONS[name]
    run = supervised(program.replace("LEARNABLE", "False"))
    assert run.rows("SELECT tensor FROM verdicts WHERE rule = 'overfit'") == [{"tensor": function}]


@pytest.mark.parametrize("name", VALIDATIONS)
def test_what_is_learned_from_much_data_is_not_called_overfitting(
    supervised: Runner, name: str
) -> None:
    program, _ = VALIDATIONS[name]
    run = supervised(program.replace("LEARNABLE", "True"))
    assert run.rows("SELECT * FROM verdicts WHERE rule = 'overfit'") == []
    assert run.value("SELECT max(points) FROM series WHERE topic = 'validation_loss'") > 5


TRANSFORMED = """
class Scored(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)

    def forward(self, inputs, labels):
        return F.cross_entropy(self.linear(inputs), labels)


model = Scored()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scripted = torch.jit.script(model)
inputs, labels = torch.randn(8, 4), torch.randint(0, 2, (8,))
for scored in (scripted, torch.compile(model, backend="eager", fullgraph=True)):
    scored(inputs, labels).backward()
    optimizer.step()
each = torch.func.vmap(lambda output, label: F.mse_loss(output, label))
assert each(torch.ones(3, 2), torch.zeros(3, 2)).tolist() == [1, 1, 1]
weights = dict(model.named_parameters())
torch.func.grad(lambda values: torch.func.functional_call(model, values, (inputs, labels)))(weights)
assert F.cross_entropy.__wrapped__ is not None
recording.stop()
assert not hasattr(F.cross_entropy, "__wrapped__")
"""


def test_loss_functions_are_scripted_compiled_and_transformed_as_ever(supervised: Runner) -> None:
    run = supervised(TRANSFORMED)
    assert run.value("SELECT count(*) FROM training_steps") == 2


SCRIPTED = """
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    model(torch.ones(2, 4)).mean().backward()
    optimizer.step()
    torch.jit.script(model)  # to be saved
"""


def test_a_watched_model_can_be_scripted_and_is_watched_on(supervised: Runner) -> None:
    run = supervised(SCRIPTED)
    query = "SELECT points FROM series WHERE topic = 'activations' AND statistic = 'l2'"
    assert run.value(query) == 2
