"""Put a file where others can fetch it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FileUploadRequest:
    path: str
    """The local file."""


@dataclass(frozen=True)
class FileUploadResult:
    success: bool

    cached: bool

    url: str
    """Where the file is now."""

    error: str | None = None
    """Why it failed, when `success` is false."""
