"""LLVM as an environment: passes as actions on one module."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_actions import (
    ACTION_FLAGS,
    EFFECTS,
    EFFECTS_PARAMETER,
    VERIFICATION_PARAMETER,
    VERIFICATIONS,
)
from helm.compiler_gym.benchmarks.benchmark import FILE_DATASET, USER_DATASET, Benchmark
from helm.compiler_gym.benchmarks.benchmark_uri import BenchmarkUri
from helm.compiler_gym.benchmarks.embedded_dataset import EmbeddedDataset
from helm.compiler_gym.benchmarks.llvm_benchmark import SOURCE_SUFFIXES, SUFFIXES, make_benchmark
from helm.compiler_gym.data_sets import get_data_sets
from helm.compiler_gym.datasets import Dataset
from helm.compiler_gym.envs.compiler_env import CompilerEnv
from helm.compiler_gym.envs.llvm_derived import get_derived_spaces
from helm.compiler_gym.errors import BenchmarkInitError
from helm.compiler_gym.rewards import Reward, create_cost_rewards

_COMMANDLINE = re.compile(
    r"^\s*(?:opt\s)?(?P<flags>.*?)(?:\s?input\.bc -o output\.bc|\s?input\.ll -S -o output\.ll)?\s*$"
)
_NUM_RUNS, _NUM_WARMUPS = "runtimes_per_observation_count", "warmup_runs_count_per_runtime_observation"
_PLAIN_NAME = re.compile(r"[-\w]*")
_BENCHMARK_FAULTS = (
    "Failed to compute .text size cost",
    "File not found:",
    "File is empty:",
    "Error reading file:",
    "Failed to parse LLVM",
)
"""Beginnings of error texts for which the program is at fault."""


def _is_pipeline(action: Any) -> bool:
    """Whether an action is a default pipeline, or one written out for LLVM's `opt`."""
    return isinstance(action, str) and (action.startswith("-O") or not _PLAIN_NAME.fullmatch(action))


