"""Environments by id: `make("llvm-v0", benchmark=..., observation_space=..., reward_space=...)`."""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from helm.common.errors import ConfigError, suggest
from helm.common.object_spec import get_class_by_name


@dataclass(frozen=True)
class EnvSpec:
    """How to create an environment."""

    id: str
    """Its name, with a version: `NAME-vN`."""

    entry_point: str
    """Class path of the environment, or of a function that creates it."""

    kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Default arguments; those of `make` take precedence."""


_LLVM = "helm.compiler_gym.envs.llvm_env.LlvmEnv"


def _list_llvm_specs() -> list[EnvSpec]:
    rewards = {"ic": "IrInstructionCountOz", "codesize": "ObjectTextSizeOz"}
    specs = [EnvSpec("llvm-v0", _LLVM)]
    specs += [EnvSpec(f"llvm-{short}-v0", _LLVM, {"reward_space": reward}) for short, reward in rewards.items()]
    for observation in ("Autophase", "Ir"):
        for short, reward in rewards.items():
            arguments = {"observation_space": observation, "reward_space": reward}
            specs.append(EnvSpec(f"llvm-{observation.lower()}-{short}-v0", _LLVM, arguments))
    return specs


_OTHER_SPECS = (
    EnvSpec("gcc-v0", "helm.compiler_gym.envs.gcc_env.GccEnv"),
    EnvSpec("loop_tool-v0", "helm.compiler_gym.envs.loop_tool_env.LoopToolEnv"),
    EnvSpec("mlir-v0", "helm.compiler_gym.envs.mlir_env.MlirEnv"),
)

_registry: dict[str, EnvSpec] = {spec.id: spec for spec in [*_list_llvm_specs(), *_OTHER_SPECS]}


def register(id: str, entry_point: str, kwargs: Mapping[str, Any] | None = None) -> None:
    """Add an environment, or replace the one of this id.

    Args:
        entry_point: class path of a `CompilerEnv`, or of a function that makes one; for example
            `helm.compiler_gym.envs.compiler_env.CompilerEnv` with `{"service": "my_package.MySession"}` as arguments.
    """
    _registry[id] = EnvSpec(id, entry_point, dict(kwargs or {}))
    if "gymnasium" in sys.modules:
        _register_with_gymnasium(_registry[id])


def list_env_ids() -> list[str]:
    """The ids that `make` takes."""
    return sorted(_registry)


def make(id: str, get_class: Callable[[Any], Any] = lambda entry_point: entry_point, /, **kwargs: Any) -> Any:
    """Create an environment, which the caller closes.

    Args:
        id: a registered name, such as `llvm-v0`.
        get_class: returns the class to use in place of the registered one.
        kwargs: arguments of the environment: `benchmark`, `observation_space`, `reward_space`, `action_space`,
            `connection` (`local` or `in_process`), `connection_settings`, ...
    Raises: ConfigError naming the nearest id.
    """
    if id not in _registry:
        known = ", ".join(list_env_ids())
        raise ConfigError(f"Unknown compiler environment '{id}'. There are: {known}.{suggest(id, _registry)}")
    spec = _registry[id]
    make_env = get_class(get_class_by_name(spec.entry_point))
    _check_names(id, make_env, kwargs)
    return make_env(**{**spec.kwargs, **kwargs})


def _check_names(id: str, make_env: Any, kwargs: Mapping[str, Any]) -> None:
    """Check that a constructor of the environment's class has each argument.

    Raises: TypeError naming the nearest argument.
    """
    if not isinstance(make_env, type):
        return
    constructors = [cls.__dict__["__init__"] for cls in make_env.__mro__[:-1] if "__init__" in cls.__dict__]
    parameters = [name for constructor in constructors for name in inspect.signature(constructor).parameters]
    known = [name for name in parameters if name not in ("self", "args", "kwargs")]
    for name in kwargs:
        if name not in known:
            raise TypeError(f"The environment {id} has no argument '{name}'.{suggest(name, known)}")


def register_with_gymnasium() -> None:
    """Register our ids with `gymnasium.make` and `gymnasium.make_vec`.

    Called once a program has imported both packages; see `gymnasium_hook`.
    """
    for spec in _registry.values():
        _register_with_gymnasium(spec)


def _register_with_gymnasium(spec: EnvSpec) -> None:
    import gymnasium

    gymnasium.registry.pop(spec.id, None)  # registering twice would print a warning
    gymnasium.register(
        spec.id,
        entry_point=partial(make, spec.id),
        # The checker rejects environments without an observation or a reward.
        disable_env_checker="observation_space" not in spec.kwargs,
    )
