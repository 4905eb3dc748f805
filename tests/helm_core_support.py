"""What several tests of the helm-core vectors need: their environment, comparisons of errors, and a time limit."""

import threading
from collections.abc import Callable
from typing import Any

from vectors_support import vectors_dir


def register_vector_environment() -> None:
    """The catalogue of the vectors: `env_simple`, then `env`."""
    from helm.benchmark.config_registry import register_configs_from_directory

    for name in ("env_simple", "env"):
        register_configs_from_directory(str(vectors_dir() / "helm-core" / name))


def within_a_second(function: Callable[..., Any], *args: Any) -> Any:
    """What the function returns or raises; fails when it is still running after a second."""
    outcome: dict[str, Any] = {}

    def run() -> None:
        try:
            outcome["result"] = function(*args)
        except BaseException as e:  # raised again in the calling thread
            outcome["error"] = e

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(1.0)
    assert not thread.is_alive(), "still running after a second"
    if "error" in outcome:
        raise outcome["error"]
    return outcome["result"]


def error_mismatch(error: BaseException | None, expected: dict[str, Any]) -> str | None:
    """Why an error is not the expected one, or None.

    A subclass will do, and so does more text behind the expected message, which is where suggestions stand.
    """
    if error is None:
        return f"no error, expected {expected}"
    if expected.get("loose"):
        return None
    names = [cls.__name__ for cls in type(error).__mro__]
    if expected["type"] not in names:
        return f"{type(error).__name__}: {error}, expected a {expected['type']}"
    if not str(error).startswith(expected["message"]):
        return f"{error}, expected {expected['message']}"
    return None