class LlvmEnv(CompilerEnv):
    """One LLVM module; every action runs a pass. Its rewards are those of `rewards.create_cost_rewards`."""

    def __init__(
        self,
        service: str | Path | None = None,
        benchmark: str | Benchmark | BenchmarkUri | None = None,
        datasets: Iterable[Dataset] | None = None,
        rewards: Iterable[Reward] | None = None,
        verification: str = "step",
        effects: str = "bytes",
        datasets_site_path: Path | None = None,
        **kwargs: Any,
    ):
        """Start the service of the LLVM backend.

        Args:
            service: as `CompilerEnv` takes it. Default: the libLLVM of this machine, or llvmlite where there is none; see
                `llvm_c.get_best_backend`. `compiler_version` says which it is.
            benchmark: a program, or the path of a file (see `make_benchmark`). Default: the first of our own programs.
            datasets: data sets in addition to our own programs, the generators, and the archives of CompilerGym.
            rewards: rewards in addition to those that come with the compiler.
            verification: when LLVM's verifier checks the module. `step`: after every step; a module that is not valid
                ends the episode. `end`: before anything but counts and features is made of it. `never`.
            effects: how `info["action_had_no_effect"]` is found out. `bytes`: by comparing the module before and after.
                `llvm`: as LLVM says it, which costs nothing, but needs the pass runner; see `llvm_runner`.
            datasets_site_path: folder below which data sets are kept. Default: see `data_sets.get_site_data_path`.
            kwargs: further arguments of `CompilerEnv`.
        Raises: ValueError for an unknown `verification` or `effects`; otherwise see `CompilerEnv`.
        """
        for name, value, values in (("verification", verification, VERIFICATIONS), ("effects", effects, EFFECTS)):
            if value not in values:
                raise ValueError(f"{name} is '{value}', but it takes: {', '.join(values)}.")
        known = get_data_sets("llvm", datasets_site_path).datasets(with_deprecated=True)
        all_datasets = [EmbeddedDataset("llvm"), *known, *(datasets or ())]
        if service is None:
            from helm.compiler_gym.backends.llvm_c import get_best_backend

            service = get_best_backend()
        super().__init__(service, rewards, all_datasets, benchmark, **kwargs)
        if verification != VERIFICATIONS[0]:
            self.resend_on_reset((VERIFICATION_PARAMETER, verification))
        if effects != EFFECTS[0]:
            self.resend_on_reset((EFFECTS_PARAMETER, effects))

    @property
    def verification(self) -> str:
        """When LLVM's verifier checks the module: `step`, `end` or `never`."""
        return dict(self._resent_parameters).get(VERIFICATION_PARAMETER, VERIFICATIONS[0])

    @property
    def effects(self) -> str:
        """How the effect of an action is found out: `bytes` or `llvm`."""
        return dict(self._resent_parameters).get(EFFECTS_PARAMETER, EFFECTS[0])

    def _list_derived_spaces(self) -> Sequence[Mapping[str, Any]]:
        return [arguments for arguments in get_derived_spaces() if arguments["base_id"] in self.observation.spaces]

    def _make_rewards(self, further: Iterable[Reward] | None) -> Iterable[Reward]:
        return [*create_cost_rewards(list(self.observation.spaces)).values(), *(further or ())]

    def _find_benchmark(self, benchmark: Any) -> Benchmark:
        """Find a program, also by the path of a file or by a URI that `make_benchmark` made of it."""
        text = str(benchmark) if isinstance(benchmark, (str, BenchmarkUri, Path)) else ""
        if text.endswith(SUFFIXES) and "://" not in text and Path(text).expanduser().is_file():
            return make_benchmark(text)
        uri = BenchmarkUri.from_string(text)
        is_ours = text.startswith((USER_DATASET + "/", FILE_DATASET + "/"))
        if is_ours or (uri.scheme == "file" and uri.path.endswith(SOURCE_SUFFIXES)):
            made = make_benchmark(uri.path)
            contents = made.proto.program.contents
            return Benchmark(proto.Benchmark(uri=text, program=proto.File(contents=contents)), sources=made.sources)
        return super()._find_benchmark(benchmark)

    def make_benchmark(self, *args: Any, **kwargs: Any) -> Benchmark:
        """See `llvm_benchmark.make_benchmark`."""
        return make_benchmark(*args, **kwargs)

    def make_benchmark_from_command_line(self, *args: Any, **kwargs: Any) -> Benchmark:
        """See `invocations.make_benchmark_from_command_line`."""
        from helm.compiler_gym.benchmarks.invocations import make_benchmark_from_command_line

        return make_benchmark_from_command_line(*args, **kwargs)

    @property
    def runtime_observation_count(self) -> int:
        """Number of runs that the observation `Runtime` times. Set it for this and all further episodes."""
        return int(dict(self._resent_parameters).get(f"llvm.set_{_NUM_RUNS}", "1"))

    @runtime_observation_count.setter
    def runtime_observation_count(self, count: int) -> None:
        self._set_count(_NUM_RUNS, count, 1)

    @property
    def runtime_warmup_runs_count(self) -> int:
        """Number of runs before those that `Runtime` times. Set it for this and all further episodes."""
        return int(dict(self._resent_parameters).get(f"llvm.set_{_NUM_WARMUPS}", "0"))

    @runtime_warmup_runs_count.setter
    def runtime_warmup_runs_count(self, count: int) -> None:
        self._set_count(_NUM_WARMUPS, count, 0)

    def _set_count(self, name: str, count: int, smallest: int) -> None:
        if count < smallest:
            raise ValueError(f"{name} must be at least {smallest}, not {count}.")
        parameter = (f"llvm.set_{name}", str(int(count)))
        if self.in_episode:
            self.send_param(*parameter)
        self.resend_on_reset(parameter)

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """Begin an episode; see `CompilerEnv.reset`.

        Raises: BenchmarkInitError for a program that LLVM cannot use.
        """
        try:
            return super().reset(*args, **kwargs)
        except ValueError as error:
            if any(fault in str(error) for fault in _BENCHMARK_FAULTS):
                raise BenchmarkInitError(str(error)) from error
            raise

    def _get_code(self, action: Any) -> Any:
        """Return an action's code. Passes may lack the dash; pipelines, such as `-Oz`, have no index and are sent as text."""
        if not isinstance(action, str):
            return super()._get_code(action)
        if _is_pipeline(action):
            return action
        names = getattr(self._action_space, "names", ())
        flag = action if action.startswith("-") else f"-{action}"
        if flag in ACTION_FLAGS and flag not in names:
            raise ValueError(
                f"LLVM {self.compiler_version} has no pass '{flag}'. A libLLVM or an opt may have it: see HELM_LLVM and the "
                "backends llvm-library and llvm-opt."
            )
        return super()._get_code(flag if flag in names else action)

    def action_string(self, actions: Iterable[Any]) -> str:
        """Join the flags of passes and the pipelines with spaces."""
        name = super().action_string
        return " ".join(action if _is_pipeline(action) else name([action]) for action in actions)

    def commandline(self) -> str:
        """Write the command line of LLVM's `opt`."""
        # HELM: without actions there are two spaces
        return f"opt {self.action_string(self.actions)} input.bc -o output.bc"

    def commandline_to_actions(self, commandline: str) -> list[Any]:
        """Read the actions of a command line, with or without `opt` and the files.

        Raises: LookupError for an unknown pass.
        """
        found = _COMMANDLINE.match(commandline)
        words = (found["flags"] if found else commandline).split()
        parse = super().commandline_to_actions
        return [action for word in words for action in ([word] if _is_pipeline(word) else parse(word))]

    @property
    def ir(self) -> str:
        """The module as text."""
        return self.observation["Ir"]

    @property
    def ir_sha1(self) -> str:
        return self.observation["IrSha1"]

    def write_ir(self, path: str | Path) -> Path:
        """Write the module as text."""
        path = Path(path).expanduser()
        path.write_text(self.ir)
        return path

    def write_bitcode(self, path: str | Path) -> Path:
        """Write the module as bitcode."""
        path = Path(path).expanduser()
        path.write_bytes(self.observation["Bitcode"].tobytes())
        return path

    def render(self, mode: str | None = None) -> str | None:
        """`human` prints the module; `ansi` is the default observation as text."""
        if (mode or self.render_mode or "human") == "human":
            print(self.ir)
            return None
        return super().render(mode)
