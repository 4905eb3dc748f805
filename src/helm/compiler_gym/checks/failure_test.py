"""Tests whether a compiler fails on a program and a sequence of actions: it crashes, hangs, or changes what the program does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.checks.program_runner import (
    COMPILATION_FAILED,
    NotRunnableError,
    ProgramRun,
    compare_runs,
    run_bitcode,
)
from helm.compiler_gym.envs.llvm_env import LlvmEnv
from helm.compiler_gym.envs.step_result import read_result
from helm.compiler_gym.errors import BenchmarkInitError, ServiceError

CRASH, HANG = "Compiler crashed", "Compiler hung"
_REFERENCES = ("-O1", "-O2")
"""Pipelines under which a program must do the same as without optimisation; otherwise its behaviour is not defined."""

_UNDEFINED = re.compile(r"\b(?:undef|poison)\b")


@dataclass(frozen=True)
class Failure:
    """What a compiler did wrong."""

    kind: str
    """For example `Wrong output` or `Compiler crashed`."""

    details: str


class FailureTest:
    """Tries programs and actions with one compiler of LLVM's family. Close it, or use it in a `with` block."""

    def __init__(self, backend: str, timeout_s: float = 60.0):
        """Start the compiler, in a process of its own.

        Args:
            backend: the compiler, such as `llvm-library`.
            timeout_s: limit for one action, and for one run of a program, in seconds.
        """
        self.run_timeout_s = timeout_s
        """Limit for one run of a program; smaller ones may run for ever, so it is lowered for them."""
        self._env = LlvmEnv(backend, connection="local")
        self._timeout_s = timeout_s
        self.compiler_version = self._env.compiler_version

    def __enter__(self) -> "FailureTest":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()

    def close(self) -> None:
        """Stop the compiler."""
        self._env.close()

    def get_bitcode(self, uri: str) -> bytes:
        """Return a program as it is before the first action.

        Raises: LookupError, OSError or ValueError when there is no such program.
        """
        self._env.reset(benchmark=uri)
        return self._env.observation["Bitcode"].tobytes()

    def get_ir(self, bitcode: bytes) -> str:
        """Return a program as text.

        Raises: BenchmarkInitError when the compiler cannot read it.
        """
        self._reset(bitcode)
        return self._env.ir

    def find(self, bitcode: bytes, actions: Sequence[str]) -> Failure | None:
        """Return how the compiler fails; None if it does not, or refuses an action.

        Raises: NotRunnableError when the program cannot be run, so that only crashes could be seen.
        """
        optimized, failure = self._optimize(bitcode, actions)
        if failure is not None or optimized is None:
            return failure
        return self._compare(self._run(bitcode), optimized)

    def is_defined(self, bitcode: bytes) -> bool:
        """Return whether nothing suggests that the behaviour of a program is undefined.

        It has to end by itself, to contain no undefined values, and to do the same after the default pipelines.
        """
        try:
            if self.has_undefined_values(bitcode):
                return False
            expected = self._run(bitcode)
            if expected.error is not None:
                return False
            for level in _REFERENCES:
                optimized, failure = self._optimize(bitcode, [level])
                if failure is not None or optimized is None or self._compare(expected, optimized) is not None:
                    return False
        except (BenchmarkInitError, NotRunnableError, ServiceError):
            return False
        return True

    def has_undefined_values(self, bitcode: bytes) -> bool:
        """Return whether the text of a program contains `undef` or `poison`."""
        return _UNDEFINED.search(self.get_ir(bitcode)) is not None

    def _reset(self, bitcode: bytes) -> None:
        uri = "benchmark://user-v0/failing"
        self._env.reset(benchmark=Benchmark.from_file_contents(f"{uri}-{hash(bitcode) & (2**63 - 1)}", bitcode))

    def _optimize(self, bitcode: bytes, actions: Sequence[str]) -> tuple[bytes | None, Failure | None]:
        """Return the optimised program, or what went wrong; neither if an action was refused."""
        self._reset(bitcode)
        for action in actions:
            try:
                *_, info = read_result(self._env.step(action, timeout=self._timeout_s))
            except (ValueError, LookupError, TypeError):
                return None, None
            if "error_type" in info:
                kind = HANG if info["error_type"] == "TimeoutError" else CRASH
                if "verify" in info["error_details"].lower():
                    kind = COMPILATION_FAILED
                return None, Failure(kind, f"{action}: {info['error_details']}")
        return self._env.observation["Bitcode"].tobytes(), None

    def _run(self, bitcode: bytes) -> ProgramRun:
        return run_bitcode(bitcode, self.run_timeout_s)

    def _compare(self, expected: ProgramRun, optimized: bytes) -> Failure | None:
        if expected.error is not None:
            raise NotRunnableError(f"The program fails without optimisation: {expected.error}. {expected.details}")
        found = compare_runs(expected, self._run(optimized))
        return None if found is None else Failure(*found)
