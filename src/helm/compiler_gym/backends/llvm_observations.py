"""The observations of the LLVM backend: the 26 spaces of CompilerGym, in its order and with its messages, and two more."""

import json
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from helm.compiler_gym import proto
from helm.compiler_gym.backends.cpu_info import get_cpu_info
from helm.compiler_gym.backends.llvm_features import AUTOPHASE_NAMES, INST_COUNT_NAMES, get_autophase, get_inst_count
from helm.compiler_gym.backends.llvm_graph import get_program_graph
from helm.compiler_gym.backends.llvm_lexer import lex
from helm.compiler_gym.backends.llvm_program import measure_instruction_count, measure_object_text_size

if TYPE_CHECKING:
    from helm.compiler_gym.backends.llvm import LlvmSession

_INT64_MAX = 2**63 - 1
_JSON, _GRAPH = "json://", "json://networkx/MultiDiGraph"
_EMPTY_GRAPH = {"directed": True, "graph": {"function": [], "module": []}, "links": [], "multigraph": True, "nodes": []}

Observe = Callable[["LlvmSession"], Any]


class Observation(NamedTuple):
    """One observation space and the function that observes it."""

    make_space: Callable[[], Any]
    """Makes the `proto.ObservationSpace`."""
    observe: Observe
    """Makes the `proto.Event`."""
    is_kept: bool = True
    """Whether the event is valid until an action changes the module."""
    is_of_program: bool = False
    """Whether the event is small and depends only on the module, so that all sessions share that of an untouched program."""


# Spaces -------------------------------------------------------------------------------------------------------------


def _text_space(
    name: str,
    max_length: int | None = None,
    min_length: int = 0,
    default: tuple[str, Any] | None = None,
    deterministic: bool = True,
    platform_dependent: bool = False,
) -> Callable[[], Any]:
    """`default` is the format and the value of an opaque message."""

    def make() -> Any:
        length_range = proto.Int64Range(min=min_length, max=max_length)
        return proto.ObservationSpace(
            name=name,
            space=proto.Space(string_value=proto.StringSpace(length_range=length_range)),
            deterministic=deterministic,
            platform_dependent=platform_dependent,
            default_observation=None if default is None else _opaque(*default),
        )

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


def _boolean_space(name: str) -> Callable[[], Any]:
    def make() -> Any:
        return proto.ObservationSpace(
            name=name,
            space=proto.Space(boolean_value=proto.BooleanRange()),
            deterministic=True,
            platform_dependent=True,
            default_observation=proto.Event(int64_value=0),  # a number, as in the original
        )

    return make


def _seconds_space(name: str) -> Callable[[], Any]:
    def make() -> Any:
        sequence = proto.DoubleSequenceSpace(
            length_range=proto.Int64Range(min=0), scalar_range=proto.DoubleRange(min=0.0)
        )
        return proto.ObservationSpace(name=name, space=proto.Space(double_sequence=sequence), platform_dependent=True)

    return make


def _numbers_space(name: str) -> Callable[[], Any]:
    """Make the space of a vector whose length is not known before it is observed."""

    def make() -> Any:
        sequence = proto.DoubleSequenceSpace(length_range=proto.Int64Range(min=0), scalar_range=proto.DoubleRange())
        return proto.ObservationSpace(name=name, space=proto.Space(double_sequence=sequence), deterministic=True)

    return make


# Values -------------------------------------------------------------------------------------------------------------


def _opaque(kind: str, value: Any) -> Any:
    data = json.dumps(value, separators=(",", ":")).encode()
    return proto.Event(any_value=proto.pack_any(proto.Opaque(format=kind, data=data)))


def _number(measure: Callable[[Any], int]) -> Observe:
    return lambda session: proto.Event(int64_value=measure(session.module))


def _baseline(cost: str, level: str) -> Observe:
    return lambda session: proto.Event(int64_value=session.program.get_baseline(cost, level))


def _vector(extract: Callable[[Any], list[int]]) -> Observe:
    def observe(session: "LlvmSession") -> Any:
        values = extract(session.module)
        return proto.Event(int64_tensor=proto.Int64Tensor(shape=[len(values)], value=values))

    return observe


def _observe_bitcode(session: "LlvmSession") -> Any:
    bitcode = session.get_bitcode()
    return proto.Event(byte_tensor=proto.ByteTensor(shape=[len(bitcode)], value=bitcode))


