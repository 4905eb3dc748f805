"""The MLIR backend: passes of an installed `mlir-opt` are the actions; the module is measured as LLVM compiles it."""

import json
import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from helm.common.errors import suggest
from helm.compiler_gym import proto
from helm.compiler_gym.backends.mlir_actions import make_flag
from helm.compiler_gym.backends.mlir_printing import add_printing
from helm.compiler_gym.backends.mlir_tools import MlirTools, get_mlir
from helm.compiler_gym.backends.tool_process import ToolFailure
from helm.compiler_gym.benchmarks.program_files import path_in_uri, read_program_file
from helm.compiler_gym.errors import StatusError
from helm.compiler_gym.runtime.session import ActionResult, CompilationSession

_LEVEL = "-O3"
"""The pipeline with which LLVM compiles the lowered module."""

_PIPELINE = re.compile(r"(?:builtin\.module|any)\([A-Za-z0-9_.<>(){},;=-]{1,10000}\)")
"""A textual pipeline. Without slashes, so that no pass can be given a file outside of its own folder."""

_NUM_RUNS, _NUM_WARMUPS = (
    "llvm.set_runtimes_per_observation_count",
    "llvm.set_warmup_runs_count_per_runtime_observation",
)
_REFUSED = 1  # mlir-opt's status after a diagnostic; a crash ends it by a signal


class MlirSession(CompilationSession):
    """One MLIR module under transformation.

    Actions are events with an index into the flags (int64), or a flag or a textual pipeline (string). A pass that refuses
    the module, which it says in a diagnostic, is an error of kind INVALID_ARGUMENT, and changes nothing.

    The class attribute `command` names the `mlir-opt`, see `make_mlir_session_class`.
    """

    command: str | None = None

    def __init__(self, working_directory: Path, action_space: Any, benchmark: Any):
        super().__init__(working_directory, action_space, benchmark)
        self._mlir = get_mlir(self.command)
        self._untouched = _load_program(self._mlir, benchmark, working_directory)
        self._num_runs, self._num_warmups = 1, 0
        self._set_text(self._untouched)

    def _set_text(self, text: str) -> None:
        self._text = text
        self._made: dict[str, Any] = {}

    @classmethod
    def describe(cls) -> tuple[list[Any], list[Any], str]:
        mlir = get_mlir(cls.command)
        names = proto.NamedDiscreteSpace(name=mlir.actions)
        action_space = proto.ActionSpace(name="passes", space=proto.Space(named_discrete=names))
        return [action_space], _make_observation_spaces(), f"MLIR {mlir.version}"

    def fork(self) -> "MlirSession":
        forked = object.__new__(type(self))
        CompilationSession.__init__(forked, self.working_dir, self.action_space, self.benchmark)
        forked._mlir, forked._untouched = self._mlir, self._untouched
        forked._num_runs, forked._num_warmups = self._num_runs, self._num_warmups
        forked._set_text(self._text)
        forked._made = dict(self._made)
        return forked

    def apply_action(self, action: Any) -> ActionResult:
        name = self._get_action_name(action)
        try:
            text = self._mlir.transform(self._text, [make_flag(name)], self.working_dir)
        except ToolFailure as failure:
            if failure.returncode == _REFUSED:
                raise ValueError(f"mlir-opt {make_flag(name)} refuses the module: {failure.complaint[:1000]}") from None
            raise
        if text == self._text:
            return False, None, True
        self._set_text(text)
        return False, None, False

    def _get_action_name(self, action: Any) -> str:
        actions = self._mlir.actions
        kind = action.WhichOneof("value")
        if kind == "int64_value":
            if not 0 <= action.int64_value < len(actions):
                raise ValueError(f"Action {action.int64_value} is not in range [0, {len(actions)}).")
            return actions[action.int64_value]
        if kind != "string_value":
            raise ValueError(f"Invalid action: expected int64_value or string_value, received {kind}.")
        name = action.string_value
        if name in actions or _PIPELINE.fullmatch(name):
            return name
        if name.startswith("-"):
            raise ValueError(f"Unknown MLIR pass '{name[:80]}'.{suggest(name, actions)}")
        raise ValueError(
            f"'{name[:80]}' is neither a pass nor a textual pipeline, which begins with builtin.module( and has letters, "
            "digits and _.<>(){},;=- only."
        )

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        """Set the number of runs that are timed, or of those before them, under the names of CompilerGym."""
        if key not in (_NUM_RUNS, _NUM_WARMUPS):
            return None
        smallest = 1 if key == _NUM_RUNS else 0
        if not (value.isascii() and value.isdigit() and int(value) >= smallest):
            raise ValueError(f"Parameter {key} takes a whole number from {smallest} on, not '{value[:80]}'.")
        if key == _NUM_RUNS:
            self._num_runs = int(value)
        else:
            self._num_warmups = int(value)
        return value

    def get_observation(self, observation_space: Any) -> Any:
        name = observation_space.name
        if name not in _OBSERVATIONS:
            raise LookupError(f"No observation '{name}'.{suggest(name, _OBSERVATIONS)}")
        return _OBSERVATIONS[name](self)

    # What is made of the module -------------------------------------------------------------------------------------

    def get_text(self) -> str:
        return self._text

    def get_counts(self) -> dict[str, int]:
        """Return the number of operations of each name."""
        return self._keep("counts", lambda: self._mlir.count_operations(self._text, self.working_dir))

    def get_llvm_text(self) -> str:
        """Return the lowered module as LLVM IR, before LLVM optimises it.

        Raises: StatusError INTERNAL when MLIR cannot lower it.
        """
        return self._keep("llvm", self._lower)

    def _lower(self) -> str:
        try:
            return add_printing(self._mlir.lower(self._text, self.working_dir))
        except ToolFailure as failure:
            if failure.returncode == _REFUSED:
                # No argument is wrong: the passes so far have made something that no pass lowers, which ends the episode.
                complaint = failure.complaint[:1000]
                raise StatusError("INTERNAL", f"The module cannot be translated to LLVM IR: {complaint}") from None
            raise

    def get_bitcode(self) -> bytes:
        """Return the program that runs: lowered, and optimised by LLVM."""
        return self._keep("bitcode", lambda: _compile(self.get_llvm_text()))

    def get_cost(self, cost: str) -> int:
        """Return a cost, a name of `llvm_program.COSTS`, of the program that runs."""
        return self._keep(cost, lambda: _measure(cost, self.get_bitcode()))

    def get_first_cost(self, cost: str) -> int:
        """Return a cost of the untouched program, which is measured once in this process."""
        return _measure_untouched(self._mlir, self._untouched, cost, self.working_dir)

    def has_main(self) -> bool:
        return "func.func @main(" in self._text or "llvm.func @main(" in self._text

    def measure_runtimes(self) -> list[float] | None:
        """Measure runs of the program in the sandbox, in seconds; None when it has no main or there is no sandbox.

        Raises: StatusError INTERNAL when it does not end with status 0.
        """
        from helm.compiler_gym.checks.program_runner import NotRunnableError, time_bitcode

        try:
            run = time_bitcode(self.get_bitcode(), self._num_runs, self._num_warmups)
        except NotRunnableError:
            return None
        if run.error is not None or run.returncode != 0:
            raise StatusError(
                "INTERNAL", f"The program ended with: {run.error or run.returncode}. {run.details}".strip()
            )
        return json.loads(run.output)

    def _keep(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]


