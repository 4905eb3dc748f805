"""Conversions between the messages that describe spaces and the classes of `gym_spaces.py`."""

from collections.abc import Callable
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.compiler_gym import proto
from helm.compiler_gym.envs.gym_spaces import (
    Box,
    Commandline,
    CommandlineFlag,
    Dict,
    Discrete,
    NamedDiscrete,
    Permutation,
    Scalar,
    Sequence,
    SpaceSequence,
    Tuple,
)
from helm.compiler_gym.runtime.conversions import event_to_python

with needs_extra("compilers"):
    import numpy as np

_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1
_INFINITY = float("inf")

_RANGES: dict[str, tuple[Any, Any, Any]] = {
    "boolean_value": (False, True, bool),
    "int64_value": (_INT64_MIN, _INT64_MAX, np.int64),
    "float_value": (-_INFINITY, _INFINITY, np.float32),
    "double_value": (-_INFINITY, _INFINITY, float),
}
"""Kind of a scalar -> the meaning of absent bounds, and its type."""

_SEQUENCES: dict[str, tuple[Any, str | None]] = {
    "boolean_sequence": (bool, "boolean_value"),
    "byte_sequence": (np.int8, "int64_value"),
    "bytes_sequence": (bytes, None),
    "int64_sequence": (np.int64, "int64_value"),
    "float_sequence": (np.float32, "float_value"),
    "double_sequence": (float, "double_value"),
    "string_value": (str, None),
}
"""Kind of a sequence -> type of its elements (of the whole, for str and bytes), kind of their range."""

_BOXES: dict[str, tuple[Any, str]] = {
    "boolean_box": (bool, "boolean_tensor"),
    "byte_box": (np.int8, "byte_tensor"),
    "int64_box": (np.int64, "int64_tensor"),
    "float_box": (np.float32, "float_tensor"),
    "double_box": (float, "double_tensor"),
}
"""Kind of a box -> its type, and the kind of tensor of its bounds."""


def space_from_proto(message: Any) -> Any:
    """Create the space that a `proto.Space`, `ActionSpace` or `ObservationSpace` describes; the latter two name it.

    Returns None for a message without a value.

    Raises: KeyError for an unknown kind or `type_id`; ValueError when the parts of the message do not fit together;
        AssertionError for a box whose bounds differ in shape.
    """
    if not hasattr(message, "WhichOneof") or "space" in message.DESCRIPTOR.fields_by_name:
        space = space_from_proto(message.space)
        if space is not None:
            space.name = message.name
        return space
    if message.HasField("type_id"):
        return _typed_space_from_proto(message)
    kind = message.WhichOneof("value")
    if kind is None:
        return None
    value = getattr(message, kind)
    if kind == "discrete":
        return Discrete(value.n)
    if kind == "named_discrete":
        return NamedDiscrete(value.name)
    if kind in _RANGES:
        return _scalar_from_proto(value, kind)
    if kind in _SEQUENCES:
        dtype, range_kind = _SEQUENCES[kind]
        scalar_range = _scalar_from_proto(value.scalar_range, range_kind) if range_kind else None
        return Sequence(None, _get_size_range(value), dtype, scalar_range=scalar_range)
    if kind == "string_sequence":
        return SpaceSequence(None, Sequence(None, dtype=str), _get_size_range(value))
    if kind in _BOXES:
        return _box_from_proto(value, kind)
    if kind in ("space_list", "space_union"):
        return Tuple([space_from_proto(item) for item in value.space])
    if kind == "space_dict":
        return Dict({key: space_from_proto(value.space[key]) for key in sorted(value.space)})
    if kind == "space_sequence":
        return SpaceSequence(None, space_from_proto(value.space), _get_size_range(value))
    commandline = proto.CommandlineSpace()
    if kind == "any_value" and value.Unpack(commandline):
        return Commandline([CommandlineFlag(name, name) for name in commandline.name])
    raise KeyError(f"No space class for {kind} {getattr(value, 'type_url', '')}".rstrip())


def _typed_space_from_proto(message: Any) -> Permutation:
    if message.type_id != "permutation" or message.WhichOneof("value") != "int64_sequence":
        raise KeyError(message.type_id)
    scalar_range = _scalar_from_proto(message.int64_sequence.scalar_range, "int64_value")
    size = scalar_range.max - scalar_range.min + 1
    if _get_size_range(message.int64_sequence) != (size, size):
        raise ValueError(
            f"A permutation of {scalar_range.min} to {scalar_range.max} has length {size}, "
            f"not {list(_get_size_range(message.int64_sequence))}."
        )
    return Permutation(None, scalar_range)


