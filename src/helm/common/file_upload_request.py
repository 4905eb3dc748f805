"""A request to upload a file to where others can download it."""

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
    """The address of the uploaded file."""

    error: str | None = None
    """Why it failed, when `success` is false."""
