"""The built-in tools by name."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Optional

from helm.common.errors import ConfigError, suggest
from helm.gradbench.tools.server import Tool, ToolModule, serve, use_one_thread

# A tool is a package with one module per eval; each of those has a dictionary FUNCTIONS.
_TOOL_PACKAGES = {
    "numpy": "helm.gradbench.tools.numpy_derivatives",
    "finite": "helm.gradbench.tools.finite_differences",
}
TOOL_NAMES = tuple(_TOOL_PACKAGES)


def get_tool(name: str) -> Tool:
    """The built-in tool ``name``. Raises ``ConfigError`` for an unknown one."""
    if name not in _TOOL_PACKAGES:
        known = ", ".join(TOOL_NAMES)
        raise ConfigError(f"Unknown tool '{name}'. The built-in tools are {known}.{suggest(name, TOOL_NAMES)}")
    package = _TOOL_PACKAGES[name]

    def find_module(module: str) -> Optional[ToolModule]:
        path = f"{package}.{module}"
        if not module.isidentifier() or importlib.util.find_spec(path) is None:
            return None
        return getattr(importlib.import_module(path), "FUNCTIONS", None)

    return Tool(name, find_module)


def run_tool(name: str, multithreaded: bool = False) -> None:
    """Serve the built-in tool ``name`` on standard input and output until the input ends.

    Args:
        multithreaded: let numerical libraries use as many threads as they like; by default each uses one.
    """
    tool = get_tool(name)
    if not multithreaded:
        use_one_thread()
    serve(tool)
