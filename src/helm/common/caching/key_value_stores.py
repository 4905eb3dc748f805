"""What a store of cached responses is, and one that stores nothing."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from helm.common.caching.entry_texts import request_to_key


class KeyValueStore(ABC):
    """Maps requests (JSON objects) to responses (JSON objects). Used through `with`."""

    def __enter__(self) -> "KeyValueStore":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()

    def close(self) -> None:
        """Write pending entries and release the store."""

    def commit(self) -> None:
        """Wait until other processes see everything put so far. Entries survive this process even before that."""

    def prepare_to_put(self) -> None:
        """Check, before an answer is paid for, that it can be stored. Raises CacheError if it cannot."""

    @property
    def is_closed(self) -> bool:
        """Return whether the store was closed and cannot be used again."""
        return False

    def exclusively(self, key_text: str) -> AbstractContextManager[None]:
        """Keep other processes that share the store from computing this response.

        Threads of the same process must coordinate among themselves.
        """
        return nullcontext()

    @abstractmethod
    def contains(self, key: Mapping) -> bool:
        pass

    @abstractmethod
    def get(self, key: Mapping) -> dict | None:
        """Return the response, or None."""

    @abstractmethod
    def get_all(self) -> Generator[tuple[dict, dict], None, None]:
        """Yield all (request, response) pairs, oldest first."""

    @abstractmethod
    def put(self, key: Mapping, value: dict) -> None:
        pass

    def get_with_text(self, key_text: str, key: Mapping) -> dict | None:
        """Return `get(key)`, for callers that already have `request_to_key(key)`."""
        return self.get(key)

    def put_with_text(self, key_text: str, key: Mapping, value: dict) -> None:
        """Do `put(key, value)`, for callers that already have `request_to_key(key)`."""
        self.put(key, value)

    @abstractmethod
    def multi_put(self, pairs: Iterable[tuple[dict, dict]]) -> None:
        pass

    @abstractmethod
    def remove(self, key: Mapping) -> None:
        """Remove a response. Raises KeyError if there is no such request."""


class BlackHoleKeyValueStore(KeyValueStore):
    """Stores nothing."""

    def contains(self, key: Mapping) -> bool:
        return False

    def get(self, key: Mapping) -> dict | None:
        return None

    def get_all(self) -> Generator[tuple[dict, dict], None, None]:
        yield from ()

    def put(self, key: Mapping, value: dict) -> None:
        pass

    def multi_put(self, pairs: Iterable[tuple[dict, dict]]) -> None:
        pass

    def remove(self, key: Mapping) -> None:
        raise KeyError(request_to_key(key))
