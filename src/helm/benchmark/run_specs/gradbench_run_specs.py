"""Run specs of the evals of automatic-differentiation tools, found here; ``helm.gradbench.run_specs`` makes them."""

from __future__ import annotations

import importlib
import re
from typing import Any

_made = importlib.import_module("helm.gradbench.run_specs")  # by name, because this layer must not import that package


def __getattr__(name: str) -> Any:
    from helm.benchmark.run_spec import get_run_spec_function

    match = re.fullmatch(r"get_(gradbench_\w+)_spec", name)
    function = get_run_spec_function(match[1]) if match else getattr(_made, name, None)
    if function is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return function
