"""The LLVM backend, through llvmlite (extra `compilers`): passes are the actions, sizes and counts the observations."""

import hashlib
import re
import tempfile
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_actions import EFFECTS, EFFECTS_PARAMETER, VERIFICATION_PARAMETER, VERIFICATIONS
from helm.compiler_gym.backends.llvm_build import ProgramBuilder
from helm.compiler_gym.backends.llvm_history import ModuleHistory, Run
from helm.compiler_gym.backends.llvm_jit import can_be_run, has_main, measure_emission, run_in_memory
from helm.compiler_gym.backends.llvm_library import get_locked_library, get_pointer
from helm.compiler_gym.backends.llvm_observations import get_observations
from helm.compiler_gym.backends.llvm_passes import (
    PIPELINES,
    get_action_flags,
    get_pass_flag,
    get_target_machine,
    get_triple,
    import_llvmlite,
    run_pass,
)
from helm.compiler_gym.backends.llvm_program import (
    EMBEDDED_LLVM,
    EmbeddedLlvm,
    LlvmProgram,
    load_program,
    measure_object_text_size,
)
from helm.compiler_gym.backends.llvm_runner import BUILD_COMMAND
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.session import BASELINE_PARAMETER, ActionResult, CompilationSession

_PREDECESSORS = re.compile(r"[ \t]*; preds = .*")
_MAX_BYTES_OF_SMALL_PROGRAM = 3000
"""Size of bitcode, about 50 instructions, up to which LLVM writes text faster than bitcode with its fixed header."""

_NEED_NO_VERIFICATION = frozenset({"IrInstructionCount", "InstCount", "Autophase"})

_KIND_NAMES = {None: "VALUE_NOT_SET", "any_value": "kAnyValue"}


