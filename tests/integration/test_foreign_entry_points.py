"""Providers around models that nobody here wrote."""

from __future__ import annotations

import pathlib

import pytest
from integration.command import Command
from integration.entry_points import QUICK, profiled
from integration.identities import assert_identities

pytest.importorskip("transformers")

ITERATION = """
def skyline_iteration_provider(model):
    optimizer = torch.optim.AdamW(model.parameters())
    def iteration(**batch):
        optimizer.zero_grad()
        model(**batch).loss.backward()
        optimizer.step()
    return iteration
"""

GPT2 = """
import torch
from transformers import GPT2Config, GPT2LMHeadModel

def skyline_model_provider():
    return GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=32, vocab_size=100))

def skyline_input_provider(batch_size=4):
    tokens = torch.randint(0, 100, (batch_size, 16))
    return {"input_ids": tokens, "labels": tokens}
"""

BERT = """
import torch
from transformers import BertConfig, BertForSequenceClassification

def skyline_model_provider():
    return BertForSequenceClassification(BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        vocab_size=100, max_position_embeddings=32,
    ))

def skyline_input_provider(batch_size=4):
    return {
        "input_ids": torch.randint(100, (batch_size, 16)),
        "labels": torch.randint(2, (batch_size,)),
    }
"""

VIT = """
import torch
from transformers import ViTConfig, ViTForImageClassification

def skyline_model_provider():
    return ViTForImageClassification(ViTConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        image_size=16, patch_size=4, num_labels=4,
    ))

def skyline_input_provider(batch_size=4):
    return {
        "pixel_values": torch.randn(batch_size, 3, 16, 16),
        "labels": torch.randint(4, (batch_size,)),
    }
"""

T5 = """
import torch
from transformers import T5Config, T5ForConditionalGeneration

def skyline_model_provider():
    return T5ForConditionalGeneration(T5Config(
        d_model=32, d_kv=16, d_ff=64, num_layers=2, num_heads=2, vocab_size=100,
        decoder_start_token_id=0,
    ))

def skyline_input_provider(batch_size=4):
    return {
        "input_ids": torch.randint(100, (batch_size, 16)),
        "labels": torch.randint(100, (batch_size, 8)),
    }
"""


@pytest.mark.parametrize(
    ("model", "file"),
    [(GPT2, "modeling_gpt2"), (BERT, "modeling_bert"), (VIT, "modeling_vit"), (T5, "modeling_t5")],
    ids=["GPT-2", "BERT", "ViT", "T5"],
)
def test_a_model_of_transformers_is_profiled(
    model: str, file: str, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    text = model + ITERATION
    run = profiled(sightline_command, tmp_path, text, QUICK, "--include", "transformers")
    assert_identities(run)
    assert run.report["iteration"]["batch_size"] == 4
    assert any(file in line["file"] for line in run.report["lines"])
