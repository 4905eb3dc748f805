"""What a command has registered in addition to the package's catalogue, so that its workers can do the same."""

from contextvars import ContextVar
from dataclasses import dataclass, field


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
    if setup.plugins:
        from helm.benchmark.declarative.plugins import load_plugins

        load_plugins(setup.plugins)
    if setup.huggingface_models or setup.local_huggingface_models:
        from helm.benchmark import huggingface_registration

        for value in setup.huggingface_models:
            huggingface_registration.register_huggingface_hub_model_from_flag_value(value)
        for path in setup.local_huggingface_models:
            huggingface_registration.register_huggingface_local_model_from_flag_value(path)
