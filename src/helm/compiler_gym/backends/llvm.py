"""The LLVM backend: passes as actions, sizes and counts as observations, through llvmlite (extra `compilers`)."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any, Callable, Optional

from helm.common.errors import suggest
from helm.compiler_gym import proto
from helm.compiler_gym.backends.llvm_features import AUTOPHASE_NAMES, INST_COUNT_NAMES, get_autophase, get_inst_count
from helm.compiler_gym.backends.llvm_module import parse_bitcode
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
from helm.compiler_gym.backends.llvm_program import (
    LlvmProgram,
    load_program,
    measure_instruction_count,
    measure_object_text_size,
)
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.session import BASELINE_PARAMETER, ActionResult, CompilationSession

_INT64_MAX = 2**63 - 1
_PREDECESSORS = re.compile(r"[ \t]*; preds = .*")
_KIND_NAMES = {None: "VALUE_NOT_SET", "any_value": "kAnyValue"}


class LlvmSession(CompilationSession):
    """One LLVM module under optimisation.

    Actions are events with an index into `get_action_flags()` (int64) or a pass by name (string). A step never ends the
    session. Observations are computed on request and kept until an action changes the module.
    """

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        self._start(load_program(benchmark))

    def _start(self, program: LlvmProgram, bitcode: Optional[bytes] = None) -> None:
        self._program = program
        self._module = parse_bitcode(bitcode or program.bitcode)
        self._module.name = "-"  # the identifier does not travel in bitcode
        self._bitcode: Optional[bytes] = None
        self._target_machine = get_target_machine(codegen_level=2)
        self._observed: dict[str, Any] = {}
        self._is_verified = True

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        return [_get_action_space()], [make() for make, _ in _get_observations().values()], get_compiler_version()

    def fork(self) -> "LlvmSession":
        forked = object.__new__(type(self))
        CompilationSession.__init__(forked, self.working_dir, self.action_space, self.benchmark)
        forked._start(self._program, self._get_bitcode())
        forked._observed = dict(self._observed)
        return forked

    def apply_action(self, action: Any) -> ActionResult:
        flag = _parse_action(action)
        no_effect = not self._change(lambda: run_pass(self._module, flag, self._target_machine))
        return False, None, no_effect

    def handle_session_parameter(self, key: str, value: str) -> Optional[str]:
        if key != BASELINE_PARAMETER:
            return None
        if value not in PIPELINES:
            raise ValueError(
                f"Invalid value for {BASELINE_PARAMETER}: {value}. It takes: {', '.join(PIPELINES)}."
                + suggest(value, PIPELINES)
            )
        changed = self._change(lambda: run_pipeline(self._module, value, self._target_machine))
        return "1" if changed else "0"

    def get_observation(self, observation_space: Any) -> Any:
        name = observation_space.name
        if name not in self._observed:
            self._observed[name] = _get_observations()[name][1](self)
        return self._observed[name]

    def end_of_step(self) -> None:
        if self._is_verified:
            return
        try:
            self._module.verify()
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
        before = self._get_bitcode()
        run()
        self._bitcode = None
        if self._get_bitcode() == before:
            return False
        self._observed.clear()
        self._is_verified = False
        return True

    def _get_bitcode(self) -> bytes:
        if self._bitcode is None:
            self._bitcode = self._module.as_bitcode()
        return self._bitcode

    def _print(self) -> str:
        return str(self._module)

    def _digest(self) -> str:
        """SHA-1 of the text without the comments whose order a copy changes."""
        return hashlib.sha1(_PREDECESSORS.sub("", self._print()).encode("utf-8")).hexdigest()


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


# Spaces -------------------------------------------------------------------------------------------------------------


@cache
def _get_action_space() -> Any:
    commandline = proto.CommandlineSpace(name=get_action_flags())
    return proto.ActionSpace(name="PassesAll", space=proto.Space(any_value=proto.pack_any(commandline)))


def _text_space(name: str, min_length: int = 0, max_length: Optional[int] = None) -> Callable[[], Any]:
    def make() -> Any:
        length_range = proto.Int64Range(min=min_length, max=max_length)
        space = proto.Space(string_value=proto.StringSpace(length_range=length_range))
        return proto.ObservationSpace(name=name, space=space, deterministic=True)

    return make


def _bytes_space(name: str) -> Callable[[], Any]:
    def make() -> Any:
        sequence = proto.ByteSequenceSpace(length_range=proto.Int64Range(min=0))
        return proto.ObservationSpace(name=name, space=proto.Space(byte_sequence=sequence), deterministic=True)

    return make


def _vector_space(name: str, length: int) -> Callable[[], Any]:
    def make() -> Any:
        low = proto.Int64Tensor(shape=[length], value=[0] * length)
        high = proto.Int64Tensor(shape=[length], value=[_INT64_MAX] * length)
        return proto.ObservationSpace(
            name=name,
            space=proto.Space(int64_box=proto.Int64Box(low=low, high=high)),
            deterministic=True,
            default_observation=proto.Event(int64_tensor=low),
        )

    return make


def _number_space(name: str, platform_dependent: bool) -> Callable[[], Any]:
    def make() -> Any:
        return proto.ObservationSpace(
            name=name,
            space=proto.Space(int64_value=proto.Int64Range(min=0)),
            deterministic=True,
            platform_dependent=platform_dependent,
            default_observation=proto.Event(int64_value=0),
        )

    return make


def _cost(measure: Callable[[Any], int]) -> Callable[[LlvmSession], Any]:
    return lambda session: proto.Event(int64_value=measure(session._module))


def _baseline(cost: str, level: str) -> Callable[[LlvmSession], Any]:
    return lambda session: proto.Event(int64_value=session._program.get_baseline(cost, level))


def _vector(extract: Callable[[Any], list[int]]) -> Callable[[LlvmSession], Any]:
    def observe(session: LlvmSession) -> Any:
        values = extract(session._module)
        return proto.Event(int64_tensor=proto.Int64Tensor(shape=[len(values)], value=values))

    return observe


def _observe_bitcode(session: LlvmSession) -> Any:
    bitcode = session._get_bitcode()
    return proto.Event(byte_tensor=proto.ByteTensor(shape=[len(bitcode)], value=bitcode))


@cache
def _get_observations() -> dict[str, tuple[Callable[[], Any], Callable[[LlvmSession], Any]]]:
    """Name -> (makes the space message, makes the event), in the order of their indices."""
    observations: dict[str, tuple[Callable[[], Any], Callable[[LlvmSession], Any]]] = {
        "Ir": (_text_space("Ir"), lambda session: proto.Event(string_value=session._print())),
        "IrSha1": (_text_space("IrSha1", 40, 40), lambda session: proto.Event(string_value=session._digest())),
        "Bitcode": (_bytes_space("Bitcode"), _observe_bitcode),
        "InstCount": (_vector_space("InstCount", len(INST_COUNT_NAMES)), _vector(get_inst_count)),
        "Autophase": (_vector_space("Autophase", len(AUTOPHASE_NAMES)), _vector(get_autophase)),
    }
    for name, cost, is_platform_dependent, measure in (
        ("IrInstructionCount", "IrInstructionCount", False, measure_instruction_count),
        ("ObjectTextSizeBytes", "ObjectTextSize", True, measure_object_text_size),
    ):
        space = _number_space(name, is_platform_dependent)
        observations[name] = (space, _cost(measure))
        for level in ("-O0", "-O3", "-Oz"):
            baseline = cost + level[1:]
            observations[baseline] = (_number_space(baseline, is_platform_dependent), _baseline(cost, level))
    return observations
