"""Where media that clients receive are kept."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any


class FileCache(ABC):
    """Keeps files and gives them a location."""

    @abstractmethod
    def store(self, compute: Callable[[], Any]) -> str:
        """Store what `compute` gives; returns the location."""

    @abstractmethod
    def get_size(self, location: str) -> tuple[int, int]:
        """Width and height of a stored image, in pixels."""
