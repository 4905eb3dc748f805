from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ResponseFormat:
    """Asks the model for output of a given form."""

    json_schema: dict[str, Any] | None = None
    """JSON schema that the completion must satisfy."""
