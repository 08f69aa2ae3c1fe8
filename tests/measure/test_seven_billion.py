"""A model with seven billion weights, none of which exists."""

from __future__ import annotations

import pytest
import torch

from sightline import measure

TOKENS = 512
WIDTH, INNER, LAYERS, WORDS = 4096, 11008, 32, 32_000
# Four projections, two products of attention over all pairs, three layers of the gated part; the
# head. The rotation of queries and keys has no matrix product.
LAYER = 4 * WIDTH * WIDTH + 2 * TOKENS * WIDTH + 3 * WIDTH * INNER
TRUTH = TOKENS * (LAYERS * LAYER + WIDTH * WORDS)


@pytest.mark.slow
def test_llama_of_seven_billion_is_exact() -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(attn_implementation="eager")
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config).eval()
        tokens = torch.zeros(1, TOKENS, dtype=torch.long)
    with torch.no_grad():
        result = measure.count(model, tokens)
    assert result.macs.forward == TRUTH
    assert result.uncounted == []
