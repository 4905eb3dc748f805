from dataclasses import dataclass

from helm.common.object_spec import ObjectSpec


@dataclass(frozen=True)
class ExecutorSpec(ObjectSpec):
    """Specifies an executor. It is in a module of its own, because recipes import it, but no executors."""

    __hash__ = ObjectSpec.__hash__
