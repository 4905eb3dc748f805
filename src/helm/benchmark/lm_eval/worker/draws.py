"""The generators that code of tasks draws from: Python's and NumPy's own, and those that its modules keep."""

import os
import random
import sys
from typing import Any

from .failures import CODE_FOLDER

SEED, NUMPY_SEED = 0, 1234
"""The seeds that lm-evaluation-harness sets before it loads tasks."""


def seed(folder: str) -> None:
    """Set the generators to the state that they have in that program before it loads a task."""
    random.seed(SEED)
    if _names_numpy(os.path.join(folder, CODE_FOLDER)):
        try:
            import numpy
        except ImportError:  # its import will fail in the code, too, which then is told
            return
        numpy.random.seed(NUMPY_SEED)


def _names_numpy(folder: str) -> bool:
    for base, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(base, name), "rb") as file:
                    if b"numpy" in file.read():
                        return True
    return False


def state() -> Any:
    """Return the state of the generators of Python and NumPy, to be compared."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return random.getstate(), None
    name, keys, position, *_ = numpy.random.get_state()
    return random.getstate(), (name, keys.tobytes(), position)


def own_state() -> Any:
    """Return the states of the generators that modules of the task's code keep, to be compared."""
    return [
        repr(_state_of(value))
        for module in list(sys.modules.values())
        if _is_own(module)
        for value in vars(module).values()
    ]


def _is_own(module: Any) -> bool:
    return f"{os.sep}{CODE_FOLDER}{os.sep}" in str(getattr(module, "__file__", None) or "")


def _state_of(value: Any) -> Any:
    if isinstance(value, random.Random):
        return value.getstate()
    if type(value).__module__.startswith("numpy.random"):
        if hasattr(value, "get_state"):
            _, keys, position, *_ = value.get_state()
            return keys.tobytes(), position
        return getattr(getattr(value, "bit_generator", value), "state", None)
    return None
