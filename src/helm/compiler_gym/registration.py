"""Environments by id: `make("llvm-v0", benchmark=..., observation_space=..., reward_space=...)`."""

from dataclasses import dataclass, field
from typing import Any, Mapping

from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name


@dataclass(frozen=True)
class EnvSpec:
    """How to make an environment."""

    id: str
    """Its name, with a version: `NAME-vN`."""

    entry_point: str
    """Class path of the environment, or of a function that makes it."""

    kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Arguments, which those of `make` replace."""


_LLVM = "helm.compiler_gym.llvm_env.LlvmEnv"


def _list_llvm_specs() -> list[EnvSpec]:
    rewards = {"ic": "IrInstructionCountOz", "codesize": "ObjectTextSizeOz"}
    specs = [EnvSpec("llvm-v0", _LLVM)]
    specs += [EnvSpec(f"llvm-{short}-v0", _LLVM, {"reward_space": reward}) for short, reward in rewards.items()]
    for observation in ("Autophase", "Ir"):
        for short, reward in rewards.items():
            arguments = {"observation_space": observation, "reward_space": reward}
            specs.append(EnvSpec(f"llvm-{observation.lower()}-{short}-v0", _LLVM, arguments))
    return specs


_GCC_SPEC = EnvSpec("gcc-v0", "helm.compiler_gym.gcc_env.GccEnv")

_registry: dict[str, EnvSpec] = {spec.id: spec for spec in [*_list_llvm_specs(), _GCC_SPEC]}


def register(id: str, entry_point: str, kwargs: Mapping[str, Any] | None = None) -> None:
    """Add an environment, or replace the one of this id.

    Args:
        entry_point: class path of a `CompilerEnv`, or of a function that makes one; for example
            `helm.compiler_gym.compiler_env.CompilerEnv` with `{"service": "my_package.MySession"}` as arguments.
    """
    _registry[id] = EnvSpec(id, entry_point, dict(kwargs or {}))


def list_env_ids() -> list[str]:
    """The ids that `make` takes."""
    return sorted(_registry)


def make(id: str, **kwargs: Any) -> Any:
    """A new environment, which the caller closes.

    Args:
        kwargs: for the environment: `benchmark`, `observation_space`, `reward_space`, `action_space`,
            `connection` (`local` or `in_process`), `connection_settings`, ...
    Raises: ConfigError naming the nearest id.
    """
    if id not in _registry:
        known = ", ".join(list_env_ids())
        raise ConfigError(f"Unknown compiler environment '{id}'. There are: {known}.{suggest(id, _registry)}")
    spec = _registry[id]
    return get_class_by_name(spec.entry_point)(**{**spec.kwargs, **kwargs})
