"""The contract of stores for media that clients receive."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any


class FileCache(ABC):
    """Stores files and assigns them a location."""

    @abstractmethod
    def store(self, compute: Callable[[], Any]) -> str:
        """Store the result of `compute`, and return its location."""
