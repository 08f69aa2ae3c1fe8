"""Attention of tensors without data, as the processor computes it: torch would make all scores of
such tensors, and keep them for the backward pass."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def attention_without_scores() -> Iterator[None]:
    """For `torch.nn.functional.scaled_dot_product_attention`, and for what calls it by that
    name."""
    from torch.nn import functional

    usual = functional.scaled_dot_product_attention

    def attention(*inputs: Any, **keywords: Any) -> Any:
        fused = _fused(*inputs, **keywords)
        return usual(*inputs, **keywords) if fused is None else fused

    setattr(functional, usual.__name__, attention)
    try:
        yield
    finally:
        setattr(functional, usual.__name__, usual)


def _fused(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """None where the processor has no such kernel, and makes all scores too."""
    import torch

    same_width = query.size(-1) == key.size(-1) == value.size(-1)
    constant_mask = attn_mask is None or not attn_mask.requires_grad
    if not query.is_meta or query.dim() != 4 or dropout_p > 0 or enable_gqa:
        return None
    if not same_width or not constant_mask:
        return None
    kernel = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    return kernel(query, key, value, 0.0, is_causal, attn_mask=attn_mask, scale=scale)[0]
