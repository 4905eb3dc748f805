"""Settings of the runners that distribute runs over processes and machines."""

import os
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import ConfigError


@dataclass
class RunnerConfigSpec:
    """The content of `runner_config.yaml`."""

    helm_max_concurrent_workers: int = -1
    """Maximum number of concurrent workers; -1 lets the runner choose. The environment variable of this name overrides
    it."""

    slurm_monitor_interval: int = 60
    """Seconds between checks of the state of jobs."""

    slurm_args: dict[str, Any] | None = field(default=None)
    """Options of `sbatch` for every job, by long name without dashes; null or true is an option without a value."""

    max_worker_retries: int = 3
    """How often a run is retried whose worker was lost: killed, out of memory, or on a machine that went away."""

    ray_address: str | None = None
    """Address of the cluster. None means that of RAY_ADDRESS, else the cluster running on this machine, else a new one
    on this machine."""

    ray_shard_size: int = 0
    """Divide runs of language models and compilers into parts of this many requests, one worker each; 0 keeps runs
    whole."""

    ray_start_timeout_s: int = 300
    """Maximum wait, in seconds, for a machine with the resources of a deployment if the cluster has none. The wait for
    busy machines is unlimited."""


RUNNER_CONFIG: RunnerConfigSpec = RunnerConfigSpec()
"""The current settings, changed in place so that modules can import it by name."""


MAX_CONCURRENT_WORKERS_VARIABLE = "HELM_MAX_CONCURRENT_WORKERS"


def max_concurrent_workers(variable: str = MAX_CONCURRENT_WORKERS_VARIABLE) -> int | None:
    """Return the limit from the environment variable, else from the settings, else None. Raises: ConfigError."""
    text = os.environ.get(variable, "").strip()
    if text:
        if not text.isdigit() or int(text) < 1:
            raise ConfigError(f"{variable} takes a whole number of 1 or more, not '{text}'.")
        return int(text)
    number = RUNNER_CONFIG.helm_max_concurrent_workers
    return number if number > 0 else None


def register_runner_config_from_path(dir_path: str) -> None:
    """Read the settings from a file; `dir_path` is HELM's name for its path.

    Raises: ConfigError if a value has the wrong type.
    """
    import dacite

    from helm.common.files import load_yaml

    raw = load_yaml(dir_path)
    if not isinstance(raw, dict):
        raise ConfigError(f"{dir_path}: expected a mapping.")
    try:
        config = dacite.from_dict(RunnerConfigSpec, raw)
    except dacite.DaciteError as e:
        raise ConfigError(f"{dir_path}: {e}") from e
    RUNNER_CONFIG.__dict__.update(config.__dict__)
