"""Models of a library that knows nothing of us, trained by a plain loop."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

pytest.importorskip("transformers")

GPT2 = """
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(
    n_embd=32, n_layer=2, n_head=2, vocab_size=64, n_positions=32, use_cache=False,
    bos_token_id=0, eos_token_id=0,
))
tokens = torch.randint(64, (2, 16))

def compute_loss():
    return model(input_ids=tokens, labels=tokens).loss
"""

BERT = """
from transformers import BertConfig, BertForSequenceClassification

model = BertForSequenceClassification(BertConfig(
    hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
    vocab_size=64, max_position_embeddings=32,
))
tokens = torch.randint(64, (2, 16))
labels = torch.tensor([0, 1])

def compute_loss():
    return model(input_ids=tokens, labels=labels).loss
"""

VIT = """
from transformers import ViTConfig, ViTForImageClassification

model = ViTForImageClassification(ViTConfig(
    hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
    image_size=16, patch_size=4, num_labels=4,
))
images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 1])

def compute_loss():
    return model(pixel_values=images, labels=labels).loss
"""

PROGRAM = """
import torch
{model}
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(8):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
"""

MODELS = pytest.mark.parametrize("model", [GPT2, BERT, VIT], ids=["GPT-2", "BERT", "ViT"])


@MODELS
def test_the_numbers_of_a_transformers_model_add_up(record: Runner, model: str) -> None:
    run = record(PROGRAM.replace("{model}", model), quiet=False)
    assert run.report["iteration"]["seen_steps"] == 8
    assert run.report["iteration"]["batch_size"] == 2  # given by keyword
    assert run.report["overhead"]["dropped"] == 0
    call = run.line("return model(")
    assert call["module_calls"] == 1
    assert call["forward_ms"] > 0
    assert call["backward_ms"] > 0
    project = [line for line in run.report["lines"] if not line["library"]]
    assert {line["file"] for line in project} == {"program.py"}
    phases = run.report["phases"]
    assert min(phases["forward_ms"], phases["backward_ms"], phases["optimizer_ms"]) > 0
    assert run.module("")["calls"] == 1
    assert run.module("")["parameter_bytes"] > 0


@pytest.mark.alone
@MODELS
def test_including_transformers_gives_lines_inside_of_it(record: Runner, model: str) -> None:
    run = record(PROGRAM.replace("{model}", model), quiet=False, include=["transformers"])
    inside = [
        line for line in run.report["lines"] if line["file"].startswith("transformers/models/")
    ]
    assert len(inside) > 10
    assert all(line["source"] for line in inside)
    assert sum(line["forward_ms"] for line in inside) > 0
    assert sum(line["backward_ms"] for line in inside) > 0
    call = run.line("return model(")
    assert call["self_ns"] < 0.2 * call["total_ns"]


@pytest.mark.alone
def test_a_line_that_holds_nearly_all_is_resolved_into_lines_of_the_library(
    record: Runner,
) -> None:
    run = record(
        """
        import torch
        from torch import nn

        layer = nn.TransformerEncoderLayer(128, 4, 512, batch_first=True)
        model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        x = torch.randn(32, 32, 128)
        for _ in range(6):
            loss = model(x).sum()
            loss.backward()
            optimizer.step()
        """
    )
    number = run.number_of("loss = model(x).sum()")
    whole = run.report["descended"]
    assert whole["line"] == number
    library = [line for line in run.report["lines"] if line["library"]]
    assert any(line["file"].endswith("nn/modules/linear.py") for line in library)
    (rest,) = [
        line
        for line in run.report["lines"]
        if (line["file"], line["line"]) == ("program.py", number)
    ]
    library_ns = sum(line["self_ns"] for line in library)
    assert rest["self_ns"] + library_ns == whole["self_ns"]
    assert library_ns > 0.9 * whole["self_ns"]
