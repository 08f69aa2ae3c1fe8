"""The kinds of messages that an exporter publishes, and the older words for some of them."""

from __future__ import annotations

from sightline import _core

META_KINDS = _core.MODEL_TOPICS

# Of parameters called weight, bias, or anything else: their values, gradients and updates.
VALUES, GRADIENTS, UPDATES = zip(*_core.PARAMETER_TOPICS, strict=True)
PARAMETER_KINDS = (*VALUES, *GRADIENTS, *UPDATES)

# Gradients before they are clipped, in the order of GRADIENTS.
UNCLIPPED = tuple(f"{kind}_unclipped" for kind in GRADIENTS)

MODULE_KINDS = (*PARAMETER_KINDS, *UNCLIPPED, *_core.MODULE_TOPICS)

OLDER_WORDS = {
    "gradients": "weight_gradients",
    "weights_": "weights",
    "biases_": "biases",
    "updates": "weight_updates",
}

TRAINING = "training"
EVALUATION = "evaluation"


def kind_called(word: str) -> str:
    """The kind that an older word means, else the word itself."""
    return OLDER_WORDS.get(word, word)


def tag_called(tag: str | None) -> str | None:
    return TRAINING if tag == "default" else tag


def are_of_modules(kinds: list[str]) -> bool:
    """Whether messages of these kinds belong together by module, whatever their tensors are
    called: a layer's weights and its activations. Kinds that come for several tensors of a module
    belong together by tensor."""
    families = set()
    for kind in kinds:
        for family in ("parameter", "weight", "bias"):
            if kind.startswith(family):
                families.add(family)
                break
        else:
            families.add("optimizer" if kind == "optimizer_state" else "output")
    return len(families) > 1 and not families & {"parameter", "optimizer"}
