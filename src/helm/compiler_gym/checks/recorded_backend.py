"""The compiler of a finished run."""

from typing import Any


def find_backend(run_spec: Any) -> str:
    """Return the compiler of a run, which the run spec names, or else its deployment in the catalogue."""
    executor_spec = run_spec.executor_spec
    backend = executor_spec.args.get("backend") if executor_spec is not None else None
    if isinstance(backend, str):
        return backend
    from helm.compiler_gym.adapter import get_compiler_client

    return get_compiler_client(run_spec.adapter_spec.model_deployment).backend
