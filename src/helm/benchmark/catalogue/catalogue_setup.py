"""What a command has registered in addition to the package's catalogue, so that its workers can do the same."""

import os
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True)
class CatalogueSetup:
    """Where models, deployments, tokenizers, prices and plugins come from."""

    local_path: str = "prod_env"
    """Folder with additional files of the catalogue."""

    plugins: list[str] = field(default_factory=list)
    """Modules, Python files, and YAML files of entries."""

    huggingface_models: list[str] = field(default_factory=list)
    """Models of the Hugging Face hub."""

    local_huggingface_models: list[str] = field(default_factory=list)
    """Folders of saved models."""

    prices: list[str] = field(default_factory=list)
    """Prices given with `--price`, each as `IN,OUT` or `MODEL=IN,OUT` in US dollars per million tokens."""


_current: ContextVar[CatalogueSetup | None] = ContextVar("helm_catalogue_setup", default=None)


def current_catalogue_setup() -> CatalogueSetup:
    """Return the setup of this command."""
    return _current.get() or CatalogueSetup()


def register_catalogue(setup: CatalogueSetup) -> None:
    """Register the package's catalogue, the user's folder, and what plugins add.

    Raises: ConfigError for a file, plugin or model that cannot be used.
    """
    from helm.benchmark.config_registry import (
        register_builtin_configs_from_helm_package,
        register_configs_from_directory,
    )
    from helm.benchmark.price_registry import give_prices
    from helm.common.commands.plugins import load_entry_point_plugins

    _current.set(setup)
    give_prices(setup.prices)
    register_builtin_configs_from_helm_package()
    register_configs_from_directory(setup.local_path)
    load_entry_point_plugins()
    _add_users_choice(setup)


def complete_catalogue(setup: CatalogueSetup) -> None:
    """Register what of `register_catalogue` this process does not have yet: calls in a library come one after another.

    Raises: ConfigError for a file, plugin or model that cannot be used.
    """
    from helm.benchmark.config_registry import register_builtin_configs_from_helm_package
    from helm.benchmark.model_deployment_registry import DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT
    from helm.benchmark.price_registry import give_prices

    _current.set(setup)
    give_prices(setup.prices)
    if _ALWAYS_THERE not in DEPLOYMENT_NAME_TO_MODEL_DEPLOYMENT:
        register_builtin_configs_from_helm_package()
    _register_folder(os.path.abspath(setup.local_path), _versions(setup.local_path))
    _load_entry_points()
    _add_users_choice(setup)


_ALWAYS_THERE = "simple/model1"
"""A deployment of the package's catalogue."""


def _versions(folder: str) -> tuple[tuple[str, int, int], ...]:
    """Return name, size and time of a folder's files of the catalogue."""
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(".yaml")]
    except OSError:
        return ()
    states = [(entry.name, entry.stat()) for entry in entries]
    return tuple(sorted((name, state.st_size, state.st_mtime_ns) for name, state in states))


@cache
def _register_folder(path: str, versions: tuple[tuple[str, int, int], ...]) -> None:
    """Register a folder's files, once for each state of them."""
    from helm.benchmark.config_registry import register_configs_from_directory

    if versions:
        register_configs_from_directory(path)


@cache
def _load_entry_points() -> None:
    from helm.common.commands.plugins import load_entry_point_plugins

    load_entry_point_plugins()


def _add_users_choice(setup: CatalogueSetup) -> None:
    """Register the plugins and models that flags or arguments name."""
    if setup.plugins:
        from helm.benchmark.declarative.plugins import load_plugins

        load_plugins(setup.plugins)
    if setup.huggingface_models or setup.local_huggingface_models:
        from helm.benchmark import huggingface_registration

        for value in setup.huggingface_models:
            huggingface_registration.register_huggingface_hub_model_from_flag_value(value)
        for path in setup.local_huggingface_models:
            huggingface_registration.register_huggingface_local_model_from_flag_value(path)
