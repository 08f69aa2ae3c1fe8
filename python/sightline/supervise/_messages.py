"""What subscribers are told: single messages, and bundles of those that belong together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.supervise._kinds import kind_called

META_KEY = "META"

# The module (None if it is not known) and the name of what the message is about.
ModuleKey = tuple[Any, str]


@dataclass(frozen=True)
class Message:
    """One fact. `global_step` counts the steps of the training, `train_step` those of the epoch;
    both begin at 0. Tensors in `data` are detached, and valid until the call that gets them
    returns: clone what is to be kept."""

    tag: str
    global_step: int
    train_step: int
    epoch: int
    kind: str
    key: ModuleKey | str
    data: Any
    module: str = ""  # path
    tensor: str = ""  # name of the parameter, or number of the output if there are several
    call: int = 0  # which call of the module it was, in this batch

    def __post_init__(self) -> None:
        for name in ("global_step", "train_step", "epoch"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is 0 or more, not {getattr(self, name)}")

    @property
    def seq(self) -> int:
        return self.global_step

    @property
    def step(self) -> int:
        return self.train_step


@dataclass(frozen=True)
class MetaMessage(Message):
    """About the whole model. Most have no data."""


@dataclass(frozen=True)
class TrainingMessage(Message):
    """About one module. It always has data."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.data is None:
            raise ValueError(f"a message of the kind {self.kind!r} needs data")


class _ByKind(dict[str, Any]):
    """Knows the older words too."""

    def __missing__(self, word: str) -> Any:
        kind = kind_called(word)
        if kind == word:
            raise KeyError(word)
        return self[kind]


class _Answer(int):
    """True or false, also when it is called."""

    def __call__(self) -> bool:
        return bool(self)


class MessageBundle:
    """Messages of several kinds about one step and one module. `data` has what each kind brought;
    a kind is an attribute too: `bundle.weights`."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = [kind_called(kind) for kind in kinds]
        self.messages: dict[str, Message] = {}
        self.data: Mapping[str, Any] = _ByKind()

    def add(self, message: Message) -> None:
        """ValueError if it does not belong to those that are there, or its kind is there."""
        if message.kind not in self.kinds:
            raise ValueError(f"the bundle is of {self.kinds}, not of {message.kind!r}")
        if message.kind in self.messages:
            raise ValueError(f"the bundle has a message of the kind {message.kind!r} already")
        for other in self._of_modules_first():
            for name in ("global_step", "train_step", "epoch"):
                if getattr(other, name) != getattr(message, name):
                    raise ValueError(
                        f"{name} is {getattr(other, name)} in the bundle, and "
                        f"{getattr(message, name)} in a message of the kind {message.kind!r}"
                    )
            both = isinstance(other, TrainingMessage) and isinstance(message, TrainingMessage)
            if both and other.key != message.key:
                raise ValueError(f"the bundle is about {other.key}, not about {message.key}")
        self._put(message)

    def _put(self, message: Message) -> None:
        self.messages[message.kind] = message
        self.data[message.kind] = message.data  # type: ignore[index]

    @staticmethod
    def of(kinds: Sequence[str], messages: Sequence[Message]) -> MessageBundle:
        """Of messages that belong together."""
        bundle = MessageBundle(kinds)
        for message in messages:
            bundle._put(message)
        return bundle

    @property
    def complete(self) -> _Answer:
        """Whether every kind is there; `complete()` is an older way to ask."""
        return _Answer(len(self.messages) == len(self.kinds))

    def _of_modules_first(self) -> Iterator[Message]:
        yield from sorted(self.messages.values(), key=lambda m: isinstance(m, MetaMessage))

    def __getattr__(self, name: str) -> Any:
        """A kind's data; else what the message about the module says."""
        messages = self.__dict__.get("messages", {})  # a copy that is being made has none yet
        if (kind := kind_called(name)) in messages:
            return messages[kind].data
        if name in _SHARED and messages:
            return getattr(next(self._of_modules_first()), name)
        raise AttributeError(f"the bundle has no kind {name!r}")


_SHARED = {
    "tag",
    "global_step",
    "train_step",
    "epoch",
    "key",
    "module",
    "tensor",
    "call",
    "seq",
    "step",
}
