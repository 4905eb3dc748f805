"""CompilerGym's modules at their relative paths below `helm.compiler_gym`.

A module of the original for which there is no file here is made when it is imported; its names are those of the modules that have
them. A name that the table lacks is not offered, which the error says.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_ROOT = "helm.compiler_gym"

_SPACES = "Box Commandline CommandlineFlag Dict Discrete NamedDiscrete Permutation Scalar Sequence SpaceSequence Tuple"

_TABLE: dict[str, dict[str, str]] = {
    "bin": {},
    "bin.validate": {"checks.validate_main": "main"},
    "compiler_env_state": {"envs.env_state": "CompilerEnvState CompilerEnvStateReader CompilerEnvStateWriter"},
    "validation_result": {"checks.validation": "ValidationResult"},
    "validation_error": {"checks.validation": "ValidationError"},
    "datasets": {
        "benchmarks.benchmark": "DatasetInitError",
        "errors": "BenchmarkInitError",
        "benchmarks.tar_datasets": "TarDataset TarDatasetWithManifest",
    },
    "datasets.benchmark": {"benchmarks.benchmark": "Benchmark DatasetInitError"},
    "datasets.dataset": {"datasets": "Dataset"},
    "datasets.datasets": {"datasets": "Datasets"},
    "datasets.files_dataset": {"datasets": "FilesDataset"},
    "datasets.tar_dataset": {"benchmarks.tar_datasets": "TarDataset TarDatasetWithManifest"},
    "datasets.uri": {"benchmarks.benchmark_uri": "BenchmarkUri"},
    "envs": {"envs.compiler_env": "CompilerEnv", "envs.llvm_env": "LlvmEnv", "envs.gcc_env": "GccEnv"},
    "envs.llvm": {
        "envs.llvm_env": "LlvmEnv",
        "benchmarks.llvm_benchmark": "make_benchmark",
        "utilities": "compute_observation",
    },
    "envs.llvm.llvm_env": {"envs.llvm_env": "LlvmEnv"},
    "envs.llvm.llvm_benchmark": {
        "benchmarks.llvm_benchmark": "make_benchmark",
        "utilities": "get_system_library_flags",
    },
    "envs.llvm.datasets": {"benchmarks.generators": "CsmithDataset LlvmStressDataset"},
    "envs.gcc": {"envs.gcc_env": "GccEnv"},
    "envs.gcc.datasets": {"benchmarks.generators": "CsmithDataset"},
    "errors": {"checks.validation": "ValidationError", "benchmarks.benchmark": "DatasetInitError"},
    "errors.dataset_errors": {"errors": "BenchmarkInitError", "benchmarks.benchmark": "DatasetInitError"},
    "errors.service_errors": {
        "errors": (
            "EnvironmentNotSupported ServiceError ServiceInitError ServiceIsClosed ServiceOSError ServiceTransportError "
            "SessionNotFound"
        ),
    },
    "errors.validation_errors": {"checks.validation": "ValidationError"},
    "service": {
        "runtime.session": "CompilationSession",
        "errors": (
            "EnvironmentNotSupported ServiceError ServiceInitError ServiceIsClosed ServiceOSError ServiceTransportError "
            "SessionNotFound"
        ),
        "runtime.service_client": "ConnectionOptions=ConnectionOpts",
    },
    "service.client_service_compiler_env": {"envs.compiler_env": "CompilerEnv=ClientServiceCompilerEnv"},
    "service.connection": {"runtime.service_client": "ConnectionOptions=ConnectionOpts", "errors": "ServiceError"},
    "service.compilation_session": {"runtime.session": "CompilationSession"},
    "service.proto": {"proto": "*"},
    "service.runtime": {"runtime.service_main": "create_and_run_compiler_gym_service"},
    "service.runtime.benchmark_cache": {"benchmarks.benchmark_cache": "BenchmarkCache"},
    "service.runtime.compiler_gym_service": {"runtime.service": "CompilerService=CompilerGymService"},
    "spaces": {"envs.gym_spaces": _SPACES, "rewards": "Reward DefaultRewardFromObservation"},
    "spaces.reward": {"rewards": "Reward DefaultRewardFromObservation"},
    "third_party": {},
    "third_party.autophase": {
        "backends.llvm_features": "AUTOPHASE_NAMES=AUTOPHASE_FEATURE_NAMES",
        "utilities": "AUTOPHASE_FEATURE_DIM",
    },
    "third_party.llvm": {},
    "util": {},
    "util.commands": {"utilities": "Popen communicate run_command"},
    "util.logging": {"utilities": "init_logging"},
    "util.gym_type_hints": {"utilities": "ActionType ObservationType"},
    "util.registration": {"registration": "register"},
    "util.runfiles_path": {"utilities": "cache_path create_user_logs_dir site_data_path transient_cache_path"},
    "util.shell_format": {"utilities": "emph indent plural"},
    "util.statistics": {"envs.statistics": "arithmetic_mean geometric_mean stdev"},
    "util.temporary_working_directory": {"utilities": "temporary_working_directory"},
    "util.timer": {"utilities": "Timer humanize_duration"},
    "util.capture_output": {"utilities": "capture_output"},
    "util.truncate": {"envs.statistics": "truncate", "utilities": "truncate_lines"},
    **{f"spaces.{name}": {"envs.gym_spaces": _SPACES} for name in "commandline named_discrete scalar sequence".split()},
}
"""Module -> module that has the names -> the names; `OURS=THEIRS` where they differ, `*` for all."""


def find_name(module: str, name: str) -> Any:
    """Return a name of a module of the original.

    Args:
        module: full name, such as `helm.compiler_gym.spaces`.
        name: the name, such as `Scalar`.
    Raises: AttributeError when the module has no such name here.
    """
    for source, names in _TABLE.get(module.removeprefix(_ROOT + "."), {}).items():
        for word in names.split():
            ours, _, theirs = word.partition("=")
            if name == (theirs or ours) or (word == "*" and not name.startswith("__")):
                return getattr(import_module(f"{_ROOT}.{source}"), name if word == "*" else ours)
    raise AttributeError(f"module '{module}' has no attribute '{name}'")


class _OriginalModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        value = find_name(self.__name__, name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        names = " ".join(_TABLE[self.__name__.removeprefix(_ROOT + ".")].values()).split()
        return sorted(word.rpartition("=")[2] for word in names if word != "*")


class _Finder:
    """Makes the modules of the table for which there is no file."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith(_ROOT + ".") or name.removeprefix(_ROOT + ".") not in _TABLE:
            return None
        return ModuleSpec(name, _Loader(), is_package=True)  # type: ignore[arg-type]


class _Loader:
    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        return _OriginalModule(spec.name, "A module of CompilerGym; see `helm.compiler_gym.original_names`.")

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        pass


def install() -> None:
    """Make the modules importable, after all that have files."""
    if not any(finder is _Finder for finder in sys.meta_path):
        sys.meta_path.append(_Finder)
