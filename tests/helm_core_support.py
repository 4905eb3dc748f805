"""What several tests of the helm-core vectors need: their environment, comparisons of errors, and a time limit."""

import threading
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, Optional

from vectors_support import vectors_dir


@contextmanager
def isolated_catalogue() -> Iterator[None]:
    """Begin with empty registries of models, deployments and tokenizers, and put back what was there afterwards."""
    from helm.benchmark import model_deployment_registry, model_metadata_registry, tokenizer_config_registry

    containers = [
        model_metadata_registry.ALL_MODELS_METADATA,
        model_metadata_registry.MODEL_NAME_TO_MODEL_METADATA,
        model_deployment_registry.ALL_MODEL_DEPLOYMENTS,
        model_deployment_registry.DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT,
        tokenizer_config_registry.ALL_TOKENIZER_CONFIGS,
        tokenizer_config_registry.TOKENIZER_NAME_TO_CONFIG,
    ]
    saved = [container.copy() for container in containers]
    for container in containers:
        container.clear()
    try:
        yield
    finally:
        for container, content in zip(containers, saved):
            container.clear()
            (container.extend if isinstance(container, list) else container.update)(content)  # type: ignore[union-attr]


def register_vector_environment() -> None:
    """The catalogue of the vectors: `env_simple`, then `env`."""
    from helm.benchmark.config_registry import register_configs_from_directory

    for name in ("env_simple", "env"):
        register_configs_from_directory(str(vectors_dir() / "helm-core" / name))


def within_a_second(function: Callable[[], Any]) -> Any:
    """What the function returns or raises; fails when it is still running after a second."""
    outcome: Dict[str, Any] = {}

    def run() -> None:
        try:
            outcome["result"] = function()
        except BaseException as e:  # noqa: BLE001: raised again in the calling thread
            outcome["error"] = e

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(1.0)
    assert not thread.is_alive(), "still running after a second"
    if "error" in outcome:
        raise outcome["error"]
    return outcome["result"]


def error_mismatch(error: Optional[BaseException], expected: Dict[str, Any]) -> Optional[str]:
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
