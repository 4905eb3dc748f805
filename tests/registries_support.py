"""Registries as they were, after a test that fills them."""

from collections.abc import Iterator
from contextlib import contextmanager

from helm.benchmark import model_deployment_registry, model_metadata_registry, tokenizer_config_registry

_STATE = [
    model_metadata_registry.ALL_MODELS_METADATA,
    model_metadata_registry.MODEL_NAME_TO_MODEL_METADATA,
    model_deployment_registry.ALL_MODEL_DEPLOYMENTS,
    model_deployment_registry.DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT,
    tokenizer_config_registry.ALL_TOKENIZER_CONFIGS,
    tokenizer_config_registry.TOKENIZER_NAME_TO_CONFIG,
]


@contextmanager
def empty_registries() -> Iterator[None]:
    """Empty model, deployment and tokenizer registries inside the block; outside they are as before."""
    saved = [container.copy() for container in _STATE]
    for container in _STATE:
        container.clear()
    try:
        yield
    finally:
        for container, content in zip(_STATE, saved, strict=True):
            container.clear()
            (container.extend if isinstance(container, list) else container.update)(content)
