"""The messages of the compiler service (`proto.Event`, `proto.StepRequest`, ...), created from the .proto on first use."""

import threading
from functools import cache
from importlib import resources
from typing import Any

from helm.compiler_gym.proto.schema import Schema, load_schema

FILE_NAME = "compiler_gym_service.proto"
BATCH_FILE_NAME = "compiler_batch_service.proto"


_lock = threading.RLock()


def get_schema() -> Schema:
    """Return the messages and calls of the service."""
    with _lock:  # two threads must not create two sets of classes, which would not be compatible
        return _load_schema()


def get_batch_schema() -> Schema:
    """Return the messages and calls that our services offer in addition to the original's."""
    with _lock:
        return _load_batch_schema()


@cache
def _load_schema() -> Schema:
    return load_schema(resources.files(__name__).joinpath(FILE_NAME).read_text(encoding="utf-8"), FILE_NAME)


@cache
def _load_batch_schema() -> Schema:
    text = resources.files(__name__).joinpath(BATCH_FILE_NAME).read_text(encoding="utf-8")
    return load_schema(text, BATCH_FILE_NAME, imported=get_schema())


def get_any_class() -> Any:
    """Return `google.protobuf.Any` from the pool of the messages."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(get_schema().pool.FindMessageTypeByName("google.protobuf.Any"))


def pack_any(message: Any) -> Any:
    """Put `message` into a `google.protobuf.Any`."""
    packed = get_any_class()()
    packed.Pack(message)
    return packed


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    message_class = get_schema().messages.get(name) or get_batch_schema().messages.get(name)
    if message_class is None:
        raise AttributeError(f"module {__name__!r} has no message {name!r}.")
    globals()[name] = message_class
    return message_class