class LlvmSession(CompilationSession):
    """One LLVM module under optimisation.

    Actions are events with an index into `get_action_flags()` (int64) or a pass or pipeline by name (string). A step never
    ends the session. Observations are computed on request and kept until an action changes the module.
    """

    llvm: EmbeddedLlvm = EMBEDDED_LLVM
    """The LLVM to which the modules belong."""

    verification = "step"
    """When the module is verified: one of `VERIFICATIONS`."""

    effects = "bytes"
    """How the effect of an action is found out: one of `EFFECTS`."""

    can_tell_effects_late = True
    """Whether actions are deterministic and never raise, so that they can be repeated later to determine their effects."""

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        self.builder = ProgramBuilder(benchmark.dynamic_config, working_directory)
        program = load_program(benchmark, self.llvm)
        self._start(program, program.bitcode, program.observed)

    def _start(self, program: LlvmProgram, source: bytes, observed: dict[str, Any]) -> None:
        """Begin a session with a module.

        Args:
            program: the untouched program.
            source: bitcode of the module; it is parsed when the module is first needed.
            observed: observations of the module that are already known.
        """
        self.program = program
        self._is_small = len(program.bitcode) <= _MAX_BYTES_OF_SMALL_PROGRAM
        self._keeps_history = self.can_tell_effects_late and not self._is_small
        self._source: bytes | None = source
        self._origin = source
        self._history: ModuleHistory | None = None
        self._module: Any = None
        self._fingerprint: bytes | None = None
        self._bitcode: bytes | None = None
        self._observed = dict(observed)
        self._without_effect: set[str] = set()
        self._is_untouched = source is program.bitcode
        self._is_verified = True

    @property
    def module(self) -> Any:
        """The llvmlite module. Only `change` may change it."""
        if self._module is None:
            assert self._source is not None
            self._module, self._source = self.llvm.parse(self._source), None
            self._module.name = "-"  # bitcode does not contain the identifier
        return self._module

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        return [_get_action_space()], [o.make_space() for o in get_observations().values()], get_compiler_version()

    def fork(self) -> "LlvmSession":
        forked = self._copy(self._get_source(), self._observed)
        forked._without_effect, forked._is_verified = set(self._without_effect), self._is_verified
        return forked

    def _copy(self, source: bytes, observed: dict[str, Any]) -> "LlvmSession":
        """Create a session like this one, with a module that is read from `source`."""
        copy = object.__new__(type(self))
        CompilationSession.__init__(copy, self.working_dir, self.action_space, self.benchmark)
        copy.builder, copy.verification, copy.effects = self.builder.copy(), self.verification, self.effects
        copy._start(self.program, source, observed)
        return copy

    def _get_source(self) -> bytes:
        """Return bitcode of the module; for a module that nothing has changed, the bitcode from which it was read."""
        if self._is_untouched:
            return self.program.bitcode
        return self._source or self.get_bitcode()

    def apply_action(self, action: Any) -> ActionResult:
        name = self.get_action_name(action)
        if self.effects == "llvm":
            return False, None, not self._change_as_llvm_says(name)
        if name in self._without_effect:
            return False, None, True
        if self.may_tell_effects_late and self._keeps_history:
            return False, None, self._change_unseen(lambda session: session.run_action(name))
        if self.change(lambda session: session.run_action(name)):
            return False, None, False
        self._without_effect.add(name)
        return False, None, True

    @property
    def knows_llvms_answer(self) -> bool:
        """Whether `run_action` returns what LLVM says of its effect."""
        return False

    def get_action_name(self, action: Any) -> str:
        """Return the pass or pipeline that an event means.

        Raises: ValueError when it means none.
        """
        flags = get_action_flags()
        if action.WhichOneof("value") != "string_value":
            return self.choose_flag(action, flags)
        if action.string_value in PIPELINES:
            return action.string_value
        flag = get_pass_flag(action.string_value)
        if flag not in flags:
            raise ValueError(
                f"LLVM pass '{flag}' is not offered: assertions of this build of LLVM may fail on its results."
            )
        return flag

    @staticmethod
    def choose_flag(action: Any, flags: Sequence[str]) -> str:
        """Return the flag of an index.

        Raises: ValueError, with the text that clients of the original service expect.
        """
        kind = action.WhichOneof("value")
        if kind != "int64_value":
            name = _KIND_NAMES.get(kind) or "k" + "".join(part.capitalize() for part in kind.split("_"))
            raise ValueError(f"Invalid action. Expected kInt64Value, received {name}.")
        if not 0 <= action.int64_value < len(flags):
            raise ValueError(f"LlvmAction({action.int64_value}) is not in range [0, {len(flags)})")
        return flags[action.int64_value]

    def run_action(self, name: str) -> bool | None:
        """Run a pass or pipeline on the module; returns whether LLVM says that it changed the module, if it says."""
        if name in PIPELINES:
            self.llvm.run_pipeline(self.module, name)
        else:
            run_pass(self.module, name, get_target_machine(codegen_level=2))
        return None

    def replace_module(self, module: Any) -> None:
        """Continue with another llvmlite module; only `run_action` may call this."""
        self._module, self._source = module, None
        self._fingerprint = self._bitcode = (
            None  # `run_action` may have computed the fingerprint of the previous module
        )

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        if key == VERIFICATION_PARAMETER:
            if value not in VERIFICATIONS:
                raise ValueError(f"Invalid value for {key}: {value}. It takes: {', '.join(VERIFICATIONS)}.")
            self.verification = value
            return value
        if key == EFFECTS_PARAMETER:
            self._set_effects(value)
            return value
        if key != BASELINE_PARAMETER:
            return self.builder.handle_parameter(key, value)
        if value not in PIPELINES:
            raise ValueError(
                f"Invalid value for {BASELINE_PARAMETER}: {value}. It takes: {', '.join(PIPELINES)}."
                + suggest(value, PIPELINES)
            )
        changed = self.change(lambda session: session.llvm.run_pipeline(session.module, value))
        return "1" if changed else "0"

    def _set_effects(self, value: str) -> None:
        if value not in EFFECTS:
            raise ValueError(f"Invalid value for {EFFECTS_PARAMETER}: {value}. It takes: {', '.join(EFFECTS)}.")
        if value == "llvm" and not self.knows_llvms_answer:
            raise ValueError(
                f"{EFFECTS_PARAMETER} is 'llvm', but this backend does not know LLVM's answer. A libLLVM tells it through the "
                f"pass runner: {BUILD_COMMAND}"
            )
        self.effects = value

    def get_observation(self, observation_space: Any) -> Any:
        name = observation_space.name
        event = self._observed.get(name)
        if event is None:
            if self.verification == "end" and name not in _NEED_NO_VERIFICATION:
                self._verify()
            observation = get_observations()[name]
            event = observation.observe(self)
            if observation.is_kept:
                self._observed[name] = event
                if self._is_untouched and observation.is_of_program:
                    self.program.observed[name] = event
        return event

    def end_of_step(self) -> None:
        if self.verification == "step":
            self._verify()

    def _verify(self) -> None:
        if self._is_verified:
            return
        try:
            self.module.verify()
        except RuntimeError as error:
            raise StatusError("DATA_LOSS", f"Failed to verify module: {error}") from error
        self._is_verified = True

    # The module -----------------------------------------------------------------------------------------------------

    def change(self, run: Run) -> bool:
        """Run something that may change the module, and compare the module's fingerprints before and after."""
        before = self._get_fingerprint() if self.reports_effects else None
        was_untouched, self._is_untouched = self._is_untouched, False
        self._fingerprint = self._bitcode = None
        answer = run(self)
        has_effect = before is None or self._get_fingerprint() != before
        if before is not None and self._keeps_history:
            self._get_history().add(run, not has_effect)
        if has_effect:
            self._forget(answer)
        else:
            self._is_untouched = was_untouched
        return has_effect

    def _change_unseen(self, run: Run) -> partial[bool]:
        """Run something that may change the module without comparing, which would take nearly as long as running it.

        Returns a function that determines whether the module is unchanged.
        """
        history = self._get_history()
        self._is_untouched = False
        self._fingerprint = self._bitcode = None
        self._forget(run(self))
        return partial(history.tell, history.add(run, None))

    def _change_as_llvm_says(self, name: str) -> bool:
        """Run a pass or pipeline; returns whether LLVM says that it changed the module, or True where it does not say."""
        self._is_untouched = False
        self._fingerprint = self._bitcode = None
        answer = self.run_action(name)
        self._forget(answer)
        return answer is not False

    def _get_history(self) -> ModuleHistory:
        if self._history is None:
            self._history = ModuleHistory(self._copy(self._origin, {}))
        return self._history

    def _forget(self, answer: bool | None) -> None:
        """Drop what is known about the module, because it changed.

        Args:
            answer: whether LLVM says that it changed. Where it says no, a module that was valid still is. Nothing else is
                concluded from it, because some passes (instnamer, irce) say no although the bytes differ.
        """
        self._observed.clear()
        self._without_effect.clear()
        if answer is not False:
            self._is_verified = False

    def _get_fingerprint(self) -> bytes:
        """Return bytes that differ when the module has changed: its bitcode, or its text if that is written faster."""
        if self._fingerprint is None:
            if self._is_small:
                self._fingerprint = self._write_text()
            else:
                self._fingerprint = self.get_bitcode()
        return self._fingerprint

    def write_bitcode_file(self) -> str:
        """Write the module to a new file and return its path; the caller deletes it."""
        handle, path = tempfile.mkstemp(prefix="module-", suffix=".bc", dir=self.working_dir)
        with open(handle, "wb") as file:
            file.write(self.get_bitcode())
        return path

    def measure_text_size(self) -> int:
        """Measure the linked program if the benchmark says how to build it, else the object file."""
        if self.builder.is_buildable:
            return self.builder.measure_text_size(self.get_bitcode())
        return measure_object_text_size(self.module)

    def measure_text_size_baseline(self, level: str) -> int:
        if self.builder.is_buildable:
            return self.builder.measure_text_size(self.program.get_optimised(level))
        return self.program.get_baseline("ObjectTextSize", level)

    @property
    def is_buildable(self) -> bool:
        """Return whether the benchmark says how to build it, or it is a whole program."""
        return self.builder.is_buildable or has_main(self.module)

    @property
    def is_runnable(self) -> bool:
        """Return whether the benchmark says how to run it, or it is a whole program and there is a sandbox for it."""
        return self.builder.is_runnable or (not self.builder.is_buildable and can_be_run(self.module))

    def measure_runtimes(self) -> list[float] | None:
        """Measure the runs, in seconds; None if it cannot be run."""
        if not self.builder.is_buildable and self.is_runnable:
            return run_in_memory(self.get_bitcode(), *self.builder.get_run_counts())
        return self.builder.measure_runtimes(self.get_bitcode())

    def measure_buildtimes(self) -> list[float] | None:
        """Measure the builds, or making an object file, in seconds; None if it cannot be built."""
        if not self.builder.is_buildable and self.is_buildable:
            return measure_emission(self.module, self.builder.get_build_count())
        return self.builder.measure_buildtimes(self.get_bitcode())

    def get_bitcode(self) -> bytes:
        if self._bitcode is None and self._is_untouched:
            self._bitcode = self.program.bitcode_as_read
        if self._bitcode is None:
            self._bitcode = self._write_bitcode()
            if self._is_untouched:
                self.program.bitcode_as_read = self._bitcode
        return self._bitcode

    def _write_bitcode(self) -> bytes:
        return get_locked_library().write_bitcode(get_pointer(self.module))

    def _write_text(self) -> bytes:
        return get_locked_library().print_module(get_pointer(self.module))

    def print_module(self) -> str:
        return str(self.module)

    def get_digest(self) -> str:
        """Return the SHA-1 of the text without the comments, whose order a copy changes."""
        return hashlib.sha1(_PREDECESSORS.sub("", self.print_module()).encode("utf-8")).hexdigest()


@cache
def get_compiler_version() -> str:
    """Return version and target, for example `22.1.0 x86_64-unknown-linux-gnu`."""
    version = ".".join(str(part) for part in import_llvmlite().llvm_version_info)
    return f"{version} {get_triple()}"


def make_pass_space(flags: Sequence[str]) -> Any:
    """Make the action space of passes by flag."""
    commandline = proto.CommandlineSpace(name=flags)
    return proto.ActionSpace(name="PassesAll", space=proto.Space(any_value=proto.pack_any(commandline)))


@cache
def _get_action_space() -> Any:
    return make_pass_space(get_action_flags())
