"""Settings of the runners that spread runs over processes and machines."""

from dataclasses import dataclass, field
from typing import Any, Dict, Optional

from helm.common.errors import ConfigError


@dataclass
class RunnerConfigSpec:
    """The content of `runner_config.yaml`."""

    helm_max_concurrent_workers: int = -1
    """Workers at once; -1: as the runner chooses."""

    slurm_monitor_interval: int = 60
    """Seconds between looks at the state of jobs."""

    slurm_args: Optional[Dict[str, Any]] = field(default=None)
    """Passed to Slurm with every job."""


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
