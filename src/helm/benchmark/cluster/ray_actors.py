"""The processes of a command on a Ray cluster."""

import os
from typing import Any

from helm.benchmark.cluster.hosted_worker import HostedWorker
from helm.common.hierarchical_logger import setup_default_logging


class RayWorker(HostedWorker):
    """A worker as an actor."""

    def __init__(self, name: str, hub: Any):
        super().__init__(name)
        self._hub = hub

    def _ask_hub(self, method: str, *args: Any) -> Any:
        import ray

        return ray.get(getattr(self._hub, method).remote(*args))

    def prepare(self, setup: str, budget: str, environment: dict[str, str]) -> str:
        """Do `start`, with variables of the command's environment."""
        os.environ.update(environment)
        setup_default_logging()
        return self.start(setup, budget)

    def pid(self) -> int:
        return os.getpid()
