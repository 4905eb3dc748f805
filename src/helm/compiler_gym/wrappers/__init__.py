"""Wrappers around a `CompilerEnv` that change observations, actions, rewards or programs."""

from helm.compiler_gym.wrappers.benchmarks import (
    CycleOverBenchmarks,
    CycleOverBenchmarksIterator,
    IterateOverBenchmarks,
    RandomOrderBenchmarks,
)
from helm.compiler_gym.wrappers.bookkeeping import Counter, ForkOnStep, TimeLimit
from helm.compiler_gym.wrappers.commandline import CommandlineWithTerminalAction, ConstrainedCommandline
from helm.compiler_gym.wrappers.core import ActionWrapper, CompilerEnvWrapper, ObservationWrapper, RewardWrapper
from helm.compiler_gym.wrappers.program_runs import (
    RuntimePointEstimateReward,
    RuntimeReward,
    ValidateBenchmarkAfterEveryStep,
)
from helm.compiler_gym.wrappers.sqlite_logger import SynchronousSqliteLogger

__all__ = [
    "ActionWrapper",
    "CommandlineWithTerminalAction",
    "CompilerEnvWrapper",
    "ConstrainedCommandline",
    "Counter",
    "CycleOverBenchmarks",
    "CycleOverBenchmarksIterator",
    "ForkOnStep",
    "IterateOverBenchmarks",
    "ObservationWrapper",
    "RandomOrderBenchmarks",
    "RewardWrapper",
    "RuntimePointEstimateReward",
    "RuntimeReward",
    "SynchronousSqliteLogger",
    "TimeLimit",
    "ValidateBenchmarkAfterEveryStep",
]
