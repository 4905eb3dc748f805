"""The resources that a run needs from the worker that executes it."""

from dataclasses import dataclass, field

from helm.benchmark.model_deployment_registry import find_model_deployment

CPUS = "num_cpus"
GPUS = "num_gpus"
MEMORY = "memory_gb"


@dataclass(frozen=True)
class Demand:
    """The kind of worker, and its resources."""

    resources: dict[str, float] = field(default_factory=lambda: {CPUS: 1.0})
    """`num_cpus`, `num_gpus`, `memory_gb`, and others by their names in the cluster."""

    deployment: str = ""
    """The only deployment that the worker serves; empty for a general worker."""

    is_exclusive: bool = True
    """Whether the worker executes nothing else meanwhile. Runs that wait for endpoints share one."""

    @property
    def num_cpus(self) -> float:
        return self.resources.get(CPUS, 1.0)

    @property
    def num_gpus(self) -> float:
        return self.resources.get(GPUS, 0.0)

    @property
    def memory_bytes(self) -> int:
        return int(self.resources.get(MEMORY, 0.0) * 1e9)

    @property
    def custom(self) -> dict[str, float]:
        """The resources that only the cluster knows, without those of which none is needed."""
        known = (CPUS, GPUS, MEMORY)
        return {name: number for name, number in self.resources.items() if name not in known and number}

    def fits(self, other: "Demand") -> bool:
        """Whether a worker created for one demand satisfies the other."""
        return self.deployment == other.deployment and self.resources == other.resources

    def __str__(self) -> str:
        parts = [f"{number:g} {name}" for name, number in sorted(self.resources.items())]
        return " and ".join(parts) + (f" for {self.deployment}" if self.deployment else "")


def demand_of(model_deployment: str, waits_for_endpoint: bool) -> Demand:
    """Return a run's demand, from the field `resources` of its deployment."""
    deployment = find_model_deployment(model_deployment) if model_deployment else None
    if deployment is None or not deployment.resources:
        return Demand(is_exclusive=not waits_for_endpoint)
    return Demand({CPUS: 1.0, **deployment.resources}, deployment.name, not waits_for_endpoint)
