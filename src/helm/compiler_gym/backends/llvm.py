"""The LLVM backend: passes as actions, sizes and counts as observations, through llvmlite (extra `compilers`)."""

import hashlib
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Callable, Optional

from helm.common.errors import suggest
from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_build import ProgramBuilder
from helm.compiler_gym.backends.llvm_module import parse_bitcode
from helm.compiler_gym.backends.llvm_observations import get_observations
from helm.compiler_gym.backends.llvm_passes import (
    PIPELINES,
    get_action_flags,
    get_pass_flag,
    get_target_machine,
    get_triple,
    import_llvmlite,
    run_pass,
    run_pipeline,
)
from helm.compiler_gym.backends.llvm_program import LlvmProgram, load_program, measure_object_text_size
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.session import BASELINE_PARAMETER, ActionResult, CompilationSession

_PREDECESSORS = re.compile(r"[ \t]*; preds = .*")
_KIND_NAMES = {None: "VALUE_NOT_SET", "any_value": "kAnyValue"}


class LlvmSession(CompilationSession):
    """One LLVM module under optimisation.

    Actions are events with an index into `get_action_flags()` (int64) or a pass by name (string). A step never ends the
    session. Observations are computed on request and kept until an action changes the module.
    """

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        self.builder = ProgramBuilder(benchmark.dynamic_config, working_directory)
        self._start(load_program(benchmark))

    def _start(self, program: LlvmProgram, bitcode: Optional[bytes] = None) -> None:
        self.program = program
        self.module = parse_bitcode(bitcode or program.bitcode)
        self.module.name = "-"  # the identifier does not travel in bitcode
        self._bitcode: Optional[bytes] = None
        self._target_machine = get_target_machine(codegen_level=2)
        self._observed: dict[str, Any] = {}
        self._is_verified = True

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        return [_get_action_space()], [o.make_space() for o in get_observations().values()], get_compiler_version()

    def fork(self) -> "LlvmSession":
        forked = object.__new__(type(self))
        CompilationSession.__init__(forked, self.working_dir, self.action_space, self.benchmark)
        forked.builder = self.builder.copy()
        forked._start(self.program, self.get_bitcode())
        forked._observed = dict(self._observed)
        return forked

    def apply_action(self, action: Any) -> ActionResult:
        flag = _parse_action(action)
        no_effect = not self._change(lambda: run_pass(self.module, flag, self._target_machine))
        return False, None, no_effect

    def handle_session_parameter(self, key: str, value: str) -> Optional[str]:
        if key != BASELINE_PARAMETER:
            return self.builder.handle_parameter(key, value)
        if value not in PIPELINES:
            raise ValueError(
                f"Invalid value for {BASELINE_PARAMETER}: {value}. It takes: {', '.join(PIPELINES)}."
                + suggest(value, PIPELINES)
            )
        changed = self._change(lambda: run_pipeline(self.module, value, self._target_machine))
        return "1" if changed else "0"

    def get_observation(self, observation_space: Any) -> Any:
        name = observation_space.name
        if name not in self._observed:
            observation = get_observations()[name]
            event = observation.observe(self)
            if not observation.is_kept:
                return event
            self._observed[name] = event
        return self._observed[name]

    def end_of_step(self) -> None:
        if self._is_verified:
            return
        try:
            self.module.verify()
        except RuntimeError as error:
            raise StatusError("DATA_LOSS", f"Failed to verify module: {error}") from error
        self._is_verified = True

    # The module -----------------------------------------------------------------------------------------------------

    def _change(self, run: Callable[[], None]) -> bool:
        """Run something that may change the module; whether it did is seen by comparing bitcode."""
        if not self.reports_effects:
            run()
            self._bitcode, self._is_verified = None, False
            self._observed.clear()
            return True
        before = self.get_bitcode()
        run()
        self._bitcode = None
        if self.get_bitcode() == before:
            return False
        self._observed.clear()
        self._is_verified = False
        return True

    def write_bitcode_file(self) -> str:
        """Path of a new file with the module, which the caller deletes."""
        handle, path = tempfile.mkstemp(prefix="module-", suffix=".bc", dir=self.working_dir)
        with open(handle, "wb") as file:
            file.write(self.get_bitcode())
        return path

    def measure_text_size(self) -> int:
        """Of the linked program where the benchmark says how to build it, else of the object file."""
        if self.builder.is_buildable:
            return self.builder.measure_text_size(self.get_bitcode())
        return measure_object_text_size(self.module)

    def measure_text_size_baseline(self, level: str) -> int:
        if self.builder.is_buildable:
            return self.builder.measure_text_size(self.program.get_optimised(level))
        return self.program.get_baseline("ObjectTextSize", level)

    def measure_runtimes(self) -> Optional[list[float]]:
        return self.builder.measure_runtimes(self.get_bitcode())

    def measure_buildtimes(self) -> Optional[list[float]]:
        return self.builder.measure_buildtimes(self.get_bitcode())

    def get_bitcode(self) -> bytes:
        if self._bitcode is None:
            self._bitcode = self.module.as_bitcode()
        return self._bitcode

    def print_module(self) -> str:
        return str(self.module)

    def get_digest(self) -> str:
        """SHA-1 of the text without the comments whose order a copy changes."""
        return hashlib.sha1(_PREDECESSORS.sub("", self.print_module()).encode("utf-8")).hexdigest()


@cache
def get_compiler_version() -> str:
    """Version and target, for example `22.1.0 x86_64-unknown-linux-gnu`."""
    version = ".".join(str(part) for part in import_llvmlite().llvm_version_info)
    return f"{version} {get_triple()}"


def _parse_action(action: Any) -> str:
    kind = action.WhichOneof("value")
    flags = get_action_flags()
    if kind == "string_value":
        flag = get_pass_flag(action.string_value)
        if flag not in flags:
            raise ValueError(
                f"LLVM pass '{flag}' is not offered: assertions of this build of LLVM may fail on its results."
            )
        return flag
    if kind != "int64_value":
        name = _KIND_NAMES.get(kind) or "k" + "".join(part.capitalize() for part in kind.split("_"))
        raise ValueError(f"Invalid action. Expected kInt64Value, received {name}.")
    if not 0 <= action.int64_value < len(flags):
        raise ValueError(f"LlvmAction({action.int64_value}) is not in range [0, {len(flags)})")
    return flags[action.int64_value]


@cache
def _get_action_space() -> Any:
    commandline = proto.CommandlineSpace(name=get_action_flags())
    return proto.ActionSpace(name="PassesAll", space=proto.Space(any_value=proto.pack_any(commandline)))
