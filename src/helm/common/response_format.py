from dataclasses import dataclass
from typing import Any, Dict, Optional


@dataclass(frozen=True)
class ResponseFormat:
    """Asks the model for output of a given form."""

    json_schema: Optional[Dict[str, Any]] = None
    """JSON schema that the completion must satisfy."""