def _observe_tokens(session: "LlvmSession") -> Any:
    tokens = lex(session.print_module())
    ids, kinds, categories, values = ([token[i] for token in tokens] for i in range(4))
    events = {"token_id": proto.Event(int64_tensor=proto.Int64Tensor(shape=[len(ids)], value=ids))}
    for name, texts in (("token_kind", kinds), ("token_category", categories), ("token_value", values)):
        events[name] = proto.Event(string_tensor=proto.StringTensor(shape=[len(texts)], value=texts))
    return proto.Event(event_dict=proto.DictEvent(event=events))


def _observe_seconds(seconds: list[float] | None) -> Any:
    """Make the event of times; it has no value when the program cannot be built or run."""
    if seconds is None:
        return proto.Event()
    return proto.Event(double_tensor=proto.DoubleTensor(shape=[len(seconds)], value=seconds))


@cache
def get_observations() -> dict[str, Observation]:
    """Name -> space and value, in the order of their indices."""
    observations = {
        "Ir": Observation(_text_space("Ir"), lambda session: proto.Event(string_value=session.print_module())),
        "IrSha1": Observation(
            _text_space("IrSha1", 40, 40),
            lambda session: proto.Event(string_value=session.get_digest()),
            is_of_program=True,
        ),
        "Bitcode": Observation(_bytes_space("Bitcode"), _observe_bitcode),
        "BitcodeFile": Observation(
            _text_space("BitcodeFile", 4096, deterministic=False),
            lambda session: proto.Event(string_value=session.write_bitcode_file()),
            is_kept=False,
        ),
        "InstCount": Observation(
            _vector_space("InstCount", len(INST_COUNT_NAMES)), _vector(get_inst_count), is_of_program=True
        ),
        "Autophase": Observation(
            _vector_space("Autophase", len(AUTOPHASE_NAMES)), _vector(get_autophase), is_of_program=True
        ),
        "Programl": Observation(
            _text_space("Programl", default=(_GRAPH, _EMPTY_GRAPH)),
            lambda session: _opaque(_GRAPH, get_program_graph(session.module)),
        ),
        "ProgramlJson": Observation(
            _text_space("ProgramlJson", default=(_JSON, _EMPTY_GRAPH)),
            lambda session: _opaque(_JSON, get_program_graph(session.module)),
        ),
        "CpuInfo": Observation(
            _text_space("CpuInfo", default=(_JSON, {}), platform_dependent=True),
            lambda session: _opaque(_JSON, get_cpu_info()),
        ),
    }
    for name, cost, is_platform_dependent, observe in (
        ("IrInstructionCount", "IrInstructionCount", False, _number(measure_instruction_count)),
        ("ObjectTextSizeBytes", "ObjectTextSize", True, _number(measure_object_text_size)),
        ("TextSizeBytes", "TextSize", True, lambda session: proto.Event(int64_value=session.measure_text_size())),
    ):
        observations[name] = Observation(
            _number_space(name, is_platform_dependent), observe, is_of_program=name != "TextSizeBytes"
        )
        for level in ("-O0", "-O3", "-Oz"):
            baseline = cost + level[1:]
            observations[baseline] = Observation(
                _number_space(baseline, is_platform_dependent),
                _text_size_baseline(level) if cost == "TextSize" else _baseline(cost, level),
            )
    observations["IsBuildable"] = Observation(
        _boolean_space("IsBuildable"), lambda session: proto.Event(boolean_value=session.is_buildable)
    )
    observations["IsRunnable"] = Observation(
        _boolean_space("IsRunnable"), lambda session: proto.Event(boolean_value=session.is_runnable)
    )
    observations["Runtime"] = Observation(
        _seconds_space("Runtime"), lambda session: _observe_seconds(session.measure_runtimes()), is_kept=False
    )
    observations["Buildtime"] = Observation(
        _seconds_space("Buildtime"), lambda session: _observe_seconds(session.measure_buildtimes()), is_kept=False
    )
    observations["LexedIr"] = Observation(_text_space("LexedIr"), _observe_tokens)
    # Ours, behind those of the original, so that its numbers of observations stay what they are.
    for name, kind in (("Ir2Vec", "symbolic"), ("Ir2VecFlowAware", "flow-aware")):
        observations[name] = Observation(_numbers_space(name), _ir2vec(kind))
    return observations


def _ir2vec(kind: str) -> Observe:
    def observe(session: "LlvmSession") -> Any:
        from helm.compiler_gym.backends.llvm_ir2vec import get_module_vector

        vector = get_module_vector(session.get_bitcode(), kind, session.working_dir)
        return proto.Event(double_tensor=proto.DoubleTensor(shape=[len(vector)], value=vector))

    return observe


def _text_size_baseline(level: str) -> Observe:
    return lambda session: proto.Event(int64_value=session.measure_text_size_baseline(level))
