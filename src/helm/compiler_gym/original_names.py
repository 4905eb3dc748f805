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

_SPACES = (
    "ActionSpace Box Commandline CommandlineFlag Dict Discrete NamedDiscrete Permutation Scalar Sequence SpaceSequence "
    "Tuple"
)

_TABLE: dict[str, dict[str, str]] = {
    "compiler_env_state": {"envs.env_state": "CompilerEnvState CompilerEnvStateReader CompilerEnvStateWriter"},
    "validation_result": {"checks.validation": "ValidationResult"},
    "validation_error": {"checks.validation": "ValidationError"},
    "datasets": {
        "benchmarks.benchmark": "Benchmark BenchmarkSource DatasetInitError",
        "benchmarks.benchmark_uri": "BenchmarkUri",
        "errors": "BenchmarkInitError",
        "benchmarks.tar_datasets": "TarDataset TarDatasetWithManifest",
    },
    "datasets.benchmark": {"benchmarks.benchmark": "Benchmark BenchmarkSource DatasetInitError"},
    "datasets.dataset": {"datasets": "Dataset"},
    "datasets.datasets": {"datasets": "Datasets round_robin_iterables"},
    "datasets.files_dataset": {"datasets": "FilesDataset"},
    "datasets.tar_dataset": {"benchmarks.tar_datasets": "TarDataset TarDatasetWithManifest"},
    "datasets.uri": {"benchmarks.benchmark_uri": "BenchmarkUri"},
    "envs": {
        "envs.compiler_env": "CompilerEnv",
        "envs.llvm_env": "LlvmEnv",
        "envs.gcc_env": "GccEnv",
        "envs.mlir_env": "MlirEnv",
    },
    "envs.llvm": {
        "envs.llvm_env": "LlvmEnv",
        "benchmarks.invocations": "BenchmarkFromCommandLine ClangInvocation make_benchmark_from_command_line",
        "benchmarks.llvm_benchmark": "make_benchmark",
        "benchmarks.whole_modules": "make_benchmark_from_source merge_benchmarks split_benchmark_by_function",
        "utilities": "compute_observation get_system_library_flags",
    },
    "envs.llvm.llvm_env": {"envs.llvm_env": "LlvmEnv"},
    "envs.llvm.llvm_benchmark": {
        "benchmarks.invocations": "BenchmarkFromCommandLine ClangInvocation make_benchmark_from_command_line",
        "benchmarks.llvm_benchmark": "make_benchmark",
        "benchmarks.whole_modules": "make_benchmark_from_source merge_benchmarks split_benchmark_by_function",
        "utilities": "get_system_library_flags",
    },
    "envs.llvm.datasets": {
        "benchmarks.named_datasets": (
            "AnghaBenchDataset BlasDataset CBenchDataset CHStoneDataset CLgenDataset CsmithBenchmark GitHubDataset "
            "JotaiBenchDataset LinuxDataset LlvmCsmithDataset=CsmithDataset MibenchDataset NPBDataset OpenCVDataset "
            "POJ104Dataset TensorFlowDataset get_llvm_datasets"
        ),
        "benchmarks.generators": "LlvmStressDataset",
    },
    "envs.llvm.datasets.anghabench": {"benchmarks.named_datasets": "AnghaBenchDataset"},
    "envs.llvm.datasets.cbench": {"benchmarks.named_datasets": "CBenchDataset VALIDATORS"},
    "envs.llvm.datasets.chstone": {"benchmarks.named_datasets": "CHStoneDataset"},
    "envs.llvm.datasets.csmith": {
        "benchmarks.named_datasets": "CsmithBenchmark LlvmCsmithDataset=CsmithDataset",
    },
    "envs.llvm.datasets.llvm_stress": {"benchmarks.generators": "LlvmStressDataset"},
    "envs.llvm.datasets.poj104": {"benchmarks.named_datasets": "POJ104Dataset"},
    "envs.gcc": {"envs.gcc_env": "GccEnv", "backends.gcc_spec": "DEFAULT_GCC Gcc GccSpec"},
    "envs.gcc.gcc": {
        "backends.gcc_spec": "Gcc GccSpec",
        "backends.gcc_options": (
            "GccOption=Option GccOOption GccFlagOption GccFlagEnumOption GccFlagIntOption GccFlagAlignOption "
            "GccParamEnumOption GccParamIntOption"
        ),
    },
    "envs.gcc.datasets": {
        "benchmarks.named_datasets": (
            "CsmithBenchmark GccAnghaBenchDataset=AnghaBenchDataset GccCHStoneDataset=CHStoneDataset "
            "GccCsmithDataset=CsmithDataset get_gcc_datasets"
        ),
    },
    "envs.mlir": {"envs.mlir_env": "MlirEnv", "benchmarks.mlir_programs": "MatmulBenchmark MatmulDataset"},
    "envs.mlir.datasets": {"benchmarks.mlir_programs": "MatmulBenchmark MatmulDataset"},
    "envs.mlir.mlir_env": {"envs.mlir_env": "MlirEnv"},
    "envs.loop_tool": {"envs.loop_tool_env": "LoopToolEnv"},
    "errors": {
        "utilities": "DownloadFailed TooManyRequests",
        "checks.validation": "ValidationError",
        "benchmarks.benchmark": "DatasetInitError",
    },
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
        "envs.compiler_env": "CompilerEnv=ClientServiceCompilerEnv",
        "runtime.client_handle": "CompilerGymServiceConnection ConnectionOpts",
        "runtime.message_converters": "ServiceMessageConverters",
    },
    "service.client_service_compiler_env": {
        "envs.compiler_env": "CompilerEnv=ClientServiceCompilerEnv",
        "runtime.message_converters": "ServiceMessageConverters",
    },
    "service.connection": {
        "runtime.client_handle": "CompilerGymServiceConnection ConnectionOpts",
        "errors": "ServiceError",
    },
    "service.compilation_session": {"runtime.session": "CompilationSession"},
    "service.proto.py_converters": {
        "runtime.message_converters": "make_message_default_converter to_event_message_default_converter"
    },
    "service.proto": {"proto": "*"},
    "service.service_cache": {"utilities": "ServiceCache"},
    "service.runtime": {
        "runtime.service_main": "create_and_run_compiler_gym_service",
        "runtime.servicer": "CompilerGymService",
        "benchmarks.benchmark_cache": "BenchmarkCache",
    },
    "service.runtime.benchmark_cache": {"benchmarks.benchmark_cache": "BenchmarkCache logger"},
    "service.runtime.compiler_gym_service": {"runtime.servicer": "CompilerGymService"},
    "spaces": {"envs.gym_spaces": _SPACES, "rewards": "Reward DefaultRewardFromObservation"},
    "spaces.reward": {"rewards": "Reward DefaultRewardFromObservation"},
    "third_party": {},
    "third_party.autophase": {
        "backends.llvm_features": "AUTOPHASE_NAMES=AUTOPHASE_FEATURE_NAMES",
        "utilities": "AUTOPHASE_FEATURE_DIM",
    },
    "third_party.gccinvocation": {},
    "third_party.gccinvocation.gccinvocation": {"benchmarks.invocations": "GccInvocation cmdline_to_argv"},
    "third_party.llvm": {
        "utilities": "clang_path llvm_as_path llvm_dis_path llvm_link_path llvm_stress_path opt_path",
    },
    "util": {},
    "util.debug_util": {"utilities": "get_debug_level get_logging_level set_debug_level"},
    "util.download": {"utilities": "DownloadFailed TooManyRequests download"},
    "util.executor": {"executors": "Executor"},
    "util.filesystem": {"utilities": "extract_tar"},
    "util.flags": {
        "flags": "DEFINE_bool DEFINE_boolean DEFINE_float DEFINE_integer DEFINE_list DEFINE_string FLAGS app"
    },
    "util.flags.benchmark_from_flags": {"flags": "benchmark_from_flags"},
    "util.flags.env_from_flags": {"flags": "env_from_flags env_session_from_flags"},
    "util.tabulate": {"utilities": "tabulate"},
    "util.commands": {"utilities": "Popen communicate run_command"},
    "util.parallelization": {"utilities": "thread_safe_tee"},
    "util.logging": {"utilities": "init_logging"},
    "util.gym_type_hints": {"utilities": "ActionType ObservationType"},
    "util.registration": {"registration": "register"},
    "util.runfiles_path": {
        "utilities": "cache_path create_user_logs_dir runfiles_path site_data_path transient_cache_path"
    },
    "util.shell_format": {"utilities": "emph indent plural"},
    "util.statistics": {"envs.statistics": "arithmetic_mean geometric_mean stdev"},
    "util.temporary_working_directory": {"utilities": "temporary_working_directory"},
    "util.timer": {"utilities": "Timer humanize_duration"},
    "util.capture_output": {"utilities": "capture_output"},
    "util.truncate": {"envs.statistics": "truncate", "utilities": "truncate_lines"},
    **{f"util.flags.{name}": {} for name in "episode_length episodes learning_rate nproc output_dir seed".split()},
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
        value = _find_module(f"{self.__name__}.{name}") or find_name(self.__name__, name)
        setattr(self, name, value)
        return value

    def __dir__(self) -> list[str]:
        names = " ".join(_TABLE[self.__name__.removeprefix(_ROOT + ".")].values()).split()
        return sorted(word.rpartition("=")[2] for word in names if word != "*")


def _find_module(name: str) -> ModuleType | None:
    """Return a module below one of the table, which programs may use without importing it; None if there is none."""
    if name.removeprefix(_ROOT + ".") in _TABLE and not name.endswith("__"):
        return import_module(name)
    return None


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
        package, _, flag = module.__name__.rpartition(".")
        if package == f"{_ROOT}.util.flags":
            import_module(f"{_ROOT}.flags").define_shared(flag)


def install() -> None:
    """Make the modules importable, after all that have files."""
    if not any(finder is _Finder for finder in sys.meta_path):
        sys.meta_path.append(_Finder)
