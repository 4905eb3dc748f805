"""Maps the name of a tokenizer to how it is created and to its special tokens."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec


@dataclass(frozen=True)
class TokenizerSpec(ObjectSpec):
    """Says how to create a tokenizer."""

    __hash__ = ObjectSpec.__hash__


@dataclass(frozen=True)
class TokenizerConfig:
    """One tokenizer."""

    name: str

    tokenizer_spec: TokenizerSpec

    end_of_text_token: str | None = None
    """End-of-text token. None if unknown."""

    prefix_token: str | None = None
    """Prepended to texts whose complete log-probability is wanted. None if unknown."""


@dataclass(frozen=True)
class TokenizerConfigs:
    """The content of `tokenizer_configs.yaml`."""

    tokenizer_configs: list[TokenizerConfig]


ALL_TOKENIZER_CONFIGS: list[TokenizerConfig] = []
"""Every registration, in order."""

TOKENIZER_NAME_TO_CONFIG: dict[str, TokenizerConfig] = {}
"""The latest registration of each name."""


def register_tokenizer_configs_from_path(path: str) -> None:
    """Register the `tokenizer_configs` of a YAML file; unknown keys are ignored.

    Raises: ConfigError with the file and the path of what is wrong; nothing is registered then.
    """
    from helm.common.formats.json_lines_yaml import read_items

    for config in read_items(path, "tokenizer_configs", TokenizerConfig, _read_tokenizer_config):
        register_tokenizer_config(config)


def _read_tokenizer_config(raw: Any, where: str) -> TokenizerConfig:
    from helm.benchmark.model_deployment_registry import read_object_spec

    if not isinstance(raw, dict) or raw.get("name") is None:
        raise ConfigError(f"{where}: expected a mapping with the key name, got {raw!r}.")
    where = f"{where} (tokenizer '{raw['name']}')"
    spec = read_object_spec(raw.get("tokenizer_spec"), TokenizerSpec, f"{where}: tokenizer_spec")
    end_of_text_token, prefix_token = raw.get("end_of_text_token"), raw.get("prefix_token")
    return TokenizerConfig(
        name=str(raw["name"]),
        tokenizer_spec=spec,
        end_of_text_token=None if end_of_text_token is None else str(end_of_text_token),
        prefix_token=None if prefix_token is None else str(prefix_token),
    )


def register_tokenizer_config(tokenizer_config: TokenizerConfig) -> None:
    ALL_TOKENIZER_CONFIGS.append(tokenizer_config)
    TOKENIZER_NAME_TO_CONFIG[tokenizer_config.name] = tokenizer_config


TokenizerConfigGenerator = Callable[[str], TokenizerConfig | None]
F = TypeVar("F", bound=TokenizerConfigGenerator)

_PREFIX_TO_GENERATOR: dict[str, TokenizerConfigGenerator] = {}
_generated: dict[str, TokenizerConfig] = {}
_lock = threading.RLock()


def tokenizer_config_generator(prefix: str) -> Callable[[F], F]:
    """Decorator: the function builds the config of any unregistered name that starts with `prefix/`.

    Raises: ValueError when the prefix is taken.
    """
    prefix = prefix.strip("/") + "/"

    def register(generator: F) -> F:
        if prefix in _PREFIX_TO_GENERATOR:
            raise ConfigError(f"A TokenizerConfigGenerator with prefix {prefix} already exists")
        _PREFIX_TO_GENERATOR[prefix] = generator
        return generator

    return register


def discover_tokenizer_config_generators() -> None:
    """Import the modules that register generators, once; they are those of `helm.benchmark.model_deployments`."""
    from helm.benchmark.model_deployment_registry import discover_model_deployment_generators

    discover_model_deployment_generators()


def get_tokenizer_config(name: str) -> TokenizerConfig | None:
    """Return the registered config of this name, else the one a generator builds (which is then kept), else None."""
    if name in TOKENIZER_NAME_TO_CONFIG:
        return TOKENIZER_NAME_TO_CONFIG[name]
    discover_tokenizer_config_generators()
    with _lock:
        if name not in _generated:
            for prefix, generator in _PREFIX_TO_GENERATOR.items():
                config = generator(name) if name.startswith(prefix) else None
                if config is not None:
                    _generated[name] = config
        return _generated.get(name)
