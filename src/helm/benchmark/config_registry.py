"""Reads the catalogue: the files of the package `helm.config`, then those of the user's folder."""

import os

MODEL_METADATA_FILE = "model_metadata.yaml"
TOKENIZER_CONFIGS_FILE = "tokenizer_configs.yaml"
MODEL_DEPLOYMENTS_FILE = "model_deployments.yaml"
RUNNER_CONFIG_FILE = "runner_config.yaml"
PRICES_FILE = "prices.yaml"
CONFIG_PACKAGE = "helm.config"


def register_configs_from_directory(dir_path: str) -> None:
    """Register the catalogue files that the folder contains. Later folders add to and override earlier ones.

    Raises: ConfigError with the file and what is wrong in it.
    """
    from helm.benchmark.model_deployment_registry import register_model_deployments_from_path
    from helm.benchmark.model_metadata_registry import register_model_metadata_from_path
    from helm.benchmark.price_registry import register_prices_from_path
    from helm.benchmark.runner_config_registry import register_runner_config_from_path
    from helm.benchmark.tokenizer_config_registry import register_tokenizer_configs_from_path
    from helm.common.hierarchical_logger import hlog

    for file_name, what, register in (
        (MODEL_METADATA_FILE, "model metadata", register_model_metadata_from_path),
        (TOKENIZER_CONFIGS_FILE, "tokenizer configs", register_tokenizer_configs_from_path),
        (MODEL_DEPLOYMENTS_FILE, "model deployments", register_model_deployments_from_path),
        (RUNNER_CONFIG_FILE, "runner config", register_runner_config_from_path),
        (PRICES_FILE, "prices", register_prices_from_path),
    ):
        path = os.path.join(dir_path, file_name)
        if os.path.isfile(path):
            hlog(f"Reading {what} from {path}")
            register(path)


def register_builtin_configs_from_helm_package() -> None:
    """Register the catalogue that comes with the package."""
    import helm.config

    for folder in helm.config.__path__:
        register_configs_from_directory(folder)