def _scalar_from_proto(message: Any, kind: str) -> Scalar:
    low, high, dtype = _RANGES[kind]
    minimum = message.min if message.HasField("min") else low
    maximum = message.max if message.HasField("max") else high
    return Scalar(None, minimum, maximum, dtype)


def _get_size_range(message: Any) -> tuple[int, int]:
    lengths = message.length_range
    return (lengths.min if lengths.HasField("min") else 0), (lengths.max if lengths.HasField("max") else _INT64_MAX)


def _box_from_proto(message: Any, kind: str) -> Box:
    dtype, tensor = _BOXES[kind]
    bounds = [event_to_python(proto.Event(**{tensor: bound})) for bound in (message.low, message.high)]
    if bounds[0].shape != bounds[1].shape:
        raise AssertionError(f"The bounds of a box differ in shape: {bounds[0].shape} and {bounds[1].shape}.")
    return Box(bounds[0], bounds[1], dtype=dtype)


def space_to_proto(space: Any) -> Any:
    """Make the `proto.Space` of a space; its name is not part of the message.

    Raises: KeyError for classes without a message: `Commandline`, `Permutation`, `SpaceSequence`, `Sequence` of bytes.
    """
    for space_class, convert in _TO_PROTO:
        if type(space) is space_class:
            return convert(space)
    raise KeyError(type(space))


def _scalar_to_proto(space: Scalar) -> Any:
    return proto.Space(**{_get_scalar_kind(space.dtype): _range_to_proto(space)})


def _get_scalar_kind(dtype: Any) -> str:
    kinds = {"bool": "boolean_value", "int8": "int64_value", "int64": "int64_value"}
    kinds.update(float32="float_value", float64="double_value")
    return kinds[np.dtype(dtype).name]


def _range_to_proto(space: Scalar) -> Any:
    kind = _get_scalar_kind(space.dtype)
    message = proto.Space()
    bounds = getattr(message, kind)
    convert: Callable[[Any], Any] = {"boolean_value": bool, "int64_value": int}.get(kind, float)
    for name in ("min", "max"):
        if getattr(space, name) is not None:
            setattr(bounds, name, convert(getattr(space, name)))
    return bounds


def _sequence_to_proto(space: Sequence) -> Any:
    lengths = proto.Int64Range(min=space.size_range[0], max=space.size_range[1])
    if space.dtype is bytes:
        raise KeyError("Sequence of bytes")
    if space.dtype is str:
        return proto.Space(string_value=proto.StringSpace(length_range=lengths))
    name = np.dtype(space.dtype).name
    if name == "int8":
        return proto.Space(bytes_sequence=proto.BytesSequenceSpace(length_range=lengths))
    field, message_class = {
        "bool": ("boolean_sequence", "BooleanSequenceSpace"),
        "int64": ("int64_sequence", "Int64SequenceSpace"),
        "float32": ("float_sequence", "FloatSequenceSpace"),
        "float64": ("double_sequence", "DoubleSequenceSpace"),
    }[name]
    message = getattr(proto, message_class)(length_range=lengths)
    if space.scalar_range is not None:
        message.scalar_range.CopyFrom(_range_to_proto(space.scalar_range))
    return proto.Space(**{field: message})


def _box_to_proto(space: Box) -> Any:
    field, message_class, tensor_class = {
        "bool": ("boolean_box", "BooleanBox", "BooleanTensor"),
        "int8": ("byte_box", "ByteBox", "ByteTensor"),
        "int64": ("int64_box", "Int64Box", "Int64Tensor"),
        "float32": ("float_box", "FloatBox", "FloatTensor"),
        "float64": ("double_box", "DoubleBox", "DoubleTensor"),
    }[np.dtype(space.dtype).name]

    def tensor(array: Any) -> Any:
        value = array.tobytes() if tensor_class == "ByteTensor" else array.flatten().tolist()
        return getattr(proto, tensor_class)(shape=list(array.shape), value=value)

    return proto.Space(**{field: getattr(proto, message_class)(low=tensor(space.low), high=tensor(space.high))})


def _dict_to_proto(space: Dict) -> Any:
    spaces = {key: space_to_proto(item) for key, item in space.spaces.items()}
    return proto.Space(space_dict=proto.DictSpace(space=spaces))


_TO_PROTO: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (Discrete, lambda space: proto.Space(discrete=proto.DiscreteSpace(n=int(space.n)))),
    (NamedDiscrete, lambda space: proto.Space(named_discrete=proto.NamedDiscreteSpace(name=space.names))),
    (Scalar, _scalar_to_proto),
    (Sequence, _sequence_to_proto),
    (Box, _box_to_proto),
    (Tuple, lambda space: proto.Space(space_list=proto.ListSpace(space=[space_to_proto(s) for s in space.spaces]))),
    (Dict, _dict_to_proto),
)
