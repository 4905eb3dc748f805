from dataclasses import dataclass

from helm.common.object_spec import ObjectSpec


@dataclass(frozen=True)
class ExecutorSpec(ObjectSpec):
    """Says how to make an executor; apart from the executors, because recipes import it."""

    __hash__ = ObjectSpec.__hash__
