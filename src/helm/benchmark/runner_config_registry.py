"""Settings of the runners that spread runs over processes and machines."""

from dataclasses import dataclass, field
from typing import Any, Dict, Optional

from helm.common.errors import ConfigError


@dataclass
class RunnerConfigSpec:
    """The content of `runner_config.yaml`."""

    helm_max_concurrent_workers: int = -1
    """Workers at once; -1: as the runner chooses. The environment variable of this name goes before it."""

    slurm_monitor_interval: int = 60
    """Seconds between looks at the state of jobs."""

    slurm_args: Optional[Dict[str, Any]] = field(default=None)
    """Options of `sbatch` for every job, by their long names without dashes; null or true: an option without a value."""

    max_worker_retries: int = 3
    """How often a run is tried again whose worker was lost: killed, out of memory, on a machine that is gone."""

    ray_address: Optional[str] = None
    """Of the cluster; None: that of RAY_ADDRESS, else the one that runs on this machine, else one of this machine's own."""

    ray_shard_size: int = 0
    """Divide runs of language models and compilers into parts of so many requests, each for a worker; 0: whole runs."""

    ray_start_timeout_s: int = 300
    """Longest wait, in seconds, for a machine that has what a deployment asks for, and for a worker to start there."""


RUNNER_CONFIG: RunnerConfigSpec = RunnerConfigSpec()
"""The settings in force; changed in place, so that importing it by name is safe."""


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
