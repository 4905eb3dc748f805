"""Arguments of Image2Struct's metrics in run specs."""

from collections.abc import Mapping
from typing import Any

from helm.common.errors import ConfigError


def size_handling(args: Any, default: str) -> str:
    """Return how pictures of different sizes are compared: what `args` says, or else the default. Raises: ConfigError."""
    if args is None:
        return default
    if not isinstance(args, Mapping):
        raise ConfigError(f"args must be a mapping with size_handling_method, not {args!r}.")
    return str(args.get("size_handling_method", default))
