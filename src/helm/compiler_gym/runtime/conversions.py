"""Conversions between events and Python values."""

from typing import Any

from helm.common.formats.json_reading import read_json
from helm.compiler_gym import proto

_SCALARS = ("boolean_value", "int64_value", "float_value", "double_value", "string_value")
_TENSOR_TYPES = {
    "boolean_tensor": "bool",
    "byte_tensor": "int8",
    "int64_tensor": "int64",
    "float_tensor": "float32",
    "double_tensor": "float64",
    "string_tensor": "object",
}
_TENSOR_FIELDS = {dtype: field for field, dtype in _TENSOR_TYPES.items() if dtype != "object"}
"""Arrays of objects are read from string tensors but not written, as in the original."""


def event_to_python(event: Any) -> Any:
    """Return the value of a `proto.Event`, or None if it has none. Tensors become numpy arrays of the event's shape.

    Raises: KeyError for an event with a `type_id` or with an opaque format that is not known; ValueError for a tensor
    whose shape does not fit, and for JSON that cannot be read.
    """
    kind = event.WhichOneof("value")
    if kind == "int64_value" and not event.HasField("type_id"):  # nearly all are
        return event.int64_value
    if event.HasField("type_id"):
        raise KeyError(event.type_id)
    if kind is None:
        return None
    value = getattr(event, kind)
    if kind in _SCALARS:
        return value
    if kind == "event_list":
        return [event_to_python(item) for item in value.event]
    if kind == "event_dict":
        return {key: event_to_python(item) for key, item in value.event.items()}
    if kind == "any_value":
        return _opaque_to_python(value)
    import numpy as np

    dtype = _TENSOR_TYPES[kind]
    flat = (
        np.frombuffer(value.value, dtype=np.int8) if kind == "byte_tensor" else np.array(list(value.value), dtype=dtype)
    )
    return flat.reshape(tuple(value.shape))


def _opaque_to_python(packed: Any) -> Any:
    opaque = proto.Opaque()
    if not packed.Unpack(opaque):
        raise KeyError(packed.type_url)
    if opaque.format == "json://":
        return read_json(opaque.data)
    if opaque.format == "json://networkx/MultiDiGraph":
        import networkx

        return networkx.node_link_graph(read_json(opaque.data), directed=True, multigraph=True, edges="links")
    raise KeyError(opaque.format)


def python_to_event(value: Any) -> Any:
    """Make the `proto.Event` of a value: bool, int, float, str, list, dict, a numpy scalar or array of a known type.

    An event stays as it is.

    Raises: KeyError for any other type.
    """
    if type(value) is int:  # nearly all are
        return proto.Event(int64_value=value)
    if isinstance(value, proto.Event):
        return value
    import numpy as np

    if isinstance(value, (bool, np.bool_)):
        return proto.Event(boolean_value=bool(value))
    if isinstance(value, (int, np.integer)):
        return proto.Event(int64_value=int(value))
    if isinstance(value, np.float32):
        return proto.Event(float_value=float(value))
    if isinstance(value, (float, np.floating)):
        return proto.Event(double_value=float(value))
    if isinstance(value, str):
        return proto.Event(string_value=value)
    if isinstance(value, list):
        return proto.Event(event_list=proto.ListEvent(event=[python_to_event(item) for item in value]))
    if isinstance(value, dict):
        return proto.Event(
            event_dict=proto.DictEvent(event={key: python_to_event(item) for key, item in value.items()})
        )
    if isinstance(value, np.ndarray) and value.dtype.name in _TENSOR_FIELDS:
        return _array_to_event(value)
    kind = type(value).__name__
    raise KeyError(f"A value of type {kind} cannot be sent; expected a number, a text, a list, a dict or an array.")


def _array_to_event(array: Any) -> Any:
    field = _TENSOR_FIELDS[array.dtype.name]
    event = proto.Event()
    tensor = getattr(event, field)
    tensor.shape.extend(array.shape)
    if field == "byte_tensor":
        tensor.value = array.tobytes()
    else:
        tensor.value.extend(array.flatten().tolist())
    if not array.shape and not array.size:  # an empty message still has to be marked as present
        tensor.SetInParent()
    return event


def to_json_value(value: Any) -> Any:
    """Convert an observation to a JSON value: arrays become nested lists."""
    return value.tolist() if hasattr(value, "tolist") else value
