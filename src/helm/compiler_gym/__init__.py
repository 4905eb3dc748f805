"""Compilers as subjects of evaluation: the CompilerGym service, its backends, policies, and their parts of a run.

`make("llvm-v0", ...)` gives a Gymnasium environment (extra `compilers`).
"""

from typing import Any


def make(id: str, **kwargs: Any) -> Any:
    """A new environment, which the caller closes. See `helm.compiler_gym.registration.make`."""
    from helm.compiler_gym import registration

    return registration.make(id, **kwargs)