@cache
def make_mlir_session_class(command: str) -> type[MlirSession]:
    """Create a session class whose `mlir-opt` is `command`, a name or a path."""
    return type("MlirSession", (MlirSession,), {"command": command, "__module__": __name__})


def _load_program(mlir: MlirTools, benchmark: Any, folder: Path) -> str:
    """Return the text of a program as MLIR prints it, so that any later difference is an effect of an action."""
    source = benchmark.program.WhichOneof("data")
    if source is None:
        raise StatusError("INVALID_ARGUMENT", f"No program set in Benchmark: {benchmark.uri}")
    contents = benchmark.program.contents
    if source == "uri":
        contents = read_program_file(Path("/" + path_in_uri(benchmark.program.uri).lstrip("/")))
    return _print_as_mlir(mlir, contents, benchmark.uri, folder)


def _print_as_mlir(mlir: MlirTools, contents: bytes, uri: str, folder: Path) -> str:
    try:
        return mlir.transform(contents.decode("utf-8"), [], folder)
    except UnicodeDecodeError:
        complaint = "it is not text"
    except ToolFailure as failure:
        complaint = failure.complaint[:1000]
    raise StatusError("INVALID_ARGUMENT", f'Failed to parse MLIR: "{uri}": {complaint}')


def _compile(text: str) -> bytes:
    """Compile LLVM IR with `_LEVEL` for this machine; returns bitcode."""
    from helm.compiler_gym.backends.llvm_module import parse_text
    from helm.compiler_gym.backends.llvm_passes import get_triple
    from helm.compiler_gym.backends.llvm_program import EMBEDDED_LLVM

    try:
        module = parse_text(text)
        module.verify()
    except RuntimeError as error:
        raise StatusError("DATA_LOSS", f"llvmlite's LLVM cannot read what mlir-translate wrote: {error}") from error
    module.name = "-"
    module.triple, module.data_layout = get_triple(), EMBEDDED_LLVM.get_data_layout()
    EMBEDDED_LLVM.run_pipeline(module, _LEVEL)
    return module.as_bitcode()


