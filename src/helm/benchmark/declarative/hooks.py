"""Named steps with real logic: registered pure functions from rows to rows."""

from collections.abc import Callable
from typing import Any

from helm.common.errors import ConfigError
from helm.common.object_spec import get_class_by_name
from helm.common.registry import Registry

RowHook = Callable[..., list[dict[str, Any]]]
"""`hook(rows, **args) -> rows`. Rows are mappings; a hook returns new ones and never modifies its input."""

_HOOKS: "Registry[RowHook]" = Registry("row hook")


def row_hook(name: str) -> Callable[[RowHook], RowHook]:
    """Decorator: register a function from rows to rows under the name that entries use."""
    return _HOOKS.decorator(name)


def get_hook(name: str) -> RowHook:
    """Return the function registered under `name`, or at the class path `name`. Raises: ConfigError."""
    if "." not in name:
        import helm.benchmark.declarative.row_operations  # noqa: F401 - registers the operations that ship

        return _HOOKS[name]
    try:
        return get_class_by_name(name)
    except (ImportError, AttributeError, ValueError) as e:
        raise ConfigError(f"The hook '{name}' cannot be imported: {e}") from e
