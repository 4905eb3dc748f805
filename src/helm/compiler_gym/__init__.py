"""Compilers as subjects of evaluation: the CompilerGym service, its backends, policies, and their parts of a run.

`make("llvm-v0", ...)` creates a Gymnasium environment (extra `compilers`). The other names are those that CompilerGym's
package has; each is imported when it is first used.
"""

from importlib import import_module
from typing import Any

from helm.compiler_gym import gymnasium_hook, original_names

original_names.install()
gymnasium_hook.register()

_NAMES = {
    "CompilerEnv": "envs.compiler_env",
    "CompilerEnvState": "envs.env_state",
    "CompilerEnvStateReader": "envs.env_state",
    "CompilerEnvStateWriter": "envs.env_state",
    "GccEnv": "envs.gcc_env",
    "LlvmEnv": "envs.llvm_env",
    "ValidationError": "checks.validation",
    "ValidationResult": "checks.validation",
    "cache_path": "utilities",
    "download": "utilities",
    "get_debug_level": "utilities",
    "get_logging_level": "utilities",
    "set_debug_level": "utilities",
    "site_data_path": "utilities",
    "transient_cache_path": "utilities",
    "validate_states": "validate",
}
"""Name -> module that has it."""


def make(id: str, **kwargs: Any) -> Any:
    """Create an environment, which the caller closes. See `helm.compiler_gym.registration.make`."""
    from helm.compiler_gym import registration

    return registration.make(id, **kwargs)


def __getattr__(name: str) -> Any:
    if name == "COMPILER_GYM_ENVS":
        from helm.compiler_gym import registration

        return registration.list_env_ids()
    if name == "__version__":
        from importlib.metadata import version

        return version("helm-evals")
    if name == "random_search":  # its module is called as the function
        return import_module(f"{__name__}.random_search")
    if name in _NAMES:
        return getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
