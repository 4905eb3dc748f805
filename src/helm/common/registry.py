"""Registries of named objects, the only kind of mutable module state in this package."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from helm.common.errors import ConfigError, suggest

T = TypeVar("T")


class Registry(Generic[T]):
    """Maps names to objects; the error for an unknown name suggests the nearest known one.

    `kind` is the term for the objects in messages, for example "run spec".
    """

    def __init__(self, kind: str, duplicate_message: str | None = None):
        self.kind = kind
        self._duplicate_message = duplicate_message or f"A {kind} with name {{name}} already exists"
        self._items: dict[str, T] = {}

    def register(self, name: str, item: T) -> None:
        """Add an item. Raises ValueError if the name is taken."""
        if name in self._items:
            raise ValueError(self._duplicate_message.format(name=name))
        self._items[name] = item

    def put(self, name: str, item: T) -> None:
        """Add an item, in place of an earlier one of that name."""
        self._items[name] = item

    def get(self, name: str) -> T | None:
        return self._items.get(name)

    def __getitem__(self, name: str) -> T:
        if name not in self._items:
            raise ConfigError(f"Unknown {self.kind} '{name}'.{suggest(name, self._items)}")
        return self._items[name]

    def __contains__(self, name: str) -> bool:
        return name in self._items

    def names(self) -> list[str]:
        return list(self._items)

    def decorator(self, name: str) -> Callable[[T], T]:
        def register(item: T) -> T:
            self.register(name, item)
            return item

        return register

    @contextmanager
    def isolated(self) -> Iterator[None]:
        """Undo every registration made inside the block; for tests."""
        saved = dict(self._items)
        try:
            yield
        finally:
            self._items.clear()
            self._items.update(saved)
