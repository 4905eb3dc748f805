from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ResponseFormat:
    """The required format of a model's output."""

    json_schema: dict[str, Any] | None = None
    """JSON schema that the completion must satisfy."""
