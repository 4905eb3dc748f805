"""Settings of the runners that spread runs over processes and machines."""

import os
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import ConfigError


@dataclass
class RunnerConfigSpec:
    """The content of `runner_config.yaml`."""

    helm_max_concurrent_workers: int = -1
    """Workers at once; -1: as the runner chooses. The environment variable of this name goes before it."""

    slurm_monitor_interval: int = 60
    """Seconds between looks at the state of jobs."""

    slurm_args: dict[str, Any] | None = field(default=None)
    """Options of `sbatch` for every job, by their long names without dashes; null or true: an option without a value."""

    max_worker_retries: int = 3
    """How often a run is tried again whose worker was lost: killed, out of memory, on a machine that is gone."""

    ray_address: str | None = None
    """Of the cluster; None: that of RAY_ADDRESS, else the one that runs on this machine, else one of this machine's own."""

    ray_shard_size: int = 0
    """Divide runs of language models and compilers into parts of so many requests, each for a worker; 0: whole runs."""

    ray_start_timeout_s: int = 300
    """Longest wait, in seconds, for a machine with what a deployment asks for, when the cluster has none. Machines that are
    busy are waited for without limit."""


RUNNER_CONFIG: RunnerConfigSpec = RunnerConfigSpec()
"""The settings in force; changed in place, so that importing it by name is safe."""


def max_concurrent_workers(variable: str = "HELM_MAX_CONCURRENT_WORKERS") -> int | None:
    """From the environment variable, else from the settings; None: neither says. Raises: ConfigError."""
    text = os.environ.get(variable, "").strip()
    if text:
        if not text.isdigit() or int(text) < 1:
            raise ConfigError(f"{variable} takes a whole number of 1 or more, not '{text}'.")
        return int(text)
    number = RUNNER_CONFIG.helm_max_concurrent_workers
    return number if number > 0 else None


def register_runner_config_from_path(path: str) -> None:
    """Raises ConfigError when a value has the wrong type."""
    import dacite

    from helm.common.files import load_yaml

    raw = load_yaml(path)
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: expected a mapping.")
    try:
        config = dacite.from_dict(RunnerConfigSpec, raw)
    except dacite.DaciteError as e:
        raise ConfigError(f"{path}: {e}") from e
    RUNNER_CONFIG.__dict__.update(config.__dict__)