def _measure(cost: str, bitcode: bytes) -> int:
    from helm.compiler_gym.backends.llvm_program import COSTS, EMBEDDED_LLVM

    return COSTS[cost](EMBEDDED_LLVM.parse(bitcode))


@lru_cache(maxsize=256)
def _measure_untouched(mlir: MlirTools, text: str, cost: str, folder: Path) -> int:
    return _measure(cost, compile_program(mlir, text, folder))


def compile_program(mlir: MlirTools, text: str, folder: Path) -> bytes:
    """Lower a module and compile it with LLVM; returns bitcode.

    Args:
        mlir: the MLIR to which the module belongs.
        text: the module.
        folder: for scratch files.
    """
    return _compile(add_printing(mlir.lower(text, folder)))


# Observations -------------------------------------------------------------------------------------------------------


def _text(value: str) -> Any:
    return proto.Event(string_value=value)


def _number(value: int) -> Any:
    return proto.Event(int64_value=value)


def _counts(value: dict[str, int]) -> Any:
    data = json.dumps(value, separators=(",", ":")).encode()
    return proto.Event(any_value=proto.pack_any(proto.Opaque(format="json://", data=data)))


def _bytes(value: bytes) -> Any:
    return proto.Event(byte_tensor=proto.ByteTensor(shape=[len(value)], value=value))


def _seconds(value: list[float] | None) -> Any:
    """Make the event of times; an event without a value means that there are none."""
    if value is None:
        return proto.Event()
    return proto.Event(double_tensor=proto.DoubleTensor(shape=[len(value)], value=value))


_OBSERVATIONS: dict[str, Callable[[MlirSession], Any]] = {
    "Mlir": lambda session: _text(session.get_text()),
    "MlirOpCounts": lambda session: _counts(session.get_counts()),
    "MlirOpCount": lambda session: _number(sum(session.get_counts().values())),
    "LlvmIr": lambda session: _text(session.get_llvm_text()),
    "Bitcode": lambda session: _bytes(session.get_bitcode()),
    "IrInstructionCount": lambda session: _number(session.get_cost("IrInstructionCount")),
    "IrInstructionCountO0": lambda session: _number(session.get_first_cost("IrInstructionCount")),
    "ObjectTextSizeBytes": lambda session: _number(session.get_cost("ObjectTextSize")),
    "ObjectTextSizeO0": lambda session: _number(session.get_first_cost("ObjectTextSize")),
    "IsRunnable": lambda session: proto.Event(boolean_value=session.has_main()),
    "Runtime": lambda session: _seconds(session.measure_runtimes()),
}
"""Name -> value, in the order of their indices. Those that LLVM has, too, have its names, so that its rewards fit."""


def _make_observation_spaces() -> list[Any]:
    lengths = proto.Int64Range(min=0)
    text = proto.Space(string_value=proto.StringSpace(length_range=lengths))
    number = proto.Space(int64_value=proto.Int64Range(min=0))
    blob = proto.Space(byte_sequence=proto.ByteSequenceSpace(length_range=lengths))
    seconds = proto.DoubleSequenceSpace(length_range=lengths, scalar_range=proto.DoubleRange(min=0.0))
    kinds = {
        "Mlir": text,
        "MlirOpCounts": text,
        "LlvmIr": text,
        "Bitcode": blob,
        "IsRunnable": proto.Space(boolean_value=proto.BooleanRange()),
        "Runtime": proto.Space(double_sequence=seconds),
    }
    defaults = {"MlirOpCounts": _counts({}), "IsRunnable": proto.Event(boolean_value=False)}
    platform_dependent = ("Bitcode", "ObjectTextSizeBytes", "ObjectTextSizeO0", "Runtime")
    return [
        proto.ObservationSpace(
            name=name,
            space=kinds.get(name, number),
            deterministic=name != "Runtime",
            platform_dependent=name in platform_dependent,
            default_observation=defaults.get(name),
        )
        for name in _OBSERVATIONS
    ]
